//! Work that nobody waits for any more is told so.

use std::{sync::mpsc, thread, time::Duration};

use awf_core::ToolFailure;
use tokio_util::sync::CancellationToken;

use super::run;

const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_cancelled_call_is_answered_at_once_and_its_work_stops() {
    let cancel = CancellationToken::new();
    let ((started, starts), (ended, ends)) = (mpsc::channel(), mpsc::channel());
    let canceller = {
        let cancel = cancel.clone();
        thread::spawn(move || {
            starts.recv_timeout(PATIENCE).unwrap();
            cancel.cancel();
        })
    };
    let answer = run("Grep", &cancel, move |stop| {
        started.send(()).unwrap();
        while !stop.requested() {
            thread::yield_now();
        }
        ended.send(()).unwrap();
    })
    .await;
    assert_eq!(answer, Err(ToolFailure::Cancelled));
    canceller.join().unwrap();
    ends.recv_timeout(PATIENCE).unwrap();
}

#[tokio::test]
async fn a_panic_is_an_error_of_the_call() {
    let answer = run("Grep", &CancellationToken::new(), |_| -> u8 { panic!("a bug") }).await;
    let Err(ToolFailure::Internal { tool, message }) = answer else { panic!("{answer:?}") };
    assert_eq!(tool, "Grep");
    assert!(message.contains("a bug"), "{message}");
}
