/*!
The report's charts as Vega-Lite specifications with their data inside. Imports
the page's tables and words.

A chart's rows have people's words for names, so that they are also the chart's
table in the page. Charts are of one experiment each.
*/

mod balance;
mod effects;
mod endings;
mod measures;
mod names;
mod openings;
mod parts;
mod people;
mod strength;
mod surface;
mod trends;

use std::collections::HashMap;

use super::frame::{Frame, Row, distinct};
use super::{Page, PageError, PageTable};
pub(super) use balance::equals;
use names::Names;

/// A chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// Letters, digits and hyphens: the name of its files, and its anchor in
    /// the page.
    pub id: String,
    /// Where in the page it stands.
    pub section: Section,
    /// A line.
    pub title: String,
    /// What it shows and how to read it, for those too who cannot see it.
    pub description: String,
    /// Vega-Lite 6. Its data are at `data.values`, one object a row, with words
    /// for keys.
    pub spec: serde_json::Value,
}

/// A section of the page that holds charts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// The score of every ruleset.
    Balance,
    /// What each rule does.
    Effects,
    /// The score against equal budgets.
    Strength,
    /// The score against both budgets.
    Surface,
    /// How games end.
    Endings,
    /// First moves.
    Openings,
    /// Measures of the games' quality.
    Measures,
    /// Beside people's games.
    People,
}

impl Section {
    /// Every section, in the page's order.
    pub const ALL: [Section; 8] = [
        Section::Balance,
        Section::Effects,
        Section::Strength,
        Section::Surface,
        Section::Endings,
        Section::Openings,
        Section::Measures,
        Section::People,
    ];

    /// Its anchor.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Section::Balance => "balance",
            Section::Effects => "effects",
            Section::Strength => "strength",
            Section::Surface => "surface",
            Section::Endings => "endings",
            Section::Openings => "openings",
            Section::Measures => "measures",
            Section::People => "people",
        }
    }

    /// Its heading.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Section::Balance => "Balance",
            Section::Effects => "What each rule does",
            Section::Strength => "Balance and strength",
            Section::Surface => "When one side thinks longer",
            Section::Endings => "How games end",
            Section::Openings => "First moves",
            Section::Measures => "What the games are like",
            Section::People => "People beside machines",
        }
    }

    /// What is said where there is no chart for it.
    #[must_use]
    pub const fn absence(self) -> &'static str {
        match self {
            Section::Balance | Section::Endings => "No games have been played.",
            Section::Effects => "No experiment here crosses the values of a rule.",
            Section::Strength => "No experiment here has players of one kind at several budgets.",
            Section::Surface => "No experiment here sets unequal budgets against each other.",
            Section::Openings => "First moves have not been counted.",
            Section::Measures => "No game has been measured.",
            Section::People => "No ruleset here has games of people to compare with.",
        }
    }
}

/// The charts of all tables that the page has, in the page's order.
///
/// # Errors
/// If a table is no CSV.
pub fn charts(page: &Page) -> Result<Vec<Chart>, PageError> {
    let tables = Tables::read(&page.tables)?;
    let charts = [
        balance::charts(&tables),
        effects::charts(&tables),
        strength::charts(&tables),
        trends::charts(&tables),
        surface::charts(&tables),
        endings::charts(&tables),
        openings::charts(&tables),
        measures::charts(&tables),
        people::charts(&tables),
    ];
    Ok(charts.into_iter().flatten().collect())
}

/// The page's tables, read.
pub(super) struct Tables {
    frames: HashMap<String, Frame>,
    empty: Frame,
    pub(super) names: Names,
    /// Whether titles must say which experiment they are of.
    several: bool,
}

impl Tables {
    pub(super) fn read(tables: &[PageTable]) -> Result<Tables, PageError> {
        let mut frames = HashMap::new();
        for table in tables {
            let frame = Frame::parse(&table.csv).map_err(|source| PageError {
                table: table.name.clone(),
                source,
            })?;
            let name = table.name.strip_suffix(".csv").unwrap_or(&table.name);
            frames.insert(name.to_owned(), frame);
        }
        let experiments = frames
            .values()
            .flat_map(Frame::rows)
            .map(|row| row.text("experiment"));
        let several = distinct(experiments).len() > 1;
        let empty = Frame::default();
        let names = Names::new(frames.get("winrates").unwrap_or(&empty));
        Ok(Tables {
            frames,
            empty,
            names,
            several,
        })
    }

    /// A table; one without rows where the page has none of the name.
    fn get(&self, name: &str) -> &Frame {
        self.frames.get(name).unwrap_or(&self.empty)
    }

    /// The rows of a table by experiment, both in the table's order.
    pub(super) fn by_experiment<'a>(&'a self, table: &str) -> Vec<(&'a str, Vec<Row<'a>>)> {
        let frame = self.get(table);
        let experiments = distinct(frame.rows().map(|row| row.text("experiment")));
        let rows_of = |name: &str| {
            let rows = frame.rows().filter(|row| row.text("experiment") == name);
            rows.collect()
        };
        experiments
            .into_iter()
            .map(|name| (name, rows_of(name)))
            .collect()
    }

    /// The rows of one experiment.
    pub(super) fn rows_of(&self, table: &str, experiment: &str) -> Vec<Row<'_>> {
        let rows = self.get(table).rows();
        rows.filter(|row| row.text("experiment") == experiment)
            .collect()
    }

    /// A title, with the experiment's name where there are several.
    fn title(&self, text: &str, experiment: &str) -> String {
        if self.several {
            format!("{text}: {experiment}")
        } else {
            text.to_owned()
        }
    }
}
