//! A search that is told the tables' values plays them out.

use brandub::agents::{Budget, Stream, search, search_knowing, stream};
use brandub::game::{Bitboard, Game, Position, Rules, Side, Square, sample::below};
use brandub::solver::tables::{Probe, Tables, Value, open_tables};

use super::{build, ruleset};

/// So many men on squares drawn at random, where the tables have them.
fn draw(
    tables: &Tables,
    attackers: u32,
    defenders: u32,
    side: Side,
    numbers: &mut Stream,
) -> Option<Position> {
    let position = scatter(attackers, defenders, side, numbers);
    tables.probe(&position).map(|_| position)
}

/// So many men on squares drawn at random.
fn scatter(attackers: u32, defenders: u32, side: Side, numbers: &mut Stream) -> Position {
    let mut position = Position {
        attackers: Bitboard::EMPTY,
        defenders: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        side,
    };
    while position.occupied().len() <= attackers + defenders {
        let square = Bitboard::of(Square::new(below(49, numbers) as usize));
        if position.occupied().meets(square) {
            continue;
        }
        if position.king.is_empty() {
            position.king = square;
        } else if position.defenders.len() < defenders {
            position.defenders |= square;
        } else {
            position.attackers |= square;
        }
    }
    position
}

#[test]
fn a_search_that_knows_the_tables_plays_them_out_to_the_ply() {
    let rules = ruleset("king_return = false");
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), &rules, 1, 3, 2).expect("tables");
    let tables = open_tables(dir.path(), &rules).expect("tables");
    let rules = Rules::new(rules);
    let mut longest = [0; 2];
    let mut numbers = stream([7; 32]);
    for seed in 0..5000_u16 {
        let side = Side::BOTH[usize::from(seed % 2)];
        let Some(position) = draw(&tables, 3, 1, side, &mut numbers) else {
            continue;
        };
        let value = tables.probe(&position).expect("drawn from the tables");
        let Some(plies) = value.plies() else { continue };
        let winner = match value {
            Value::Win { .. } => position.side,
            _ => position.side.other(),
        };
        let mut game = Game::from_position(&rules, position);
        while game.outcome().is_none() {
            let numbers = stream([seed as u8; 32]);
            let found = search_knowing(&game, Budget::Depth(1), numbers, &tables);
            game.play(found.best).expect("legal");
        }
        assert_eq!(game.plies(), u32::from(plies), "{position}");
        assert_eq!(
            game.outcome().and_then(|outcome| outcome.winner),
            Some(winner)
        );
        let longest = &mut longest[winner as usize];
        *longest = plies.max(*longest);
    }
    assert!(longest[0] >= 3 && longest[1] >= 7, "{longest:?}");
}

#[test]
fn what_a_deep_search_proves_the_tables_say_too() {
    let rules = ruleset("");
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), &rules, 1, 2, 2).expect("tables");
    let tables = open_tables(dir.path(), &rules).expect("tables");
    let rules = Rules::new(rules);
    let mut proven = 0;
    let mut numbers = stream([8; 32]);
    for seed in 0..400_u16 {
        let side = Side::BOTH[usize::from(seed % 2)];
        let Some(position) = draw(&tables, 2, 1, side, &mut numbers) else {
            continue;
        };
        let game = Game::from_position(&rules, position);
        if game.outcome().is_some() {
            continue;
        }
        let found = search(&game, Budget::Depth(6), stream([1; 32]));
        let Some(plies) = found.wins_in().filter(|plies| plies.abs() <= 6) else {
            continue;
        };
        let value = match plies > 0 {
            true => Value::Win { plies: plies as u8 },
            false => Value::Loss {
                plies: -plies as u8,
            },
        };
        assert_eq!(tables.probe(&position), Some(value), "{position}");
        proven += 1;
    }
    assert!(proven > 100, "{proven}");
}

#[test]
fn a_search_near_the_tables_proves_more_with_them() {
    let rules = ruleset("throne_hostile = \"none\"");
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), &rules, 1, 3, 2).expect("tables");
    let tables = open_tables(dir.path(), &rules).expect("tables");
    let rules = Rules::new(rules);
    let mut numbers = stream([9; 32]);
    let (mut positions, mut alone, mut knowing) = (0, 0, 0);
    while positions < 100 {
        // One capture of an attacker, or of a defender, above the tables.
        let (attackers, defenders) = [(4, 1), (3, 2)][positions % 2];
        let side = Side::BOTH[positions / 2 % 2];
        let position = scatter(attackers, defenders, side, &mut numbers);
        let over = rules.admit(&position).is_err() || rules.ending(&position).is_some();
        if over || rules.decisive_move(&position).is_some() {
            continue;
        }
        let game = Game::from_position(&rules, position);
        // Most are over in a few plies.
        let shallow = search(&game, Budget::Depth(2), stream([1; 32]));
        if shallow.wins_in().is_some() {
            continue;
        }
        positions += 1;
        let budget = Budget::Depth(3);
        let without = search(&game, budget, stream([1; 32]));
        let with = search_knowing(&game, budget, stream([1; 32]), &tables);
        let proved = [without, with].map(|found| found.wins_in().map(i32::signum));
        if let [Some(without), Some(with)] = proved {
            assert_eq!(without, with, "{position}");
        }
        alone += u32::from(proved[0].is_some());
        knowing += u32::from(proved[1].is_some());
    }
    println!("proved of {positions}: {alone} alone, {knowing} with tables");
    assert!(knowing > alone + alone / 20, "{alone} {knowing}");
}
