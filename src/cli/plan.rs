//! `brandub plan`: what a run will take, before it is begun.

mod calibration;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use brandub::experiment::{Grid, Match, Program};
use serde::Serialize;

use self::calibration::{Cost, calibrate};
use super::failure::{Failure, say};
use super::run::{
    Changes, at_most, end_with_engines, folder_name, notes, seed, source, to_be_played,
};

/// Version of the JSON object.
const SCHEMA: u32 = 1;
/// Most shards that are suggested: what schedulers take for one array job
/// unless they are told otherwise.
const MOST_SUGGESTED: u64 = 1_000;
/// Bytes of a chunk file in the manifest, about, and of a file system's block.
const LISTED: f64 = 130.0;
const BLOCK: f64 = 4_096.0;

/// Say what a run will take: games, processor time, disk, shards
///
/// Some games of every match are played, on one thread, and timed; what the run
/// will take follows from these. Nothing is kept of them. Shards are what `run
/// --shard` plays: each has an even share of every match's games.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub plan experiments/presets.toml\n  \
    brandub plan experiments/presets.toml --shards 64 --json\n  \
    brandub plan experiments/presets.toml --seconds 0 --json    without playing any")]
pub struct Arguments {
    /// Experiment file; without one, the built-in default experiment
    experiment: Option<PathBuf>,
    /// How many shards [default: as many as take an hour each, at most 1000; none of an
    /// adaptive run, which is not dealt out]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: Option<u32>,
    /// How long to play games of each match; 0 plays none and gives no times
    #[arg(long, default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
    /// Master seed instead of the experiment's
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Games a cell instead of the experiment's, its stop rule included
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// One JSON object instead of lines
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0 to 3600".to_owned()),
    }
}

/// Plans the experiment named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let changes = Changes {
        seed: arguments.seed,
        games: arguments.games,
    };
    let source = source(arguments.experiment.as_deref(), changes)?;
    notes(&source, arguments.json);
    let grid = to_be_played(source)?;
    grid.check_size()?;
    grid.experiment.find_programs()?;
    let pairs = grid.experiment.matches.iter();
    end_with_engines(pairs.flat_map(|pair| [&pair.attackers, &pair.defenders]))?;
    if arguments.shards.is_some() && grid.experiment.shares_a_budget() {
        return Err(Failure::from(brandub::experiment::Error::SharedBudget));
    }
    let costs = (arguments.seconds > 0.0).then(|| {
        let time = Duration::from_secs_f64(arguments.seconds);
        calibrate(&grid, time, |cost| {
            if !arguments.json {
                say(&told(cost));
            }
        })
    });
    let plan = Plan::new(&grid, costs.as_deref(), arguments.shards);
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &plan).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    plan.print(&mut out, &grid)?;
    Ok(())
}

/// What a run will take. With a stop rule, what it may take at most.
#[derive(Serialize)]
struct Plan {
    schema: u32,
    program: Program,
    name: String,
    experiment: serde_json::Value,
    cells: usize,
    games: u64,
    /// Whether a stop rule may end it earlier.
    at_most: bool,
    chunk_files: u64,
    matches: Vec<MatchCost>,
    /// Of one core of this machine.
    cpu_hours: Option<f64>,
    cpu_hours_error: Option<f64>,
    disk_bytes: Option<f64>,
    suggested_shards: Option<u64>,
    shards: Vec<PlannedShard>,
}

#[derive(Serialize)]
struct MatchCost {
    attackers: String,
    defenders: String,
    games: u64,
    games_played: u64,
    seconds_a_game: Option<f64>,
    seconds_error: Option<f64>,
    bytes_a_game: Option<f64>,
}

#[derive(Serialize)]
struct PlannedShard {
    shard: String,
    /// Its folder's name.
    folder: String,
    games: u64,
    chunk_files: u64,
    cpu_hours: Option<f64>,
}

