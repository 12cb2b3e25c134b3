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

use std::collections::{HashMap, HashSet};

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
    let mut charts: Vec<Chart> = charts.into_iter().flatten().collect();
    tell_apart(&mut charts);
    Ok(charts)
}

/// Numbers the ids that several charts would share, such as those of
/// experiments whose names differ in signs alone.
fn tell_apart(charts: &mut [Chart]) {
    let mut taken: HashSet<String> = HashSet::new();
    for chart in charts {
        let id = chart.id.clone();
        let mut number = 1;
        while !taken.insert(chart.id.clone()) {
            number += 1;
            chart.id = format!("{id}-{number}");
        }
    }
}

/// What charts call rulesets.
pub struct RulesetNames(Names);

impl RulesetNames {
    /// From a report's table `winrates`.
    ///
    /// # Errors
    /// A table that is no CSV.
    pub fn read(winrates: &PageTable) -> Result<RulesetNames, PageError> {
        let tables = Tables::read(std::slice::from_ref(winrates))?;
        Ok(RulesetNames(tables.names))
    }

    /// A ruleset's name, by the experiment's and the ruleset's id.
    #[must_use]
    pub fn of(&self, experiment: &str, ruleset: &str) -> Option<String> {
        self.0.known(experiment, ruleset)
    }
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

#[cfg(test)]
mod tests {
    use super::super::PageTable;
    use super::*;

    fn page(name: &str, csv: &str) -> Page {
        Page {
            tables: vec![PageTable {
                name: name.to_owned(),
                caption: String::new(),
                csv: csv.to_owned(),
            }],
            ..Page::default()
        }
    }

    #[test]
    fn charts_of_alike_experiments_have_ids_of_their_own() {
        let csv = "experiment,ruleset,label,attackers,defenders,score\n\
                   a b,1,wtf,random,random,0.5\n\
                   a-b,1,wtf,random,random,0.5\n";
        let charts = charts(&page("winrates.csv", csv)).unwrap();
        let ids: Vec<&str> = charts.iter().map(|chart| chart.id.as_str()).collect();
        assert_eq!(ids, ["balance-a-b", "balance-a-b-2"]);
        assert_eq!(
            charts[1].title,
            "The attackers' score under each ruleset: a-b"
        );
    }

    #[test]
    fn rows_without_a_score_are_left_out_and_no_table_is_no_chart() {
        let csv = "experiment,ruleset,label,attackers,defenders,score\n\
                   x,1,wtf,random,random,\nx,2,crust,random,random,0.25\n";
        let some = charts(&page("winrates", csv)).unwrap();
        let values = some[0].spec["data"]["values"].as_array().unwrap();
        assert_eq!(values.len(), 1);
        assert_eq!(values[0]["ruleset"], "crust");
        assert_eq!(charts(&Page::default()).unwrap(), []);
    }

    #[test]
    fn a_table_that_is_none_is_named() {
        let error = charts(&page("effects", "a,b\n1\n")).unwrap_err();
        assert!(error.to_string().starts_with("table effects: "), "{error}");
    }

    /// Equal players are shown by themselves where there are any: a crossed
    /// experiment has too many pairs.
    #[test]
    fn unequal_players_are_shown_only_where_none_are_equal() {
        let players = |rows: &str| {
            let csv = format!("experiment,ruleset,label,attackers,defenders,score\n{rows}");
            let charts = charts(&page("winrates", &csv)).unwrap();
            let values = charts[0].spec["data"]["values"].as_array().unwrap().clone();
            let names = values
                .iter()
                .map(|row| row["players"].as_str().unwrap().to_owned());
            names.collect::<Vec<_>>()
        };
        let crossed = "x,1,wtf,random,random,0.4\nx,1,wtf,greedy,random,0.9\n";
        assert_eq!(players(crossed), ["random"]);
        assert_eq!(
            players("x,1,wtf,greedy,random,0.9\n"),
            ["greedy\nagainst random"]
        );
    }
}
