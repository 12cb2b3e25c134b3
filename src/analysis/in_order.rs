//! Cells read side by side, on threads that wait for polars.
//!
//! Not on rayon's: polars has threads of its own, and a thread of rayon's that waits
//! for them takes up another cell meanwhile, waits in that for the next, and so on.
//! With some hundred cells its stack would overflow, and all of them would be in
//! memory at once.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What `of` makes of the numbers below `count`, in their order, on as many threads
/// as rayon has; of several errors the first.
///
/// # Errors
/// What `of` fails with. Numbers that nobody has begun with by then are left out.
pub(super) fn in_order<T: Send, E: Send>(
    count: usize,
    of: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return made;
            }
            let result = of(number);
            if result.is_err() {
                // Those below have been begun with, so that the first error is among them.
                next.store(count, Ordering::Relaxed);
            }
            made.push((number, result));
        }
    };
    let mut made = thread::scope(|scope| {
        let more = rayon::current_num_threads().min(count).saturating_sub(1);
        // Where no more threads can be had, these do all of it.
        let others: Vec<_> = (0..more)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut made = work();
        for other in others {
            match other.join() {
                Ok(more) => made.extend(more),
                Err(panicked) => panic::resume_unwind(panicked),
            }
        }
        made
    });
    made.sort_unstable_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work)
    }

    #[test]
    fn any_number_of_threads_keeps_the_order_and_the_first_error() {
        for threads in [1, 2, 8] {
            for count in [0, 1, 2, 1_000] {
                let all = on(threads, || in_order(count, Ok::<usize, usize>)).unwrap();
                assert_eq!(all, (0..count).collect::<Vec<_>>());
            }
            let failing = |number: usize| {
                if number % 10 == 7 {
                    Err(number)
                } else {
                    Ok(())
                }
            };
            let made = AtomicUsize::new(0);
            let counted = |number| {
                made.fetch_add(1, Ordering::Relaxed);
                failing(number)
            };
            assert_eq!(on(threads, || in_order(100_000, counted)), Err(7));
            assert!(made.into_inner() < 100_000, "it went on after an error");
        }
    }
}
