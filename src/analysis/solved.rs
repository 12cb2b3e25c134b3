//! What is proved of the start position beside how games from there went:
//! `solved.csv`. Imports runs, the proof's claim and the folding of positions.

use super::WILSON_95_Z;
use super::people::without_repetition;
use super::run::{CellGames, Run};
use super::score::Score;
use super::sheet::{Sheet, Table};
use crate::game::{Move, MoveList, Position, Rules, Side};
use crate::solver::Claim;
use crate::solver::ranking::folded;

/// What is proved under one ruleset.
#[derive(Debug, Default)]
struct Known {
    /// First moves up to symmetry.
    openings: u64,
    attackers: Vec<(Move, u16)>,
    defenders: Vec<(Move, u16)>,
    /// Who wins from the start, and within how many plies.
    start: Option<(Side, u16)>,
}

struct Row<'a> {
    run: &'a Run,
    cell: &'a CellGames,
    known: Known,
}

impl Row<'_> {
    fn score(&self) -> Score {
        Score::new(self.cell.finished())
    }
}

/// One row for every cell with games under whose rules something is proved of
/// the start position or of the position after a first move. The claims must be
/// those of certificates that passed their check.
#[must_use]
pub fn solved_table(runs: &[Run], proved: &[Claim]) -> Table {
    let mut rows = Vec::new();
    for run in runs {
        for cell in &run.cells {
            let known = known(&Rules::new(cell.row.cell.ruleset), proved);
            let none = known.attackers.is_empty() && known.defenders.is_empty();
            if cell.mean_score().is_some() && !(none && known.start.is_none()) {
                rows.push(Row { run, cell, known });
            }
        }
    }
    let bound = |row: &Row<'_>, end: usize| Some(row.score().interval(WILSON_95_Z)[end]);
    Sheet::new(&rows)
        .cell(|row| (row.run, row.cell))
        .agents(|row| row.cell)
        .count("games", |row| row.cell.finished().iter().sum())
        .share("score", |row| row.score().value())
        .share("low", |row| bound(row, 0))
        .share("high", |row| bound(row, 1))
        .text("winner", |row| {
            let winner = row.known.start.map(|(side, _)| side.name());
            winner.unwrap_or_default().to_owned()
        })
        .maybe_count("plies", |row| {
            row.known.start.map(|(_, plies)| u64::from(plies))
        })
        .count("first_moves", |row| row.known.openings)
        .text("won_by_attackers", |row| words(&row.known.attackers))
        .text("won_by_defenders", |row| words(&row.known.defenders))
        .table("solved")
}

/// `d2-g2 in 41, d2-f2 in 43`.
fn words(moves: &[(Move, u16)]) -> String {
    let words = moves.iter().map(|(ply, plies)| format!("{ply} in {plies}"));
    words.collect::<Vec<_>>().join(", ")
}

fn known(rules: &Rules, proved: &[Claim]) -> Known {
    let same = without_repetition(rules.ruleset());
    let claims: Vec<&Claim> = proved
        .iter()
        .filter(|claim| without_repetition(&claim.ruleset) == same)
        .collect();
    let mut known = Known::default();
    if claims.is_empty() {
        return known;
    }
    let won = |position: &Position, winner: Side| {
        let position = folded(position);
        let mut there = claims.iter().filter(|claim| claim.winner == winner);
        // Folding keeps the side to move.
        there.find_map(|claim| (folded(&claim.root) == position).then_some(claim.plies))
    };
    let start = rules.start();
    let mut list = MoveList::new();
    rules.moves(&start, &mut list);
    let mut seen = Vec::new();
    for ply in list {
        let after = rules.play(&start, ply).position;
        if seen.contains(&folded(&after)) {
            continue;
        }
        seen.push(folded(&after));
        let plies = |winner| won(&after, winner).map(|plies| (ply, plies));
        known.attackers.extend(plies(Side::Attackers));
        known.defenders.extend(plies(Side::Defenders));
    }
    known.openings = seen.len() as u64;
    let one = known.attackers.iter().map(|&(_, plies)| plies + 1).min();
    let all = known.defenders.iter().map(|&(_, plies)| plies + 1).max();
    let all = all.filter(|_| known.defenders.len() == seen.len());
    let of = |winner, follows: Option<u16>| {
        let plies = won(&start, winner).into_iter().chain(follows).min()?;
        Some((winner, plies))
    };
    known.start = of(Side::Attackers, one).or_else(|| of(Side::Defenders, all));
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture;
    use crate::experiment::Winner;
    use crate::game::{Repetition, Ruleset, preset};

    fn claim(ruleset: Ruleset, ply: &str, winner: Side, plies: u16) -> Claim {
        let rules = Rules::new(ruleset);
        let root = rules.play(&rules.start(), ply.parse().unwrap()).position;
        Claim {
            ruleset,
            root,
            winner,
            plies,
        }
    }

    #[test]
    fn a_side_wins_from_the_start_by_one_first_move_or_against_all() {
        let rules = "presets=['masters','wtf','crust']";
        let run = fixture::run("common", rules, |_| {
            vec![Some(Winner::Attackers), Some(Winner::Draw)]
        });
        let masters = preset::find("masters").unwrap().ruleset();
        let wtf = preset::find("wtf").unwrap().ruleset();
        // Images count as one move, and repetition does not matter.
        let other = Ruleset {
            repetition: Repetition::Ignored,
            ..masters
        };
        let mut proved: Vec<Claim> = [("d2-g2", 41), ("d6-f6", 43), ("b4-b3", 51), ("d1-f1", 45)]
            .map(|(ply, plies)| claim(other, ply, Side::Defenders, plies))
            .to_vec();
        proved.push(claim(wtf, "d2-g2", Side::Attackers, 31));
        let rows = |proved: &[Claim]| solved_table(std::slice::from_ref(&run), proved).records();
        let known = rows(&proved);
        assert_eq!(known.len(), 2);
        assert_eq!(known[0]["label"], "masters");
        assert_eq!(known[0]["score"], 0.75);
        assert_eq!(known[0]["first_moves"], 5);
        assert!(known[0]["winner"].is_null() && known[0]["plies"].is_null());
        assert_eq!(
            known[0]["won_by_defenders"]
                .as_str()
                .unwrap()
                .matches(" in ")
                .count(),
            4
        );
        assert_eq!(known[1]["label"], "wtf");
        assert_eq!(known[1]["winner"], "attackers");
        assert_eq!(known[1]["plies"], 32);
        proved.push(claim(masters, "d1-e1", Side::Defenders, 61));
        let known = rows(&proved);
        assert_eq!(known[0]["winner"], "defenders");
        assert_eq!(known[0]["plies"], 62);
        assert_eq!(rows(&[]).len(), 0);
    }
}
