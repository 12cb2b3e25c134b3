//! How people's games went beside the program's: `people.csv`. Imports runs
//! and presets.

use serde::Deserialize;

use super::WILSON_95_Z;
use super::run::{CellGames, Run};
use super::score::Score;
use super::sheet::{Sheet, Table};
use crate::game::{Repetition, Ruleset, preset};

const DATA: &str = include_str!("people.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    source: String,
    rulesets: Vec<People>,
}

/// People's games under one ruleset.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct People {
    preset: String,
    games: u64,
    /// The defenders' log odds between equals.
    logit: f64,
    se: f64,
}

impl People {
    fn ruleset(&self) -> Ruleset {
        let preset = preset::find(&self.preset);
        preset.expect("a test finds every preset").ruleset()
    }

    /// The attackers' score so many standard errors from the estimate.
    fn score(&self, errors: f64) -> f64 {
        1.0 / (1.0 + libm::exp(self.logit - errors * self.se))
    }
}

/// The same rules without their rule on repetition.
pub(super) fn without_repetition(ruleset: &Ruleset) -> Ruleset {
    let mut ruleset = *ruleset;
    ruleset.repetition = Repetition::Ignored;
    ruleset.canonical()
}

struct Row<'a> {
    run: &'a Run,
    cell: &'a CellGames,
    people: People,
}

impl Row<'_> {
    fn score(&self) -> Score {
        Score::new(self.cell.finished())
    }

    fn bounds(&self) -> [f64; 2] {
        self.score().interval(WILSON_95_Z)
    }
}

/// The table of all runs.
pub(super) fn table(runs: &[Run]) -> Table {
    let data: Data = toml::from_str(DATA).expect("a test reads the data");
    let mut rows = Vec::new();
    for run in runs {
        for cell in &run.cells {
            let rules = without_repetition(&cell.row.cell.ruleset);
            let mut all = data.rulesets.iter();
            let people = all.find(|people| without_repetition(&people.ruleset()) == rules);
            if let Some(people) = people.filter(|_| cell.mean_score().is_some()) {
                let people = people.clone();
                rows.push(Row { run, cell, people });
            }
        }
    }
    Sheet::new(&rows)
        .experiment(|row| row.run)
        .text("ruleset", |row| row.cell.row.cell.ruleset_id.clone())
        .text("label", |row| row.cell.row.cell.ruleset.label())
        .text("preset", |row| row.people.preset.clone())
        .count("people_games", |row| row.people.games)
        .share("people_score", |row| Some(row.people.score(0.0)))
        .share("people_low", |row| Some(row.people.score(-WILSON_95_Z)))
        .share("people_high", |row| Some(row.people.score(WILSON_95_Z)))
        .agents(|row| row.cell)
        .count("games", |row| row.cell.finished().iter().sum())
        .share("score", |row| row.score().value())
        .share("low", |row| Some(row.bounds()[0]))
        .share("high", |row| Some(row.bounds()[1]))
        .text("source", |_| data.source.clone())
        .table("people")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture;
    use crate::experiment::Winner;

    #[test]
    fn the_data_name_rulesets_that_differ() {
        let data: Data = toml::from_str(DATA).unwrap();
        assert_eq!(data.rulesets.len(), 7);
        let rules: Vec<Ruleset> = data
            .rulesets
            .iter()
            .map(|people| without_repetition(&people.ruleset()))
            .collect();
        for (place, one) in rules.iter().enumerate() {
            assert!(!rules[..place].contains(one));
        }
        // The defenders' score between equals, as it is published.
        let defenders = data.rulesets.iter();
        let defenders = defenders.map(|people| 100.0 * (1.0 - people.score(0.0)));
        for (found, expected) in defenders.zip([66.6, 58.7, 57.9, 63.4, 62.3, 30.8, 21.6]) {
            assert!((found - expected).abs() < 0.1, "{found}");
        }
        let irish = &data.rulesets[0];
        let bounds = [-WILSON_95_Z, WILSON_95_Z].map(|errors| irish.score(errors));
        let text = bounds.map(|bound| format!("{bound:.3}"));
        assert_eq!(text, ["0.308", "0.361"]);
    }

    #[test]
    fn rulesets_are_found_whatever_their_repetition() {
        let rules = "presets=['wtf',{base='irish-1',repetition='ignored'},'crust']";
        let run = fixture::run("common", rules, |_| {
            vec![
                Some(Winner::Attackers),
                Some(Winner::Draw),
                Some(Winner::None),
            ]
        });
        let table = table(std::slice::from_ref(&run));
        let fields = table.fields();
        assert_eq!(fields.len(), 2);
        assert_eq!((&*fields[0][3], &*fields[1][3]), ("wtf", "irish-1"));
        assert_eq!((&*fields[0][10], &*fields[0][11]), ("2", "0.750000"));
        assert!(fields[0][14].contains("aagenielsen.dk"));
    }
}
