//! `winrates.csv` and `rules.csv`, a row a cell and a row a ruleset. Imports
//! result files and record types.

use std::path::Path;

use super::cell_row::CellRow;
use super::chunk_rows::{TableError, chunk_files};
use super::in_order::in_order;
use crate::experiment::{CellDecision, Counted, Grid, Manifest, Termination, Winner, decisions};
use crate::game::{AXES, Preset, Ruleset};

/// The tables of a run.
#[derive(Clone, Debug)]
pub struct Tables {
    /// One row a cell, in the order of the grid; cells of which no game is
    /// there are left out.
    pub cells: Vec<CellRow>,
    rulesets: Vec<Ruleset>,
    random_plies: u32,
    ply_limit: u32,
    /// Whether a rule decides how many games a cell has.
    stops: bool,
}

impl Tables {
    /// Reads the chunk files that the manifest lists.
    ///
    /// # Errors
    /// If a file cannot be read or has other columns or values.
    pub fn read(folder: &Path, manifest: &Manifest) -> Result<Tables, TableError> {
        Tables::of(folder, manifest, &Counted::default())
    }

    /// The same, reading only the cells whose games were not counted when they
    /// were played.
    ///
    /// # Errors
    /// As [`Tables::read`].
    pub fn of(folder: &Path, manifest: &Manifest, counted: &Counted) -> Result<Tables, TableError> {
        let grid = Grid::new(manifest.experiment.clone());
        let mut cells = in_order(grid.cells.len(), |place| {
            let cell = &grid.cells[place];
            match counted.of(place) {
                Some(counts) => Ok(CellRow::counted(cell, counts)),
                None => CellRow::read(cell, &chunk_files(folder, manifest, cell)),
            }
        })?;
        for (row, decision) in cells.iter_mut().zip(decisions(folder, manifest)?) {
            row.decision = Some(decision);
        }
        Ok(Tables {
            stops: manifest.experiment.stop.is_some(),
            cells: cells.into_iter().filter(|row| row.games > 0).collect(),
            rulesets: manifest.experiment.rulesets.clone(),
            random_plies: manifest.experiment.random_plies,
            ply_limit: manifest.experiment.ply_limit,
        })
    }

    /// The files beside the games: name and bytes.
    ///
    /// # Panics
    /// Never: memory takes every row.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let files = [
            ("winrates.csv", self.winrates()),
            ("rules.csv", self.rules()),
        ];
        files
            .into_iter()
            .map(|(name, rows)| {
                let mut writer = csv::Writer::from_writer(Vec::new());
                for row in rows {
                    writer.write_record(row).expect("memory takes every row");
                }
                let bytes = writer.into_inner().expect("memory takes every row");
                (name.to_owned(), bytes)
            })
            .collect()
    }

    fn winrates(&self) -> Vec<Vec<String>> {
        let mut header = vec!["cell", "ruleset", "label"];
        header.extend(AXES);
        header.extend(["attackers", "defenders", "random_plies", "ply_limit"]);
        header.extend(["games", "distinct_games"]);
        header.extend(["attackers_wins", "defenders_wins", "draws", "ply_limits"]);
        for rate in ["attackers_rate", "defenders_rate", "draw_rate"] {
            header.push(rate);
            header.extend(match rate {
                "attackers_rate" => ["attackers_low", "attackers_high"],
                "defenders_rate" => ["defenders_low", "defenders_high"],
                _ => ["draw_low", "draw_high"],
            });
        }
        header.extend(["balance", "mean_plies", "median_plies", "p95_plies"]);
        let mut rows: Vec<Vec<String>> = vec![header.into_iter().map(str::to_owned).collect()];
        for termination in BOARD_ENDINGS {
            rows[0].push(format!("ended_{}", termination.name().replace('-', "_")));
        }
        rows[0].push("ended_forfeit".to_owned());
        if self.stops {
            rows[0].extend(["anytime_low", "anytime_high", "decision"].map(str::to_owned));
        }
        rows.extend(self.cells.iter().map(|row| self.winrate_row(row)));
        rows
    }

    fn winrate_row(&self, row: &CellRow) -> Vec<String> {
        let cell = &row.cell;
        let mut fields = vec![
            cell.id.clone(),
            cell.ruleset_id.clone(),
            cell.ruleset.label(),
        ];
        fields.extend(axes(&cell.ruleset));
        fields.push(cell.pair.attackers.to_string());
        fields.push(cell.pair.defenders.to_string());
        for number in [
            u64::from(self.random_plies),
            u64::from(self.ply_limit),
            row.games,
            row.distinct,
            row.won(Winner::Attackers),
            row.won(Winner::Defenders),
            row.won(Winner::Draw),
            row.won(Winner::None),
        ] {
            fields.push(number.to_string());
        }
        for winner in [Winner::Attackers, Winner::Defenders, Winner::Draw] {
            let interval = row.rate(winner);
            for value in [interval.rate, interval.low, interval.high] {
                fields.push(format!("{value:.6}"));
            }
        }
        fields.push(
            row.balance()
                .map_or_else(String::new, |balance| format!("{balance:.6}")),
        );
        fields.push(format!("{:.3}", row.mean_plies()));
        fields.push(row.plies_quantile(50).to_string());
        fields.push(row.plies_quantile(95).to_string());
        for termination in BOARD_ENDINGS {
            let games = row.terminations.get(&termination).copied().unwrap_or(0);
            fields.push(games.to_string());
        }
        fields.push(row.forfeits.values().sum::<u64>().to_string());
        if let Some(CellDecision {
            low,
            high,
            decision,
        }) = row.decision
        {
            fields.extend([low, high].map(|bound| format!("{bound:.6}")));
            fields.push(decision.map_or_else(String::new, |why| why.to_string()));
        }
        fields
    }

    fn rules(&self) -> Vec<Vec<String>> {
        let header = ["ruleset", "label", "presets"].into_iter().chain(AXES);
        let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).collect()];
        for ruleset in &self.rulesets {
            let presets: Vec<&str> = Preset::ALL
                .iter()
                .filter(|preset| preset.ruleset().canonical() == *ruleset)
                .map(|preset| preset.name)
                .collect();
            let mut row = vec![ruleset.id(), ruleset.label(), presets.join(" ")];
            row.extend(axes(ruleset));
            rows.push(row);
        }
        rows
    }
}

/// The ways a game ends on the board; the ply limit and forfeits have columns
/// of their own.
pub(super) const BOARD_ENDINGS: [Termination; 5] = {
    let [escaped, captured, encircled, no_moves, repetition, ..] = Termination::ALL;
    [escaped, captured, encircled, no_moves, repetition]
};

/// Every axis as a field; an axis that does not exist under these rules is
/// empty.
fn axes(ruleset: &Ruleset) -> impl Iterator<Item = String> {
    ruleset.axes().into_iter().map(Option::unwrap_or_default)
}
