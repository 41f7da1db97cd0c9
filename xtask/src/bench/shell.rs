//! Bash against starting a shell ourselves: the system's `sh`, which is what a shell costs at least, and the very shell that
//! Bash starts, which is what awf adds.

use std::{process::Stdio, time::Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use super::{figure::Figure, rounds::side_by_side, setting::Setting};
use crate::{
    client::{Call, Client, microseconds},
    command::command,
};

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let bash = Call::new("Bash", &json!({"command": "echo hi"}), "hi");
    let mut client = Client::open(setting.awf())?;
    client.repeat(&bash, 5)?;
    let mut beside = |program: &str| {
        let awf = || Ok(microseconds(client.call(&bash)?.0));
        side_by_side(setting.scale.shells, || shell(program), awf)
    };
    let figures = vec![
        Figure::ratio("Bash `echo hi`, beside `sh -c`", beside("sh")?, 1.5),
        Figure::ratio("Bash `echo hi`, beside `bash -c`", beside("bash")?, 1.5),
    ];
    client.close()?;
    Ok(figures)
}

fn shell(program: &str) -> Result<f64> {
    let start = Instant::now();
    let output = command(program).args(["-c", "echo hi"]).stdin(Stdio::null()).output()?;
    let took = microseconds(start.elapsed());
    ensure!(
        output.stdout == b"hi\n",
        "{program} said {:?}",
        String::from_utf8_lossy(&output.stdout)
    );
    Ok(took)
}
