//! Plays an experiment's games on every core and keeps them. Imports the plan
//! and the folder.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::Scope;

use super::chunk::Tally;
use super::counts::Counted;
use super::error::Error;
use super::folder::{Folder, Scan};
use super::grid::{Cell, Chunk, Grid, Shard};
use super::manifest::{Manifest, Program, Status};
use super::plan::{Next, Plan};
use super::stopping::Decision;
use crate::agents::Forfeit;
use crate::game::Side;

/// Sees a run go on. Called from many threads.
pub trait Observer: Sync {
    /// So many games are to be played (with a stop rule: at most), of which
    /// `kept` are there already.
    fn started(&self, games: u64, kept: u64);
    /// A chunk of a cell was played and is on disk.
    fn played(&self, tally: &Tally);
    /// Every game of this cell (in this shard) is there; with a stop rule, why
    /// it has no more.
    fn settled(&self, cell: usize, tally: &Tally, decision: Option<Decision>);
    /// The stop rule will have no more than so many games in all.
    fn bounded(&self, _games: u64) {}
    /// The folder's file system has no locks: nothing keeps another process out of it.
    fn unlocked(&self) {}
    /// This side's agent gave no legal move and lost the game.
    fn forfeited(&self, _cell: &Cell, _game: u64, _side: Side, _forfeit: &Forfeit) {}
}

/// Nobody looks.
impl Observer for () {
    fn started(&self, _: u64, _: u64) {}
    fn played(&self, _: &Tally) {}
    fn settled(&self, _: usize, _: &Tally, _: Option<Decision>) {}
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// Which part; `None` for all of it.
    pub shard: Option<Shard>,
    /// Once true, no further chunk is begun.
    pub stop: &'a AtomicBool,
}

/// A run that came to its end or was stopped.
#[derive(Debug)]
pub struct Outcome {
    /// The folder, still locked.
    pub folder: Folder,
    /// Its manifest, not yet written: with the tables of before if no game is
    /// new, otherwise without.
    pub manifest: Manifest,
    /// The cells all of whose games were counted when they were played.
    pub counted: Counted,
}

/// Plays every game of the run that is not in the folder yet, on rayon's
/// threads, and gives the manifest of what is there then.
///
/// # Errors
/// If the folder is in use, holds another run, is damaged or cannot be
/// written; if the program of an external engine is missing, before anything is
/// played; if a shard is asked for of cells that share a budget, before anything
/// else; if a shard is asked for of a machine that fails the self-check. Chunks
/// that were finished stay.
pub fn run(
    grid: &Grid,
    path: &Path,
    options: RunOptions<'_>,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    if options.shard.is_some() && grid.experiment.shares_a_budget() {
        return Err(Error::SharedBudget);
    }
    grid.check_size()?;
    // A folder that has all its games can be read without those who played them.
    grid.experiment.find_programs().or_else(|missing| {
        let there = Manifest::read(path).map(|there| there.status);
        match there {
            Ok(Status::Complete) => Ok(()),
            _ => Err(missing),
        }
    })?;
    let folder = Folder::open(path, grid, options.shard)?;
    if !folder.is_locked() {
        observer.unlocked();
    }
    let checked = match options.shard {
        Some(_) => Some(folder.selfcheck(grid, options.shard)?),
        None => None,
    };
    let found = folder.scan(grid, options.shard)?;
    let before = folder.program().filter(|_| !found.is_empty()).cloned();
    let (plan, next) = Plan::new(grid, options.shard);
    let work = Work {
        grid,
        folder: &folder,
        observer,
        stop: options.stop,
        state: Mutex::new(State {
            plan,
            queue: VecDeque::new(),
            there: found,
            new: 0,
            counted: Counted::default(),
            failed: None,
        }),
    };
    work.begin(next)?;
    if !options.stop.load(Ordering::Relaxed) && !work.state().queue.is_empty() {
        grid.experiment.find_programs()?;
        // Whoever plays is named even if it is killed.
        let own = Program::current();
        let all = before
            .as_ref()
            .map_or(own.clone(), |before| before.and(&own));
        folder.name_player(&all)?;
    }
    rayon::scope(|scope| work.spawn(scope, usize::MAX));

    let state = work.state.into_inner();
    let state = state.unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.failed {
        return Err(error);
    }
    expect(grid, &state.plan, &state.there, path)?;
    let mut manifest = Manifest::new(grid, options.shard);
    manifest.selfcheck = checked;
    if let Some(program) = before {
        manifest.program = match state.new {
            0 => program,
            _ => program.and(&manifest.program),
        };
    }
    if state.plan.is_finished() {
        manifest.status = Status::Complete;
    }
    let mut counted = state.counted;
    let mut games = HashMap::new();
    for ((cell, _), scan) in state.there {
        *games.entry(cell).or_default() += scan.tally.games();
        manifest.list(cell, scan);
    }
    if folder.has_listed(&manifest.files) {
        // What was made of the same games.
        manifest.files.extend(folder.tables());
    }
    counted.keep_whole(&games);
    Ok(Outcome {
        folder,
        manifest,
        counted,
    })
}

