//! Seeing off a process that is somebody else's child.

use std::time::{Duration, Instant};

use awf_process::{Exit, Grace, Peer};

use crate::stage::{Mark, NO_STREAMS, guard, within};

/// Starts a shell command, sees it off, and says how it ended.
async fn seen_off(script: &str, patience: Duration, grace: Duration) -> (Exit, Duration) {
    let guard = guard();
    let mark = Mark::new();
    let mut child = within(guard.spawn(mark.sh(script), NO_STREAMS())).await.unwrap();
    // The shell and what it waits on: by then its traps are set.
    mark.counts(2).await;
    let peer = Peer::of(child.pid()).unwrap();
    assert!(!peer.is_gone());
    let begun = Instant::now();
    within(peer.see_off(patience, Grace(grace))).await;
    let took = begun.elapsed();
    assert!(peer.is_gone());
    let exit = within(child.wait()).await.unwrap();
    within(guard.stop(Grace::NONE)).await.unwrap();
    (exit, took)
}

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn one_that_goes_by_itself_is_not_signalled() {
    let (exit, took) = seen_off("sleep 1; exit 7", LONG, LONG).await;
    assert_eq!(exit, Exit::Code(7));
    assert!(took < LONG, "{took:?}");
}

#[tokio::test]
async fn one_that_stays_is_asked_to_go() {
    let (exit, took) =
        seen_off("trap 'exit 3' TERM; while :; do sleep 0.05; done", SHORT, LONG).await;
    assert_eq!(exit, Exit::Code(3));
    assert!(took < LONG, "{took:?}");
}

#[tokio::test]
async fn one_that_does_not_listen_is_killed() {
    let (exit, _) = seen_off("trap '' TERM; while :; do sleep 0.05; done", SHORT, SHORT).await;
    assert_eq!(exit, Exit::Signal(9));
}

#[tokio::test]
async fn nobody_is_pinned_who_is_gone_or_who_is_this_process() {
    let guard = guard();
    let mut child = within(guard.spawn(Mark::new().sh("true"), NO_STREAMS())).await.unwrap();
    within(child.wait()).await.unwrap();
    assert!(Peer::of(child.pid()).is_none());
    assert!(Peer::of(std::process::id()).is_none());
    assert!(Peer::of(0).is_none());
    within(guard.stop(Grace::NONE)).await.unwrap();
}
