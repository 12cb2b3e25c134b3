//! One question put to the solver: searched, kept in checkpoints, and its
//! certificate checked before it gets its name.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use brandub::game::{Move, Position, Rules, Side};
use brandub::regular_file;
use brandub::solver::tables::Tables;
use brandub::solver::{Certificate, INFINITE, Options, Progress, Search, Verdict};
use serde::Serialize;

use super::engine::{Engine, Jobs};
use super::own_estimates::OwnEstimates;
use crate::cli::failure::{Failure, say};
use crate::cli::free_memory::free_memory;
use crate::cli::proof_file::{Written, publish, write_whole};

/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(10);
/// Of all expansions, the search by depth gets one in so many where both
/// engines work.
const BY_DEPTH: u64 = 4;

/// What a question may cost, and what it leaves.
pub struct Means<'a> {
    pub options: Options,
    /// What says how much memory there may be.
    pub memory: &'a str,
    pub engine: Engine,
    pub jobs: &'a Jobs,
    /// What positions begin with, if not with the program's own estimates.
    pub estimates: Option<&'a OwnEstimates>,
    /// Positions expanded at most.
    pub nodes: u64,
    pub tables: Option<&'a Tables>,
    pub known: &'a [&'a Certificate],
    /// Checkpoints of other questions.
    pub facts: &'a [PathBuf],
    /// Where the certificate goes.
    pub proof: Option<&'a Path>,
    /// Where the table is kept, and after how many expansions each time.
    pub checkpoint: Option<(&'a Path, u64)>,
    /// Whether what a checkpoint has expanded counts among `nodes`.
    pub in_all: bool,
    /// What lines of progress begin with.
    pub name: &'a str,
    pub quiet: bool,
    /// Set when somebody wants it to end.
    pub stop: &'a AtomicBool,
}

/// What came of one question.
#[derive(Serialize)]
pub struct Answer {
    pub rules: String,
    pub ruleset: String,
    pub position: String,
    pub side: Side,
    #[serde(rename = "for")]
    pub winner: Side,
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
    /// Nothing is left to look at, but that is no proof of anything.
    pub exhausted: bool,
    pub nodes: u64,
    /// The root's last numbers, where a search gave it any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disproof_number: Option<u32>,
    pub table_used: u64,
    pub table_entries: u64,
    pub seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Written>,
    /// Why there is no certificate of what was proved, where one was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_certified: Option<String>,
}

