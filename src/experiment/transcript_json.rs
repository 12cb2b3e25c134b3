//! A game as one JSON object, for `brandub check` and for viewers that know no
//! rules. Imports games, events and the judge.

use serde_json::{Value, json};

use super::grid::Cell;
use super::judge::expected_scores;
use super::one_game::Transcript;
use crate::game::{Bitboard, Event, Explainer, Game, Outcome};

/// A game of a cell as one JSON object, which `brandub check` reads.
///
/// - `cell`, `ruleset` (ids), `label`, `rules` (every axis), `attackers`,
///   `defenders` (spec strings), `game`;
/// - `start`, an OpenTafl position string, the attackers to move;
///   `opening_plies`, how many of the moves are the random opening's;
/// - `moves`; `captures`, for every move the squares of the captured, the
///   king's among them; `events`, for every move what happened in words
///   ([`Event::words`]): these three have the same length, and a viewer steps
///   through the game by moving the piece and lifting the captured;
/// - `expected`, the attackers' expected score before the first move and after
///   every move ([`super::expected_score`]), rounded to three decimals;
/// - `result` and `reason` on the board (`ongoing` if it did not end there),
///   `winner`, `termination`, `forfeit` (what the agent did, or null);
/// - `attackers_left`, `defenders_left`, `opening`, `moves_key` as in its row.
#[must_use]
pub fn transcript_json(cell: &Cell, transcript: &Transcript) -> Value {
    let record = &transcript.record;
    let rules = cell.rules();
    let explainer = Explainer::new(&rules);
    let mut game = Game::new(&rules);
    let (mut captures, mut events) = (Vec::new(), Vec::new());
    for &ply in &transcript.moves {
        let explanation = explainer.explain(&game, ply);
        captures.push(names(explanation.played.captured));
        let words = explanation.events().into_iter().map(Event::words);
        events.push(words.collect::<Vec<_>>());
        game.play_legal(ply);
    }
    let moves: Vec<String> = transcript.moves.iter().map(ToString::to_string).collect();
    let scores = expected_scores(&rules, &transcript.moves, 0);
    let expected = scores.iter().map(|score| (score * 1e3).round() / 1e3);
    json!({
        "cell": cell.id,
        "ruleset": cell.ruleset_id,
        "label": cell.ruleset.label(),
        "rules": cell.ruleset,
        "attackers": cell.pair.attackers,
        "defenders": cell.pair.defenders,
        "game": record.game,
        "start": rules.start().to_otn(),
        "opening_plies": transcript.opening_plies,
        "moves": moves,
        "captures": captures,
        "events": events,
        "expected": expected.collect::<Vec<f64>>(),
        "result": transcript.outcome.map_or("ongoing", Outcome::result),
        "reason": transcript.outcome.map_or("ongoing", |outcome| outcome.reason.name()),
        "winner": record.winner.name(),
        "termination": record.termination.name(),
        "forfeit": transcript.forfeit.as_ref().map(|(_, forfeit)| forfeit.to_string()),
        "attackers_left": record.attackers_left,
        "defenders_left": record.defenders_left,
        "opening": record.opening,
        "moves_key": record.moves_key.to_string(),
    })
}

fn names(squares: Bitboard) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}
