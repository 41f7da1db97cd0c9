//! From nothing to the first list of tools, against a relay that does nothing.

use std::{process::Command, time::Instant};

use anyhow::Result;

use super::{
    client::{Client, microseconds},
    figure::{Figure, median},
    setting::Setting,
};

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let starts = |server: &dyn Fn() -> Command| -> Result<f64> {
        let times: Result<Vec<f64>> =
            (0..setting.scale.processes).map(|_| start(server())).collect();
        Ok(median(times?))
    };
    let sides = setting
        .side_by_side(|| starts(&|| setting.floor(&["relay"])), || starts(&|| setting.awf()))?;
    let pairs = sides.iter().map(|side| side.pair(|time| *time)).collect();
    Ok(vec![Figure::ratio("start to first list, p50", pairs, 3.0)])
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
