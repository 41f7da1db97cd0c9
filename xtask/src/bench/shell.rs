//! Bash against starting the shell ourselves.

use std::{process::Stdio, time::Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use super::{figure::Figure, rounds::side_by_side, setting::Setting};
use crate::{
    client::{Call, Client, microseconds},
    command::command,
};

pub(crate) fn call() -> Call {
    Call::new("Bash", &json!({"command": "echo hi"}), "hi")
}

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let bash = call();
    let mut client = Client::open(setting.awf())?;
    client.repeat(&bash, 5)?;
    let sides =
        side_by_side(setting.scale.shells, shell, || Ok(microseconds(client.call(&bash)?.0)))?;
    client.close()?;
    Ok(vec![Figure::ratio("Bash `echo hi`, p50", sides, 1.5)])
}

fn shell() -> Result<f64> {
    let start = Instant::now();
    let output = command("sh").args(["-c", "echo hi"]).stdin(Stdio::null()).output()?;
    let took = microseconds(start.elapsed());
    ensure!(output.stdout == b"hi\n", "sh said {:?}", String::from_utf8_lossy(&output.stdout));
    Ok(took)
}
