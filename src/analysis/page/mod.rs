/*!
The report as one HTML page that opens from disk with no network: charts,
tables, a board on which chosen games are played through. Imports of ours how
many forfeits are too many, no more: its tables come as CSV, its games as JSON.

[`charts`] makes specifications from the tables, [`draw`] makes files of them,
[`html`] puts everything into the page, where the browser draws the same
specifications with the same libraries.
*/

mod assets;
mod charts;
mod draw;
mod font;
mod frame;
mod headline;
mod html;
mod policy;
mod words;

pub use charts::{Chart, RulesetNames, Section, charts};
pub use draw::{DrawError, Drawer, PNG_SCALE, draw};
pub use headline::headline;
pub use html::html;

/// What a report says.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// A line.
    pub title: String,
    /// What was found, in sentences.
    pub headline: Vec<String>,
    /// What a reader must know beside it, in sentences.
    pub notes: Vec<String>,
    /// The report's tables, in the order in which the page lists them.
    pub tables: Vec<PageTable>,
    /// Games for the board, the first of which stands on it.
    pub games: Vec<ChosenGame>,
    /// How all of this was made.
    pub provenance: Provenance,
}

/// A table of the report.
#[derive(Clone, Debug)]
pub struct PageTable {
    /// Its file's name without `.csv`: `winrates`, `effects`, …
    pub name: String,
    /// A line.
    pub caption: String,
    /// The file's text.
    pub csv: String,
}

/// A game for the board.
#[derive(Clone, Debug)]
pub struct ChosenGame {
    /// A line that says why it was chosen.
    pub title: String,
    /// What `brandub replay --json` gives; beside it `experiment`, where there
    /// are several.
    pub json: serde_json::Value,
}

/// What makes the same report again.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The program's version.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
    /// Every experiment's name and seed.
    pub seeds: Vec<(String, u64)>,
    /// Commands, a line each.
    pub commands: Vec<String>,
}

/// A table that is no CSV.
#[derive(Debug, thiserror::Error)]
#[error("table {table}: {source}")]
pub struct PageError {
    /// Its name.
    pub table: String,
    /// What is wrong with it.
    pub source: csv::Error,
}