/// Asks whether a side forces a win, for as long as the means allow.
pub fn ask(
    rules: &Rules,
    root: &Position,
    winner: Side,
    means: &Means<'_>,
) -> Result<Answer, Failure> {
    let begun = Instant::now();
    let mended = mended(means, rules, winner)?;
    free_memory(means.memory, means.options.memory)?;
    let player =
        |position: &Position, not: &[Move], times| means.jobs.asked(rules, position, not, times);
    let mut search = Search::new(rules, winner, means.options)
        .map_err(|error| Failure::Usage(format!("{}: {error}", means.memory)))?;
    search.follow(&player);
    if let Some(own) = means.estimates {
        search.begin_with(own.of(rules, winner, means.options.first)?);
    }
    let taken_up = take_up(means, &mut search, root)?;
    let clock = Clock {
        before: taken_up.unwrap_or_default(),
        begun,
    };
    take_facts(means, &mut search)?;
    if let Some(tables) = means.tables {
        search.know(tables, tables.most_men());
    }
    for certificate in means.known {
        search
            .learn(certificate)
            .map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let verdict = run(means, &mut search, root, &mended, taken_up.is_some(), clock)?;
    let mut plies = match verdict {
        Verdict::Proved { plies } => Some(plies),
        Verdict::Exhausted | Verdict::Open => None,
    };
    let (mut certificate, mut not_certified) = (None, None);
    if let (Some(plies), Some(path)) = (&mut plies, means.proof) {
        let mut teller = Teller::new(means, clock);
        let tell = &mut |progress: &Progress, steps: u64| teller.tell(progress, Some(steps));
        match search.strategy(root, means.nodes, means.known.iter().copied(), tell) {
            Ok(found) => {
                *plies = found.claim.plies;
                certificate = Some(publish(path, &found)?);
            }
            Err(error) => {
                not_certified = Some(error.to_string());
                // What was searched again for it is not lost.
                if let Some((path, _)) = means.checkpoint {
                    keep(path, &search, root, clock)?;
                }
            }
        }
    }
    let progress = search.progress();
    let numbers = match verdict {
        _ if plies.is_some() => Some((0, INFINITE)),
        Verdict::Exhausted => Some((INFINITE, 0)),
        _ if means.engine == Engine::Mate => None,
        _ => Some((progress.proof, progress.disproof)),
    };
    Ok(Answer {
        rules: rules.ruleset().label(),
        ruleset: rules.ruleset().id(),
        position: root.to_otn(),
        side: root.side,
        winner,
        verdict: if plies.is_some() { "proved" } else { "unknown" },
        plies,
        exhausted: verdict == Verdict::Exhausted,
        nodes: progress.nodes,
        proof_number: numbers.map(|(proof, _)| proof),
        disproof_number: numbers.map(|(_, disproof)| disproof),
        table_used: progress.used,
        table_entries: progress.entries,
        seconds: clock.spent().as_secs_f64(),
        certificate,
        not_certified,
    })
}

/// Goes on from an earlier checkpoint, if there is one; what it had taken.
fn take_up(
    means: &Means<'_>,
    search: &mut Search<'_>,
    root: &Position,
) -> Result<Option<Duration>, Failure> {
    let Some((path, _)) = means.checkpoint.filter(|(path, _)| path.exists()) else {
        return Ok(None);
    };
    let file = regular_file::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    let mut input = BufReader::with_capacity(1 << 20, file);
    let spent = search
        .restore(root, &mut input)
        .map_err(|error| Failure::Usage(format!("checkpoint {}: {error}", path.display())))?;
    if !means.quiet {
        say(&format!(
            "{}{}: goes on after {} positions",
            means.name,
            path.display(),
            search.nodes()
        ));
    }
    Ok(Some(spent))
}

/// Takes what other questions' checkpoints have decided.
fn take_facts(means: &Means<'_>, search: &mut Search<'_>) -> Result<(), Failure> {
    for path in means.facts {
        let file = regular_file::open(path).map_err(|error| Failure::unreadable(path, &error))?;
        let mut input = BufReader::with_capacity(1 << 20, file);
        let new = search
            .take_facts(&mut input)
            .map_err(|error| Failure::Usage(format!("--facts {}: {error}", path.display())))?;
        if !means.quiet {
            say(&format!(
                "{}{}: {new} new facts",
                means.name,
                path.display()
            ));
        }
    }
    Ok(())
}

/// The certificates for this side under other rules, if they are to be mended.
fn mended<'a>(
    means: &Means<'a>,
    rules: &Rules,
    winner: Side,
) -> Result<Vec<&'a Certificate>, Failure> {
    if means.engine != Engine::Mend {
        return Ok(Vec::new());
    }
    let form = rules.ruleset().canonical();
    let other = |known: &&&Certificate| {
        known.claim.winner == winner && known.claim.ruleset.canonical() != form
    };
    let others: Vec<&Certificate> = means.known.iter().filter(other).copied().collect();
    if others.is_empty() {
        return Err(Failure::Usage(format!(
            "{}the engine `mend` has nothing to mend: expected certificates (--with) by which the {winner} win under other rules",
            means.name
        )));
    }
    Ok(others)
}

