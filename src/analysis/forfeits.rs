//! Games that an agent lost because it gave no legal move: they say something
//! of the agent and nothing of the rules. Imports cells' rows
//! and runs.

use std::collections::HashSet;

use super::cell_row::CellRow;
use super::run::Run;
use crate::experiment::Match;

/// Whether so many games of a cell ended by a forfeit that no verdict is given
/// on it: more than 5 %.
pub(super) fn are_too_many(forfeits: u64, games: u64) -> bool {
    20 * forfeits > games
}

/// The pairs of players of whom that is true under some ruleset.
pub(super) fn pairs(run: &Run) -> HashSet<&Match> {
    let rows = run.cells.iter().map(|cell| &cell.row);
    rows.filter(|row| are_too_many(row.forfeits.values().sum(), row.games))
        .map(|row| &row.cell.pair)
        .collect()
}

/// How many games of these cells ended by a forfeit, and whose, in a sentence
/// without its full stop; `None` if none did.
#[must_use]
pub fn forfeits_note<'a>(cells: impl IntoIterator<Item = &'a CellRow>) -> Option<String> {
    let (mut games, mut forfeits) = (0, 0);
    let mut agents: Vec<String> = Vec::new();
    for row in cells {
        games += row.games;
        for (&(side, _), count) in &row.forfeits {
            forfeits += count;
            let agent = row.cell.pair.of(side).to_string();
            if !agents.contains(&agent) {
                agents.push(agent);
            }
        }
    }
    let they_say = match forfeits {
        0 => return None,
        1 => "it says",
        _ => "they say",
    };
    Some(format!(
        "{forfeits} of {games} games ended by a forfeit of {}; {they_say} nothing of the rules",
        agents.join(" or ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::ForfeitKind;
    use crate::analysis::fixture;
    use crate::experiment::Winner;
    use crate::game::Side;

    #[test]
    fn forfeits_are_counted_and_their_agents_named_once() {
        let run = fixture::run("common", "presets=['wtf','crust']", |_| {
            vec![Some(Winner::Defenders); 20]
        });
        let mut rows: Vec<CellRow> = run.cells.iter().map(|cell| cell.row.clone()).collect();
        assert_eq!(forfeits_note(&rows), None);
        let agent = rows[0].cell.pair.of(Side::Attackers).to_string();
        let key = (Side::Attackers, ForfeitKind::Crash);
        rows[0].forfeits.insert(key, 1);
        let one = format!(
            "1 of {} games ended by a forfeit of {agent}; it says nothing of the rules",
            20 * rows.len()
        );
        assert_eq!(forfeits_note(&rows), Some(one));
        rows[1].forfeits.insert(key, 4);
        let five = forfeits_note(&rows).unwrap();
        assert!(five.starts_with("5 of ") && five.ends_with("; they say nothing of the rules"));
        assert_eq!(five.matches(&agent).count(), 1, "{five}");
        assert!(are_too_many(2, 39) && !are_too_many(2, 40));
    }
}
