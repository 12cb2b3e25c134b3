//! Whether the system has the memory that an option asks for.

use std::fs;

use super::failure::Failure;

/// Refuses more memory than the system has free now: the process would be ended in
/// the middle instead.
pub fn free_memory(bytes: u64) -> Result<(), Failure> {
    let Ok(text) = fs::read_to_string("/proc/meminfo") else {
        return Ok(());
    };
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"));
    let free = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    match free.map(|kibi| kibi << 10) {
        Some(free) if free < bytes => Err(Failure::Usage(format!(
            "--memory: {bytes} bytes asked for, {free} bytes of memory are free"
        ))),
        _ => Ok(()),
    }
}
