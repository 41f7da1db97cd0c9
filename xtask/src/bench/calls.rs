//! Calls over a session: the trivial one, many at once, and reads.

use std::process::Command;

use anyhow::Result;
use serde_json::json;

use super::{
    corpus,
    figure::{Figure, percentile},
    quiet::on_one_core,
    rounds::side_by_side,
    setting::Setting,
};
use crate::client::{Call, Client};

const IN_FLIGHT: u32 = 64;

/// The router, the decision and the journal, around next to no work.
pub(crate) fn trivial(setting: &Setting) -> Result<Vec<Figure>> {
    std::fs::write(setting.root().join("x"), "x")?;
    let echo = Call::new("echo", &json!({"message": "     1\tx"}), r#""type":"text""#);
    let read = Call::new("Read", &json!({"file_path": "x"}), "\\tx");

    let sides = side_by_side(
        setting.scale.rounds,
        || sequence(setting, setting.floor(&["echo"]), &echo),
        || sequence(setting, setting.awf(), &read),
    )?;
    let at = |percent| {
        sides.iter().map(|side| side.map(|times| percentile(times.clone(), percent))).collect()
    };
    let floods = side_by_side(
        setting.scale.rounds,
        || flood(setting, setting.floor(&["echo"]), &echo),
        || flood(setting, setting.awf(), &read),
    )?;
    Ok(vec![
        Figure::ratio("one call, one core, p50", at(50), 4.0),
        Figure::ratio("one call, one core, p99", at(99), 6.0),
        Figure::ratio("a call with 64 in flight", floods, 8.0),
    ])
}

/// Against a bare reply of the file's size plus read(2), both on as many cores as the scheduler gives them, as for an
/// agent.
pub(crate) fn read(setting: &Setting) -> Result<Vec<Figure>> {
    Ok(vec![
        read_of(setting, "Read of 1 KB, p50", 1 << 10, 1)?,
        read_of(setting, "Read of 1 MB, p50", 1 << 20, 20)?,
    ])
}

/// A large file is read `fewer` times less often.
fn read_of(setting: &Setting, name: &'static str, size: usize, fewer: usize) -> Result<Figure> {
    let path = setting.root().join(format!("{size}.txt"));
    let text = corpus::text(size);
    std::fs::write(&path, &text)?;
    let path = path.to_string_lossy().into_owned();
    // The last word proves that the reply is whole.
    let last = text.trim_end().rsplit(' ').next().unwrap_or_default().to_owned();
    let bare = Call::new("echo", &json!({}), &last);
    let read = Call::new("Read", &json!({"file_path": path, "limit": 1_000_000}), &last);
    let count = setting.scale.calls / fewer;
    let median = |server: Command, call: &Call| Ok(percentile(repeat(server, call, count)?, 50));
    let sides = side_by_side(
        setting.scale.rounds,
        || median(setting.floor(&["reader", &path]), &bare),
        || median(setting.awf(), &read),
    )?;
    Ok(Figure::ratio(name, sides, 1.5))
}

fn sequence(setting: &Setting, server: Command, call: &Call) -> Result<Vec<f64>> {
    on_one_core(|| repeat(server, call, setting.scale.calls))
}

/// The first tenth warms up and does not count.
fn repeat(server: Command, call: &Call, count: usize) -> Result<Vec<f64>> {
    let mut client = Client::open(server)?;
    client.repeat(call, count / 10)?;
    let times = client.repeat(call, count)?;
    client.close()?;
    Ok(times)
}

fn flood(setting: &Setting, server: Command, call: &Call) -> Result<f64> {
    let mut client = Client::open(server)?;
    client.flood(call, setting.scale.flood / 10, IN_FLIGHT)?;
    let time = client.flood(call, setting.scale.flood, IN_FLIGHT)?;
    client.close()?;
    Ok(time)
}