/// Searches, a checkpoint after every so many expansions.
fn run(
    means: &Means<'_>,
    search: &mut Search<'_>,
    root: &Position,
    strategies: &[&Certificate],
    taken_up: bool,
    clock: Clock,
) -> Result<Verdict, Failure> {
    let mut teller = Teller::new(means, clock);
    let mut left = means.nodes;
    if means.in_all && taken_up {
        // One at least, for the root's numbers.
        left = left.saturating_sub(search.nodes()).max(1);
    }
    let mut by_depth = match means.engine {
        Engine::Pn | Engine::Jobs | Engine::Turns | Engine::Mend => 0,
        Engine::Mate => left,
        Engine::Both if taken_up => 0,
        Engine::Both => left / BY_DEPTH,
    };
    let mut verdict = Verdict::Open;
    let goes_on =
        |verdict, left| verdict == Verdict::Open && left > 0 && !means.stop.load(Ordering::Relaxed);
    let chunk = |left: u64| means.checkpoint.map_or(left, |(_, every)| left.min(every));
    let is_kept = |search: &Search<'_>| match means.checkpoint {
        Some((path, _)) => keep(path, search, root, clock),
        None => Ok(()),
    };
    while goes_on(verdict, by_depth) {
        let (before, chunk) = (search.nodes(), chunk(by_depth));
        verdict = search.solve_by_depth(root, chunk, &mut |p| teller.tell(p, None));
        let expanded = search.nodes() - before;
        left = left.saturating_sub(expanded);
        // Fewer than were allowed: it looks no further.
        by_depth = if expanded < chunk {
            0
        } else {
            by_depth - chunk
        };
        is_kept(search)?;
    }
    while means.engine != Engine::Mate && goes_on(verdict, left) {
        let (before, chunk) = (search.nodes(), chunk(left));
        let tell = &mut |progress: &Progress| teller.tell(progress, None);
        verdict = match means.engine {
            Engine::Jobs => search.solve_by_jobs(root, means.jobs.size, chunk, tell),
            Engine::Turns => search.solve_in_turn(root, means.jobs.size, chunk, tell),
            Engine::Mend => search
                .solve_by_mending(root, strategies, means.jobs.size, chunk, tell)
                .map_err(|error| Failure::Usage(error.to_string()))?,
            Engine::Pn | Engine::Mate | Engine::Both => search.solve(root, chunk, tell),
        };
        left = left.saturating_sub((search.nodes() - before).max(1));
        is_kept(search)?;
    }
    Ok(verdict)
}

/// Keeps the table.
fn keep(path: &Path, search: &Search<'_>, root: &Position, clock: Clock) -> Result<(), Failure> {
    write_whole(path, |out| {
        search.save(root, clock.spent(), out).map(|_| ())
    })
}

/// How long a question has taken.
#[derive(Clone, Copy)]
struct Clock {
    /// In earlier runs, as its checkpoint says.
    before: Duration,
    /// When this one began.
    begun: Instant,
}

impl Clock {
    fn spent(self) -> Duration {
        self.before + self.begun.elapsed()
    }
}

/// Says now and then how the search goes on, and hears whether it is to end.
struct Teller<'a> {
    name: &'a str,
    quiet: bool,
    stop: &'a AtomicBool,
    clock: Clock,
    last: Instant,
}

impl<'a> Teller<'a> {
    fn new(means: &Means<'a>, clock: Clock) -> Teller<'a> {
        Teller {
            name: means.name,
            quiet: means.quiet,
            stop: means.stop,
            clock,
            last: Instant::now(),
        }
    }

    fn tell(&mut self, progress: &Progress, steps: Option<u64>) -> bool {
        if !self.quiet && self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            let strategy = steps.map_or(String::new(), |n| format!(", {n} steps written down"));
            let above = progress.above.map_or(String::new(), |above| {
                format!(", level {}, {} plies on", above.level, above.plies)
            });
            say(&format!(
                "{}{} positions in {} s{above}, proof number {}, disproof number {}, table {:.1} % full{strategy}",
                self.name,
                progress.nodes,
                self.clock.spent().as_secs(),
                progress.proof,
                progress.disproof,
                100.0 * progress.used as f64 / progress.entries as f64,
            ));
        }
        !self.stop.load(Ordering::Relaxed)
    }
}
