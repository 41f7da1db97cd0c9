//! What a run gives back: output, exit code, and when.

use std::{
    fs,
    io::{Read, Seek},
    time::{Duration, Instant},
};

use awf_process::{
    Captured, Child, Exit, Finished, Grace, Keep, Limits, Listeners, MARKER, Outcome, Piped,
    Stream, Streams,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

use crate::stage::{Mark, PATIENCE, guard, host_says, limits, run, text, within};

fn whole(text: &str) -> Captured {
    Captured { head: text.into(), ..Captured::default() }
}

async fn finish(script: &str) -> Finished {
    let guard = guard();
    let finished = run(&guard, Mark::new().sh(script), limits(PATIENCE));
    let finished = finished.await.unwrap();
    within(guard.stop(Grace::NONE)).await.unwrap();
    finished
}

#[tokio::test]
async fn a_failure_keeps_both_streams_and_the_code() {
    let finished = finish("echo out; echo err >&2; exit 3").await;
    let expected =
        Finished { outcome: Outcome::Exited(3), stdout: whole("out\n"), stderr: whole("err\n") };
    assert_eq!(finished, expected);
}

#[tokio::test]
async fn death_by_signal_is_told() {
    let finished = finish("echo before; kill -SEGV $$").await;
    let expected =
        Finished { outcome: Outcome::Signaled(11), stdout: whole("before\n"), stderr: whole("") };
    assert_eq!(finished, expected);
}

#[tokio::test]
async fn a_reader_of_stdin_sees_the_end() {
    let finished = finish("cat; echo end").await;
    assert_eq!((finished.outcome, text(&finished.stdout)), (Outcome::Exited(0), "end\n".into()));
}

#[tokio::test]
async fn environment_and_directory_are_exactly_those_given() {
    let directory = tempfile::tempdir().unwrap();
    let mark = Mark::new();
    let mut spec = mark.sh("");
    spec.program = "env".into();
    spec.args = Vec::new();
    spec.env.push((MARKER.into(), "forged".into()));
    let guard = guard();
    let finished = run(&guard, spec, limits(PATIENCE)).await.unwrap();
    let names: Vec<String> = text(&finished.stdout)
        .lines()
        .map(|line| line.split('=').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(names, [MARKER, "PATH", "TEST_MARK"]);
    assert!(!text(&finished.stdout).contains("forged"));

    let mut spec = mark.sh("pwd -P");
    spec.cwd = directory.path().canonicalize().unwrap();
    let expected = format!("{}\n", spec.cwd.display());
    let finished = run(&guard, spec, limits(PATIENCE)).await.unwrap();
    assert_eq!(text(&finished.stdout), expected);
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_child_that_holds_the_pipe_does_not_delay_the_answer_and_is_not_broken_by_it() {
    let guard = guard();
    let mark = Mark::new();
    let directory = tempfile::tempdir().unwrap();
    // After the answer the background child writes ten times what a pipe holds; SIGPIPE or a full pipe would
    // keep it from its last line.
    let mut spec = mark.sh(
        "(while [ ! -e go ]; do sleep 0.01; done; head -c 655360 /dev/zero; touch survived; sleep 300) & echo ok",
    );
    spec.cwd = directory.path().into();
    let started = Instant::now();
    let finished = run(&guard, spec, limits(PATIENCE)).await.unwrap();
    assert!(started.elapsed() < PATIENCE / 4, "{:?}", started.elapsed());
    assert_eq!((finished.outcome, text(&finished.stdout)), (Outcome::Exited(0), "ok\n".into()));
    fs::write(directory.path().join("go"), "").unwrap();
    within(async {
        while !directory.path().join("survived").exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    assert!(!mark.alive().is_empty());
    within(guard.stop(Grace::NONE)).await.unwrap();
    mark.is_gone();
}

#[tokio::test]
async fn an_endless_writer_in_the_background_does_not_keep_the_answer() {
    let guard = guard();
    let mark = Mark::new();
    let run = run(&guard, mark.sh("yes & sleep 0.2; echo ok >&2"), limits(PATIENCE));
    let finished = run.await.unwrap();
    assert_eq!((finished.outcome, text(&finished.stderr)), (Outcome::Exited(0), "ok\n".into()));
    within(guard.stop(Grace::NONE)).await.unwrap();
    mark.is_gone();
}

#[tokio::test]
async fn what_is_too_long_loses_its_middle() {
    let guard = guard();
    let script = "printf first; head -c 3000000 /dev/zero; printf last; head -c 2000 /dev/zero >&2";
    let keep = Keep { head: 1_000, tail: 2_000 };
    let limits = Limits { stdout: keep, stderr: keep, ..limits(PATIENCE) };
    let finished = run(&guard, Mark::new().sh(script), limits).await.unwrap();
    let Captured { head, tail, dropped } = finished.stdout;
    assert_eq!((head.len(), tail.len(), dropped), (1_000, 2_000, 3_000_009 - 3_000));
    assert!(head.starts_with(b"first\0") && tail.ends_with(b"\0last"));
    assert_eq!((finished.stderr.bytes().len(), finished.stderr.dropped), (2_000, 0));
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[test]
fn half_a_gigabyte_costs_no_memory() {
    let said = host_says(&["flood", "500000000"]);
    let [dropped, grown_kib] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!(dropped, "499900000");
    let grown_kib: u64 = grown_kib.parse().unwrap();
    assert!(grown_kib < 2_048, "grew by {grown_kib} KiB");
}

#[tokio::test]
async fn streams_may_be_files() {
    let mut log = tempfile::tempfile().unwrap();
    let input = {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, b"typed\n").unwrap();
        file.rewind().unwrap();
        file
    };
    let guard = guard();
    let streams = Streams {
        stdin: input.into(),
        stdout: log.try_clone().unwrap().into(),
        stderr: log.try_clone().unwrap().into(),
    };
    let mut child: Child =
        within(guard.spawn(Mark::new().sh("cat; echo err >&2"), streams)).await.unwrap();
    assert_eq!(within(child.wait()).await, Ok(Exit::Code(0)));
    // Asking again gives the same answer.
    assert_eq!(within(child.wait()).await, Ok(Exit::Code(0)));
    let mut written = String::new();
    log.rewind().unwrap();
    log.read_to_string(&mut written).unwrap();
    assert_eq!(written, "typed\nerr\n");
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn pipes_carry_a_conversation() {
    let guard = guard();
    let spec = Mark::new().sh("while read -r line; do echo \"<$line>\"; done; echo bye");
    let Piped { mut child, mut stdin, mut stdout } =
        within(guard.spawn_piped(spec, Stream::Null)).await.unwrap();
    let mut answer = [0; 6];
    for question in ["one\n", "two\n"] {
        within(stdin.write_all(question.as_bytes())).await.unwrap();
        within(stdout.read_exact(&mut answer)).await.unwrap();
        assert_eq!(answer, *format!("<{}>\n", question.trim_end()).as_bytes());
    }
    drop(stdin);
    let mut rest = String::new();
    within(stdout.read_to_string(&mut rest)).await.unwrap();
    assert_eq!(rest, "bye\n");
    assert_eq!(within(child.wait()).await, Ok(Exit::Code(0)));
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn output_is_heard_as_it_comes_and_kept_as_well() {
    let (guard, mark) = (guard(), Mark::new());
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel::<Vec<u8>>();
    let listeners = Listeners {
        stdout: Box::new(move |bytes| drop(sender.send(bytes.to_vec()))),
        stderr: Box::new(|_| ()),
    };
    let cancel = CancellationToken::new();
    // It goes on only when its first words were heard.
    let spec = mark.sh("echo one; sleep 300");
    let run = guard.run_heard(spec, limits(PATIENCE), listeners, &cancel);
    let listen = async {
        assert_eq!(heard.recv().await.unwrap(), b"one\n");
        cancel.cancel();
    };
    let (finished, ()) = within(async { tokio::join!(run, listen) }).await;
    assert_eq!(finished.unwrap().stdout.head, b"one\n");
}
