//! Starting, dying, starting again, ending.

use std::{fs, path::Path, time::Duration};

use awf_core::{Class, ToolFailure, ToolProvider as _, ToolSource};
use awf_upstreams::Upstream;
use tokio::time::timeout;

use crate::{
    stage::{PATIENCE, Stage, spec, tool},
    trials,
};

#[tokio::test]
async fn nothing_starts_before_it_is_needed_and_all_share_one_start() {
    let stage = Stage::new(&[tool("echo", Class::Read)]);
    assert_eq!(stage.upstream.source(), Some(ToolSource::Mcp("peer".into())));
    assert!(stage.upstream.tools().await.unwrap().is_empty());
    assert_eq!((stage.upstream.revision(), stage.count("starts")), (0, 0));
    let refreshes = (0..20).map(|_| stage.refresh());
    for refreshed in futures_util::future::join_all(refreshes).await {
        refreshed.unwrap();
    }
    assert_eq!((stage.count("starts"), stage.count("lists"), stage.upstream.revision()), (1, 1, 1));
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_dies_in_a_call_fails_it_at_once_and_is_started_again() {
    let stage = Stage::new(&[tool("echo", Class::Read), tool("die", Class::Read)]);
    let failure = stage.call("die").await.unwrap_err();
    let said = "server `peer` ended before it answered; it said: out of memory";
    assert_eq!(failure, ToolFailure::Unavailable(said.into()));
    stage.refresh().await.unwrap();
    stage.text("echo").await;
    assert_eq!((stage.count("starts"), stage.upstream.revision()), (2, 1), "the list is the same");
    stage.end().await;
}

#[tokio::test]
async fn a_death_fails_every_call_under_way() {
    let stage = Stage::new(&[tool("hang", Class::Read), tool("die", Class::Read)]);
    stage.refresh().await.unwrap();
    let (hanging, dying) = tokio::join!(stage.call("hang"), stage.call("die"));
    for failure in [hanging.unwrap_err(), dying.unwrap_err()] {
        assert!(matches!(failure, ToolFailure::Unavailable(_)), "{failure:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_server_killed_while_idle_is_started_again_on_the_next_use() {
    let stage = Stage::new(&[tool("echo", Class::Read)]);
    stage.refresh().await.unwrap();
    let pid = fs::read_to_string(stage.world.path().join("starts")).unwrap();
    let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    let recovered = async {
        // Until the end of the pipe was seen, a call may still be sent to nobody.
        while stage.call("echo").await.is_err() {}
    };
    timeout(PATIENCE, recovered).await.unwrap();
    assert_eq!(stage.count("starts"), 2);
    stage.end().await;
}

#[tokio::test]
async fn a_start_that_fails_is_not_repeated_at_once_and_others_are_unaffected() {
    let stage = Stage::new(&[tool("echo", Class::Read)]);
    stage.write("manner", "fail");
    let first = stage.refusal().await;
    assert_eq!(
        first,
        r"server `peer` ended with status 3 before it listed its tools; it said: no licence\u{1b}[2J"
    );
    let second = stage.refusal().await;
    assert!(second.starts_with(&format!("{first}; next try in ")), "{second}");
    assert_eq!(stage.count("starts"), 1);
    let folder = stage.world.path().join("other");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("tools.json"), "[]").unwrap();
    let other = Upstream::new(spec("other", &folder), stage.ground.clone());
    other.refresh().await.unwrap();
    other.close().await;
    stage.write("manner", "good");
    let recovered = async {
        while stage.refresh().await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, recovered).await.unwrap();
    assert_eq!(stage.count("starts"), 2, "no try was made before its time");
    stage.end().await;
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let stage = Stage::new(&[]);
    let mut missing = spec("gone", stage.world.path());
    if let awf_upstreams::Transport::Stdio { command, .. } = &mut missing.transport {
        *command = "no-such-program".into();
    }
    let upstream = Upstream::new(missing, stage.ground.clone());
    let failure = upstream.refresh().await.unwrap_err().to_string();
    assert!(failure.starts_with("cannot start server `gone`: "), "{failure}");
    upstream.close().await;
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_does_not_list_in_time_is_given_up() {
    let stage = Stage::with(&[], |ground| ground.limits.ready = Duration::from_millis(300));
    stage.write("manner", "mute");
    assert_eq!(stage.refusal().await, "server `peer` did not list its tools within 0.3 s");
    stage.end().await;
}

#[tokio::test]
async fn a_call_that_is_not_answered_in_time_fails_and_the_next_one_works() {
    let tools = [tool("echo", Class::Read), tool("hang", Class::Read)];
    let stage = Stage::with(&tools, |ground| ground.limits.call = Duration::from_millis(300));
    let failure = stage.call("hang").await.unwrap_err();
    let late = ToolFailure::Unavailable("server `peer` did not answer within 0.3 s".into());
    assert_eq!(failure, late);
    stage.text("echo").await;
    assert_eq!(stage.count("starts"), 1);
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_stops_answering_is_not_called_by_its_last_list_and_is_replaced() {
    let stage = Stage::with(&[tool("echo", Class::Write)], |ground| {
        ground.max_age = Duration::ZERO;
        ground.limits.news = Duration::from_millis(50);
        ground.limits.ready = Duration::from_millis(500);
    });
    stage.refresh().await.unwrap();
    stage.write("manner", "mute");
    assert_eq!(
        stage.refusal().await,
        "server `peer` did not list its tools within 0.05 s, and what it listed before may not be true any more; call again later"
    );
    assert_eq!(stage.seen().await.len(), 1, "what it last listed is still known");
    assert_eq!(stage.count("starts"), 1);
    stage.write("manner", "good");
    let replaced = async { while stage.refresh().await.is_err() {} };
    timeout(PATIENCE, replaced).await.unwrap();
    assert_eq!(stage.count("starts"), 2);
    stage.text("echo").await;
    stage.end().await;
}

#[tokio::test]
async fn closing_ends_the_server_and_what_is_under_way_for_good() {
    let stage = Stage::new(&[tool("hang", Class::Read)]);
    stage.refresh().await.unwrap();
    let (call, ()) = tokio::join!(stage.call("hang"), async {
        stage.upstream.close().await;
        stage.upstream.close().await;
    });
    assert!(matches!(call.unwrap_err(), ToolFailure::Unavailable(_)));
    let pid = fs::read_to_string(stage.world.path().join("starts")).unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "it is gone");
    assert_eq!(stage.refusal().await, "server `peer` is closed");
    stage.end().await;
}

#[tokio::test]
async fn closing_while_it_starts_does_not_wait_for_it() {
    let stage = Stage::new(&[]);
    stage.write("manner", "mute");
    let (refreshed, ()) = tokio::join!(stage.refresh(), stage.upstream.close());
    assert_eq!(refreshed.unwrap_err().to_string(), "server `peer` is closed");
    stage.end().await;
}

#[tokio::test]
async fn starting_and_stopping_leaves_nothing_open() {
    let mut stage = Stage::new(&[tool("echo", Class::Read)]);
    let open = || Path::new("/proc/self/fd").read_dir().unwrap().count();
    let mut before = 0;
    for round in 0..trials(20, 200) {
        stage.text("echo").await;
        stage.upstream.close().await;
        stage.again();
        if round == 2 {
            before = open();
        }
    }
    assert!(open() <= before, "{} open files became {}", before, open());
    stage.end().await;
}
