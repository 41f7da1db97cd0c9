//! Host or guard killed: nothing is left.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use awf_process::{Grace, GuardLost, SpawnError};
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
    for _ in 0..5 {
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
    for _ in 0..10 {
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
    let guard_process = rustix::process::Pid::from_raw(guard_pid.cast_signed()).unwrap();
    for signal in
        [rustix::process::Signal::TERM, rustix::process::Signal::HUP, rustix::process::Signal::INT]
    {
        rustix::process::kill_process(guard_process, signal).unwrap();
    }
    still_works(&guard).await;
    assert_eq!(parent_of(child.pid()), guard_pid);
    within(guard.stop(Grace::NONE)).await.unwrap();
    mark.is_gone();
}

#[tokio::test]
async fn a_killed_guard_is_noticed_swept_after_and_replaced() {
    let guard = guard();
    for _ in 0..3 {
        let mark = Mark::new();
        let mut child = within(guard.spawn(mark.sh(FAMILY), NO_STREAMS())).await.unwrap();
        mark.counts(FAMILY_SIZE).await;
        let cancel = CancellationToken::new();
        let run = guard.run(mark.sh("sleep 300; true"), limits(PATIENCE), &cancel);
        let killed = async {
            mark.counts(FAMILY_SIZE + 2).await;
            kill_hard(parent_of(child.pid()));
        };
        let (run, ()) = within(async { tokio::join!(run, killed) }).await;
        assert!(matches!(run, Err(SpawnError::GuardLost(GuardLost))), "{run:?}");
        // Who hears of the loss may rely on it that all are gone.
        mark.is_gone();
        assert_eq!(within(child.wait()).await, Err(GuardLost));
        assert!(within(child.kill(Grace::NONE)).await.is_err());
    }
    still_works(&guard).await;
    within(guard.stop(Grace::NONE)).await.unwrap();
    assert_eq!(zombies(), Vec::<u32>::new());
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

/// Children of this process that nobody reaped.
fn zombies() -> Vec<u32> {
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| std::fs::exists(format!("/proc/{pid}")).unwrap_or(false))
        .filter(|pid| {
            std::panic::catch_unwind(|| (stat(*pid, 0), parent_of(*pid)))
                .is_ok_and(|(state, parent)| state == "Z" && parent == std::process::id())
        })
        .collect()
}
