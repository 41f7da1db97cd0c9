//! Each kind of stdio gets the form meant for it, and the parent's description stays as it was.

use std::os::fd::AsFd;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

fn is_blocking(fd: impl AsFd) -> bool {
    !rustix::fs::fcntl_getfl(fd).unwrap().contains(OFlags::NONBLOCK)
}

#[tokio::test]
async fn a_pipe_is_opened_anew_and_its_own_flags_are_left_alone() {
    let (reader, writer) = io::pipe().unwrap();
    let mut stdin = Stdin(source(reader.as_fd()).unwrap());
    let mut stdout = Stdout(sink(writer.as_fd()).unwrap());
    assert!(matches!((&stdin.0, &stdout.0), (Source::Pipe(_), Sink::Pipe(_))));
    assert!(is_blocking(&reader) && is_blocking(&writer));
    stdout.write_all(b"through").await.unwrap();
    stdout.flush().await.unwrap();
    drop((stdout, writer));
    let mut text = String::new();
    stdin.read_to_string(&mut text).await.unwrap();
    assert_eq!(text, "through");
}

#[tokio::test(start_paused = true)]
async fn what_was_written_is_waited_for_until_it_is_read() {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut stdout = Stdout(sink(writer.as_fd()).unwrap());
    stdout.write_all(b"last words").await.unwrap();
    let begun = tokio::time::Instant::now();
    stdout.taken(Duration::from_secs(1)).await;
    assert_eq!(begun.elapsed(), Duration::from_secs(1), "nobody reads");
    let reading = async {
        sleep(Duration::from_millis(300)).await;
        io::Read::read_exact(&mut reader, &mut [0; 10]).unwrap();
    };
    tokio::join!(stdout.taken(Duration::from_secs(1)), reading);
    let waited = begun.elapsed().saturating_sub(Duration::from_secs(1));
    assert!(waited >= Duration::from_millis(300), "{waited:?}");
    assert!(waited < Duration::from_secs(1), "{waited:?}");
}

#[tokio::test]
async fn a_socket_pair_serves_as_both() {
    let (ours, theirs) = net::UnixStream::pair().unwrap();
    let mut stdin = Stdin(source(theirs.as_fd()).unwrap());
    let mut stdout = Stdout(sink(theirs.as_fd()).unwrap());
    assert!(matches!((&stdin.0, &stdout.0), (Source::Socket(_), Sink::Socket(_))));
    assert!(is_blocking(&ours));
    ours.set_nonblocking(true).unwrap();
    let mut peer = UnixStream::from_std(ours).unwrap();
    peer.write_all(b"ping").await.unwrap();
    let mut bytes = [0; 4];
    stdin.read_exact(&mut bytes).await.unwrap();
    stdout.write_all(&bytes).await.unwrap();
    stdout.shutdown().await.unwrap();
    let mut text = String::new();
    peer.read_to_string(&mut text).await.unwrap();
    assert_eq!(text, "ping");
}

#[tokio::test]
async fn all_else_goes_through_tokio() {
    let null = fs::OpenOptions::new().read(true).write(true).open("/dev/null").unwrap();
    assert!(matches!(source(null.as_fd()).unwrap(), Source::Other(_)));
    assert!(matches!(sink(null.as_fd()).unwrap(), Sink::Other(_)));
}
