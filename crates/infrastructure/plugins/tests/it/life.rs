//! The life of a plugin: started once, started again after its death, ended without a trace.

use std::{
    fs,
    time::{Duration, Instant},
};

use awf_core::OperationFailure;
use futures_util::future::join_all;

use crate::stage::{Stage, spec};

#[tokio::test]
async fn nothing_is_started_before_it_is_used() {
    let stage = Stage::new("good");
    assert_eq!(stage.folders(), 0);
    stage.plugins.close().await;
    let closed = stage.execute("pid", "{}").await.unwrap_err().to_string();
    assert_eq!(closed, "plugin `peer` is closed: the run is over");
}

#[tokio::test]
async fn many_calls_at_once_start_one_plugin() {
    let stage = Stage::new("good");
    let pids = join_all((0..20).map(|_| stage.pid())).await;
    assert!(pids.iter().all(|pid| *pid == pids[0]), "{pids:?}");
    assert_eq!(stage.folders(), 1);
    stage.plugins.close().await;
    stage.plugins.close().await;
    assert!(!alive(&pids[0]));
    assert_eq!(stage.folders(), 0);
}

#[tokio::test]
async fn all_who_wait_for_a_start_hear_why_it_failed() {
    let stage = Stage::new("leave");
    let failures = join_all((0..5).map(|_| stage.execute("pid", "{}"))).await;
    for failure in &failures {
        assert!(matches!(failure, Err(OperationFailure::NotStarted(_))), "{failure:?}");
        assert_eq!(*failure, failures[0]);
    }
    stage.plugins.close().await;
}

#[tokio::test]
async fn one_that_died_fails_its_calls_and_is_started_again() {
    let stage = Stage::new("good");
    let first = stage.pid().await;
    let (died, beside) = tokio::join!(stage.execute("crash", "{}"), stage.execute("hang", "{}"));
    let words = "plugin `peer` died in `crash`: it was ended by signal 6; it said: out of luck";
    assert_eq!(died, Err(OperationFailure::Unavailable(words.into())));
    assert!(beside.unwrap_err().to_string().starts_with("plugin `peer` died in `hang`"));
    let second = stage.pid().await;
    assert_ne!(first, second);
    assert!(!alive(&first));
    assert_eq!(stage.folders(), 1);
    stage.plugins.close().await;
    assert!(!alive(&second));
}

#[tokio::test]
async fn one_that_dies_when_it_is_greeted_was_not_started() {
    let stage = Stage::new("brief");
    let words = "plugin `peer` died in `Check`: it was ended by signal 6".to_owned();
    assert_eq!(stage.execute("pid", "{}").await, Err(OperationFailure::NotStarted(words)));
    stage.plugins.close().await;
}

#[tokio::test]
async fn a_socket_somewhere_else_goes_as_well() {
    let stage = Stage::new("loose");
    stage.execute("crash", "{}").await.unwrap_err();
    assert!(stage.world.path().join("plugin1").exists());
    stage.plugins.close().await;
    assert_eq!(stage.folders(), 0);
}

#[tokio::test]
async fn a_call_under_way_hears_that_the_run_is_over() {
    let stage = Stage::new("good");
    stage.pid().await;
    let (ended, ()) = tokio::join!(stage.execute("hang", "{}"), stage.plugins.close());
    let closed = "plugin `peer` is closed: the run is over".to_owned();
    assert_eq!(ended, Err(OperationFailure::Unavailable(closed)));
}

#[tokio::test]
async fn one_that_does_not_go_is_made_to() {
    let stage = Stage::new("stubborn");
    let pid = stage.pid().await;
    let begun = Instant::now();
    stage.plugins.close().await;
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(!alive(&pid));
}

#[tokio::test]
async fn closing_does_not_wait_for_one_that_is_starting() {
    let stage = Stage::new("silent");
    let begun = Instant::now();
    let (ended, ()) = tokio::join!(stage.execute("pid", "{}"), async {
        // The start is under way when its directory is there.
        while stage.folders() == 0 {
            tokio::task::yield_now().await;
        }
        stage.plugins.close().await;
    });
    let closed = "plugin `peer` is closed: the run is over".to_owned();
    assert_eq!(ended, Err(OperationFailure::Unavailable(closed)));
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn starts_and_stops_leave_nothing() {
    let world = tempfile::tempdir().unwrap();
    let stage = Stage::new("good");
    let mut before = None;
    for round in 0..100 {
        let plugins = stage.another(spec("good"), world.path());
        let inventory = plugins.inventory("peer").await.unwrap();
        assert_eq!(inventory.info.name, "peer");
        plugins.close().await;
        drop(plugins);
        // The first rounds start the guard and fill what is filled once.
        if round == 4 {
            before = Some(held());
        }
    }
    assert_eq!(Some(held()), before);
    assert_eq!(world.path().read_dir().unwrap().count(), 0);
}

/// Open descriptors and threads of this process.
fn held() -> (usize, usize) {
    let count = |folder: &str| fs::read_dir(folder).unwrap().count();
    (count("/proc/self/fd"), count("/proc/self/task"))
}

fn alive(pid: &str) -> bool {
    fs::metadata(format!("/proc/{pid}")).is_ok()
}
