//! Host or guard killed: nothing is left.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use awf_process::{EndError, Grace, GuardLost, SpawnError};
use rustix::process::{Pid, Signal, kill_process};
use tokio_util::sync::CancellationToken;

use crate::stage::{
    Mark, NO_STREAMS, PATIENCE, guard, host, kill_hard, limits, parent_of, stat, still_works,
    within,
};

/// A shell, a child, one in a new session that ignores TERM, and an orphan of an orphan without environment.
const FAMILY: &str = "sleep 300.MARK & setsid sh -c 'trap \"\" TERM; sleep 300.MARK; true' & \
                      (setsid sh -c '(setsid env -i sleep 300.MARK &) &' &); sleep 300; true";

/// Host, shell, and the five others.
const FAMILY_SIZE: usize = 6;

#[expect(clippy::disallowed_methods, reason = "this host must die without a guard of ours")]
fn start_host(mark: Mark, script: &str) -> Child {
    let spec = mark.sh(script);
    let mut host = Command::new(host())
        .args(["hold", "/"])
        .args(&spec.args[1..])
        .env_clear()
        .envs(spec.env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = String::new();
    BufReader::new(host.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
    assert!(ready.starts_with("ready "), "{ready:?}");
    host
}

#[tokio::test]
async fn a_killed_host_leaves_nothing() {
    for _ in 0..crate::trials(5, 50) {
        let mark = Mark::new();
        let mut host = start_host(mark, FAMILY);
        mark.counts(FAMILY_SIZE + 1).await;
        host.kill().unwrap();
        host.wait().unwrap();
        mark.counts(0).await;
    }
}

#[tokio::test]
async fn a_host_killed_the_moment_it_has_started_something_leaves_nothing() {
    for _ in 0..crate::trials(10, 200) {
        let mark = Mark::new();
        let mut host = start_host(mark, FAMILY);
        host.kill().unwrap();
        host.wait().unwrap();
        mark.counts(0).await;
    }
}

#[tokio::test]
async fn the_guard_is_out_of_reach_of_signals_to_the_group_and_deaf_to_term() {
    let guard = guard();
    let mark = Mark::new();
    let child = within(guard.spawn(mark.sh("sleep 300; true"), NO_STREAMS())).await.unwrap();
    let guard_pid = parent_of(child.pid());
    let session = |pid: u32| stat(pid, 3).parse::<u32>().unwrap();
    assert_eq!(session(guard_pid), guard_pid);
    assert_eq!(session(child.pid()), child.pid());
    let guard_process = Pid::from_raw(guard_pid.cast_signed()).unwrap();
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        kill_process(guard_process, signal).unwrap();
    }
    still_works(&guard).await;
    assert_eq!(parent_of(child.pid()), guard_pid);
    within(guard.stop(Grace::NONE)).await.unwrap();
    mark.is_gone();
}

#[tokio::test]
async fn a_guard_that_was_prepared_is_the_one_that_is_used() {
    let guard = guard();
    let children = || fs::read_to_string("/proc/thread-self/children").unwrap();
    guard.prepare().unwrap();
    let prepared = children();
    assert_eq!(prepared.split_whitespace().count(), 1, "{prepared}");
    guard.prepare().unwrap();
    still_works(&guard).await;
    assert_eq!(children(), prepared);
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_killed_guard_is_noticed_swept_after_and_replaced() {
    let guard = guard();
    for _ in 0..crate::trials(3, 50) {
        let mark = Mark::new();
        let mut child = within(guard.spawn(mark.sh(FAMILY), NO_STREAMS())).await.unwrap();
        mark.counts(FAMILY_SIZE).await;
        let cancel = CancellationToken::new();
        let run = guard.run(mark.sh("sleep 300; true"), limits(PATIENCE), &cancel);
        let killed = async {
            mark.counts(FAMILY_SIZE + 2).await;
            let victims = [mark.alive(), vec![parent_of(child.pid())]].concat();
            kill_hard(parent_of(child.pid()));
            victims
        };
        let (run, victims) = within(async { tokio::join!(run, killed) }).await;
        assert!(matches!(run, Err(SpawnError::GuardLost(GuardLost))), "{run:?}");
        // Who hears of the loss may rely on it that all are gone.
        mark.is_gone();
        for victim in victims {
            assert!(!fs::exists(format!("/proc/{victim}")).unwrap(), "{victim} was not reaped");
        }
        assert_eq!(within(child.wait()).await, Err(GuardLost));
        assert!(within(child.kill(Grace::NONE)).await.is_err());
    }
    still_works(&guard).await;
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn the_loss_of_one_guard_does_not_touch_another() {
    let [lost, kept] = [guard(), guard()];
    let [mark, other] = [Mark::new(), Mark::new()];
    let mut child = within(lost.spawn(mark.sh(FAMILY), NO_STREAMS())).await.unwrap();
    let mut bystander =
        within(kept.spawn(other.sh("sleep 300; true"), NO_STREAMS())).await.unwrap();
    mark.counts(FAMILY_SIZE).await;
    kill_hard(parent_of(child.pid()));
    assert_eq!(within(child.wait()).await, Err(GuardLost));
    mark.is_gone();
    assert_eq!(other.alive().len(), 2);
    let undisturbed = tokio::time::timeout(Duration::from_millis(50), bystander.wait()).await;
    assert!(undisturbed.is_err(), "{undisturbed:?}");
    within(kept.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_guard_that_hangs_is_given_up() {
    let guard = guard();
    let mark = Mark::new();
    let mut child = within(guard.spawn(mark.sh("sleep 300; true"), NO_STREAMS())).await.unwrap();
    mark.counts(2).await;
    let guard_pid = Pid::from_raw(parent_of(child.pid()).cast_signed()).unwrap();
    kill_process(guard_pid, Signal::STOP).unwrap();
    // From here on, waiting costs no time.
    tokio::time::pause();
    assert_eq!(child.kill(Grace::NONE).await, Err(EndError::GuardLost(GuardLost)));
    mark.is_gone();
    assert_eq!(child.wait().await, Err(GuardLost));
    tokio::time::resume();
    still_works(&guard).await;
    within(guard.stop(Grace::NONE)).await.unwrap();
}

/// A container whose first process began elsewhere: session and group have no number there. Where the machine lets
/// nobody make one, there is nothing to try.
#[test]
#[expect(clippy::disallowed_methods, reason = "this test's own test binary, which ends by itself")]
fn orphans_are_ended_also_where_the_session_has_no_number() {
    let inside = |program: &std::ffi::OsStr, args: &[&str]| {
        Command::new("unshare")
            .args(["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"])
            .arg(program)
            .args(args)
            .output()
    };
    if !inside("true".as_ref(), &[]).is_ok_and(|output| output.status.success()) {
        return;
    }
    let itself = std::env::current_exe().unwrap();
    let name = "loss::the_loss_of_one_guard_does_not_touch_another";
    let output = inside(itself.as_os_str(), &["--exact", name]).unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}
