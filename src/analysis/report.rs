//! The tables of a report on result folders. Imports the tables' makers.

use std::path::PathBuf;

use super::notes::Notes;
use super::run::Run;
use super::sheet::Table;
use super::{cells, effects, people, strength, trends, verdicts};

/// Why there is no report.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ReportError {
    /// Rows could not be told apart.
    #[error(
        "{} and {} both hold an experiment named `{name}`: report on one of them, or give one another name",
        .one.display(),
        .other.display()
    )]
    SameName {
        /// The name.
        name: String,
        /// Where one is.
        one: PathBuf,
        /// Where the other is.
        other: PathBuf,
    },
    /// No score can be that near to ½, or every one is.
    #[error("a margin of {0} is not between 0 and 0.5")]
    Margin(f64),
}

/// What result folders say, as tables.
#[derive(Clone, Debug)]
pub struct Report {
    /// The tables, as `docs/tables.md` describes them: `winrates`, `effects`,
    /// `verdicts`, `strength`, `trends`, `people`.
    pub tables: Vec<Table>,
    /// What could not be said, or has to be read with care, and why: one
    /// sentence each, beginning with the experiment's name where it is about
    /// one.
    pub notes: Vec<String>,
}

impl Report {
    /// The tables of some runs, each experiment for itself; `margin` is how
    /// far from ½ a balanced score may be, 0.05 for five points, if it is not to be
    /// [the run's own](Run::margin).
    ///
    /// # Errors
    /// Two experiments of one name; a margin that is none.
    pub fn new(runs: &[Run], margin: Option<f64>) -> Result<Report, ReportError> {
        if let Some(margin) = margin.filter(|&margin| !(margin > 0.0 && margin < 0.5)) {
            return Err(ReportError::Margin(margin));
        }
        for (place, run) in runs.iter().enumerate() {
            let name = &run.experiment().name;
            let mut before = runs[..place].iter();
            if let Some(other) = before.find(|other| other.experiment().name == *name) {
                return Err(ReportError::SameName {
                    name: name.clone(),
                    one: other.folder.clone(),
                    other: run.folder.clone(),
                });
            }
        }
        let mut notes = Notes::default();
        for run in runs {
            run.note(&mut notes);
            if let (Some(asked), Some(own)) = (margin, run.own_margin())
                && (asked - own).abs() > 1e-9
            {
                notes.of(
                    run,
                    &format!(
                        "its rule stopped games by a margin of {own}, verdicts are by {asked}"
                    ),
                );
            }
        }
        note_differences(runs, &mut notes);
        let tables = vec![
            cells::table(runs),
            effects::table(runs, &mut notes),
            verdicts::table(runs, margin),
            strength::table(runs),
            trends::table(runs),
            people::table(runs),
        ];
        Ok(Report {
            tables,
            notes: notes.into_vec(),
        })
    }

    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name() == name)
    }

    /// The files: name and bytes.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let tables = self.tables.iter();
        tables
            .map(|table| (format!("{}.csv", table.name()), table.csv()))
            .collect()
    }
}

/// A number of an experiment.
type Setting = fn(&Run) -> u64;

/// Says in what the first experiment and others were not played alike.
fn note_differences(runs: &[Run], notes: &mut Notes) {
    let Some((first, others)) = runs.split_first() else {
        return;
    };
    let settings: [(&str, Setting); 3] = [
        ("play revision", |run| {
            u64::from(run.manifest.program.play_revision)
        }),
        ("ply limit", |run| u64::from(run.experiment().ply_limit)),
        ("number of random plies", |run| {
            u64::from(run.experiment().random_plies)
        }),
    ];
    for other in others {
        for (name, value) in settings {
            let [here, there] = [first, other].map(value);
            if here != there {
                notes.add(format!(
                    "{} and {} were not played alike: the {name} is {here} and {there}, so that rows of the one tell nothing about rows of the other",
                    first.experiment().name,
                    other.experiment().name
                ));
            }
        }
    }
}
