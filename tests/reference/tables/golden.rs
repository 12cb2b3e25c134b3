//! One golden game for each preset: of many random games that end on the board, the one that
//! differs under the largest number of other presets. In half of them the players waver, moving
//! back where they came from, so that some end by repetition.

use serde_json::json;

use crate::{
    reference::{Game, Rules, rules::PRESETS},
    splitmix::SplitMix,
};

const SEEDS: u64 = 800;
const PLY_LIMIT: usize = 120;
/// A game that captures less tells little about the rules.
const FEWEST_CAPTURED: usize = 3;

/// A finished game: moves, what each captured, how it ended.
struct Played {
    moves: Vec<String>,
    captures: Vec<Vec<String>>,
    outcome: (String, String),
}

/// One line for each preset.
pub fn lines() -> Vec<String> {
    let all: Vec<(&str, Rules)> = PRESETS
        .into_iter()
        .map(|name| (name, Rules::from_json(&json!(name)).expect("a preset")))
        .collect();
    all.iter()
        .map(|(name, rules)| {
            let (different, best) = best_game(name, rules, &all);
            eprintln!(
                "{name}: {} plies, {}, differs under {different} presets",
                best.moves.len(),
                best.outcome.1
            );
            format!(
                "{{\"name\": {}, \"rules\": {}, \"moves\": {}, \"captures\": {}, \"result\": {}, \
                 \"reason\": {}}}",
                json!(format!("{name}, {}", best.outcome.1)),
                json!(name),
                json!(best.moves),
                json!(best.captures),
                json!(best.outcome.0),
                json!(best.outcome.1),
            )
        })
        .collect()
}

fn best_game(name: &str, rules: &Rules, all: &[(&str, Rules)]) -> (usize, Played) {
    let mut best: Option<(usize, Played)> = None;
    for seed in 0..SEEDS {
        let Some(played) = random_game(rules, seed) else {
            continue;
        };
        if played.captures.concat().len() < FEWEST_CAPTURED {
            continue;
        }
        let different = all
            .iter()
            .filter(|(other, rules)| *other != name && differs(&played, rules))
            .count();
        let better = best.as_ref().is_none_or(|(most, held)| {
            different > *most || (different == *most && played.moves.len() < held.moves.len())
        });
        if better {
            best = Some((different, played));
        }
    }
    best.expect("a game that ends on the board")
}

/// A game of random moves, if it ends on the board.
fn random_game(rules: &Rules, seed: u64) -> Option<Played> {
    let mut random = SplitMix(seed);
    let mut game = Game::new(rules, None, None).expect("a start");
    let (mut moves, mut captures) = (Vec::new(), Vec::new());
    while moves.len() < PLY_LIMIT {
        let legal = game.legal_moves();
        let mut text = random.pick(&legal).clone();
        let wavers = seed % 2 == 1 && random.below(2) == 0;
        if wavers && let Some(back) = way_back(&moves).filter(|back| legal.contains(back)) {
            text = back;
        }
        captures.push(game.play(&text).expect("a listed move is legal"));
        moves.push(text);
        if let Some(outcome) = game.outcome() {
            return Some(Played {
                moves,
                captures,
                outcome,
            });
        }
    }
    None
}

/// The mover's last move, backwards.
fn way_back(moves: &[String]) -> Option<String> {
    let last = moves.len().checked_sub(2)?;
    let (from, to) = moves[last].split_once('-')?;
    Some(format!("{to}-{from}"))
}

/// Whether the game cannot be replayed under these rules with the same captures and ending.
fn differs(played: &Played, rules: &Rules) -> bool {
    let mut game = Game::new(rules, None, None).expect("a start");
    for (text, captured) in played.moves.iter().zip(&played.captures) {
        if game.play(text).as_ref() != Ok(captured) {
            return true;
        }
    }
    game.outcome().as_ref() != Some(&played.outcome)
}
