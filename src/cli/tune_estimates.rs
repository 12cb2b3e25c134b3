//! `brandub tune --proofs`: what proof searches begin with, fitted to what
//! searches come to.

use std::io::{self, Write};
use std::path::Path;

use brandub::agents::evaluation::Condition;
use brandub::experiment::{RulesSection, read_toml, write_whole};
use brandub::game::{Position, Rules, Ruleset, Side};
use brandub::solver::estimates::{Estimates, Kind, Origin};
use brandub::tuning::{Sampling, Seen, fit_estimates, see};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::ProgressBar;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use serde::Deserialize;

use super::asked::after;
use super::failure::Failure;
use super::free_memory::free_memory;
use super::input_file;
use super::solve::bytes;

/// A file of searches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Study {
    seed: u64,
    /// Positions expanded by each search.
    nodes: u64,
    memory: String,
    /// Positions kept of each search.
    positions: u32,
    /// Positions expanded below each of them at most.
    look: u64,
    /// In the first, the searches are by counts of moves alone, in each later
    /// one by the estimates of the one before.
    rounds: u32,
    set: Vec<Set>,
}

/// The searches that one set of estimates is fitted to.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    winner: Side,
    /// The rulesets the estimates will be for.
    #[serde(rename = "for")]
    condition: Condition,
    /// The rulesets searched.
    rules: RulesSection,
    /// Those of `rules`.
    #[serde(skip)]
    rulesets: Vec<Ruleset>,
    /// Moves from each ruleset's start position.
    after: Vec<String>,
    /// A seed of its own, so that a set that comes later changes no other.
    seed: Option<u64>,
    /// Positions kept of each of its searches, if not as many as of the others'.
    positions: Option<u32>,
}

/// One search.
struct Task {
    set: usize,
    /// Decides which of its positions are kept.
    seed: u64,
    ruleset: Ruleset,
    root: Position,
}

impl Study {
    fn read(path: &Path) -> Result<Study, Failure> {
        let wrong = |problem: String| Failure::Usage(format!("{}: {problem}", path.display()));
        let text = input_file::text(path)?;
        let mut study: Study = read_toml(&path.display().to_string(), &text)?;
        for set in &mut study.set {
            set.rulesets = set.rules.rulesets(&path.display().to_string(), &text)?;
        }
        let fewest = study.set.iter().filter_map(|set| set.positions).min();
        let positions = fewest.map_or(study.positions, |own| own.min(study.positions));
        let (positions, rounds) = (positions.into(), study.rounds.into());
        if [study.nodes, positions, study.look, rounds].contains(&0) {
            return Err(wrong(
                "`nodes`, `positions`, `look` and `rounds` are to be 1 or more".into(),
            ));
        }
        if let Some(empty) = study.set.iter().position(|set| set.after.is_empty()) {
            return Err(wrong(format!(
                "set {}: `after` lists no moves; \"\" is the start position",
                empty + 1
            )));
        }
        for winner in Side::BOTH {
            let last = study.set.iter().rfind(|set| set.winner == winner);
            if last.is_none_or(|set| set.condition != Condition::default()) {
                return Err(wrong(format!(
                    "the last set with winner = \"{winner}\" is to be for every ruleset (`for = {{}}`)"
                )));
            }
        }
        Ok(study)
    }

    /// Positions kept of each search of a set.
    fn kept(&self, set: &Set) -> u32 {
        set.positions.unwrap_or(self.positions)
    }

    fn tasks(&self) -> Result<Vec<Task>, Failure> {
        let mut tasks = Vec::new();
        let mut seeds = self.seed..;
        for (place, set) in self.set.iter().enumerate() {
            let mut own = set.seed.map(|seed| seed..);
            let wrong = |problem| Failure::Usage(format!("set {}: {problem}", place + 1));
            for &ruleset in &set.rulesets {
                let rules = Rules::new(ruleset);
                for moves in &set.after {
                    let seeds = own.as_mut().unwrap_or(&mut seeds);
                    tasks.push(Task {
                        set: place,
                        seed: seeds.next().unwrap_or_default(),
                        ruleset,
                        root: after(&rules, rules.start(), moves).map_err(wrong)?,
                    });
                }
            }
        }
        Ok(tasks)
    }

