//! Bash: how long processes live.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use awf_core::{RawJson, ToolFailure, ToolProvider as _};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::stage::{PATIENCE, Stage};

/// Waits for a condition that another process brings about.
async fn until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn lives(pid: &str) -> bool {
    // A zombie has ended; it only waits to be counted.
    fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit_once(") ").unwrap().1.starts_with('Z'))
}

#[tokio::test]
async fn a_child_that_holds_the_pipe_does_not_delay_the_answer_and_lives_until_the_end() {
    let stage = Stage::new();
    let command = "sleep 300 & echo $! > plain; setsid sh -c 'echo $$ > session; exec sleep 300' & \
                   until [ -s session ]; do sleep 0.01; done; echo ok";
    let started = Instant::now();
    assert_eq!(stage.good("Bash", json!({"command": command})).await, "ok\n");
    assert!(started.elapsed() < Duration::from_secs(10));
    let pids = ["plain", "session"].map(|name| String::from_utf8(stage.content(name)).unwrap());
    for pid in &pids {
        assert!(lives(pid), "{pid}");
    }
    stage.good("Bash", json!({"command": format!("kill -0 {}", pids[1])})).await;
    stage.tools.close().await;
    for pid in &pids {
        assert!(!lives(pid), "{pid}");
    }
    stage.tools.close().await;
    let raw = RawJson::parse(r#"{"command": "true"}"#).unwrap();
    let after = stage.call_with("Bash", raw, CancellationToken::new()).await;
    assert_eq!(after, Err(ToolFailure::Unavailable("the session is closed".into())));
}

#[tokio::test]
async fn a_timeout_kills_also_what_left_the_session() {
    let stage = Stage::new();
    let command = "setsid sh -c 'echo $$ > pid; exec sleep 300' & sleep 300";
    stage.bad("Bash", json!({"command": command, "timeout": 1000})).await;
    let pid = String::from_utf8(stage.content("pid")).unwrap();
    assert!(!pid.trim().is_empty() && !lives(&pid));
}

#[tokio::test]
async fn a_cancelled_command_is_killed() {
    let stage = Arc::new(Stage::new());
    let cancel = CancellationToken::new();
    let call = {
        let (stage, cancel) = (stage.clone(), cancel.clone());
        tokio::spawn(async move {
            let raw = RawJson::parse(r#"{"command": "echo $$ > pid; sleep 300"}"#).unwrap();
            stage.call_with("Bash", raw, cancel).await
        })
    };
    let file = stage.path("pid");
    until("the command runs", || fs::read(&file).is_ok_and(|pid| pid.ends_with(b"\n"))).await;
    cancel.cancel();
    assert_eq!(call.await.unwrap(), Err(ToolFailure::Cancelled));
    let pid = String::from_utf8(stage.content("pid")).unwrap();
    assert!(!lives(&pid));
}

#[tokio::test]
async fn closing_ends_a_running_call() {
    let stage = Arc::new(Stage::new());
    let call = {
        let stage = stage.clone();
        tokio::spawn(async move {
            let raw = RawJson::parse(r#"{"command": "echo $$ > pid; sleep 300"}"#).unwrap();
            stage.call_with("Bash", raw, CancellationToken::new()).await
        })
    };
    let file = stage.path("pid");
    until("the command runs", || fs::read(&file).is_ok_and(|pid| pid.ends_with(b"\n"))).await;
    stage.tools.close().await;
    assert!(matches!(call.await.unwrap(), Err(ToolFailure::Unavailable(_))));
    assert!(!lives(&String::from_utf8(stage.content("pid")).unwrap()));
}

#[tokio::test]
async fn a_background_command_is_answered_at_once_and_its_output_collected() {
    let stage = Stage::new();
    let command = "echo out; echo err >&2; echo $$ > pid; exec sleep 300";
    let started = Instant::now();
    let answer = stage.good("Bash", json!({"command": command, "run_in_background": true})).await;
    assert!(started.elapsed() < Duration::from_secs(10));
    let log = answer.split('`').nth(1).unwrap().to_owned();
    let log = Path::new(&log);
    assert!(log.starts_with(stage.outside("logs")));
    assert_eq!(fs::metadata(log).unwrap().permissions().mode() & 0o777, 0o600);
    until("the output is there", || fs::read(log).unwrap() == b"out\nerr\n").await;
    until("the pid is there", || {
        stage.path("pid").exists() && stage.content("pid").ends_with(b"\n")
    })
    .await;
    let pid = String::from_utf8(stage.content("pid")).unwrap();
    assert!(answer.contains(&format!("process id {};", pid.trim())), "{answer}");
    assert!(lives(&pid));
    stage.tools.close().await;
    assert!(!lives(&pid));
    assert!(!log.exists(), "the output goes with the session");
}

#[tokio::test]
async fn a_background_command_with_a_time_limit_is_killed_when_it_is_up() {
    let stage = Stage::new();
    let arguments = json!({"command": "sleep 300", "run_in_background": true, "timeout": 200});
    let answer = stage.good("Bash", arguments).await;
    let pid = answer.split("process id ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    until("it is gone", || !lives(&pid)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_commands_at_once_wait_their_turn() {
    let stage = Arc::new(Stage::new());
    let calls: Vec<_> = (0..100)
        .map(|n| {
            let stage = stage.clone();
            tokio::spawn(async move {
                let arguments = json!({"command": format!("echo {n}"), "timeout": 20_000});
                assert_eq!(stage.good("Bash", arguments).await, format!("{n}\n"));
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
}
