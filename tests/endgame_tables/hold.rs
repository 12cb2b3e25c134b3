//! Who can hold, where all moves are allowed, is who does not lose by the tables.

use brandub::game::{Bitboard, Position, Rules, Side};
use brandub::solver::hold::wall::{Approach, Plan, Wall};
use brandub::solver::hold::{Found, Search, check};
use brandub::solver::tables::{Probe, Value, open_tables};

use super::minimax::placements;
use super::{build, ruleset};

const MEMORY: u64 = 1 << 28;

/// Whether this side holds; if so, by positions that pass the check.
fn holds(rules: &Rules, position: &Position, holder: Side) -> bool {
    let mut search = Search::new(rules, position, holder, MEMORY).expect("a question");
    match search.run(&mut |_| true) {
        Found::Held(fortress) => {
            let checked = check(&fortress, fortress.claim);
            assert!(checked.is_ok(), "{position}: {checked:?}");
            true
        }
        Found::Left => false,
        other => panic!("{other:?}"),
    }
}

/// Every so many positions of a layer, both sides as the holder; how many are held
/// and how many not.
fn compare(table: &str, defenders: u8, attackers: u8, every: usize) -> [usize; 2] {
    let rules = Rules::new(ruleset(table));
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), rules.ruleset(), defenders, attackers, 1).expect("tables");
    let tables = open_tables(dir.path(), rules.ruleset()).expect("tables");
    let mut counts = [0, 0];
    let all = placements(&rules, defenders, attackers);
    let played_on = all
        .iter()
        .filter(|position| rules.ending(position).is_none());
    for position in played_on.step_by(every) {
        let value = tables.probe(position).expect("a value");
        for holder in Side::BOTH {
            let lost = match value {
                Value::Draw => false,
                Value::Win { .. } => holder != position.side,
                Value::Loss { .. } => holder == position.side,
            };
            assert_eq!(
                holds(&rules, position, holder),
                !lost,
                "{table}: {holder}, {} to move, {value:?}\n{position}",
                position.side
            );
            counts[usize::from(lost)] += 1;
        }
    }
    counts
}

#[test]
fn whoever_does_not_lose_by_the_tables_holds_and_nobody_else() {
    let branan = "base = 'branan'";
    let step = "base = 'branan-step'";
    let unarmed = "king_armed = false\nking_edge = 'safe'";
    let shut = "encirclement = true\nno_moves = 'loses'";
    let mut all = [0, 0];
    for (table, defenders, attackers, every) in [
        (branan, 0, 2, 499),
        (branan, 1, 1, 499),
        (step, 0, 3, 9973),
        (step, 1, 1, 499),
        (unarmed, 0, 2, 499),
        (unarmed, 0, 3, 9973),
        (shut, 0, 2, 499),
        (shut, 1, 2, 199_999),
    ] {
        let [held, lost] = compare(table, defenders, attackers, every);
        assert!(held >= 3, "{table} {defenders} {attackers}: {held} {lost}");
        all = [all[0] + held, all[1] + lost];
    }
    assert!(all.iter().all(|&of| of >= 200), "{all:?}");
}

/// Where men may be anywhere, what is worked out at once is what the tables say, of every
/// position; how many attackers hold and how many not.
fn compare_wall(table: &str, defenders: u8, attackers: u8) -> [usize; 2] {
    let rules = Rules::new(ruleset(table));
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), rules.ruleset(), defenders, attackers, 1).expect("tables");
    let tables = open_tables(dir.path(), rules.ruleset()).expect("tables");
    let placed = |defenders, attackers| placements(&rules, defenders, attackers);
    let root = placed(defenders, attackers)[0];
    let plan = Plan {
        keep: Bitboard::EMPTY,
        least: 0,
        beside: Bitboard::FULL,
    };
    let mut wall = Wall::new(&rules, plan, &root, MEMORY).expect("a wall");
    assert!(wall.work_out(&mut |_| true));
    let mut counts = [0, 0];
    for (defenders, attackers) in (0..=defenders).flat_map(|d| (0..=attackers).map(move |a| (d, a)))
    {
        let all = placed(defenders, attackers);
        let played_on = all
            .iter()
            .filter(|position| rules.ending(position).is_none());
        for position in played_on {
            let lost = match tables.probe(position).expect("a value") {
                Value::Draw => false,
                Value::Win { .. } => position.side == Side::Defenders,
                Value::Loss { .. } => position.side == Side::Attackers,
            };
            let held = wall.holds(position);
            assert_eq!(held, Some(!lost), "{table}: {}\n{position}", position.side);
            counts[usize::from(lost)] += 1;
        }
    }
    let mut approach = Approach::new(&wall, 1 << 20).expect("memory");
    for position in placed(defenders, attackers).iter().step_by(9973) {
        if rules.ending(position).is_some() || wall.holds(position) != Some(true) {
            continue;
        }
        let fortress = approach.fortress(position, false, 0, MEMORY, &mut |_| true);
        let fortress = fortress.expect("numbers").expect("positions");
        let checked = check(&fortress, fortress.claim);
        assert!(checked.is_ok(), "{table}: {position}: {checked:?}");
    }
    counts
}

#[test]
fn walls_of_men_anywhere_are_what_the_tables_say() {
    let no_moves = "no_moves = 'loses'\n";
    let mut all = [0, 0];
    for (table, defenders, attackers) in [
        ("base = 'branan'", 1, 2),
        ("base = 'branan-step'", 1, 3),
        ("base = 'branan-unarmed'", 1, 2),
        ("base = 'disputed'", 1, 2),
        ("base = 'masters'", 1, 2),
        ("king_armed = false\nthrone_hostile = 'none'", 1, 2),
        ("king_capture = 'zone'\nking_return = false", 1, 2),
        ("king_capture = 'four'\nthrone_pass = 'nobody'", 0, 3),
        ("throne = 'ordinary'", 1, 2),
        (
            "corners_hostile = 'soldiers'\nthrone_hostile = 'soldiers'",
            2,
            1,
        ),
    ] {
        let [held, lost] = compare_wall(&format!("{no_moves}{table}"), defenders, attackers);
        all = [all[0] + held, all[1] + lost];
    }
    assert!(all.iter().all(|&of| of >= 100_000), "{all:?}");
}
