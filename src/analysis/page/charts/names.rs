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
        let crossed = crossed_axes(rows);
        let mixed = rows.iter().any(|row| row.text("label").contains('='));
        let mut used: Vec<&str> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for row in rows {
            let label = row.text("label");
            let axes = if let Some(varied) = &crossed {
                varied.clone()
            } else if label.contains('=') || (mixed && label == "disputed") {
                axes_of(label)
            } else {
                Vec::new()
            };
            names.push(if axes.is_empty() {
                label.to_owned()
            } else {
                values(&axes, |axis| words::value_in_row(axis, row.text(axis)))
            });
            used = if axes.len() > used.len() { axes } else { used };
        }
        for (row, name) in rows.iter().zip(&names) {
            // Labels are of one ruleset each, which words need not be.
            let is_shared = names.iter().filter(|other| *other == name).count() > 1;
            let name = if is_shared { row.text("label") } else { name };
            used = if is_shared { Vec::new() } else { used };
            let key = (experiment.to_owned(), row.text("ruleset").to_owned());
            self.names.insert(key, words::lines(name, LINE).join("\n"));
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

/// The axes whose every combination of levels is one of these rulesets, no two
/// of which have the same; `None` where there are no such axes.
fn crossed_axes(rows: &[Row]) -> Option<Vec<&'static str>> {
    let levels = |axis: &str| distinct(rows.iter().map(|row| row.text(axis))).len();
    let varied: Vec<&str> = words::axes().filter(|axis| levels(axis) > 1).collect();
    // An axis that is there only where four capture says nothing of its own
    // unless it was varied itself.
    let mut without = varied.clone();
    without.retain(|axis| *axis != "king_edge");
    [without, varied].into_iter().find(|axes| {
        let combinations: usize = axes.iter().map(|axis| levels(axis)).product();
        let tuple = |row: &Row| -> Vec<String> {
            let texts = axes.iter().map(|axis| row.text(axis).to_owned());
            texts.collect()
        };
        let tuples = distinct(rows.iter().map(tuple)).len();
        rows.len() > 1 && combinations == rows.len() && tuples == rows.len()
    })
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

    /// What every ruleset of a table is called.
    fn named(text: &str) -> Vec<String> {
        let frame = Frame::parse(text).unwrap();
        let names = Names::new(&frame);
        frame.rows().map(|row| names.of(row)).collect()
    }

    /// As many rulesets as combinations, two of them alike but for the edge.
    #[test]
    fn no_two_rulesets_have_one_name() {
        let text = "experiment,ruleset,label,king_armed,throne_hostile,king_capture,king_return,king_edge\n\
            x,1,king_capture=four,true,everyone,four,true,three\n\
            x,2,king_capture=four king_edge=safe,true,everyone,four,true,safe\n\
            x,3,king_armed=false king_capture=four,false,everyone,four,true,three\n\
            x,4,king_armed=false,false,everyone,two,true,\n";
        assert_eq!(
            named(text),
            [
                "armed · everyone · four · return",
                "armed · everyone · four · return · safe",
                "unarmed · everyone · four · return",
                "unarmed · everyone · two · return"
            ]
        );
        // Words that two rulesets share name neither.
        let text = "experiment,ruleset,label,king_armed,throne_hostile,king_capture,king_return,king_speed\n\
            x,1,king_armed=false,false,everyone,two,true,any\n\
            x,2,walker king_armed=false,false,everyone,two,true,one\n\
            x,3,wtf,true,soldiers,throne,true,any\n";
        let expected = ["king_armed=false", "walker king_armed=false", "wtf"];
        assert_eq!(named(text), expected);
        let frame = Frame::parse(text).unwrap();
        assert_eq!(Names::new(&frame).heading("x"), ["ruleset"]);
    }

    #[test]
    fn the_edge_is_named_where_it_is_crossed() {
        let text = "experiment,ruleset,label,king_armed,king_edge\n\
            x,1,a,true,three\nx,2,b,true,safe\nx,3,c,false,three\nx,4,d,false,safe\n";
        let expected = [
            "armed · three",
            "armed · safe",
            "unarmed · three",
            "unarmed · safe",
        ];
        assert_eq!(named(text), expected);
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
