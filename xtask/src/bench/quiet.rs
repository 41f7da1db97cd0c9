//! A steadier machine: one core for a conversation, and no core that falls asleep between two wake-ups.

use std::process::{Child, Stdio};

use anyhow::{Context, Result};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::setting::Setting;
use crate::command::command;

/// Runs `work`, and every process it starts, on one core: where the scheduler puts two talkers is then no part of it.
pub(crate) fn on_one_core<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let all = sched_getaffinity(None).context("ask for the cores")?;
    let mut one = CpuSet::new();
    one.set((0..CpuSet::MAX_CPU).find(|core| all.is_set(*core)).unwrap_or(0));
    sched_setaffinity(None, &one).context("keep to one core")?;
    let result = work();
    sched_setaffinity(None, &all).context("take all cores again")?;
    result
}

/// A spinner in the idle class for each core. It gives way to anything, but waking a halted virtual core costs ten
/// ordinary wake-ups and would drown what is measured.
pub(crate) struct Awake {
    spinners: Vec<Child>,
}

impl Awake {
    pub(crate) fn start(setting: &Setting) -> Result<Self> {
        let cores = std::thread::available_parallelism()?.get();
        let mut spinners = Vec::new();
        for _ in 0..cores {
            let spin = setting.floor(&["spin"]);
            let mut chrt = command("chrt");
            chrt.args(["--idle", "0"]).arg(spin.get_program()).args(spin.get_args());
            if let Ok(child) = chrt.stdin(Stdio::null()).stdout(Stdio::null()).spawn() {
                spinners.push(child);
            } else {
                println!(
                    "chrt is not on PATH: cores may fall asleep, which makes short waits longer"
                );
                break;
            }
        }
        Ok(Self { spinners })
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        for spinner in &mut self.spinners {
            // One that is gone already needs no ending.
            spinner.kill().ok();
            spinner.wait().ok();
        }
    }
}

/// What the kernel says of the last minute: a busy machine blurs the tail.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