    /// New estimates for each set, from searches by the earlier ones if there
    /// are any.
    fn round(
        &self,
        memory: u64,
        tasks: &[Task],
        earlier: &[Estimates],
        bar: &ProgressBar,
    ) -> Result<Vec<Estimates>, Failure> {
        let searched = |place: usize| {
            let task = &tasks[place];
            let sampling = Sampling {
                nodes: self.nodes,
                memory,
                positions: self.kept(&self.set[task.set]) as usize,
                look: self.look,
                seed: task.seed,
            };
            let (winner, by) = (self.set[task.set].winner, earlier.get(task.set));
            let seen = see(task.ruleset, &task.root, winner, by, &sampling)
                .map_err(|error| Failure::Usage(format!("memory: {error}")));
            bar.inc(1);
            Ok((task.set, seen?))
        };
        let searches: Vec<(usize, Vec<Seen>)> = (0..tasks.len())
            .into_par_iter()
            .map(searched)
            .collect::<Result<_, Failure>>()?;
        let mut by_set: Vec<Vec<Seen>> = self.set.iter().map(|_| Vec::new()).collect();
        for (set, seen) in searches {
            by_set[set].extend(seen);
        }
        let fit = |(set, seen): (&Set, Vec<Seen>)| {
            let made_by = format!(
                "brandub tune --proofs, {} positions of each search, {} expanded below each, {} rounds",
                self.kept(set),
                self.look,
                self.rounds
            );
            let origin = Origin {
                made_by,
                seed: set.seed.unwrap_or(self.seed),
                positions: seen.len() as u64,
            };
            fit_estimates(set.winner, set.condition.clone(), origin, seen)
        };
        Ok(self.set.par_iter().zip(by_set).map(fit).collect())
    }
}

/// Searches, fits as often as it says, writes and shows how much the estimates explain.
pub fn execute(file: &Path, out: &Path) -> Result<(), Failure> {
    let study = Study::read(file)?;
    let memory = bytes(&study.memory)
        .map_err(|error| Failure::Usage(format!("{}: memory: {error}", file.display())))?;
    let in_file = |failure: Failure| failure.in_file(file);
    let tasks = study.tasks().map_err(in_file)?;
    let at_once = tasks.len().min(rayon::current_num_threads()) as u64;
    let what = format!(
        "{}: memory, for {at_once} searches at once (fewer with --threads)",
        file.display()
    );
    free_memory(&what, memory.saturating_mul(at_once))?;
    let bar = ProgressBar::new(u64::from(study.rounds) * tasks.len() as u64);
    let mut fitted = Vec::new();
    for _ in 0..study.rounds {
        fitted = study
            .round(memory, &tasks, &fitted, &bar)
            .map_err(in_file)?;
    }
    bar.finish_and_clear();
    let text = Estimates::write_all(&fitted)
        .map_err(|error| Failure::Failed(format!("the estimates cannot be written: {error}")))?;
    write_whole(out, text.as_bytes())?;
    writeln!(io::stdout().lock(), "{}", table(&fitted).trim_fmt())?;
    Ok(())
}

/// The share of the variance that each estimate explains.
fn table(fitted: &[Estimates]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "set",
        "winner",
        "positions",
        "kind",
        "proof explained",
        "disproof explained",
    ]);
    for (place, estimates) in fitted.iter().enumerate() {
        for kind in Kind::ALL {
            let both = &estimates.kinds[kind as usize];
            let share = |thousandths: i32| format!("{:.1} %", f64::from(thousandths) / 10.0);
            table.add_row([
                (place + 1).to_string(),
                estimates.winner.to_string(),
                estimates.origin.positions.to_string(),
                format!("{kind:?}").to_lowercase(),
                share(both.proof().explained),
                share(both.disproof().explained),
            ]);
        }
    }
    for column in [2, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
