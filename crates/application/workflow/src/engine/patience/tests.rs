//! Work that ends, that is late, and that does not listen.

use super::*;

#[tokio::test(start_paused = true)]
async fn work_is_waited_for_told_to_stop_and_left() {
    let cancel = CancellationToken::new();
    let answer = within(Some(Duration::from_secs(1)), &cancel, async { 7 }).await;
    assert!(matches!(answer, Ended::ByItself(7)));
    assert!(!cancel.is_cancelled());

    let work = cancel.clone();
    let answer = within(Some(Duration::from_millis(1500)), &cancel, work.cancelled_owned()).await;
    let Ended::Late(error) = answer else { panic!("late") };
    assert_eq!(error.message, "did not end within 1.5s");

    // It does not listen: it is left after a while.
    let answer = within(None, &cancel, std::future::pending::<()>()).await;
    assert!(matches!(answer, Ended::Cancelled));
}
