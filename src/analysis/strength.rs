//! Balance against budget: `strength.csv`. Imports runs and the score's
//! interval.

use super::WILSON_95_Z;
use super::run::{CellGames, Run};
use super::score::Score;
use super::sheet::{Sheet, Table};

/// A cell between two agents that differ in their budgets alone, or not at
/// all.
#[derive(Clone, Debug)]
pub(super) struct Kin<'a> {
    pub(super) run: &'a Run,
    pub(super) cell: &'a CellGames,
    pub(super) family: String,
    /// The attackers' and the defenders'.
    pub(super) budgets: [u64; 2],
}

impl<'a> Kin<'a> {
    /// Such cells that have finished games, in the order of the run.
    pub(super) fn of_run(run: &'a Run) -> Vec<Kin<'a>> {
        let cells = run.cells.iter().filter(|cell| cell.mean_score().is_some());
        let found = cells.filter_map(|cell| {
            let pair = &cell.row.cell.pair;
            let (family, attackers) = pair.attackers.budget()?;
            let (other, defenders) = pair.defenders.budget()?;
            (family == other).then_some(Kin {
                run,
                cell,
                family,
                budgets: [attackers, defenders],
            })
        });
        found.collect()
    }

    fn score(&self) -> Score {
        Score::new(self.cell.finished())
    }
}

/// The table of all runs.
pub(super) fn table(runs: &[Run]) -> Table {
    let rows: Vec<Kin<'_>> = runs.iter().flat_map(Kin::of_run).collect();
    let games = |row: &Kin<'_>| row.cell.finished().iter().sum::<u64>();
    let bound = |end: usize| move |row: &Kin<'_>| Some(row.score().interval(WILSON_95_Z)[end]);
    Sheet::new(&rows)
        .cell(|row| (row.run, row.cell))
        .text("family", |row| row.family.clone())
        .count("attackers_budget", |row| row.budgets[0])
        .count("defenders_budget", |row| row.budgets[1])
        .count("games", games)
        .share("score", |row| row.score().value())
        .share("low", bound(0))
        .share("high", bound(1))
        .share("draw_rate", |row| {
            Some(row.cell.finished()[2] as f64 / games(row) as f64)
        })
        .table("strength")
}
