/*!
What rulesets are called in charts: by the values that vary where an experiment
crosses axes, else by name. Imports tables and words.
*/

use std::collections::HashMap;

use super::super::frame::{Frame, Row, distinct};
use super::super::words;

/// The axes by which a ruleset without a name is told from others, with their
/// defaults' place left to the label.
const DISPUTED: [&str; 4] = [
    "king_armed",
    "throne_hostile",
    "king_capture",
    "king_return",
];
/// The widest line of a ruleset's name in a chart, in letters.
const LINE: usize = 40;

/// The names of the rulesets of every experiment.
pub struct Names {
    names: HashMap<(String, String), String>,
    headings: HashMap<String, Vec<String>>,
}

impl Names {
    /// From the rows of `winrates.csv`, which have every axis.
    pub fn new(winrates: &Frame) -> Names {
        let mut names = Names {
            names: HashMap::new(),
            headings: HashMap::new(),
        };
        for experiment in distinct(winrates.rows().map(|row| row.text("experiment"))) {
            let mut rows: Vec<Row> = Vec::new();
            for row in winrates.rows() {
                let known = |seen: &Row| seen.text("ruleset") == row.text("ruleset");
                if row.text("experiment") == experiment && !rows.iter().any(known) {
                    rows.push(row);
                }
            }
            names.add(experiment, &rows);
        }
        names
    }

    /// The rulesets of an experiment, one row each.
    fn add(&mut self, experiment: &str, rows: &[Row]) {
        let levels = |axis: &str| distinct(rows.iter().map(|row| row.text(axis))).len();
        let varied: Vec<&str> = words::axes()
            .filter(|axis| levels(axis) > 1 && *axis != "king_edge")
            .collect();
        let combinations: usize = varied.iter().map(|axis| levels(axis)).product();
        let is_crossed = rows.len() > 1 && combinations == rows.len();
        let mixed = rows.iter().any(|row| row.text("label").contains('='));
        let mut used: Vec<&str> = Vec::new();
        for row in rows {
            let label = row.text("label");
            let axes = if is_crossed {
                varied.clone()
            } else if label.contains('=') || (mixed && label == "disputed") {
                axes_of(label)
            } else {
                Vec::new()
            };
            let name = if axes.is_empty() {
                label.to_owned()
            } else {
                values(&axes, |axis| words::value_in_row(axis, row.text(axis)))
            };
            used = if axes.len() > used.len() { axes } else { used };
            let key = (experiment.to_owned(), row.text("ruleset").to_owned());
            self.names.insert(key, words::lines(&name, LINE).join("\n"));
        }
        let heading = match used.as_slice() {
            [] => "ruleset".to_owned(),
            axes if axes.len() > DISPUTED.len() => "ruleset".to_owned(),
            axes => values(axes, words::axis_in_row),
        };
        let heading = words::lines(&heading, LINE);
        self.headings.insert(experiment.to_owned(), heading);
    }

    /// What the ruleset of a row of any table is called; long names have
    /// several lines.
    pub fn of(&self, row: Row) -> String {
        let key = (
            row.text("experiment").to_owned(),
            row.text("ruleset").to_owned(),
        );
        let known = self.names.get(&key).cloned();
        known.unwrap_or_else(|| words::lines(row.text("label"), LINE).join("\n"))
    }

    /// What a ruleset of an experiment is called, in one line.
    pub fn known(&self, experiment: &str, ruleset: &str) -> Option<String> {
        let known = self.names.get(&(experiment.to_owned(), ruleset.to_owned()));
        known.map(|name| name.replace('\n', " "))
    }

    /// What stands over the names of an experiment's rulesets, in lines.
    pub fn heading(&self, experiment: &str) -> Vec<String> {
        let known = self.headings.get(experiment).cloned();
        known.unwrap_or_else(|| vec!["ruleset".to_owned()])
    }
}

/// The disputed axes and those that a label names.
fn axes_of(label: &str) -> Vec<&'static str> {
    let is_named = |axis: &str| {
        let mut parts = label.split(' ').filter_map(|part| part.split_once('='));
        parts.any(|(key, _)| key == axis)
    };
    words::axes()
        .filter(|axis| DISPUTED.contains(axis) || is_named(axis))
        .collect()
}

fn values(axes: &[&str], word: impl Fn(&str) -> String) -> String {
    let words: Vec<String> = axes.iter().map(|axis| word(axis)).collect();
    words.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CROSSED: &str = "experiment,ruleset,label,king_armed,king_capture,king_edge\n\
        x,1,disputed,true,two,\n\
        x,2,king_capture=four,true,four,three\n\
        x,3,king_armed=false,false,two,\n\
        x,4,king_armed=false king_capture=four,false,four,three\n";

    #[test]
    fn crossed_rulesets_are_told_apart_by_what_varies() {
        let frame = Frame::parse(CROSSED).unwrap();
        let names = Names::new(&frame);
        let all: Vec<String> = frame.rows().map(|row| names.of(row)).collect();
        assert_eq!(
            all,
            [
                "armed · two",
                "armed · four",
                "unarmed · two",
                "unarmed · four"
            ]
        );
        assert_eq!(names.heading("x"), ["king · captured by"]);
    }

    #[test]
    fn others_have_their_own_name_or_their_disputed_rules() {
        let text = "experiment,ruleset,label,king_armed,throne_hostile,king_capture,king_return\n\
            x,1,wtf,true,soldiers,throne,true\n\
            x,2,disputed,true,everyone,two,true\n\
            x,3,king_armed=false king_return=false,false,everyone,two,false\n";
        let frame = Frame::parse(text).unwrap();
        let names = Names::new(&frame);
        let all: Vec<String> = frame.rows().map(|row| names.of(row)).collect();
        assert_eq!(
            all,
            [
                "wtf",
                "armed · everyone · two · return",
                "unarmed · everyone · two · no return"
            ]
        );
        let unknown = Frame::parse("experiment,ruleset,label\ny,1,irish-1\n").unwrap();
        assert_eq!(names.of(unknown.rows().next().unwrap()), "irish-1");
    }
}
