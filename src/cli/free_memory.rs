//! Whether the system has the memory that an option asks for.

use std::fs;
use std::path::Path;

use super::failure::Failure;

/// Refuses more memory than is free now, for what is named: the process would be
/// ended in the middle instead.
pub fn free_memory(what: &str, bytes: u64) -> Result<(), Failure> {
    let limits = [of_machine(), of_process(), of_groups()];
    match limits.into_iter().flatten().min() {
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

/// What the control groups of this process leave it, as containers and schedulers of jobs
/// make them: beyond that the system would end it, whatever the machine has.
fn of_groups() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let root = Path::new("/sys/fs/cgroup");
    groups
        .lines()
        .filter_map(|line| {
            // A number, which resources, and the group: `0::/user.slice`, `4:memory:/job`.
            let mut parts = line.splitn(3, ':');
            let (_, resources, group) = (parts.next()?, parts.next()?, parts.next()?);
            let group = group.trim_start_matches('/');
            if resources.is_empty() {
                left_in(root, group, ["memory.max", "memory.current", ""])
            } else if resources.split(',').any(|name| name == "memory") {
                let names = ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_"];
                left_in(&root.join("memory"), group, names)
            } else {
                None
            }
        })
        .min()
}

/// What a group and those that it is in leave: the limit less what is taken, but for what
/// is kept of files and would be given up. Named are the files of both, and how the names
/// of the statistics begin.
fn left_in(root: &Path, group: &str, [limit, taken, begin]: [&str; 3]) -> Option<u64> {
    let given_up = ["inactive_file", "active_file", "slab_reclaimable"];
    let number = |path: &Path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let left = |group: &Path| {
        let limit = number(&group.join(limit))?;
        let taken = number(&group.join(taken))?;
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let lines = stat.lines().filter_map(|line| line.strip_prefix(begin));
        let lines = lines.filter_map(|line| line.split_once(' '));
        let kept = lines.filter(|(name, _)| given_up.contains(name));
        let kept: u64 = kept
            .filter_map(|(_, bytes)| bytes.parse::<u64>().ok())
            .sum();
        Some(limit.saturating_sub(taken.saturating_sub(kept)))
    };
    let group = root.join(group);
    let groups = group
        .ancestors()
        .take_while(|group| group.starts_with(root));
    groups.filter_map(left).min()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_group_counts_and_kept_files_are_free() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let job = root.join("jobs/7");
        fs::create_dir_all(&job).unwrap();
        let names = ["memory.max", "memory.current", ""];
        let write = |group: &Path, limit: &str, taken: &str| {
            fs::write(group.join("memory.max"), limit).unwrap();
            fs::write(group.join("memory.current"), taken).unwrap();
        };
        assert_eq!(left_in(root, "jobs/7", names), None);
        write(&job, "max\n", "500\n");
        assert_eq!(left_in(root, "jobs/7", names), None);
        write(&job, "1000\n", "700\n");
        assert_eq!(left_in(root, "jobs/7", names), Some(300));
        fs::write(
            job.join("memory.stat"),
            "anon 500\ninactive_file 150\nactive_file 50\nfile 200\n",
        )
        .unwrap();
        assert_eq!(left_in(root, "jobs/7", names), Some(500));
        write(&root.join("jobs"), "1000\n", "900\n");
        assert_eq!(left_in(root, "jobs/7", names), Some(100));
        // A group whose path is another's, as seen from within a container.
        assert_eq!(left_in(root, "elsewhere", names), None);
        write(root, "2000\n", "1950\n");
        assert_eq!(left_in(root, "elsewhere", names), Some(50));
    }
}
