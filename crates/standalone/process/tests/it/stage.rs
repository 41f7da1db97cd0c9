//! What the tests share: a guard, shell commands with a mark of their own, and a look into `/proc`.

use std::{
    env, fs,
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use awf_process::{
    Captured, CommandSpec, Finished, Grace, Guard, GuardCommand, Keep, Limits, SpawnError, Stream,
    Streams,
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// Long enough for a busy machine; nobody waits that long when things work.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const NO_STREAMS: fn() -> Streams =
    || Streams { stdin: Stream::Null, stdout: Stream::Null, stderr: Stream::Null };

/// The example of this crate that is host and guard; cargo builds it with the tests.
pub(crate) fn host() -> PathBuf {
    let test = env::current_exe().unwrap();
    let host = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/host");
    assert!(
        host.exists(),
        "{} is missing: `cargo build --examples -p awf-process`",
        host.display()
    );
    host
}

/// What the host of the example prints: some facts can only be measured in a process of their own.
#[expect(clippy::disallowed_methods, reason = "the host under test has no guard of ours")]
pub(crate) fn host_says(args: &[&str]) -> Vec<String> {
    let output = std::process::Command::new(host()).args(args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

pub(crate) fn guard() -> Guard {
    Guard::new(GuardCommand { program: host(), args: vec!["guard".into()] })
}

pub(crate) fn limits(timeout: Duration) -> Limits {
    let keep = Keep { head: 50_000, tail: 50_000 };
    Limits { timeout, grace: Grace(Duration::from_millis(300)), stdout: keep, stderr: keep }
}

pub(crate) fn text(captured: &Captured) -> String {
    String::from_utf8(captured.bytes()).unwrap()
}

pub(crate) async fn within<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("no answer in time")
}

/// A run that nobody cancels.
pub(crate) async fn run(
    guard: &Guard,
    spec: CommandSpec,
    limits: Limits,
) -> Result<Finished, SpawnError> {
    within(guard.run(spec, limits, &CancellationToken::new())).await
}

pub(crate) async fn still_works(guard: &Guard) {
    let finished = run(guard, Mark::new().sh("echo on"), limits(PATIENCE)).await.unwrap();
    assert_eq!(text(&finished.stdout), "on\n");
}

/// A number that appears in the environment or the arguments of a test's processes and nowhere else. It has
/// nine digits, so that it can be the fraction of a second that somebody sleeps.
#[derive(Clone, Copy)]
pub(crate) struct Mark(u32);

impl Mark {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let process = std::process::id() % 100_000;
        Self(100_000_000 + process * 1_000 + NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// A shell command; `MARK` in it stands for the number.
    pub(crate) fn sh(self, script: &str) -> CommandSpec {
        CommandSpec {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.replace("MARK", &self.0.to_string()).into()],
            env: vec![
                ("PATH".into(), "/usr/bin:/bin".into()),
                ("TEST_MARK".into(), self.0.to_string().into()),
            ],
            cwd: "/".into(),
        }
    }

    /// The living processes of this test, but for the test itself.
    pub(crate) fn alive(self) -> Vec<u32> {
        let number = self.0.to_string();
        let shows = |pid: u32, file: &str| {
            fs::read(format!("/proc/{pid}/{file}")).is_ok_and(|bytes| {
                bytes.windows(number.len()).any(|part| part == number.as_bytes())
            })
        };
        let mut pids: Vec<u32> = fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| {
                str::from_utf8(entry.ok()?.file_name().as_bytes()).ok()?.parse().ok()
            })
            .filter(|pid| shows(*pid, "environ") || shows(*pid, "cmdline"))
            .collect();
        pids.sort_unstable();
        pids
    }

    /// Until exactly so many live; the list of those that do, should it never be.
    pub(crate) async fn counts(self, expected: usize) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let alive = self.alive();
            if alive.len() == expected {
                return;
            }
            assert!(Instant::now() < deadline, "want {expected}, have {}", describe(&alive));
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// That nothing lives at this very moment.
    pub(crate) fn is_gone(self) {
        let alive = self.alive();
        assert!(alive.is_empty(), "left: {}", describe(&alive));
    }
}

fn describe(pids: &[u32]) -> String {
    let line = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    format!("{:?}", pids.iter().map(|pid| (*pid, line(pid).replace('\0', " "))).collect::<Vec<_>>())
}

/// A field of `/proc/<pid>/stat`, counted from the state (0), which follows the name.
pub(crate) fn stat(pid: u32, field: usize) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(") ").unwrap().1.split(' ').nth(field).unwrap().to_owned()
}

pub(crate) fn parent_of(pid: u32) -> u32 {
    stat(pid, 1).parse().unwrap()
}

pub(crate) fn kill_hard(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
