//! Sixteen servers at once, each with its client, with the journal on and off. With it on, every call that was answered
//! is counted afterwards.

use std::{fs, path::Path, thread, time::Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};

use crate::{
    bench::{
        figure::{Figure, Outcome, median},
        rounds::side_by_side,
        setting::Setting,
    },
    client::{Call, Client, microseconds},
};

const PROCESSES: u32 = 16;
const IN_FLIGHT: u32 = 8;
const AIM: f64 = 1.5;

pub(super) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    fs::write(setting.root().join("x"), "x")?;
    let file = |name: &str, enabled: bool| -> Result<std::path::PathBuf> {
        let file = setting.place(name);
        let config = json!({"root": setting.root(), "activity": {"enabled": enabled}});
        fs::write(&file, config.to_string())?;
        Ok(file)
    };
    let (on, off) = (file("on.json", true)?, file("off.json", false)?);
    let mut homes = 0;
    let mut counted = 0;
    let rounds = side_by_side(
        setting.scale.rounds,
        || together(setting, &off, &setting.place("no-log")),
        || {
            homes += 1;
            let home = setting.home().join(format!("crowd-{homes}"));
            let took = together(setting, &on, &home)?;
            counted += count(setting, &home)?;
            Ok(took)
        },
    )?;
    let asked = PROCESSES * setting.scale.crowd * u32::try_from(rounds.len())?;
    ensure!(counted == u64::from(asked), "{asked} calls were answered, {counted} are on record");
    let rate = |side: f64| 1e6 / side;
    let on = rate(median(rounds.iter().map(|round| round.awf).collect()));
    let off = rate(median(rounds.iter().map(|round| round.floor).collect()));
    let what = format!("{on:.0} calls a second, {off:.0} without; {counted} calls, 0 lost");
    Ok(vec![
        Figure::ratio("16 processes, journal on against off", rounds, AIM),
        Figure { name: "16 processes with the journal", result: Outcome::Told(what) },
    ])
}

/// Microseconds a call, over all of them.
fn together(setting: &Setting, config: &Path, home: &Path) -> Result<f64> {
    let call = Call::new("Read", &json!({"file_path": "x"}), "\\tx");
    let open = || {
        let mut awf = setting.awf_with(&["mcp-serve", "--config"]);
        awf.arg(config).env("AWF_HOME", home);
        Client::open(awf)
    };
    let clients = (0..PROCESSES).map(|_| open()).collect::<Result<Vec<_>>>()?;
    let start = Instant::now();
    let clients = thread::scope(|scope| {
        let each = |mut client: Client| {
            let call = &call;
            scope.spawn(move || -> Result<Client> {
                client.flood(call, setting.scale.crowd, IN_FLIGHT)?;
                Ok(client)
            })
        };
        let threads: Vec<_> = clients.into_iter().map(each).collect();
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        joined
            .map(|ended| ended.map_err(|_| anyhow!("a client broke"))?)
            .collect::<Result<Vec<_>>>()
    })?;
    let took = microseconds(start.elapsed());
    clients.into_iter().try_for_each(Client::close)?;
    Ok(took / f64::from(PROCESSES * setting.scale.crowd))
}

/// How many calls are on record, in a log that verifies.
fn count(setting: &Setting, home: &Path) -> Result<u64> {
    let ask = |words: &[&str]| -> Result<Value> {
        let output =
            setting.awf_with(words).env("AWF_HOME", home).output().context("ask the log")?;
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let verified = ask(&["activity", "verify", "-o", "json"])?;
    let intact = verified.get("intact").and_then(Value::as_bool);
    ensure!(intact == Some(true), "the log is not intact: {verified}");
    let summary = ask(&["activity", "summary", "-o", "json"])?;
    let total = summary.get("total").and_then(Value::as_u64).context("a total")?;
    let events = verified.get("events").and_then(Value::as_u64);
    ensure!(events == Some(2 * total), "{total} calls and {events:?} events");
    Ok(total)
}
