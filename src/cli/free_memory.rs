//! Whether the system has the memory that an option asks for.

use std::fs;

use super::failure::Failure;

/// Refuses more memory than is free now, for what is named: the process would be
/// ended in the middle instead.
pub fn free_memory(what: &str, bytes: u64) -> Result<(), Failure> {
    match [of_machine(), of_process()].into_iter().flatten().min() {
        Some(free) if free < bytes => Err(Failure::Usage(format!(
            "{what}: {bytes} bytes asked for, {free} bytes of memory are free"
        ))),
        _ => Ok(()),
    }
}

/// What the machine has free, where the system tells.
fn of_machine() -> Option<u64> {
    told("/proc/meminfo", "MemAvailable:")
}

/// A number of bytes that the system tells under this name.
fn told(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibi = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    Some(kibi << 10)
}

/// What a limit (`ulimit -v`) leaves this process, where it has one.
#[cfg(target_os = "linux")]
fn of_process() -> Option<u64> {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    let (limit, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    if limit == RLIM_INFINITY {
        return None;
    }
    let taken = told("/proc/self/status", "VmSize:")?;
    Some(limit.saturating_sub(taken))
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Option<u64> {
    None
}
