//! How long work takes.

use std::time::{Duration, Instant};

/// Does `work`, which tells how much it did, again and again for this time on the
/// wall, and once at least; how much per second of processor time.
pub fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let (begun, worked) = (Instant::now(), Worked::start());
    let mut done = 0;
    loop {
        done += work();
        if begun.elapsed() >= time {
            return done as f64 / worked.seconds();
        }
    }
}

/// The time on processors since a moment, that of external engines included; the
/// clock on the wall where the system does not tell.
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

/// The processor time so far of this process and of the external engines whose
/// games have ended, where the system tells.
#[cfg(unix)]
pub fn processor_time() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let own = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID.now().ok()?;
    let ended = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let ended = [ended.user_time(), ended.system_time()];
    let ended = ended.map(|time| {
        let micros = time.tv_sec() as u64 * 1_000_000 + time.tv_usec() as u64;
        Duration::from_micros(micros)
    });
    Some(Duration::from(own) + ended[0] + ended[1])
}

/// The processor time so far, where the system tells.
#[cfg(not(unix))]
pub fn processor_time() -> Option<Duration> {
    None
}
