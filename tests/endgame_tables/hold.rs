//! Who can hold, where all moves are allowed, is who does not lose by the tables.

use brandub::game::{Position, Rules, Side};
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
