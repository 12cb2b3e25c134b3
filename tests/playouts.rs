//! Random games several at a time: the same games, move by move, that the
//! rules play one by one, in every kind of word, and every legal move equally
//! likely.

#[path = "rulesets/mod.rs"]
mod rulesets;

use std::collections::HashMap;

use brandub::agents::{Stream, stream};
use brandub::arch::Kind;
use brandub::game::playouts::{Beginning, Ended, Games, Playouts, Seed, draw};
use brandub::game::sample::{below, random_move};
use brandub::game::{
    Bitboard, Game, Move, MoveList, Outcome, Position, Preset, Repetition, Rules, Ruleset, Side,
    preset,
};
use rand_core::Rng;
use rulesets::{any_ruleset, pick};

/// A game as it ended.
#[derive(Clone, PartialEq, Debug)]
struct Played {
    outcome: Option<Outcome>,
    plies: u32,
    opening: u32,
    last: Position,
    moves: Vec<Move>,
}

/// Moves in the order in which random games number them: by direction (right,
/// up, left, down), then by the square they go to.
fn numbered(game: &Game<'_>) -> Vec<Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let mut moves: Vec<Move> = list.iter().copied().collect();
    moves.sort_by_key(|ply| {
        let across = ply.to.file() - ply.from.file();
        let along = ply.to.rank() - ply.from.rank();
        let direction = match (across.signum(), along.signum()) {
            (1, 0) => 0,
            (0, 1) => 1,
            (-1, 0) => 2,
            _ => 3,
        };
        (direction, ply.to)
    });
    moves
}

/// The game as the definition says: one number a move, a list of all moves.
fn by_the_rules(mut game: Game<'_>, seeds: [Seed; 2], ply_limit: u32) -> Played {
    let opening = game.plies();
    let mut numbers = seeds.map(stream);
    while game.outcome().is_none() && game.plies() < ply_limit {
        let moves = numbered(&game);
        let numbers = &mut numbers[game.position().side as usize];
        game.play_legal(moves[below(moves.len() as u32, numbers) as usize]);
    }
    Played {
        outcome: game.outcome(),
        plies: game.plies(),
        opening,
        last: *game.position(),
        moves: game.played().to_vec(),
    }
}

/// Some games to play, and those that were.
struct Work<'r> {
    beginnings: Vec<(Option<Game<'r>>, [Seed; 2])>,
    begun: usize,
    ended: Vec<Option<Played>>,
}

impl Games for Work<'_> {
    fn next(&mut self) -> Option<Beginning<'_>> {
        let (opening, [attackers, defenders]) = self.beginnings.get(self.begun)?;
        self.begun += 1;
        Some(Beginning {
            number: self.begun as u64 - 1,
            opening: opening.as_ref(),
            attackers: *attackers,
            defenders: *defenders,
        })
    }

    fn end(&mut self, ended: &Ended<'_>) {
        let place = &mut self.ended[ended.number as usize];
        assert!(place.is_none(), "game {} ended twice", ended.number);
        *place = Some(Played {
            outcome: ended.outcome,
            plies: ended.plies,
            opening: ended.opening,
            last: ended.last,
            moves: ended.moves.to_vec(),
        });
    }
}

fn play(playouts: Playouts<'_>, beginnings: Vec<(Option<Game<'_>>, [Seed; 2])>) -> Vec<Played> {
    let mut work = Work {
        ended: vec![None; beginnings.len()],
        beginnings,
        begun: 0,
    };
    playouts.play(&mut work);
    work.ended
        .into_iter()
        .map(|played| played.expect("a game that ended"))
        .collect()
}

/// Seeds of which some begin with the number 0, which may not be used for
/// most numbers of moves and is drawn again.
fn seeds(random: &mut Stream) -> [Seed; 2] {
    [(); 2].map(|()| {
        let mut seed = [0; 32];
        random.fill_bytes(&mut seed);
        if below(4, random) == 0 {
            seed[..8].fill(0);
            seed[24..].fill(0);
        }
        seed
    })
}

