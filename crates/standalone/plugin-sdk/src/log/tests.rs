//! Lines arrive in order; a host that does not listen costs a bounded amount, and is told what it missed.

use super::{HELD, LONGEST, Log};

#[tokio::test]
async fn lines_are_taken_together_and_ended() {
    let log = Log::default();
    log.write("one");
    log.write("two\n");
    assert_eq!(log.take().await.unwrap(), "one\ntwo\n");
    log.write("three");
    log.close();
    assert_eq!(log.take().await.unwrap(), "three\n");
    assert_eq!(log.take().await, None);
}

#[tokio::test]
async fn a_line_wakes_who_waits() {
    let log = Log::default();
    let waiting = tokio::spawn({
        let log = log.clone();
        async move { log.take().await }
    });
    tokio::task::yield_now().await;
    log.write("late");
    assert_eq!(waiting.await.unwrap().unwrap(), "late\n");
}

#[tokio::test]
async fn the_oldest_lines_give_way() {
    let log = Log::default();
    let line = "é".repeat(LONGEST);
    let fit = HELD / LONGEST;
    for _ in 0..fit + 3 {
        log.write(&line);
    }
    let taken = log.take().await.unwrap();
    assert!(taken.starts_with("(3 lines of the log were dropped)\n"), "{}", &taken[..80]);
    assert_eq!(taken.lines().count(), fit + 1);
    assert!(taken.len() < HELD + LONGEST);
}
