//! What a report needs played again: a sample of games to measure, and games
//! to look at.

use std::sync::atomic::AtomicBool;

use brandub::analysis::page::{ChosenGame, RulesetNames};
use brandub::analysis::{Choice, Run};
use brandub::experiment::{
    GameMeasures, Grid, PLAY_REVISION, ReplayError, ReplayObserver, Table, measure, transcript_json,
};
use rayon::prelude::*;

use super::super::counter::Counter;
use super::super::endgames::endgames;
use super::super::failure::Failure;

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
    let counter = Counter::new("measuring", "games", quiet);
    let stop = AtomicBool::new(false);
    let name = &run.experiment().name;
    match measure(
        &run.folder,
        &run.manifest,
        sample,
        &endgames(),
        &stop,
        &counter,
    ) {
        Ok(measured) => {
            let external = measured.external.len();
            if external > 0 {
                notes.push(format!(
                    "{name}: the games of {external} cells with an external engine are not measured, since it need not play the same moves again"
                ));
            }
            Ok(measured.games)
        }
        Err(error @ (ReplayError::Revision { .. } | ReplayError::Tables(_))) => {
            notes.push(format!("{name}: no game is measured: {error}"));
            Ok(Vec::new())
        }
        Err(error) => Err(Failure::Failed(format!(
            "{}: {error}",
            run.folder.display()
        ))),
    }
}

/// Plays the chosen games again, for the board; of one of several experiments,
/// they say of which.
pub fn chosen(
    run: &Run,
    names: &RulesetNames,
    several: bool,
    quiet: bool,
) -> Result<Vec<ChosenGame>, Failure> {
    if run.manifest.program.play_revision != PLAY_REVISION {
        return Ok(Vec::new());
    }
    let choices = run
        .choose()
        .map_err(|error| Failure::Failed(error.to_string()))?;
    // Where tables are missing no game was measured, and a note says so.
    let Ok(grid) = Grid::opened(run.manifest.experiment.clone(), &endgames()) else {
        return Ok(Vec::new());
    };
    let reproducible: Vec<Choice> = choices
        .into_iter()
        .filter(|choice| grid.cells[choice.cell].is_reproducible())
        .collect();
    let counter = Counter::new("playing games to look at", "games", quiet);
    counter.started(reproducible.len() as u64);
    Ok(reproducible
        .par_iter()
        .with_max_len(1)
        .map(|choice| {
            let cell = &grid.cells[choice.cell];
            let transcript = Table::new(&grid.experiment, cell).transcript(choice.game);
            counter.replayed();
            let label = cell.ruleset.label();
            let name = match names.of(&grid.experiment.name, &cell.ruleset_id) {
                Some(name) if name != label => format!("{name} ({label})"),
                _ => label,
            };
            let experiment = &grid.experiment.name;
            let mut json = transcript_json(cell, &transcript);
            let mut title = format!("{name}: {}", choice.why);
            if several {
                json["experiment"] = experiment.as_str().into();
                title = format!("{experiment}, {title}");
            }
            ChosenGame { title, json }
        })
        .collect())
}
