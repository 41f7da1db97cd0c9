//! Calls through `call_tool_read`, with the intent check and the journal, against the same calls straight to the same
//! server; and what many tools cost.

use std::{process::Command, time::Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::{
    corpus,
    figure::{Figure, Outcome, percentile},
    quiet::on_one_core,
    rounds::{Sides, side_by_side},
    setting::Setting,
};
use crate::client::{Call, Client, microseconds};

const IN_FLIGHT: u32 = 64;
/// A call of a megabyte, or a search, is made this much less often.
const FEWER: usize = 20;

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let mut figures = small(setting)?;
    figures.push(large(setting)?);
    figures.extend(many(setting)?);
    Ok(figures)
}

/// An echo: one at a time, many at once, and the first of all.
fn small(setting: &Setting) -> Result<Vec<Figure>> {
    let (bare, routed) = echo();
    let upstream = || setting.floor(&["echo"]);
    let awf = || setting.gateway("echo", [("fake", upstream())]);
    let (rounds, calls, flood) = (setting.scale.rounds, setting.scale.calls, setting.scale.flood);
    let sides = side_by_side(
        rounds,
        || on_one_core(|| sequence(upstream(), &bare, calls)),
        || on_one_core(|| sequence(awf()?, &routed, calls)),
    )?;
    let at = |percent| {
        sides.iter().map(|side| side.map(|times| percentile(times.clone(), percent))).collect()
    };
    let floods = side_by_side(
        rounds,
        || at_once(upstream(), &bare, flood),
        || at_once(awf()?, &routed, flood),
    )?;
    let firsts =
        side_by_side(setting.scale.starts, || first(upstream(), &bare), || first(awf()?, &routed))?;
    Ok(vec![
        Figure::ratio("call_tool_read, one core, p50", at(50), 4.0),
        Figure::ratio("call_tool_read, one core, p99", at(99), 6.0),
        Figure::ratio("call_tool_read with 64 in flight", floods, 8.0),
        Figure::ratio("start to first call_tool_read", firsts, 3.0),
    ])
}

/// A reply of a megabyte.
fn large(setting: &Setting) -> Result<Figure> {
    let path = setting.root().join("reply.txt");
    let text = corpus::text(1 << 20);
    std::fs::write(&path, &text)?;
    let path = path.to_string_lossy().into_owned();
    // The last word proves that the reply is whole.
    let last = text.trim_end().rsplit(' ').next().unwrap_or_default();
    let message = json!({"message": ""});
    let bare = Call::new("echo", &message, last);
    let routed = Call::new("call_tool_read", &reading("echo", &message), last);
    let count = setting.scale.calls / FEWER;
    let upstream = || setting.floor(&["reader", &path]);
    let sides = side_by_side(
        setting.scale.rounds,
        || Ok(percentile(sequence(upstream(), &bare, count)?, 50)),
        || {
            let awf = setting.gateway("large", [("fake", upstream())])?;
            Ok(percentile(sequence(awf, &routed, count)?, 50))
        },
    )?;
    Ok(Figure::ratio("call_tool_read, reply of 1 MB, p50", sides, 2.5))
}

/// Ten thousand tools beside one thousand: here the smaller catalogue is the floor.
fn many(setting: &Setting) -> Result<Vec<Figure>> {
    let few = setting.gateway("few", [("fake", setting.floor(&["crowd", "1000"]))])?;
    let lots = setting.gateway("lots", [("fake", setting.floor(&["crowd", "10000"]))])?;
    let (mut few, mut lots) = (Client::open(few)?, Client::open(lots)?);
    let bytes = Outcome::Bytes { much: lots.list()?, little: few.list()? };
    let (_, call) = echo();
    let query = json!({"query": "approve the payment of a customer"});
    let search = Call::new("retrieve_tools", &query, "\"structuredContent\"");
    let mut rounds = |call: &Call, count: usize| -> Result<Vec<Sides<f64>>> {
        let median = |client: &mut Client| -> Result<f64> {
            client.repeat(call, count / 10 + 1)?;
            Ok(percentile(client.repeat(call, count)?, 50))
        };
        side_by_side(setting.scale.rounds, || median(&mut few), || median(&mut lots))
    };
    let searches = rounds(&search, setting.scale.calls / FEWER)?;
    let calls = rounds(&call, setting.scale.calls)?;
    few.close()?;
    lots.close()?;
    Ok(vec![
        Figure::ratio("retrieve_tools, 10,000 to 1,000 tools", searches, 4.0),
        Figure::ratio("a call among 10,000 to 1,000 tools", calls, 1.1),
        Figure { name: "tools/list at 10,000 and 1,000 tools", result: bytes },
    ])
}

/// The same call, straight to the server and through awf.
fn echo() -> (Call, Call) {
    let message = json!({"message": "hello"});
    let wanted = r#""text":"hello""#;
    (
        Call::new("echo", &message, wanted),
        Call::new("call_tool_read", &reading("echo", &message), wanted),
    )
}

fn reading(tool: &str, arguments: &Value) -> Value {
    json!({"name": format!("fake:{tool}"), "args": arguments, "intent": {"operation_type": "read"}})
}

/// The first tenth warms up and does not count.
fn sequence(server: Command, call: &Call, count: usize) -> Result<Vec<f64>> {
    let mut client = Client::open(server)?;
    client.repeat(call, count / 10)?;
    let times = client.repeat(call, count)?;
    client.close()?;
    Ok(times)
}

fn at_once(server: Command, call: &Call, count: u32) -> Result<f64> {
    let mut client = Client::open(server)?;
    client.flood(call, count / 10, IN_FLIGHT)?;
    let time = client.flood(call, count, IN_FLIGHT)?;
    client.close()?;
    Ok(time)
}

fn first(server: Command, call: &Call) -> Result<f64> {
    let start = Instant::now();
    let mut client = Client::open(server)?;
    client.call(call)?;
    let took = microseconds(start.elapsed());
    client.close()?;
    Ok(took)
}
