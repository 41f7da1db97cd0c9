//! Bash through the built server: answers come when the shell exits, and nothing outlives the session.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    processes::{MARK, alive, left_after, marked, memory_kib, wait_until},
    server::{Server, failed, text},
    world::World,
};

/// A server whose descendants all carry `mark`.
fn marked_server(world: &World, mark: &str) -> Server {
    let mut command = world.serve_command(&world.config(json!({})));
    command.env(MARK, mark);
    let mut server = Server::start(command);
    server.handshake();
    server
}

#[test]
fn a_command_answers_with_its_output() {
    let world = World::new();
    let mut server = world.serve();
    let result = server.call("Bash", &json!({"command": "echo hi; echo oops >&2"}));
    assert!(!failed(&result), "{result}");
    assert!(text(&result).contains("hi") && text(&result).contains("oops"), "{result}");
}

#[test]
fn a_failing_command_keeps_stdout_stderr_and_code() {
    let world = World::new();
    let mut server = world.serve();
    let result = server.call("Bash", &json!({"command": "echo out; echo err >&2; exit 3"}));
    assert!(failed(&result), "{result}");
    for part in ["out", "err", "[exit code 3]"] {
        assert!(text(&result).contains(part), "no `{part}` in {result}");
    }
}

#[test]
fn a_reader_of_stdin_sees_the_end() {
    let world = World::new();
    let mut server = world.serve();
    let result = server.call("Bash", &json!({"command": "cat; echo done"}));
    assert!(!failed(&result) && text(&result).contains("done"), "{result}");
}

#[test]
fn a_background_child_holding_the_pipe_does_not_delay_the_answer() {
    let world = World::new();
    let mut server = world.serve();
    let begun = Instant::now();
    let result = server.call("Bash", &json!({"command": "sleep 60 & echo started"}));
    assert!(text(&result).contains("started"), "{result}");
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "the answer waited for the background child"
    );
}

#[test]
fn a_background_child_may_go_on_writing_after_the_answer() {
    let world = World::new();
    let mut server = world.serve();
    let proof = world.root().join("proof");
    let command =
        "(for i in 1 2 3 4 5; do echo noise; sleep 0.05; done; touch proof) & echo started";
    server.call("Bash", &json!({"command": command}));
    wait_until("the child survived writing to its old pipe", || proof.exists());
}

#[test]
fn a_setsid_child_lives_until_the_session_ends_and_not_longer() {
    let world = World::new();
    let mark = "setsid-child";
    let mut server = marked_server(&world, mark);
    server.call("Bash", &json!({"command": "setsid sleep 300 & setsid sh -c 'sleep 301 & sleep 302' & sleep 0.2; echo up"}));
    server.call("Bash", &json!({"command": "echo another call later"}));
    let sleepers = marked(mark).into_iter().filter(|pid| *pid != server.pid()).count();
    assert!(sleepers >= 3, "the background children are gone too early");
    server.close();
    assert_eq!(left_after(mark, Duration::from_secs(5)), Vec::<u32>::new());
}

#[test]
fn a_timeout_says_so_and_kills_everything() {
    let world = World::new();
    let mark = "timeout";
    let mut server = marked_server(&world, mark);
    let command = "setsid sleep 300 & trap '' TERM; sleep 301 & sleep 302";
    let result = server.call("Bash", &json!({"command": command, "timeout": 500}));
    assert!(failed(&result) && text(&result).contains("timed out"), "{result}");
    let sleeping = || {
        let asleep = |pid: &u32| {
            fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|cmdline| cmdline.starts_with(b"sleep"))
        };
        marked(mark).into_iter().filter(asleep).any(alive)
    };
    wait_until("all the sleepers are gone", || !sleeping());
    server.call("Bash", &json!({"command": "true"}));
}

#[test]
fn two_gigabytes_of_output_are_cut_in_bounded_memory() {
    let world = World::new();
    let mut server = world.serve();
    server.call("Bash", &json!({"command": "true"}));
    let before = memory_kib(server.pid(), "VmRSS");
    let result =
        server.call("Bash", &json!({"command": "head -c 2000000000 /dev/zero | tr '\\0' 'A'"}));
    assert!(text(&result).contains("cut"), "the cut is not marked: {}", &text(&result)[..200]);
    assert!(text(&result).len() < 300_000, "{} bytes came back", text(&result).len());
    let grown = memory_kib(server.pid(), "VmHWM").saturating_sub(before);
    assert!(grown < 64 * 1024, "memory grew by {grown} KiB");
}

#[test]
fn a_cancelled_command_is_ended_and_not_answered() {
    let world = World::new();
    let mark = "cancelled";
    let mut server = marked_server(&world, mark);
    let id = server.send_call("Bash", &json!({"command": "touch up; sleep 300"}));
    wait_until("the command runs", || world.root().join("up").exists());
    server.notify("notifications/cancelled", &json!({"requestId": id}));
    let sleeping = || {
        marked(mark).iter().any(|pid| {
            fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|c| c.starts_with(b"sleep"))
        })
    };
    wait_until("the cancelled command is gone", || !sleeping());
    server.request("ping", &json!({}));
    server.close_stdin();
    assert!(
        server.rest().iter().all(|message| message["id"] != id),
        "a cancelled call was answered"
    );
    server.finish();
    let records = world.activity();
    assert_eq!(records[0]["status"], "interrupted", "{}", records[0]);
}

#[test]
fn after_the_server_is_killed_nothing_is_left() {
    for trial in 0..crate::trials(5, 50) {
        let world = World::new();
        let mark = format!("killed-{trial}-{}", std::process::id());
        let mut server = marked_server(&world, &mark);
        let command = "setsid sleep 300 & (setsid sh -c 'trap \"\" TERM HUP; sleep 301 & sleep 302' &) ; touch up; sleep 303";
        server.send_call("Bash", &json!({"command": command}));
        wait_until("the command runs", || world.root().join("up").exists());
        server.kill();
        assert_eq!(left_after(&mark, Duration::from_secs(5)), Vec::<u32>::new(), "trial {trial}");
    }
}

#[test]
fn a_background_run_answers_at_once_and_collects_its_output() {
    let world = World::new();
    let mut server = world.serve();
    let result = server.call(
        "Bash",
        &json!({"command": "echo from-behind; sleep 300", "run_in_background": true}),
    );
    assert!(!failed(&result), "{result}");
    let log = text(&result)
        .split_whitespace()
        .find(|word| word.contains('/') && word.contains("log"))
        .unwrap();
    let log = log.trim_end_matches(['.', ',', ';', ')']).trim_matches('`').to_owned();
    wait_until("the output arrives in the log", || {
        fs::read_to_string(&log).is_ok_and(|text| text.contains("from-behind"))
    });
    server.close();
}
