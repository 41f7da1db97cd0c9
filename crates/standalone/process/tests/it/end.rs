//! Ending commands: by kill, timeout, cancellation, drop and sweep.

use std::time::{Duration, Instant};

use awf_process::{Exit, Grace, Outcome};
use tokio_util::sync::CancellationToken;

use crate::stage::{Mark, NO_STREAMS, PATIENCE, guard, limits, run, still_works, text, within};

/// Leaves a child that ignores TERM, has its own session and has lost its parent.
const RUNAWAY: &str = "setsid sh -c 'trap \"\" TERM; sleep 300.MARK & sleep 300.MARK & wait' & ";

#[tokio::test]
async fn a_runaway_lives_until_the_sweep_and_not_longer() {
    let guard = guard();
    let mark = Mark::new();
    let script = format!("({RUNAWAY}) & wait; echo ok");
    let finished = run(&guard, mark.sh(&script), limits(PATIENCE));
    assert_eq!(text(&finished.await.unwrap().stdout), "ok\n");
    mark.counts(3).await;
    // Other commands come and go meanwhile.
    still_works(&guard).await;
    assert_eq!(mark.alive().len(), 3);
    within(guard.sweep(Grace(Duration::from_millis(100)))).await.unwrap();
    mark.is_gone();
    // The guard is still ready.
    still_works(&guard).await;
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_timeout_kills_also_what_left_the_session_and_lost_its_parent() {
    let guard = guard();
    let mark = Mark::new();
    let bystander = Mark::new();
    let other = within(guard.spawn(bystander.sh("sleep 300; true"), NO_STREAMS())).await.unwrap();
    let script = format!("echo begun; ({RUNAWAY}) & sleep 300; true");
    let run = run(&guard, mark.sh(&script), limits(Duration::from_secs(1)));
    let finished = run.await.unwrap();
    assert_eq!((finished.outcome, text(&finished.stdout)), (Outcome::TimedOut, "begun\n".into()));
    mark.is_gone();
    assert_eq!(bystander.alive().len(), 2);
    drop(other);
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_flood_of_output_does_not_delay_a_timeout() {
    let guard = guard();
    let mark = Mark::new();
    let finished = run(&guard, mark.sh("yes"), limits(Duration::from_millis(500))).await.unwrap();
    assert_eq!(finished.outcome, Outcome::TimedOut);
    assert!(finished.stdout.dropped > 0 && finished.stdout.tail.len() == 50_000);
    mark.is_gone();
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn what_is_cancelled_before_it_starts_does_not_start() {
    let guard = guard();
    let directory = tempfile::tempdir().unwrap();
    let mut spec = Mark::new().sh("touch started");
    spec.cwd = directory.path().into();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let finished = within(guard.run(spec, limits(PATIENCE), &cancel)).await.unwrap();
    assert_eq!(finished.outcome, Outcome::Cancelled);
    within(guard.stop(Grace::NONE)).await.unwrap();
    assert!(!directory.path().join("started").exists());
}

#[tokio::test]
async fn what_is_cancelled_while_it_starts_is_gone_when_the_answer_comes() {
    let guard = guard();
    for _ in 0..crate::trials(20, 500) {
        let mark = Mark::new();
        let cancel = CancellationToken::new();
        let run = guard.run(mark.sh("sleep 300; true"), limits(PATIENCE), &cancel);
        let (finished, ()) = within(async { tokio::join!(run, async { cancel.cancel() }) }).await;
        assert_eq!(finished.unwrap().outcome, Outcome::Cancelled);
        mark.is_gone();
    }
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_cancelled_run_gives_its_output_so_far() {
    let guard = guard();
    let mark = Mark::new();
    let cancel = CancellationToken::new();
    let run = guard.run(mark.sh("echo begun; sleep 300; true"), limits(PATIENCE), &cancel);
    let cancelled = async {
        mark.counts(2).await;
        cancel.cancel();
    };
    let (finished, ()) = within(async { tokio::join!(run, cancelled) }).await;
    let finished = finished.unwrap();
    assert_eq!((finished.outcome, text(&finished.stdout)), (Outcome::Cancelled, "begun\n".into()));
    mark.is_gone();
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn who_hears_term_may_clean_up_and_who_ignores_it_is_killed_after_the_grace() {
    let guard = guard();
    let grace = Duration::from_millis(400);
    let rows = [
        ("trap 'exit 7' TERM; echo; while :; do sleep 0.01; done", Exit::Code(7)),
        ("trap '' TERM; echo; while :; do sleep 0.01; done", Exit::Signal(9)),
        // A stopped process has to be woken to hear it.
        ("echo; kill -STOP $$", Exit::Signal(15)),
    ];
    for (script, expected) in rows {
        let mark = Mark::new();
        let (stdout, mut ready) = awf_process::output_pipe().unwrap();
        let streams = awf_process::Streams { stdout, ..NO_STREAMS() };
        let mut child = within(guard.spawn(mark.sh(script), streams)).await.unwrap();
        within(tokio::io::AsyncReadExt::read_u8(&mut ready)).await.unwrap();
        let asked = Instant::now();
        within(child.kill(Grace(grace))).await.unwrap();
        assert_eq!(
            asked.elapsed() >= grace,
            expected == Exit::Signal(9),
            "{script}: {:?}",
            asked.elapsed()
        );
        assert_eq!(within(child.wait()).await, Ok(expected), "{script}");
        mark.is_gone();
    }
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_kill_reaches_a_descendant_that_wiped_its_environment_while_its_parent_lives() {
    let guard = guard();
    let mark = Mark::new();
    // TERM ends the shell between, so its TERM-ignoring child becomes an orphan without any mark of ours.
    let script = "setsid sh -c 'env -i sh -c \"trap \\\"\\\" TERM; while :; do sleep 1.MARK; done\"; true' & wait";
    let child = within(guard.spawn(mark.sh(script), NO_STREAMS())).await.unwrap();
    mark.counts(4).await;
    within(child.kill(Grace(Duration::from_millis(200)))).await.unwrap();
    mark.is_gone();
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_command_that_ended_can_still_be_cleaned_up_after() {
    let guard = guard();
    let mark = Mark::new();
    let script = format!("{RUNAWAY} sleep 300 &");
    let mut child = within(guard.spawn(mark.sh(&script), NO_STREAMS())).await.unwrap();
    assert_eq!(within(child.wait()).await, Ok(Exit::Code(0)));
    mark.counts(4).await;
    within(child.kill(Grace::NONE)).await.unwrap();
    mark.is_gone();
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_dropped_child_is_killed_and_a_detached_or_ended_one_is_not() {
    let guard = guard();
    let [dropped, detached, ended, future] = [(); 4].map(|()| Mark::new());
    let sleeper = "sleep 300; true";
    drop(within(guard.spawn(dropped.sh(sleeper), NO_STREAMS())).await.unwrap());
    within(guard.spawn(detached.sh(sleeper), NO_STREAMS())).await.unwrap().detach();
    let mut child = within(guard.spawn(ended.sh("sleep 300 & true"), NO_STREAMS())).await.unwrap();
    assert_eq!(within(child.wait()).await, Ok(Exit::Code(0)));
    drop(child);
    {
        let cancel = CancellationToken::new();
        let run = guard.run(future.sh(sleeper), limits(PATIENCE), &cancel);
        tokio::select! {
            _ = run => panic!("it ended"),
            () = future.counts(2) => (),
        }
    }
    dropped.counts(0).await;
    future.counts(0).await;
    assert_eq!((detached.alive().len(), ended.alive().len()), (2, 1));
    within(guard.stop(Grace::NONE)).await.unwrap();
    detached.is_gone();
    ended.is_gone();
}

/// Four families of ever one process that forks, leaves everything to its child and ends; never more, lest a
/// failure of this test take the machine along.
const HOPPERS: &str = "printf 'trap \"\" TERM; : MARK; SETSID sh ./hop &' > hop; \
                       for family in 1 2 3 4; do sh ./hop; done; sleep 300";

#[tokio::test]
async fn what_forks_and_ends_without_end_is_ended() {
    let guard = guard();
    for setsid in ["", "setsid"] {
        let mark = Mark::new();
        let directory = tempfile::tempdir().unwrap();
        let mut spec = mark.sh(&HOPPERS.replace("SETSID", setsid));
        spec.cwd = directory.path().into();
        let child = within(guard.spawn(spec, NO_STREAMS())).await.unwrap();
        within(async {
            while mark.alive().len() < 4 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
        within(child.kill(Grace::NONE)).await.unwrap();
        mark.is_gone();
    }
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn sweeping_nothing_is_immediate() {
    let guard = guard();
    let long = Grace(PATIENCE * 10);
    within(guard.sweep(long)).await.unwrap();
    run(&guard, Mark::new().sh("true"), limits(PATIENCE)).await.unwrap();
    within(guard.sweep(long)).await.unwrap();
    within(guard.stop(long)).await.unwrap();
    within(guard.stop(long)).await.unwrap();
}

#[tokio::test]
async fn dropping_the_last_handle_ends_everything() {
    let guard = guard();
    let mark = Mark::new();
    let mut child = within(guard.spawn(mark.sh("sleep 300; true"), NO_STREAMS())).await.unwrap();
    mark.counts(2).await;
    drop(guard);
    assert_eq!(within(child.wait()).await, Ok(Exit::Signal(15)));
    mark.counts(0).await;
}
