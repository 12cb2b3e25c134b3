//! Who won how often, one row a cell: the report's `winrates.csv`. Imports
//! runs and the score's interval.

use super::WILSON_95_Z;
use super::run::{CellGames, Run};
use super::score::Score;
use super::sheet::{Sheet, Table};
use super::winrates::BOARD_ENDINGS;
use crate::agents::AgentSpec;
use crate::experiment::{Cell, Winner};
use crate::game::AXES;

struct Row<'a> {
    run: &'a Run,
    games: &'a CellGames,
    score: Option<f64>,
    bounds: [f64; 2],
}

impl<'a> Row<'a> {
    fn new(run: &'a Run, games: &'a CellGames) -> Row<'a> {
        let score = Score::new(games.finished());
        Row {
            run,
            games,
            score: score.value(),
            bounds: score.interval(WILSON_95_Z),
        }
    }

    fn cell(&self) -> &Cell {
        &self.games.row.cell
    }

    fn won(&self, winner: Winner) -> u64 {
        self.games.row.won(winner)
    }

    fn bound(&self, end: usize) -> Option<f64> {
        self.score.map(|_| self.bounds[end])
    }
}

/// An agent's family, itself if it has no budget.
fn family(agent: &AgentSpec) -> String {
    agent
        .budget()
        .map_or_else(|| agent.to_string(), |(family, _)| family)
}

fn budget(agent: &AgentSpec) -> Option<u64> {
    agent.budget().map(|(_, budget)| budget)
}

/// The table of all runs; cells without games are left out.
pub(super) fn table(runs: &[Run]) -> Table {
    let rows: Vec<Row<'_>> = runs
        .iter()
        .flat_map(|run| run.cells.iter().map(move |cell| Row::new(run, cell)))
        .filter(|row| row.games.row.games > 0)
        .collect();
    let mut sheet = Sheet::new(&rows).cell(|row| (row.run, row.games));
    for (place, axis) in AXES.into_iter().enumerate() {
        sheet = sheet.text(axis, |row| {
            row.cell().ruleset.axes()[place].take().unwrap_or_default()
        });
    }
    sheet = sheet
        .agents(|row| row.games)
        .text("attackers_family", |row| family(&row.cell().pair.attackers))
        .maybe_count("attackers_budget", |row| budget(&row.cell().pair.attackers))
        .text("defenders_family", |row| family(&row.cell().pair.defenders))
        .maybe_count("defenders_budget", |row| budget(&row.cell().pair.defenders))
        .count("random_plies", |row| {
            u64::from(row.run.experiment().random_plies)
        })
        .count("ply_limit", |row| u64::from(row.run.experiment().ply_limit))
        .count("games", |row| row.games.row.games)
        .count("distinct_games", |row| row.games.row.distinct)
        .number("effective_games", |row| {
            Some(row.games.row.effective_games())
        })
        .count("attackers_wins", |row| row.won(Winner::Attackers))
        .count("defenders_wins", |row| row.won(Winner::Defenders))
        .count("draws", |row| row.won(Winner::Draw))
        .count("ply_limits", |row| row.won(Winner::None));
    for (name, winner) in [
        ("attackers", Winner::Attackers),
        ("defenders", Winner::Defenders),
        ("draw", Winner::Draw),
        ("ply_limit", Winner::None),
    ] {
        sheet = sheet
            .share(&format!("{name}_rate"), |row| {
                Some(row.games.row.rate(winner).rate)
            })
            .share(&format!("{name}_low"), |row| {
                Some(row.games.row.rate(winner).low)
            })
            .share(&format!("{name}_high"), |row| {
                Some(row.games.row.rate(winner).high)
            });
    }
    sheet = sheet
        .share("score", |row| row.score)
        .share("score_low", |row| row.bound(0))
        .share("score_high", |row| row.bound(1))
        .number("mean_plies", |row| Some(row.games.row.mean_plies()))
        .count("median_plies", |row| {
            u64::from(row.games.row.plies_quantile(50))
        })
        .count("p95_plies", |row| {
            u64::from(row.games.row.plies_quantile(95))
        });
    for ending in BOARD_ENDINGS {
        let name = format!("ended_{}", ending.name().replace('-', "_"));
        sheet = sheet.count(&name, |row| {
            row.games
                .row
                .terminations
                .get(&ending)
                .copied()
                .unwrap_or(0)
        });
    }
    sheet
        .count("ended_forfeit", |row| row.games.row.forfeits.values().sum())
        .table("winrates")
}
