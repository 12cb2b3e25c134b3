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
pub struct Worked {
    begun: Instant,
    before: Option<Duration>,
}

impl Worked {
    /// From now on.
    pub fn start() -> Worked {
        Worked {
            begun: Instant::now(),
            before: processor_time(),
        }
    }

    /// So many seconds, and not none.
    pub fn seconds(&self) -> f64 {
        let worked = match (self.before, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.begun.elapsed(),
        };
        worked.as_secs_f64().max(1e-9)
    }
}

/// The processor time of this process so far, where the system tells.
#[cfg(unix)]
pub fn processor_time() -> Option<Duration> {
    let time = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID.now();
    time.ok().map(Duration::from)
}

/// The processor time of this process so far, where the system tells.
#[cfg(not(unix))]
pub fn processor_time() -> Option<Duration> {
    None
}