/// A position with some men on squares drawn at random, often so many that
/// there is hardly a move.
fn crowd(rules: &Rules, random: &mut Stream) -> Option<Position> {
    let mut position = Position {
        attackers: Bitboard::EMPTY,
        defenders: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        side: pick(&Side::BOTH, random),
    };
    let mut free: Vec<_> = (!Bitboard::CORNERS).into_iter().collect();
    let mut square = |random: &mut Stream| {
        let place = below(free.len() as u32, random) as usize;
        Bitboard::of(free.swap_remove(place))
    };
    position.king = square(random);
    let most = pick(&[6, 20, 36], random);
    let (attackers, defenders) = (1 + below(most, random), below(8, random));
    (0..attackers).for_each(|_| position.attackers |= square(random));
    (0..defenders).for_each(|_| position.defenders |= square(random));
    let stands = rules.admit(&position).is_ok() && rules.ending(&position).is_none();
    stands.then_some(position)
}

/// The king and two defenders in a ring of attackers that lacks one.
fn ring(rules: &Rules, random: &mut Stream) -> Option<Position> {
    let set = |squares: &str| {
        let squares = squares.split(' ');
        squares.fold(Bitboard::EMPTY, |set, name| {
            set | Bitboard::of(name.parse().expect("a square"))
        })
    };
    let ring = set("b2 c2 d2 e2 f2 b3 f3 b4 f4 b5 f5 b6 c6 d6 e6 f6");
    let gap = pick(&ring.into_iter().collect::<Vec<_>>(), random);
    let position = Position {
        attackers: (ring - Bitboard::of(gap)) | set("a3 g2 a6 d7"),
        defenders: set("c3 e5"),
        king: set(pick(&["c5", "d4", "e3"], random)),
        side: Side::Attackers,
    };
    let stands = rules.admit(&position).is_ok() && rules.ending(&position).is_none();
    stands.then_some(position)
}

/// Nothing, some random moves, or a position with men in a ring or anywhere.
fn opening<'r>(rules: &'r Rules, random: &mut Stream) -> Option<Game<'r>> {
    let mut game = match below(4, random) {
        0 => return None,
        1 => Game::new(rules),
        2 => return Some(Game::from_position(rules, ring(rules, random)?)),
        _ => Game::from_position(rules, crowd(rules, random)?),
    };
    for _ in 0..below(12, random) {
        let ply = random_move(rules, game.position(), random)?;
        game.play_legal(ply);
        if game.outcome().is_some() {
            return None;
        }
    }
    Some(game)
}

/// What of the tests' games ended how.
type Endings = HashMap<String, u32>;

