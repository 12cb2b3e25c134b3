//! `brandub tune`: an evaluation's weights and network, fitted to an experiment's games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use brandub::agents::evaluation::{Provenance, WeightSet};
use brandub::experiment::{Grid, Program, write_whole};
use brandub::tuning::{
    AsWritten, Fitted, FittedNetwork, Gain, MIN_GAMES, NetworkRow, Samples, as_written,
    fit_families, fit_network,
};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};

use super::failure::{Failure, say};
use super::output_file::{expect_other, is_same_file, replaceable};
use super::run::{Changes, notes, seed, source, to_be_played, use_threads};
use super::tune_estimates;

/// What files of weights and of estimates begin with.
const SETS: [&[u8]; 2] = [b"[[set]]", b"set = []"];

/// Fit the evaluation's weights to the results of games
///
/// Plays an experiment's games, takes positions from them, and fits a weight
/// to each of the evaluation's features by logistic regression on the results.
/// Rulesets that need weights of their own, by how the king is captured, whether
/// he captures and whether the throne is hostile to everyone, get them where games
/// kept apart say that it helps. The same experiment gives the same weights on every machine. Where those games do
/// not say that the weights as written do better than those in the program, a
/// warning says so.
///
/// With --network it also fits a small neural network of where the pieces stand to
/// what these weights leave of the results.
///
/// With --proofs the file lists proof searches instead. It takes positions that
/// they come to, searches below each of them, and fits to what was found there
/// the proof and disproof numbers that positions begin with.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub tune experiments/tune.toml --out weights.toml --network network.toml\n  \
    brandub tune experiments/tune.toml --out quick.toml --games 50\n  \
    brandub tune --proofs experiments/solve/estimates.toml --out estimates.toml\n\n\
    To play by them, put the files in the place of src/agents/evaluation/tuned.toml\n\
    and network.toml (to solve by them, of src/solver/estimates.toml) and build anew:\n\
    weights are part of the program, so that a spec string says all.")]
pub struct Arguments {
    /// The experiment whose games are played, each agent against itself; with
    /// --proofs, the searches
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    /// Where the weights are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Fit the evaluation's network, too, to what these weights leave, and write it
    /// here
    #[arg(long, value_name = "FILE", conflicts_with = "proofs")]
    network: Option<PathBuf>,
    /// Fit what proof searches begin with, to searches
    #[arg(long, conflicts_with_all = ["games", "seed"])]
    proofs: bool,
    /// Games a cell instead of the experiment's
    #[arg(long, value_parser = clap::value_parser!(u64).range(MIN_GAMES..=10_000_000))]
    games: Option<u64>,
    /// Another master seed
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Threads to play on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

/// Plays, fits, writes and shows what it gained.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let written = [
        ("--out", Some(&arguments.out)),
        ("--network", arguments.network.as_ref()),
    ];
    for (option, file) in written {
        if let Some(file) = file {
            expect_other(option, file, [&*arguments.experiment])?;
        }
    }
    if arguments.proofs {
        replaceable("--out", &arguments.out, &SETS)?;
        return tune_estimates::execute(&arguments.experiment, &arguments.out);
    }
    let changes = Changes {
        seed: arguments.seed,
        games: arguments.games,
    };
    let source = source(Some(&arguments.experiment), changes)?;
    notes(&source, false);
    let grid = to_be_played(source)?;
    expect_fit(&arguments.experiment, &grid)?;
    replaceable("--out", &arguments.out, &SETS)?;
    if let Some(file) = &arguments.network {
        replaceable("--network", file, &[b"[provenance]"])?;
        if is_same_file(file, &arguments.out) {
            return Err(Failure::Usage(format!(
                "--network {}: expected another file than --out",
                file.display()
            )));
        }
    }
    let progress = bar(grid.games(), "games");
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
    let written = as_written(&samples, &fitted);
    if !written.gain.is_some_and(|gain| gain.is_sure()) {
        say(&format!(
            "warning: the games kept apart do not say, by two standard errors, that the weights in {} do better than those in the program: gain {}",
            arguments.out.display(),
            gain(written.gain)
        ));
    }
    // Whoever closes the pipe after the first table still wants the network.
    let weights = print_weights(&fitted, &written);
    let network = match &arguments.network {
        Some(file) => {
            let rows = tune_network(&grid, &samples, &fitted, file);
            if rows.is_err() {
                let (out, file) = (arguments.out.display(), file.display());
                say(&format!(
                    "note: the weights in {out} are new and want a network of their own, which {file} does not hold"
                ));
            }
            Some(rows?)
        }
        None => None,
    };
    weights?;
    network.map_or(Ok(()), |rows| Ok(print_network(&rows)?))
}

fn print_weights(fitted: &[Fitted], written: &AsWritten) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", table(fitted, written).trim_fmt())?;
    writeln!(
        out,
        "loss: nats a position, mean of the games kept apart; before: by the weights in the program; gain: of own over\n\
         wider, ± its standard error; wider: by the set that the rulesets would have without own; as written: each ruleset by the set that will apply to it,\n\
         in whole numbers, its gain over before"
    )
}

