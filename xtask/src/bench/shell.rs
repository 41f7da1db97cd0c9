//! Bash against starting the shell ourselves.

use std::{process::Stdio, time::Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use super::{
    client::{Call, Client, microseconds},
    figure::{Figure, median},
    setting::Setting,
};
use crate::command::command;

pub(crate) fn call() -> Call {
    Call::new("Bash", &json!({"command": "echo hi"}), "hi")
}

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let count = setting.scale.processes * 20;
    let bash = call();
    let mut client = Client::open(setting.awf())?;
    client.repeat(&bash, 5)?;
    let sides = setting.side_by_side(
        || Ok(median((0..count).map(|_| shell()).collect::<Result<_>>()?)),
        || Ok(median(client.repeat(&bash, count)?)),
    )?;
    client.close()?;
    let pairs = sides.iter().map(|side| side.pair(|time| *time)).collect();
    Ok(vec![Figure::ratio("Bash `echo hi`, p50", pairs, 1.5)])
}

fn shell() -> Result<f64> {
    let start = Instant::now();
    let output = command("sh").args(["-c", "echo hi"]).stdin(Stdio::null()).output()?;
    let took = microseconds(start.elapsed());
    ensure!(output.stdout == b"hi\n", "sh said {:?}", String::from_utf8_lossy(&output.stdout));
    Ok(took)
}
