//! Exports of a long and of a short log: the time for each record, and the most memory that either took.

use std::{
    io::Read as _,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use crate::{
    bench::{
        figure::{Figure, Outcome},
        memory::status,
        setting::Setting,
    },
    watchdog::Watchdog,
};

const PATIENCE: Duration = Duration::from_mins(10);
/// Memory that does not grow with the log: what an allocator keeps aside differs by about this much.
const AIM: f64 = 8.0;

pub(super) fn figures(setting: &Setting, short: &Path, long: &Path) -> Result<Vec<Figure>> {
    let (few, little, _) = export(setting, short)?;
    let (many, much, took) = export(setting, long)?;
    ensure!(few == super::SHORT && many == setting.scale.records, "exported {few} and {many}");
    let grown = Outcome::Memory { rounds: vec![much - little], aim: AIM };
    let what = format!("{much:.1} MB at most, {little:.1} MB for {few} records");
    Ok(vec![
        super::told("log: export", setting, took.as_secs_f64() * 1e6),
        Figure { name: "log: memory of the export", result: Outcome::Told(what) },
        Figure { name: "log: memory it takes for a long log", result: grown },
    ])
}

/// How many lines, the most megabytes, and how long it took.
fn export(setting: &Setting, home: &Path) -> Result<(usize, f64, Duration)> {
    let mut export = setting.awf_with(&["activity", "export"]);
    export.env("AWF_HOME", home).stdin(Stdio::null()).stdout(Stdio::piped());
    let start = Instant::now();
    let mut child = export.spawn().context("run awf activity export")?;
    let watchdog = Watchdog::on(&child, PATIENCE)?;
    let mut stdout = child.stdout.take().context("its output")?;
    let (mut buffer, mut lines, mut peak) = (vec![0; 1 << 16], 0, 0.0_f64);
    loop {
        // The kernel keeps the peak, so that the last look before the end tells it.
        let looked = status(child.id(), "VmHWM:");
        let kilobytes = looked.and_then(|text| text.split_whitespace().next()?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0.0));
        let read = stdout.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        lines += memchr::memchr_iter(b'\n', buffer.get(..read).unwrap_or_default()).count();
    }
    ensure!(child.wait()?.success(), "the export failed");
    drop(watchdog);
    Ok((lines, peak / 1024.0, start.elapsed()))
}
