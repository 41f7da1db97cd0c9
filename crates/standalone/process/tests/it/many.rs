//! Many commands: at once, and one after another.

use std::fs;

use awf_process::{Grace, Outcome};
use tokio::task::JoinSet;

use crate::stage::{Mark, NO_STREAMS, PATIENCE, guard, limits, run, text, within};

#[tokio::test]
async fn a_hundred_at_once_each_get_their_own_answer() {
    let guard = guard();
    let mut runs = JoinSet::new();
    for number in 0..100 {
        let guard = guard.clone();
        runs.spawn(async move {
            let script = format!("echo {number}; echo {number} >&2; exit {number}");
            let run = run(&guard, Mark::new().sh(&script), limits(PATIENCE * 2));
            (number, run.await.unwrap())
        });
    }
    while let Some(run) = runs.join_next().await {
        let (number, finished) = run.unwrap();
        let line = format!("{number}\n");
        assert_eq!(finished.outcome, Outcome::Exited(number));
        assert_eq!((text(&finished.stdout), text(&finished.stderr)), (line.clone(), line));
    }
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn descriptors_do_not_grow_in_host_or_guard() {
    let guard = guard();
    let keeper =
        within(guard.spawn(Mark::new().sh("sleep 300; true"), NO_STREAMS())).await.unwrap();
    let guard_pid = crate::stage::parent_of(keeper.pid());
    let round = async |count: usize| {
        for _ in 0..count {
            let spec = Mark::new().sh("echo hi");
            assert_eq!(text(&run(&guard, spec, limits(PATIENCE)).await.unwrap().stdout), "hi\n");
        }
        (descriptors("self"), descriptors(&guard_pid.to_string()))
    };
    let before = round(5).await;
    assert_eq!(round(200).await, before);
    within(guard.stop(Grace::NONE)).await.unwrap();
}

fn descriptors(pid: &str) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count()
}