impl Plan {
    fn new(grid: &Grid, costs: Option<&[Cost]>, shards: Option<u32>) -> Plan {
        let experiment = &grid.experiment;
        let games = most_games(grid, costs, |cost| cost.seconds);
        let hours = |games: u64, seconds: f64| games as f64 * seconds / 3600.0;
        let chunk_files = grid.most_chunks();
        let cpu_hours = costs.map(|costs| {
            let each = games.iter().zip(costs);
            each.map(|(&games, cost)| hours(games, cost.seconds)).sum()
        });
        let variance = costs.and_then(|costs| {
            let each = games.iter().zip(costs);
            each.map(|(&games, cost)| Some(hours(games, cost.error?).powi(2)))
                .sum::<Option<f64>>()
        });
        let bytes = costs.map(|costs| {
            let games = most_games(grid, Some(costs), |cost| cost.bytes);
            let each = games.iter().zip(costs);
            each.map(|(&games, cost)| games as f64 * cost.bytes)
                .sum::<f64>()
        });
        let parts = match experiment.stop {
            Some(_) => grid.cells.len() as u64,
            None => chunk_files,
        };
        // Cells that share a budget are not dealt out.
        let suggested_shards = cpu_hours
            .filter(|_| !experiment.shares_a_budget())
            .map(|hours: f64| (hours.ceil() as u64).clamp(1, parts.min(MOST_SUGGESTED)));
        let count = shards.or(suggested_shards.map(|count| count as u32));
        Plan {
            schema: SCHEMA,
            program: Program::current(),
            name: experiment.name.clone(),
            experiment: serde_json::json!(experiment),
            cells: grid.cells.len(),
            games: grid.games(),
            at_most: experiment.stop.is_some(),
            chunk_files,
            matches: experiment
                .matches
                .iter()
                .enumerate()
                .map(|(place, pair)| {
                    MatchCost::new(pair, games[place], costs.map(|costs| &costs[place]))
                })
                .collect(),
            cpu_hours,
            cpu_hours_error: variance.map(f64::sqrt),
            // The last block of a file is half empty.
            disk_bytes: bytes.map(|bytes| bytes + chunk_files as f64 * (LISTED + BLOCK / 2.0)),
            suggested_shards,
            shards: count.map_or_else(Vec::new, |count| planned(grid, costs, count)),
        }
    }

    fn print(&self, out: &mut dyn Write, grid: &Grid) -> io::Result<()> {
        let at_most = at_most(&grid.experiment);
        let name = &self.name;
        writeln!(
            out,
            "{name}: {} cells, {at_most}{} games in {at_most}{} chunk files",
            self.cells, self.games, self.chunk_files
        )?;
        if let (Some(hours), Some(bytes)) = (self.cpu_hours, self.disk_bytes) {
            let (times, unit) = unit(hours);
            let error = self.cpu_hours_error;
            let error = error.map_or(String::new(), |error| {
                format!(" (± {}, a standard error)", figures(times * error))
            });
            writeln!(
                out,
                "{at_most}{}{error} {unit} of one core of this machine",
                figures(times * hours)
            )?;
            writeln!(out, "{at_most}{} MB on disk", figures(bytes / 1e6))?;
        }
        if let Some(suggested) = self.suggested_shards {
            writeln!(
                out,
                "suggested: {suggested} {}",
                if suggested == 1 { "shard" } else { "shards" }
            )?;
        }
        let games = self.shards.iter().map(|shard| shard.games);
        let (Some(least), Some(most)) = (games.clone().min(), games.max()) else {
            return Ok(());
        };
        match self.shards.len() {
            1 => write!(out, "1 shard of ")?,
            count => write!(out, "{count} shards, each ")?,
        }
        match self.hours() {
            None => writeln!(
                out,
                "{at_most}{} games",
                span(&least.to_string(), &most.to_string())
            ),
            Some(hours) => {
                let (times, unit) = unit(hours[1]);
                let [least, mean, most] = hours.map(|hours| figures(times * hours));
                let span = span(&least, &most);
                writeln!(out, "{span} {unit} of one core, {mean} on average")
            }
        }
    }

    /// The shards' least, mean and most hours.
    fn hours(&self) -> Option<[f64; 3]> {
        let hours: Vec<f64> = self
            .shards
            .iter()
            .map(|shard| shard.cpu_hours)
            .collect::<Option<_>>()?;
        let least = hours.iter().copied().reduce(f64::min)?;
        let most = hours.iter().copied().reduce(f64::max)?;
        let mean = hours.iter().sum::<f64>() / hours.len() as f64;
        Some([least, mean, most])
    }
}

