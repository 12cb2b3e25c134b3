//! `brandub tune`: an evaluation's weights, fitted to an experiment's games.

use std::io::{self, Write};
use std::path::PathBuf;

use brandub::agents::evaluation::{Provenance, WeightSet};
use brandub::experiment::{Grid, Program, write_whole};
use brandub::tuning::{Fitted, Samples, fit_families};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};

use super::failure::Failure;
use super::output_file::writable;
use super::run::{Changes, notes, source, to_be_played, use_threads};
use super::tune_estimates;

/// Fit the evaluation's weights to the results of games
///
/// Plays an experiment's games, takes their quiet positions, and fits a weight
/// to each of the evaluation's features by logistic regression on the results.
/// Rulesets that need weights of their own, by how the king is captured and
/// whether he captures, get them where games kept apart say that it helps. The
/// same experiment gives the same weights on every machine.
///
/// With --proofs the file lists proof searches instead. It takes positions that
/// they come to, searches below each of them, and fits to what was found there
/// the proof and disproof numbers that positions begin with.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub tune experiments/tune.toml --out weights.toml\n  \
    brandub tune experiments/tune.toml --out quick.toml --games 50\n  \
    brandub tune --proofs experiments/solve/estimates.toml --out estimates.toml\n\n\
    To play by them, put the file in the place of src/agents/evaluation/tuned.toml\n\
    (to solve by them, of src/solver/estimates.toml) and build anew: weights are part\n\
    of the program, so that a spec string says all.")]
pub struct Arguments {
    /// The experiment whose games are played, each agent against itself; with
    /// --proofs, the searches
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    /// Where the weights are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Fit what proof searches begin with, to searches
    #[arg(long, conflicts_with_all = ["games", "seed"])]
    proofs: bool,
    /// Games a cell instead of the experiment's
    #[arg(long, value_parser = clap::value_parser!(u64).range(10..=10_000_000))]
    games: Option<u64>,
    /// Another master seed
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Threads to play on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

/// Plays, fits, writes and shows what it gained.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    if arguments.proofs {
        writable("--out", &arguments.out)?;
        return tune_estimates::execute(&arguments.experiment, &arguments.out);
    }
    let changes = Changes {
        seed: arguments.seed,
        games: arguments.games,
    };
    let source = source(Some(&arguments.experiment), changes)?;
    notes(&source, false);
    let grid = to_be_played(source)?;
    if let Some(cell) = grid
        .cells
        .iter()
        .find(|cell| cell.pair.attackers != cell.pair.defenders)
    {
        return Err(Failure::Usage(format!(
            "{}: {} plays {}; weights are fitted to games of an agent against itself",
            arguments.experiment.display(),
            cell.pair.attackers,
            cell.pair.defenders
        )));
    }
    if let Some(cell) = grid
        .cells
        .iter()
        .find(|cell| cell.pair.attackers.is_external())
    {
        return Err(Failure::Usage(format!(
            "{}: {}: weights are fitted to games of agents of this program",
            arguments.experiment.display(),
            cell.pair.attackers
        )));
    }
    if grid.experiment.stop.is_some() {
        return Err(Failure::Usage(format!(
            "{}: a rule that stops cells by their score is no sample of positions; give a number of games with --games",
            arguments.experiment.display()
        )));
    }
    writable("--out", &arguments.out)?;
    let progress = bar(grid.games());
    let samples = Samples::play(&grid, &|| progress.inc(1));
    progress.finish_and_clear();
    let fitted = fit_families(&samples).map_err(|error| Failure::Failed(error.to_string()))?;
    let sets: Vec<WeightSet> = fitted
        .iter()
        .filter(|fitted| fitted.is_kept())
        .map(|fitted| set(&grid, fitted))
        .collect();
    let text = WeightSet::write_all(&sets)
        .map_err(|error| Failure::Failed(format!("the weights cannot be written: {error}")))?;
    write_whole(&arguments.out, text.as_bytes())?;
    writeln!(io::stdout().lock(), "{}", table(&fitted).trim_fmt())?;
    Ok(())
}

fn bar(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} games {eta}");
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn set(grid: &Grid, fitted: &Fitted) -> WeightSet {
    let millionths = |loss: f64| (loss * 1e6).round() as u32;
    let experiment = &grid.experiment;
    let agents: Vec<String> = experiment
        .matches
        .iter()
        .map(|pair| pair.attackers.to_string())
        .collect();
    WeightSet {
        rules: fitted.rules.clone(),
        provenance: Provenance {
            made_by: format!(
                "brandub tune, experiment `{}`, {} games a cell, {}",
                experiment.name,
                experiment.games,
                agents.join(" ")
            ),
            seed: Some(experiment.seed),
            games: Some(fitted.games),
            positions: Some(fitted.positions),
            loss: Some([millionths(fitted.losses[0]), millionths(fitted.losses[2])]),
            commit: Some(Program::current().commit),
        },
        weights: fitted.weights.clone(),
    }
}

/// What each set gains on the games kept apart.
fn table(fitted: &[Fitted]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "rulesets",
        "games",
        "positions",
        "loss before",
        "loss by all",
        "loss by own",
        "gain",
        "kept",
    ]);
    for fitted in fitted {
        let [before, all, own] = fitted.losses.map(|loss| format!("{loss:.4}"));
        let (gain, error) = fitted.gain;
        table.add_row([
            fitted.name.to_owned(),
            fitted.games.to_string(),
            fitted.positions.to_string(),
            before,
            all,
            own,
            format!("{gain:+.4} ± {error:.4}"),
            (if fitted.is_kept() { "yes" } else { "no" }).to_owned(),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
