//! From nothing to the first list of tools, against a relay that does nothing.

use std::{process::Command, time::Instant};

use anyhow::Result;

use super::{figure::Figure, rounds::side_by_side, setting::Setting};
use crate::client::{Client, microseconds};

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let sides = side_by_side(
        setting.scale.starts,
        || start(setting.floor(&["relay"])),
        || start(setting.awf()),
    )?;
    Ok(vec![Figure::ratio("start to first list, p50", sides, 3.0)])
}

fn start(server: Command) -> Result<f64> {
    let start = Instant::now();
    let mut client = Client::start(server)?;
    client.initialize()?;
    client.list()?;
    let took = microseconds(start.elapsed());
    client.close()?;
    Ok(took)
}
