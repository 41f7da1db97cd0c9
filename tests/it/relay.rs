//! `awf mcp-serve` as the agent of a step starts it: bytes to the run and back, and nothing without the run.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::Shutdown,
    os::{
        fd::OwnedFd,
        unix::net::{UnixListener, UnixStream},
    },
    path::PathBuf,
    process::{Child, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::world::{World, program};

/// The run's side of a session, played by the test.
struct Session {
    world: World,
    listener: UnixListener,
    config: PathBuf,
}

impl Session {
    fn new() -> Self {
        let world = World::new();
        let socket = world.beside("sock");
        let listener = UnixListener::bind(&socket).unwrap();
        let config = world.beside("config.json");
        let text = json!({"socket": socket, "run": "01RUN", "step": "fix"}).to_string();
        fs::write(&config, text).unwrap();
        Self { world, listener, config }
    }

    /// A started relay, and the connection it made.
    fn relay(&self) -> (Child, UnixStream) {
        let mut command = self.world.serve_command(&self.config);
        // An exporter would refuse this; a relay has none.
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
        command.env("OTEL_EXPORTER_OTLP_PROTOCOL", "carrier-pigeon");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let relay = command.spawn().unwrap();
        (relay, self.listener.accept().unwrap().0)
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every byte value, and more of them than any buffer on the way holds.
fn noise() -> Vec<u8> {
    (0..1_500_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect()
}

#[test]
fn bytes_go_both_ways_unchanged_and_the_last_answer_comes_after_stdin_closed() {
    let session = Session::new();
    let (mut relay, run) = session.relay();
    let mut stdin = relay.stdin.take().unwrap();
    let asking = thread::spawn(move || stdin.write_all(&noise()).unwrap());
    let answering = thread::spawn(move || {
        (&run).write_all(&noise()).unwrap();
        let mut asked = Vec::new();
        (&run).read_to_end(&mut asked).unwrap();
        (&run).write_all(b"the last answer").unwrap();
        asked
    });
    let output = relay.wait_with_output().unwrap();
    asking.join().unwrap();
    assert!(answering.join().unwrap() == noise(), "what was asked was changed on the way");
    let expected = [noise().as_slice(), b"the last answer"].concat();
    assert!(output.stdout == expected, "what was answered was changed on the way");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(!session.world.home().exists(), "a relay keeps nothing");
}

/// How a relay ends whose run is gone.
fn assert_gone(output: &Output, said: &str) {
    let stderr = stderr(output);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("error[EXECUTION.PROXY.GONE]"), "{stderr}");
    assert!(
        stderr.contains("the run `01RUN` that had the tools of step `fix` is gone"),
        "{stderr}"
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), said);
}

#[test]
fn without_a_run_it_does_not_serve() {
    let session = Session::new();
    drop(session.listener);
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for left in ["refused", "missing"] {
        let mut command = session.world.serve_command(&session.config);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut relay = command.spawn().unwrap();
        // It may be gone before it is asked.
        drop(writeln!(relay.stdin.take().unwrap(), "{hello}"));
        assert_gone(&relay.wait_with_output().unwrap(), "");
        if left == "refused" {
            fs::remove_file(session.world.beside("sock")).unwrap();
        }
    }
}

#[test]
fn a_run_that_is_killed_takes_the_relay_along() {
    let session = Session::new();
    let (mut relay, connection) = session.relay();
    (&connection).write_all(b"half an ans").unwrap();
    // Somebody who holds the connection and nothing else, to be killed.
    let holder = program("sleep").arg("600").stdin(OwnedFd::from(connection)).spawn();
    let mut holder = holder.unwrap();
    holder.kill().unwrap();
    holder.wait().unwrap();
    let _stdin = relay.stdin.take();
    assert_gone(&relay.wait_with_output().unwrap(), "half an ans");
}

#[test]
fn a_run_that_dies_while_nobody_reads_stdout_takes_the_relay_along() {
    let session = Session::new();
    let (mut relay, run) = session.relay();
    // More than the pipe, the relay and the socket hold together: what fits is sent, then the run dies.
    run.set_write_timeout(Some(Duration::from_millis(300))).unwrap();
    (&run).write_all(&vec![b'x'; 16 << 20]).unwrap_err();
    run.shutdown(Shutdown::Both).unwrap();
    drop(run);
    // Waiting would close it, and that would be the agent's doing.
    let _stdin = relay.stdin.take();
    let begun = Instant::now();
    let status = relay.wait().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    assert_eq!(status.code(), Some(3));
}

#[test]
fn an_agent_that_is_gone_ends_the_relay_and_the_run_sees_it() {
    let session = Session::new();
    let (mut relay, mut run) = session.relay();
    relay.kill().unwrap();
    relay.wait().unwrap();
    assert_eq!(run.read(&mut [0; 16]).unwrap(), 0);
}

#[test]
fn the_file_of_a_session_is_for_its_agent_alone() {
    let session = Session::new();
    let config = session.config.to_str().unwrap();
    let output = session.world.awf(["tools", "list", "--config", config]);
    let stderr = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("error[USER.CONFIG.UNSUPPORTED]: `socket`"), "{stderr}");
}
