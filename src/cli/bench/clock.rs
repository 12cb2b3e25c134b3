//! How long work takes.

use std::time::{Duration, Instant};

/// Does `work`, which tells how much it did, again and again for this time on
/// the wall; how much per second of processor time.
pub fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let (begun, worked) = (Instant::now(), Worked::start());
    let mut done = 0;
    while begun.elapsed() < time {
        done += work();
    }
    done as f64 / worked.seconds()
}

/// The process's time on processors since a moment; the clock on the wall
/// where the system does not tell.
pub struct Worked(Duration);

impl Worked {
    /// From now on.
    pub fn start() -> Worked {
        Worked(processor_time())
    }

    /// So many seconds, and not none.
    pub fn seconds(&self) -> f64 {
        let worked = processor_time().saturating_sub(self.0);
        worked.as_secs_f64().max(1e-9)
    }
}

#[cfg(unix)]
fn processor_time() -> Duration {
    let time = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID.now();
    time.map_or(Duration::ZERO, Duration::from)
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    use std::sync::LazyLock;
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
