//! The processes of this machine as `/proc` shows them, and signals that cannot hit a stranger.
//!
//! `/proc/<pid>/task/<tid>/children` would be shorter to read but depends on a kernel option that small
//! kernels leave out, so descendants are found by their parent's id.

use std::{
    collections::{HashMap, HashSet},
    fs,
};

use rustix::{
    io::Errno,
    process::{
        Pid, PidfdFlags, Signal, getpid, kill_process, kill_process_group, pidfd_open,
        pidfd_send_signal,
    },
};

/// A tree that still grows after so many passes is ended as it stands; the next look catches the rest.
const MAX_PASSES: usize = 32;

/// A process id may be used again; together with the start time it may not.
pub(crate) type Identity = (Pid, u64);

/// One process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: Pid,
    pub(crate) parent: i32,
    /// As the session, 0 where it began outside of this container.
    group: i32,
    pub(crate) session: i32,
    /// Clock ticks since boot.
    pub(crate) started: u64,
    pub(crate) zombie: bool,
}

impl Process {
    pub(crate) fn read(pid: Pid) -> Option<Self> {
        Self::parse(pid, &fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?)
    }

    /// Fields as in proc(5): `pid (name) state ppid pgrp session …`, the 22nd is the start time. The name may
    /// contain anything, also a parenthesis.
    fn parse(pid: Pid, stat: &[u8]) -> Option<Self> {
        let name_end = stat.iter().rposition(|byte| *byte == b')')?;
        let rest = str::from_utf8(stat.get(name_end + 1..)?).ok()?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        let session = fields.next()?.parse().ok()?;
        let started = fields.nth(15)?.parse().ok()?;
        Some(Self { pid, parent, group, session, started, zombie: matches!(state, "Z" | "X") })
    }

    pub(crate) fn identity(&self) -> Identity {
        (self.pid, self.started)
    }

    /// Signals this process and no other: the descriptor pins whoever has the id now, and the start time, read
    /// after that, says whether it is still the one that was meant.
    fn signal(&self, signal: Signal) {
        let pinned = match pidfd_open(self.pid, PidfdFlags::empty()) {
            Ok(descriptor) => Some(descriptor),
            // An old kernel, or a sandbox with an old list of calls: then there is a moment of risk.
            Err(Errno::NOSYS | Errno::PERM) => None,
            Err(_) => return,
        };
        if Self::read(self.pid).is_some_and(|now| now.identity() == self.identity()) {
            // Already gone is what was wanted, and one that may not be signalled is counted as survivor.
            let _: Result<(), Errno> = match pinned {
                Some(descriptor) => pidfd_send_signal(descriptor, signal),
                None => kill_process(self.pid, signal),
            };
        }
    }

    /// Signals the group of this process, if it is still in it, in one stroke: against a fork it is all or
    /// nothing, so nobody in the group slips away between looking and signalling. A group lies within one
    /// session, and a session within what one command started, so nobody else is in it.
    fn signal_group(&self, signal: Signal) {
        let same = |now: Self| now.identity() == self.identity() && now.group == self.group;
        if let Some(group) = Pid::from_raw(self.group)
            && Self::read(getpid()).is_some_and(|own| own.group != self.group)
            && Self::read(self.pid).is_some_and(same)
        {
            // As with one process.
            let _: Result<(), Errno> = kill_process_group(group, signal);
        }
    }

    pub(crate) fn environ(&self) -> Vec<u8> {
        fs::read(format!("/proc/{}/environ", self.pid.as_raw_nonzero())).unwrap_or_default()
    }
}

/// All processes at (nearly) one moment.
pub(crate) struct Tree(HashMap<i32, Vec<Process>>);

impl Tree {
    pub(crate) fn read() -> Self {
        let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
        let names =
            fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.file_name());
        let pids = names
            .filter_map(|name| Pid::from_raw(name.to_str()?.parse::<u32>().ok()?.cast_signed()));
        for process in pids.filter_map(Process::read) {
            by_parent.entry(process.parent).or_default().push(process);
        }
        Self(by_parent)
    }

    pub(crate) fn children(&self, parent: Pid) -> impl Iterator<Item = Process> {
        self.0.get(&parent.as_raw_nonzero().get()).into_iter().flatten().copied()
    }

    /// The roots and all their descendants, parents before children.
    pub(crate) fn below(&self, roots: impl Iterator<Item = Process>) -> Vec<Process> {
        let mut members: Vec<Process> = roots.collect();
        // Ids can be used again while `/proc` is read, so a loop is conceivable.
        let mut seen: HashSet<Pid> = members.iter().map(|process| process.pid).collect();
        let mut next = 0;
        while let Some(process) = members.get(next) {
            let children = self.children(process.pid).filter(|child| seen.insert(child.pid));
            let children: Vec<Process> = children.collect();
            members.extend(children);
            next += 1;
        }
        members
    }
}

/// Asks each to end. A stopped process could not hear it, so it is also told to continue.
pub(crate) fn terminate(members: &[Process]) {
    for process in members.iter().filter(|process| !process.zombie) {
        process.signal(Signal::TERM);
        process.signal(Signal::CONT);
    }
}

/// Stops everything that `members` finds until it finds nothing new, then kills it all, children first. What
/// is stopped forks no more, so this converges where killing one by one would lose the race against a tree
/// that forks. Gives what it found.
pub(crate) fn kill(mut members: impl FnMut(&Tree) -> Vec<Process>) -> Vec<Process> {
    let mut stopped: HashSet<Identity> = HashSet::new();
    let mut found = Vec::new();
    for _ in 0..MAX_PASSES {
        found = members(&Tree::read());
        let mut grown = false;
        for process in found.iter().filter(|process| !process.zombie) {
            if stopped.insert(process.identity()) {
                process.signal(Signal::STOP);
                process.signal_group(Signal::STOP);
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    for process in found.iter().rev().filter(|process| !process.zombie) {
        process.signal_group(Signal::KILL);
        process.signal(Signal::KILL);
    }
    found
}

#[cfg(test)]
mod tests;