/// A run while it is played.
struct Work<'a> {
    grid: &'a Grid,
    folder: &'a Folder,
    observer: &'a dyn Observer,
    stop: &'a AtomicBool,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    plan: Plan<'a>,
    /// Chunks to be played now.
    queue: VecDeque<Chunk>,
    /// Chunks that are on disk, by cell and number.
    there: HashMap<(usize, u64), Scan>,
    /// Of these, those that this run has played.
    new: usize,
    counted: Counted,
    failed: Option<Error>,
}

impl<'a> Work<'a> {
    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what is there already.
    fn begin(&self, next: Next) -> Result<(), Error> {
        let mut state = self.state();
        let settled = state.follow(next);
        expect(self.grid, &state.plan, &state.there, self.folder.path())?;
        let there = state.there.values();
        let kept = there.map(|scan| scan.tally.games()).sum();
        self.observer.started(state.plan.most_games(), kept);
        self.settle(&state, &settled);
        Ok(())
    }

    /// Lets more threads, at most so many, play what is in the queue. A chunk
    /// is taken at a time: chunks are cut to take seconds, and a thread must
    /// not sit on a row of them while others have nothing left.
    fn spawn<'s>(&'s self, scope: &Scope<'s>, most: usize) {
        for _ in 0..most.min(rayon::current_num_threads()) {
            scope.spawn(|scope| {
                while let Some(chunk) = self.take() {
                    let more = self.play(&chunk);
                    self.spawn(scope, more);
                }
            });
        }
    }

    fn take(&self) -> Option<Chunk> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.state().queue.pop_front()
    }

    /// Plays and keeps a chunk, and says how many follow from it.
    fn play(&self, chunk: &Chunk) -> usize {
        let cell = &self.grid.cells[chunk.cell];
        let (bytes, tally, counts) = chunk.play(&self.grid.experiment, cell, self.observer);
        let written = self.folder.write_chunk(self.grid, chunk, &bytes, tally);
        if written.is_ok() {
            self.observer.played(&tally);
        }
        let mut state = self.state();
        match written {
            Ok(scan) => {
                state.there.insert(place(chunk), scan);
                state.new += 1;
                state.counted.add(chunk.cell, counts);
            }
            Err(error) => {
                state.failed.get_or_insert(error);
            }
        }
        if state.failed.is_some() {
            state.queue.clear();
            return 0;
        }
        let before = state.queue.len();
        let next = state.plan.add(chunk, &tally);
        let settled = state.follow(next);
        self.settle(&state, &settled);
        state.queue.len() - before
    }

    fn settle(&self, state: &State<'_>, settled: &[usize]) {
        for &cell in settled {
            let plan = state.plan.cell(cell);
            self.observer.settled(cell, &plan.tally, plan.decision);
        }
        if !settled.is_empty() && self.grid.experiment.stop.is_some() {
            self.observer.bounded(state.plan.most_games());
        }
    }
}

impl State<'_> {
    /// Takes those of the chunks that are on disk and puts the others into the
    /// queue; gives the cells that have settled.
    fn follow(&mut self, next: Next) -> Vec<usize> {
        let there = &self.there;
        let mut tally = |chunk: &Chunk| there.get(&place(chunk)).map(|scan| scan.tally);
        let missing = self.plan.follow(next, &mut tally);
        self.queue.extend(missing.chunks);
        missing.settled
    }
}

/// Makes sure that no chunk is there that the stop rule, if there is one, does
/// not come to. (Without one, nothing else was looked for.)
pub(super) fn expect(
    grid: &Grid,
    plan: &Plan<'_>,
    there: &HashMap<(usize, u64), Scan>,
    folder: &Path,
) -> Result<(), Error> {
    let ruled = grid.experiment.stop.is_some();
    let stray = there.iter().filter(|_| ruled).find_map(|(&place, scan)| {
        let problem = plan.stray(place)?;
        Some(Error::damaged(&folder.join(&scan.name), problem))
    });
    stray.map_or(Ok(()), Err)
}

fn place(chunk: &Chunk) -> (usize, u64) {
    (chunk.cell, chunk.index)
}
