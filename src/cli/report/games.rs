//! What a report needs played again: a sample of games to measure, and games
//! to look at.

use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;

use brandub::analysis::page::ChosenGame;
use brandub::analysis::{Choice, Run};
use brandub::experiment::{
    GameMeasures, Grid, MeasureError, MeasureObserver, PLAY_REVISION, Table, measure,
    transcript_json,
};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::super::failure::Failure;

/// Counts games that are played again, on a terminal only.
struct Counter(ProgressBar);

impl Counter {
    fn new(doing: &'static str, quiet: bool) -> Counter {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let style =
            ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} games, {eta}");
        bar.set_style(style.expect("the template is well-formed"));
        bar.set_message(doing);
        Counter(bar)
    }
}

impl MeasureObserver for Counter {
    fn started(&self, games: u64) {
        self.0.set_length(games);
    }

    fn measured(&self) {
        self.0.inc(1);
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Measures the first `sample` games of every cell. A run whose games this
/// program cannot play again has none, and a note says why.
pub fn measured(
    run: &Run,
    sample: u64,
    quiet: bool,
    notes: &mut Vec<String>,
) -> Result<Vec<GameMeasures>, Failure> {
    if sample == 0 {
        return Ok(Vec::new());
    }
    let counter = Counter::new("measuring", quiet);
    let stop = AtomicBool::new(false);
    let name = &run.experiment().name;
    match measure(&run.folder, &run.manifest, sample, &stop, &counter) {
        Ok(measured) => {
            let external = measured.external.len();
            if external > 0 {
                notes.push(format!(
                    "{name}: the games of {external} cells with an external engine are not measured, since it need not play the same moves again"
                ));
            }
            Ok(measured.games)
        }
        Err(error @ MeasureError::Revision { .. }) => {
            notes.push(format!("{name}: no game is measured: {error}"));
            Ok(Vec::new())
        }
        Err(error) => Err(Failure::Failed(format!(
            "{}: {error}",
            run.folder.display()
        ))),
    }
}

/// Plays the chosen games again, for the board.
pub fn chosen(run: &Run, quiet: bool) -> Result<Vec<ChosenGame>, Failure> {
    if run.manifest.program.play_revision != PLAY_REVISION {
        return Ok(Vec::new());
    }
    let choices = run
        .choose()
        .map_err(|error| Failure::Failed(error.to_string()))?;
    let grid = Grid::new(run.manifest.experiment.clone());
    let reproducible: Vec<Choice> = choices
        .into_iter()
        .filter(|choice| grid.cells[choice.cell].is_reproducible())
        .collect();
    let counter = Counter::new("playing games to look at", quiet);
    counter.started(reproducible.len() as u64);
    Ok(reproducible
        .par_iter()
        .with_max_len(1)
        .map(|choice| {
            let cell = &grid.cells[choice.cell];
            let transcript = Table::new(&grid.experiment, cell).transcript(choice.game);
            counter.measured();
            ChosenGame {
                title: format!("{}: {}", cell.ruleset.label(), choice.why),
                json: transcript_json(cell, &transcript),
            }
        })
        .collect())
}
