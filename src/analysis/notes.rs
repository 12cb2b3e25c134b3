//! What a report cannot say, and why. Imports runs.

use super::run::Run;

/// Of how many things a note names that it is true of.
const NAMED: usize = 3;

/// Notes for the reader, each once, in the order in which they came up.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Vec<(String, Vec<String>)>);

impl Notes {
    /// Adds a note about the report.
    pub(super) fn add(&mut self, note: String) {
        self.place(note);
    }

    /// Adds a note about an experiment.
    pub(super) fn of(&mut self, run: &Run, note: &str) {
        self.place(named(run, note));
    }

    /// Adds one of those in an experiment of which a note is true. The note ends
    /// with the first few of them and the number of the others.
    pub(super) fn of_each(&mut self, run: &Run, note: &str, which: String) {
        let which_all = self.place(named(run, note));
        if !which_all.contains(&which) {
            which_all.push(which);
        }
    }

    fn place(&mut self, note: String) -> &mut Vec<String> {
        let known = self.0.iter().position(|(other, _)| *other == note);
        let place = known.unwrap_or(self.0.len());
        if known.is_none() {
            self.0.push((note, Vec::new()));
        }
        &mut self.0[place].1
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        let notes = self.0.into_iter();
        notes
            .map(|(note, which)| match which.as_slice() {
                [] => note,
                which => format!("{note}: {}", few(which)),
            })
            .collect()
    }
}

fn named(run: &Run, note: &str) -> String {
    format!("{}: {note}", run.experiment().name)
}

/// The first few of these, and how many more there are.
pub(super) fn few(names: &[String]) -> String {
    let first = names[..names.len().min(NAMED)].join("; ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first}; and {more} more"),
    }
}
