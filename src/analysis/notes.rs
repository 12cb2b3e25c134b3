//! What a report cannot say, and why. Imports runs.

use super::run::Run;

/// Notes for the reader, each once, in the order in which they came up.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Vec<String>);

impl Notes {
    /// Adds a note about the report.
    pub(super) fn add(&mut self, note: String) {
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }

    /// Adds a note about an experiment.
    pub(super) fn of(&mut self, run: &Run, note: &str) {
        self.add(format!("{}: {note}", run.experiment().name));
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        self.0
    }
}