/// Fits the network and writes it; gives what it gained.
fn tune_network(
    grid: &Grid,
    samples: &[Samples],
    fitted: &[Fitted],
    file: &Path,
) -> Result<Vec<NetworkRow>, Failure> {
    let positions = samples.iter().flat_map(|samples| &samples.fitted);
    let positions = positions.map(|game| game.len() as u64).sum();
    let progress = bar(FittedNetwork::steps(positions), "steps");
    let FittedNetwork { mut network, rows } = fit_network(samples, fitted, &mut || progress.inc(1));
    progress.finish_and_clear();
    let all = rows.last();
    network.provenance = Provenance {
        games: Some(samples.iter().map(|samples| samples.games).sum()),
        positions: all.map(|row| row.positions),
        loss: all.and_then(|row| Some([row.losses?[0], row.losses?[2]].map(millionths))),
        ..provenance(grid)
    };
    let text = network
        .write()
        .map_err(|error| Failure::Failed(format!("the network cannot be written: {error}")))?;
    write_whole(file, text.as_bytes())?;
    if !all
        .and_then(|row| row.gain)
        .is_some_and(|gain| gain.is_sure())
    {
        say(&format!(
            "warning: the games kept apart do not say, by two standard errors, that the weights with the network in {} do better than the evaluation in the program: gain {}",
            file.display(),
            gain(all.and_then(|row| row.gain))
        ));
    }
    Ok(rows)
}

fn print_network(rows: &[NetworkRow]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "\n{}", network_table(rows).trim_fmt())?;
    writeln!(
        out,
        "loss: nats a position, mean of the games kept apart; before: by the evaluation in the program; by weights:\n         by the weights as written, alone; gain: of weights and network over before, ± its standard error"
    )
}

/// Weights are fitted to so many games at least, of this program's agents
/// against themselves.
fn expect_fit(file: &Path, grid: &Grid) -> Result<(), Failure> {
    let wrong = |what: String| Err(Failure::Usage(format!("{}: {what}", file.display())));
    let mut pairs = grid.cells.iter().map(|cell| &cell.pair);
    if let Some(pair) = pairs.clone().find(|pair| pair.attackers != pair.defenders) {
        return wrong(format!(
            "{} plays {}; weights are fitted to games of an agent against itself",
            pair.attackers, pair.defenders
        ));
    }
    if let Some(pair) = pairs.find(|pair| pair.attackers.is_external()) {
        return wrong(format!(
            "{}: weights are fitted to games of agents of this program",
            pair.attackers
        ));
    }
    if grid.experiment.stop.is_some() {
        return wrong("a rule that stops cells by their score is no sample of positions; give a number of games with --games".to_owned());
    }
    let games = grid.experiment.games;
    if games < MIN_GAMES {
        return wrong(format!(
            "games = {games}: expected {MIN_GAMES} a cell at least, of which one in five is kept apart"
        ));
    }
    Ok(())
}

fn bar(count: u64, of: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{human_pos}}/{{human_len}} {of} {{eta}}");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn millionths(loss: f64) -> u32 {
    (loss * 1e6).round() as u32
}

/// The command, the experiment and the program.
fn provenance(grid: &Grid) -> Provenance {
    let experiment = &grid.experiment;
    let agents: Vec<String> = experiment
        .matches
        .iter()
        .map(|pair| pair.attackers.to_string())
        .collect();
    Provenance {
        made_by: format!(
            "brandub tune, experiment `{}`, {} games a cell, {}",
            experiment.name,
            experiment.games,
            agents.join(" ")
        ),
        seed: Some(experiment.seed),
        commit: Some(Program::current().commit),
        ..Provenance::default()
    }
}

fn set(grid: &Grid, fitted: &Fitted) -> WeightSet {
    WeightSet {
        rules: fitted.rules.clone(),
        provenance: Provenance {
            games: Some(fitted.games),
            positions: Some(fitted.positions),
            loss: match fitted.losses {
                [Some(before), _, Some(own)] => Some([before, own].map(millionths)),
                _ => None,
            },
            ..provenance(grid)
        },
        weights: fitted.weights.clone(),
    }
}

/// What each set gains on the games kept apart, and all as they are written.
fn table(fitted: &[Fitted], written: &AsWritten) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "rulesets",
        "games",
        "positions",
        "loss before",
        "loss by wider",
        "loss by own",
        "gain",
        "kept",
    ]);
    for fitted in fitted {
        let [before, all, own] = fitted.losses.map(loss);
        table.add_row([
            fitted.name.to_owned(),
            fitted.games.to_string(),
            fitted.positions.to_string(),
            before,
            all,
            own,
            gain(fitted.gain),
            (if fitted.is_kept() { "yes" } else { "no" }).to_owned(),
        ]);
    }
    // The set for all rulesets is the last.
    if let Some(all) = fitted.last() {
        table.add_row([
            "as written".to_owned(),
            all.games.to_string(),
            all.positions.to_string(),
            loss(written.losses.map(|[before, _]| before)),
            loss(all.losses[1]),
            loss(written.losses.map(|[_, after]| after)),
            gain(written.gain),
            String::new(),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What weights and network lose together, by family.
fn network_table(rows: &[NetworkRow]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "rulesets",
        "positions",
        "loss before",
        "loss by weights",
        "loss with network",
        "gain",
    ]);
    for row in rows {
        let by = |way: usize| loss(row.losses.map(|losses| losses[way]));
        table.add_row([
            row.name.to_owned(),
            row.positions.to_string(),
            by(0),
            by(1),
            by(2),
            gain(row.gain),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn loss(loss: Option<f64>) -> String {
    loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.4}"))
}

/// With its standard error, as far as there are games to tell.
fn gain(gain: Option<Gain>) -> String {
    match gain {
        None => "–".to_owned(),
        Some(Gain { mean, error: None }) => format!("{mean:+.4}"),
        Some(Gain {
            mean,
            error: Some(error),
        }) => format!("{mean:+.4} ± {error:.4}"),
    }
}