impl MatchCost {
    fn new(pair: &Match, games: u64, cost: Option<&Cost>) -> MatchCost {
        MatchCost {
            attackers: pair.attackers.to_string(),
            defenders: pair.defenders.to_string(),
            games,
            games_played: cost.map_or(0, |cost| cost.games),
            seconds_a_game: cost.map(|cost| cost.seconds),
            seconds_error: cost.and_then(|cost| cost.error),
            bytes_a_game: cost.map(|cost| cost.bytes),
        }
    }
}

/// Games of each match. Of cells that share a budget all have their first games, and
/// what is left goes to the match whose games cost most, as a mean over the rulesets;
/// without costs every match has the same share.
fn most_games(grid: &Grid, costs: Option<&[Cost]>, of: fn(&Cost) -> f64) -> Vec<u64> {
    let experiment = &grid.experiment;
    let (matches, rulesets) = (experiment.matches.len(), experiment.rulesets.len());
    let share = grid.games() / matches as u64;
    let rule = experiment.stop.filter(|_| experiment.shares_a_budget());
    let (Some(rule), Some(costs)) = (rule, costs) else {
        return vec![share; matches];
    };
    let of_cells = |games: u64| games.min(experiment.games) * rulesets as u64;
    let first = of_cells(rule.min_games).min(share);
    let mut games = vec![first; matches];
    let mut left = grid.games() - first * matches as u64;
    let mut dearest: Vec<usize> = (0..matches).collect();
    dearest.sort_by(|&one, &other| of(&costs[other]).total_cmp(&of(&costs[one])));
    for place in dearest {
        let more = left.min(of_cells(u64::MAX) - first);
        games[place] += more;
        left -= more;
    }
    games
}

/// What each of so many shards has to do.
fn planned(grid: &Grid, costs: Option<&[Cost]>, count: u32) -> Vec<PlannedShard> {
    let matches = grid.experiment.matches.len();
    let shards = (1..=count).map(|index| {
        let shard = brandub::experiment::Shard { index, count };
        PlannedShard {
            shard: shard.to_string(),
            folder: folder_name(&grid.experiment, Some(shard)),
            games: 0,
            chunk_files: 0,
            cpu_hours: costs.map(|_| 0.0),
        }
    });
    let mut shards: Vec<PlannedShard> = shards.collect();
    for (shard, chunk) in grid.dealt(count) {
        let shard = &mut shards[shard.index as usize - 1];
        shard.games += chunk.games;
        shard.chunk_files += 1;
        if let (Some(hours), Some(costs)) = (&mut shard.cpu_hours, costs) {
            *hours += chunk.games as f64 * costs[chunk.cell % matches].seconds / 3600.0;
        }
    }
    shards
}

fn told(cost: &Cost) -> String {
    let error = cost.error.map(|error| 1e3 * error);
    let error = error.map_or(String::new(), |error| format!(" ± {}", figures(error)));
    format!(
        "{} against {}: {}{error} ms and {:.0} bytes a game, from {} games",
        cost.pair.attackers,
        cost.pair.defenders,
        figures(1e3 * cost.seconds),
        cost.bytes,
        cost.games
    )
}

/// From the least to the most, or both in one.
fn span(least: &str, most: &str) -> String {
    if least == most {
        return most.to_owned();
    }
    format!("{least} to {most}")
}

/// The unit in which so many hours are told, and how many it has in an hour.
fn unit(hours: f64) -> (f64, &'static str) {
    match hours {
        _ if hours < 2.0 / 60.0 => (3600.0, "seconds"),
        _ if hours < 2.0 => (60.0, "minutes"),
        _ => (1.0, "hours"),
    }
}

/// A number with three figures or so.
fn figures(number: f64) -> String {
    let places = match number {
        _ if number >= 99.95 => 0,
        _ if number >= 9.995 => 1,
        _ if number >= 0.9995 => 2,
        _ => 4,
    };
    format!("{number:.places$}")
}
