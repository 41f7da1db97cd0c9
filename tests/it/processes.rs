//! Processes of this machine, found by a mark in their environment: re-parenting and `setsid` do not hide them.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// The variable that carries a mark.
pub(crate) const MARK: &str = "AWF_IT_MARK";

/// Live processes whose environment carries `mark`.
pub(crate) fn marked(mark: &str) -> Vec<u32> {
    let wanted = format!("{MARK}={mark}");
    let pids = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| alive(*pid) && environment_has(*pid, wanted.as_bytes())).collect()
}

fn environment_has(pid: u32, wanted: &[u8]) -> bool {
    fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|entry| entry == wanted))
}

/// Whether a process exists and is no zombie.
pub(crate) fn alive(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// A process and all below it.
pub(crate) fn tree(root: u32) -> Vec<u32> {
    let pids = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let parents: Vec<(u32, u32)> = pids.filter_map(|pid: u32| Some((pid, parent(pid)?))).collect();
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(above) = tree.get(next).copied() {
        tree.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(pid, _)| *pid));
        next += 1;
    }
    tree
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// Waits until no process carries `mark`; gives those that are left at the deadline. The kernel offers no event for the
/// death of a stranger's child, so this looks again and again.
pub(crate) fn left_after(mark: &str, deadline: Duration) -> Vec<u32> {
    let end = Instant::now() + deadline;
    loop {
        let left = marked(mark);
        if left.is_empty() || Instant::now() > end {
            return left;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until `condition` holds.
pub(crate) fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < end, "waited too long for: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Resident memory of a process in KiB: `VmRSS` now, or `VmHWM` at its highest.
pub(crate) fn memory_kib(pid: u32, field: &str) -> u64 {
    let status =
        fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_start_matches(':').trim().trim_end_matches(" kB").trim().parse().unwrap()
}
