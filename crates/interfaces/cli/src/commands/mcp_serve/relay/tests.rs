//! A relay between two ends that the test holds.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
    net::UnixStream,
    task::JoinHandle,
    time::timeout,
};

use super::{Ended, LAST_WORDS, LOOK, carry};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Stage {
    agent: DuplexStream,
    heard: DuplexStream,
    run: UnixStream,
    relay: JoinHandle<std::io::Result<Ended>>,
}

/// A relay between an agent and a run; `room` is what the agent's end takes without reading.
fn stage(room: usize) -> Stage {
    let (agent, stdin) = duplex(1024);
    let (heard, stdout) = duplex(room);
    let (run, socket) = UnixStream::pair().unwrap();
    Stage { agent, heard, run, relay: tokio::spawn(carry(stdin, stdout, socket)) }
}

async fn ended(relay: JoinHandle<std::io::Result<Ended>>) -> Ended {
    timeout(PATIENCE, relay).await.unwrap().unwrap().unwrap()
}

#[tokio::test]
async fn bytes_go_both_ways_and_the_last_answer_comes_after_the_agent_fell_silent() {
    let mut stage = stage(1024);
    stage.agent.write_all(b"ask\n\xff\0").await.unwrap();
    drop(stage.agent);
    let mut asked = Vec::new();
    stage.run.read_to_end(&mut asked).await.unwrap();
    assert_eq!(asked, b"ask\n\xff\0");
    stage.run.write_all(b"answer").await.unwrap();
    drop(stage.run);
    let mut answer = Vec::new();
    stage.heard.read_to_end(&mut answer).await.unwrap();
    assert_eq!((answer.as_slice(), ended(stage.relay).await), (&b"answer"[..], Ended::Agent));
}

#[tokio::test]
async fn a_run_that_hangs_up_first_has_ended_it_and_its_last_words_are_heard() {
    let mut stage = stage(1024);
    stage.run.write_all(b"last").await.unwrap();
    drop(stage.run);
    let mut words = Vec::new();
    stage.heard.read_to_end(&mut words).await.unwrap();
    assert_eq!((words.as_slice(), ended(stage.relay).await), (&b"last"[..], Ended::Run));
}

#[tokio::test]
async fn a_run_that_dies_while_the_agent_does_not_read_ends_it_within_a_second() {
    let mut stage = stage(16);
    stage.run.write_all(&[b'x'; 4096]).await.unwrap();
    drop(stage.run);
    assert_eq!(ended(stage.relay).await, Ended::Run);
    assert!(LOOK + LAST_WORDS < Duration::from_secs(1));
    drop((stage.agent, stage.heard));
}

#[tokio::test]
async fn an_agent_that_takes_no_more_answers_has_ended_it() {
    let mut stage = stage(1024);
    drop(stage.heard);
    stage.run.write_all(b"to nobody").await.unwrap();
    assert_eq!(ended(stage.relay).await, Ended::Agent);
    drop(stage.agent);
}