/// Plays some games under a ruleset in every way, and asserts that they are
/// the same.
fn compare(ruleset: Ruleset, games: usize, random: &mut Stream, endings: &mut Endings) {
    let ply_limit = pick(&[1, 2, 7, 60, 300, 300, 1000, 1000], random);
    let forgetful = Rules::new(Ruleset {
        repetition: Repetition::Ignored,
        ..ruleset
    });
    let mindful = Rules::new(ruleset);
    for (rules, history) in [(&mindful, true), (&forgetful, false)] {
        let beginnings: Vec<_> = (0..games)
            .map(|_| (opening(rules, random), seeds(random)))
            .filter(|(game, _)| game.as_ref().is_none_or(|game| game.plies() < ply_limit))
            .collect();
        let expected: Vec<Played> = beginnings
            .iter()
            .map(|(game, seeds)| {
                let game = game.clone().unwrap_or_else(|| Game::new(rules));
                by_the_rules(game, *seeds, ply_limit)
            })
            .collect();
        for played in &expected {
            let reason = played
                .outcome
                .map(|outcome| format!("{:?}", outcome.reason));
            *endings.entry(reason.unwrap_or_default()).or_default() += 1;
        }
        for kind in Kind::here() {
            let playouts = Playouts {
                rules: &mindful,
                ply_limit,
                history,
                kind,
            };
            for (number, (mut played, expected)) in play(playouts, beginnings.clone())
                .into_iter()
                .zip(&expected)
                .enumerate()
            {
                if !history {
                    assert_eq!(played.moves, [], "{}", kind.name());
                    played.moves.clone_from(&expected.moves);
                }
                assert!(
                    played == *expected,
                    "game {number}, {}, history {history}, limit {ply_limit}: {played:?}, not \
                     {expected:?}, under {ruleset:?}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn every_kind_of_word_plays_the_games_that_the_rules_play() {
    let mut random = stream([3; 32]);
    let mut endings = Endings::new();
    let presets = Preset::ALL.iter().map(Preset::ruleset);
    let many = presets.chain(preset::disputed_factorial());
    for ruleset in many.collect::<Vec<_>>() {
        compare(ruleset, 60, &mut random, &mut endings);
    }
    let others: u32 = if cfg!(debug_assertions) { 30 } else { 300 };
    for _ in 0..others {
        let ruleset = any_ruleset(&mut random);
        compare(ruleset, 30, &mut random, &mut endings);
    }
    println!("{endings:?}");
    // The limit, and the five ways in which a game can end.
    let reasons = ["", "KingCaptured", "KingEscaped", "Encircled", "Repetition"];
    for reason in reasons {
        assert!(endings[reason] >= 20, "{reason}: {endings:?}");
    }
    assert!(endings.len() >= 6, "{endings:?}");
}

#[test]
fn no_games_and_one_game_are_played_too() {
    let rules = Rules::new(Ruleset::default());
    for kind in Kind::here() {
        let playouts = Playouts {
            rules: &rules,
            ply_limit: 100,
            history: true,
            kind,
        };
        assert_eq!(play(playouts, Vec::new()), []);
        let seeds = [[5; 32], [6; 32]];
        let expected = by_the_rules(Game::new(&rules), seeds, 100);
        assert_eq!(play(playouts, vec![(None, seeds)]), [expected]);
    }
}

/// How far from what equally likely moves would give, in standard deviations
/// of a normal distribution (Wilson and Hilferty 1931).
fn surprise(counts: &[u32]) -> f64 {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    let squares = counts
        .iter()
        .map(|&count| (f64::from(count) - expected).powi(2));
    let chi_square = squares.sum::<f64>() / expected;
    let freedom = counts.len() as f64 - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

#[test]
fn the_surprise_at_a_published_quantile_is_that_of_the_normal_distribution() {
    // Of chi-square with 19 degrees of freedom the upper 5 % lie above 30.144,
    // and with one of the counts 30.144 too high by its square this is it.
    let (expected, more) = (10_000.0_f64, (30.144_f64 * 10_000.0 / 2.0).sqrt());
    let mut counts = [10_000; 20];
    counts[0] = (expected + more).round() as u32;
    counts[1] = (expected - more).round() as u32;
    assert!((surprise(&counts) - 1.645).abs() < 0.02);
}

#[test]
fn every_legal_move_is_equally_likely() {
    let mut random = stream([8; 32]);
    let (mut positions, mut most) = (0, 0.0_f64);
    while positions < 60 {
        let rules = Rules::new(any_ruleset(&mut random));
        let game = match below(2, &mut random) {
            0 => opening(&rules, &mut random),
            _ => crowd(&rules, &mut random).map(|position| Game::from_position(&rules, position)),
        };
        let Some(game) = game else { continue };
        let moves = numbered(&game);
        if moves.is_empty() {
            assert_eq!(draw(&rules, game.position(), &mut random), None);
            continue;
        }
        positions += 1;
        let mut counts = vec![0; moves.len()];
        for _ in 0..2000 * moves.len() {
            let ply = draw(&rules, game.position(), &mut random).expect("a move");
            let place = moves.iter().position(|it| *it == ply);
            counts[place.expect("a legal move")] += 1;
        }
        if moves.len() > 1 {
            most = most.max(surprise(&counts));
        }
    }
    // Once in a million sets of 60 positions.
    assert!(most < 5.6, "{most}");
}

#[test]
fn all_first_moves_are_equally_likely_in_every_lane() {
    let rules = Rules::new(Ruleset::default());
    let moves = numbered(&Game::new(&rules));
    let mut random = stream([9; 32]);
    let games = 1000 * moves.len();
    let beginnings: Vec<_> = (0..games)
        .map(|_| {
            let [mut attackers, mut defenders] = [[0; 32]; 2];
            random.fill_bytes(&mut attackers);
            random.fill_bytes(&mut defenders);
            (None, [attackers, defenders])
        })
        .collect();
    for kind in Kind::here() {
        let playouts = Playouts {
            rules: &rules,
            ply_limit: 1,
            history: true,
            kind,
        };
        let mut counts = vec![0; moves.len()];
        for played in play(playouts, beginnings.clone()) {
            assert_eq!((played.outcome, played.plies), (None, 1));
            let place = moves.iter().position(|it| [*it] == played.moves[..]);
            counts[place.expect("a legal move")] += 1;
        }
        assert!(surprise(&counts) < 5.0, "{}: {counts:?}", kind.name());
    }
}
