//! Inside: this program again, as the first process of a namespace whose network is loopback. It starts the model and a
//! receiver of spans, then the command; it looks what is left of it; it writes down what it saw and judges nothing.

use std::{
    fs::{self, File},
    io::Write as _,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{
    otlp::Receiver,
    setup::MODEL,
    stage::{Interrupt, Play},
};
use crate::{
    command::{command, succeed},
    watchdog::Watchdog,
};

/// What a program that was told to end may take, and what may take to end after it.
const GRACE: Duration = Duration::from_secs(5);
/// For things that take an instant, on a machine that does other things too.
const SOON: Duration = Duration::from_mins(1);
const LONGEST: Duration = Duration::from_secs(150);

/// Plays what the file tells.
pub(crate) fn play(file: &str) -> Result<()> {
    let play: Play = serde_json::from_slice(&fs::read(file)?)?;
    let mut up = command("ip");
    up.args(["link", "set", "lo", "up"]);
    succeed(up)?;
    let receiver = Receiver::start()?;
    let (mut model, address) = start_model(&play)?;
    for (path, text) in &play.files {
        fs::create_dir_all(path.parent().context("a file has a folder")?)?;
        fs::write(path, text.replace(MODEL, &address))?;
    }
    fs::write(play.folder.join("address"), &address)?;
    let mut child = start(&play, &address, receiver.endpoint())?;
    let watchdog = Watchdog::on(&child, LONGEST)?;
    if let Some(interrupt) = play.interrupt {
        await_call(&play, &mut child)?;
        kill_process(Pid::from_child(&child), signal(interrupt))?;
    }
    let signalled = Instant::now();
    let status = child.wait()?;
    drop(watchdog);
    let ended = signalled.elapsed();
    let left = left_after(GRACE, &[std::process::id(), model.id()])?;
    let files = names_in(&play.folder.join("tmp"))?;
    let outcome =
        json!({"code": status.code(), "ended_ms": ended.as_millis(), "left": left, "files": files});
    fs::write(play.folder.join("outcome.json"), outcome.to_string())?;
    fs::write(play.folder.join("spans.json"), serde_json::to_string(&receiver.spans())?)?;
    drop(model.stdin.take());
    model.wait()?;
    Ok(())
}

fn start_model(play: &Play) -> Result<(Child, String)> {
    let [scenario, log, port] =
        ["scenario.json", "model.jsonl", "port"].map(|name| play.folder.join(name));
    fs::write(&scenario, play.scenario.to_string())?;
    let mut server = command(&play.model_server);
    server.arg("--scenario").arg(scenario).arg("--log").arg(log).arg("--port-file").arg(&port);
    let child = server.stdin(Stdio::piped()).spawn().context("start the model server")?;
    await_file(&port, || Ok(()))?;
    Ok((child, fs::read_to_string(port)?))
}

fn start(play: &Play, address: &str, spans: &str) -> Result<Child> {
    let (program, words) = play.command.split_first().context("a command")?;
    let environment =
        play.environment.iter().map(|(name, value)| (name, value.replace(MODEL, address)));
    let path = play.environment.iter().find(|(name, _)| name == "PATH").context("a PATH")?;
    let mut command = command(found(program, &path.1));
    command
        .args(words)
        .current_dir(play.folder.join("project"))
        .env_clear()
        .envs(environment)
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", spans)
        .stdin(Stdio::piped())
        .stdout(File::create(play.folder.join("stdout"))?)
        .stderr(File::create(play.folder.join("stderr"))?)
        .process_group(0);
    let mut child = command.spawn().with_context(|| format!("start {program}"))?;
    let mut input = child.stdin.take().context("an input")?;
    // One that does not read has left already.
    input.write_all(play.input.as_bytes()).ok();
    Ok(child)
}

/// The standard library looks a program up in our own `PATH`, not in the one it will have.
fn found(program: &str, path: &str) -> String {
    let folders = path.split(':').map(|folder| Path::new(folder).join(program));
    let found = folders.into_iter().find(|file| file.exists());
    found.map_or_else(|| program.to_owned(), |file| file.to_string_lossy().into_owned())
}

fn await_call(play: &Play, child: &mut Child) -> Result<()> {
    await_file(&play.folder.join("project/started"), || {
        if let Some(status) = child.try_wait()? {
            bail!("it ended before its tool was called: {status}");
        }
        Ok(())
    })
}

/// A file of another process gives no event, so this looks again and again.
fn await_file(file: &Path, mut meanwhile: impl FnMut() -> Result<()>) -> Result<()> {
    let end = Instant::now() + SOON;
    while !file.exists() {
        meanwhile()?;
        if Instant::now() > end {
            bail!("waited too long for {}", file.display());
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn signal(interrupt: Interrupt) -> Signal {
    match interrupt {
        Interrupt::Int => Signal::INT,
        Interrupt::Term => Signal::TERM,
        Interrupt::Kill => Signal::KILL,
    }
}

/// The command lines of what still lives when `grace` is over. All processes of this namespace are ours.
fn left_after(grace: Duration, known: &[u32]) -> Result<Vec<String>> {
    let end = Instant::now() + grace;
    loop {
        let left = living(known)?;
        if left.is_empty() || Instant::now() > end {
            return Ok(left);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// What lies in a folder.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries =
        fs::read_dir(folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(entries.collect())
}

fn living(known: &[u32]) -> Result<Vec<String>> {
    let pids =
        fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let strangers = pids.filter(|pid: &u32| !known.contains(pid));
    Ok(strangers.filter_map(line_of).collect())
}

/// Nothing of a process that is gone, or waits only to be noticed.
fn line_of(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let state = stat.rsplit_once(") ")?.1;
    if state.starts_with(['Z', 'X']) {
        return None;
    }
    let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
    Some(format!("{pid} {}", line.replace('\0', " ").trim()))
}
