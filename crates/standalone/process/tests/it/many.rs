//! Many commands: at once, and one after another.

use awf_process::{Grace, Outcome};
use tokio::task::JoinSet;

use crate::stage::{Mark, PATIENCE, guard, host_says, limits, run, text, within};

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

#[test]
fn descriptors_do_not_grow_in_host_or_guard() {
    let counts = host_says(&["descriptors", "200"]);
    let [before, after] = counts.as_slice() else { panic!("{counts:?}") };
    assert_eq!(before, after);
}
