//! The activity log with a million records beside one with a thousand: here the short log is the floor. And what the
//! journal costs sixteen processes that write at once, with every call counted.

mod crowd;
mod export;

use std::{fs, path::Path, time::Instant};

use anyhow::{Context, Result, ensure};

use super::{
    figure::{Figure, Outcome},
    rounds::{Sides, side_by_side},
    setting::Setting,
};
use crate::{
    client::microseconds,
    command::{command, succeed},
};

const SHORT: usize = 1_000;
/// A question is asked so often in a round, by a process that stays open.
const TIMES: &str = "21";
const AIM: f64 = 2.0;

/// What `activity_queries ask` calls its questions, and what they are.
const QUESTIONS: [(&str, &str); 21] = [
    ("newest", "log: newest 50"),
    ("show", "log: one record by id"),
    ("since", "log: by since"),
    ("until", "log: by until"),
    ("run", "log: by run"),
    ("step", "log: by step"),
    ("server", "log: by server"),
    ("server-rare", "log: by server, only the oldest"),
    ("tool", "log: by tool"),
    ("intent", "log: by intent type"),
    ("status", "log: by status"),
    ("status-common", "log: by status, most calls"),
    ("status-rare", "log: by status, only the oldest"),
    ("source", "log: by source"),
    ("request", "log: by request id"),
    ("run-status", "log: by run and status"),
    ("server-tool", "log: by server and tool"),
    ("refused-destructive", "log: denied and destructive"),
    ("all-time-rare", "log: since and status, only the oldest"),
    ("summary", "log: summary"),
    ("summary-server", "log: summary of a server"),
];

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let (short, long) = (setting.place("short-log"), setting.place("long-log"));
    fill(setting, &short, SHORT)?;
    let wrote = fill(setting, &long, setting.scale.records)?;
    let mut figures = vec![told("log: written by one process", setting, wrote)];
    list(setting, &short)?;
    let made = list(setting, &long)?;
    figures.push(told("log: index built from the journal", setting, made));
    figures.push(sizes(&long)?);
    let opened =
        side_by_side(setting.scale.starts, || list(setting, &short), || list(setting, &long))?;
    figures.push(Figure::ratio("log: awf activity list, its start too", opened, AIM));
    figures.extend(questions(setting, &short, &long)?);
    figures.extend(export::figures(setting, &short, &long)?);
    figures.extend(crowd::figures(setting)?);
    Ok(figures)
}

fn program(setting: &Setting, words: &[&str], home: &Path) -> std::process::Command {
    let mut program = command(setting.sibling("examples/activity_queries"));
    let (first, rest) = words.split_at(1);
    program.args(first).arg(home).args(rest);
    program
}

/// Microseconds.
fn fill(setting: &Setting, home: &Path, calls: usize) -> Result<f64> {
    let start = Instant::now();
    succeed(program(setting, &["fill", &calls.to_string()], home))?;
    Ok(microseconds(start.elapsed()))
}

/// `awf activity list`, from its start to its end. The first one makes the index.
fn list(setting: &Setting, home: &Path) -> Result<f64> {
    let mut list = setting.awf_with(&["activity", "list", "-o", "json"]);
    list.env("AWF_HOME", home);
    let start = Instant::now();
    let output = list.output().context("run awf activity list")?;
    let took = microseconds(start.elapsed());
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(took)
}

fn told(name: &'static str, setting: &Setting, took: f64) -> Figure {
    let records = setting.scale.records;
    let seconds = took / 1e6;
    #[expect(clippy::cast_precision_loss, reason = "a count of records is small")]
    let each = records as f64 / seconds;
    let what = format!("{records} records in {seconds:.1} s, {each:.0} a second");
    Figure { name, result: Outcome::Told(what) }
}

fn sizes(home: &Path) -> Result<Figure> {
    let activity = home.join("activity");
    let index = fs::metadata(activity.join("index.sqlite"))?.len();
    let mut journal = 0;
    for entry in fs::read_dir(activity.join("segments"))? {
        journal += entry?.metadata()?.len();
    }
    let what = format!("{} MB of index for {} MB of journal", index >> 20, journal >> 20);
    Ok(Figure { name: "log: size", result: Outcome::Told(what) })
}

/// Each question by a process that has the index open, so that its own start does not count.
fn questions(setting: &Setting, short: &Path, long: &Path) -> Result<Vec<Figure>> {
    let ask = |home: &Path| -> Result<Vec<f64>> {
        let output = program(setting, &["ask", TIMES], home).output().context("ask the log")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        let answers: Vec<(&str, &str)> =
            text.lines().filter_map(|line| line.split_once(' ')).collect();
        let names: Vec<&str> = answers.iter().map(|(name, _)| *name).collect();
        ensure!(names == QUESTIONS.map(|(name, _)| name), "other questions: {names:?}");
        answers.iter().map(|(_, took)| Ok(took.parse()?)).collect()
    };
    let sides = side_by_side(setting.scale.rounds, || ask(short), || ask(long))?;
    let figure = |(at, (_, name)): (usize, &(&str, &'static str))| {
        let at = |side: &Vec<f64>| side.get(at).copied().unwrap_or(f64::NAN);
        let rounds: Vec<Sides<f64>> = sides.iter().map(|side| side.map(at)).collect();
        Figure::ratio(name, rounds, AIM)
    };
    Ok(QUESTIONS.iter().enumerate().map(figure).collect())
}
