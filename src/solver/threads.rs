//! Several threads at turns of one question, all in one table: each goes the way
//! that it would go alone, but where others are already. Imports the search's
//! parts.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use super::jobs::Bounds;
use super::progress::Progress;
use super::search::{Observer, Search};
use crate::game::Position;

/// Room for a search's longest line, in bytes.
pub(super) const STACK: usize = 8 << 20;
/// How long a thread waits that has found nothing to do.
const WAIT: Duration = Duration::from_millis(5);

/// The threads of one call.
pub(super) struct Threads {
    /// How many have something to do.
    working: AtomicUsize,
    /// Set when there is nothing to come.
    stop: AtomicBool,
}

impl Threads {
    /// One that is at work.
    pub(super) fn one() -> Threads {
        Threads {
            working: AtomicUsize::new(1),
            stop: AtomicBool::new(false),
        }
    }

    /// Waits; whether any thread has had something to do in the meantime. Once none
    /// has, nothing is to come, and whoever asks again is told so.
    pub(super) fn wait(&self) -> bool {
        if self.is_over() {
            return false;
        }
        self.working.fetch_sub(1, Relaxed);
        thread::sleep(WAIT);
        let others = self.working.load(Relaxed) > 0 && !self.is_over();
        if others {
            self.working.fetch_add(1, Relaxed);
        } else {
            self.stop.store(true, Relaxed);
        }
        others
    }

    fn is_over(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Has the others stop when a thread is through, in whatever way.
struct Through<'t>(&'t Threads);

impl Drop for Through<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Relaxed);
    }
}

impl Search<'_> {
    /// [Turns](Search::solve_in_turn) of as many threads as the options say, or as
    /// can be had, this one among them, which alone speaks to the observer.
    pub(super) fn take_turns_together(
        &mut self,
        position: &Position,
        first: u64,
        left: &AtomicU64,
        observe: Observer<'_>,
    ) {
        let threads = Threads::one();
        // What each of the others has expanded.
        let counts: Vec<AtomicU64> = (1..self.options.threads)
            .map(|_| AtomicU64::new(0))
            .collect();
        let others = || counts.iter().map(|count| count.load(Relaxed)).sum::<u64>();
        thread::scope(|scope| {
            let threads = &threads;
            for count in &counts {
                let mut search = self.beside();
                threads.working.fetch_add(1, Relaxed);
                let thread = thread::Builder::new().stack_size(STACK);
                let started = thread.spawn_scoped(scope, move || {
                    let mut tell = |progress: &Progress| {
                        count.store(progress.nodes, Relaxed);
                        !threads.is_over()
                    };
                    search.take_turns_among(threads, position, first, left, &mut tell);
                    count.store(search.nodes(), Relaxed);
                });
                if started.is_err() {
                    threads.working.fetch_sub(1, Relaxed);
                }
            }
            let mut tell = |progress: &Progress| {
                let nodes = progress.nodes + others();
                observe(&Progress { nodes, ..*progress }) && !threads.is_over()
            };
            self.take_turns_among(threads, position, first, left, &mut tell);
        });
        self.nodes += others();
    }

    /// One thread's turns.
    fn take_turns_among(
        &mut self,
        threads: &Threads,
        position: &Position,
        first: u64,
        left: &AtomicU64,
        observe: Observer<'_>,
    ) {
        let _through = Through(threads);
        let mut bounds = Bounds::new(first, left, observe);
        bounds.threads = Some(threads);
        self.take_turns(position, &mut bounds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Ruleset, Side};
    use crate::solver::{Options, Search};

    /// What another thread has taken and does not need is waited for; where nobody is
    /// at work any more, nothing comes.
    #[test]
    fn a_thread_waits_for_what_another_does_not_need() {
        let rules = Rules::new(Ruleset::default());
        let start = rules.start();
        let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        let (threads, left) = (Threads::one(), AtomicU64::new(1));
        let observe: Observer<'_> = &mut |_| true;
        let mut bounds = Bounds::new(20, &left, observe);
        bounds.threads = Some(&threads);
        left.store(0, Relaxed);
        threads.working.store(2, Relaxed);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(4 * WAIT);
                left.store(60, Relaxed);
            });
            search.job(&start, 20, &mut bounds);
        });
        assert_eq!((search.nodes(), left.load(Relaxed)), (20, 40));
        assert!(!bounds.stopped);
        left.store(0, Relaxed);
        threads.working.store(1, Relaxed);
        // On its way up a thread may ask more than once.
        for _ in 0..2 {
            search.job(&start, 20, &mut bounds);
            assert_eq!((search.nodes(), bounds.stopped), (20, true));
            assert!(!threads.wait());
        }
    }
}
