//! A host for the tests, in a process of its own so that it can be killed and measured.
//!
//! `host guard` is the guard of all others; `host hold <directory> <command>` runs a shell command, says `ready`
//! and waits to be killed; `host descriptors <count>` says how many descriptors host and guard have, before and
//! after so many commands; `host flood <bytes>` says how many of so many bytes of output were dropped, and by how
//! many KiB its memory grew.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Read, Write},
    process::ExitCode,
    time::Duration,
};

use awf_process::{CommandSpec, Grace, Guard, GuardCommand, Keep, Limits, Stream, Streams};
use tokio_util::sync::CancellationToken;

fn main() -> ExitCode {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    let words: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    if words == ["guard"] {
        return awf_process::guard_main();
    }
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return ExitCode::FAILURE;
    };
    let guard =
        Guard::new(GuardCommand { program: "/proc/self/exe".into(), args: vec!["guard".into()] });
    let done = runtime.block_on(async {
        match words.as_slice() {
            ["hold", cwd, script] => hold(&guard, cwd, script).await,
            ["descriptors", count] => descriptors(&guard, count.parse().unwrap_or_default()).await,
            ["flood", bytes] => flood(&guard, bytes).await,
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    });
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn sh(script: &str) -> CommandSpec {
    CommandSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: env::vars_os().collect(),
        cwd: "/".into(),
    }
}

fn no_streams() -> Streams {
    Streams { stdin: Stream::Null, stdout: Stream::Null, stderr: Stream::Null }
}

fn limits() -> Limits {
    let keep = Keep { head: 50_000, tail: 50_000 };
    Limits { timeout: Duration::from_secs(100), grace: Grace::NONE, stdout: keep, stderr: keep }
}

async fn hold(guard: &Guard, cwd: &str, script: &str) -> io::Result<()> {
    let spec = CommandSpec { cwd: cwd.into(), ..sh(script) };
    let child = guard.spawn(spec, no_streams()).await.map_err(io::Error::other)?;
    writeln!(io::stdout(), "ready {}", child.pid())?;
    // Returns when the test closes its end, should it ever do so instead of killing.
    io::stdin().read_to_end(&mut Vec::new())?;
    drop(child);
    Ok(())
}

async fn descriptors(guard: &Guard, count: u32) -> io::Result<()> {
    let keeper =
        guard.spawn(sh("sleep 300; true"), no_streams()).await.map_err(io::Error::other)?;
    let stat = fs::read_to_string(format!("/proc/{}/stat", keeper.pid()))?;
    let parent =
        stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)).unwrap_or_default();
    let cancel = CancellationToken::new();
    for count in [5, count] {
        for _ in 0..count {
            guard.run(sh("echo hi"), limits(), &cancel).await.map_err(io::Error::other)?;
        }
        let [host, guard] = ["self", parent].map(|pid| fs::read_dir(format!("/proc/{pid}/fd")));
        writeln!(io::stdout(), "{} {}", host?.count(), guard?.count())?;
    }
    guard.stop(Grace::NONE).await.map_err(io::Error::other)
}

async fn flood(guard: &Guard, bytes: &str) -> io::Result<()> {
    let cancel = CancellationToken::new();
    guard.run(sh("echo hi"), limits(), &cancel).await.map_err(io::Error::other)?;
    let before = peak_memory()?;
    let script = format!("head -c {bytes} /dev/zero");
    let finished = guard.run(sh(&script), limits(), &cancel).await.map_err(io::Error::other)?;
    writeln!(io::stdout(), "{}\n{}", finished.stdout.dropped, peak_memory()? - before)?;
    guard.stop(Grace::NONE).await.map_err(io::Error::other)
}

/// In KiB.
fn peak_memory() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok());
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}
