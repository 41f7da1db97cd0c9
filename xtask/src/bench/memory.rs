//! Resident memory of awf, summed over its processes.

use std::fs;

use anyhow::{Context, Result};
use serde_json::json;

use super::{
    figure::{Figure, Outcome},
    setting::Setting,
};
use crate::client::{Call, Client};

const CALLS: usize = 10_000;
/// More rounds would only measure the allocator again.
const ROUNDS: usize = 3;

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let read = Call::new("Read", &json!({"file_path": "x"}), "\\tx");
    let (mut at_start, mut after) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut client = Client::open(setting.awf())?;
        client.list()?;
        at_start.push(megabytes(client.process())?);
        client.repeat(&read, CALLS)?;
        after.push(megabytes(client.process())?);
        client.close()?;
    }
    Ok(vec![
        Figure { name: "memory at start", result: Outcome::Memory { rounds: at_start, aim: 10.0 } },
        Figure {
            name: "memory after 10,000 calls",
            result: Outcome::Memory { rounds: after, aim: 12.0 },
        },
    ])
}

fn megabytes(root: u32) -> Result<f64> {
    let parents = parents()?;
    let is_ours = |mut process: u32| loop {
        if process == root {
            return true;
        }
        match parents.iter().find(|(child, _)| *child == process) {
            Some((_, parent)) => process = *parent,
            None => return false,
        }
    };
    let ours = parents.iter().map(|(process, _)| *process).filter(|process| is_ours(*process));
    let kilobytes: f64 = ours.filter_map(resident_kilobytes).sum();
    Ok(kilobytes / 1024.0)
}

/// Every process with its parent.
fn parents() -> Result<Vec<(u32, u32)>> {
    let entries = fs::read_dir("/proc").context("list processes")?;
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Ok(pids.filter_map(|pid: u32| Some((pid, status(pid, "PPid:")?.parse().ok()?))).collect())
}

fn resident_kilobytes(process: u32) -> Option<f64> {
    status(process, "VmRSS:")?.split_whitespace().next()?.parse().ok()
}

/// A process that ended meanwhile has no status and no memory.
pub(super) fn status(process: u32, field: &str) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    text.lines().find_map(|line| Some(line.strip_prefix(field)?.trim().to_owned()))
}

#[cfg(test)]
mod tests;
