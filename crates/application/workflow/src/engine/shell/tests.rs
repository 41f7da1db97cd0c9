//! What becomes of bytes, exit codes and signals.

use awf_core::{Located, Span};
use awf_process::Captured;

use super::*;

fn kept(head: &[u8], tail: &[u8], dropped: u64) -> Captured {
    Captured { head: head.to_vec(), tail: tail.to_vec(), dropped }
}

#[test]
fn outcomes_become_results() {
    let rows = [
        (Outcome::Exited(0), StepStatus::Completed, 0, None),
        (Outcome::Exited(3), StepStatus::Failed, 3, Some("exit code 3")),
        (Outcome::Signaled(9), StepStatus::Failed, 137, Some("ended by signal 9")),
        (Outcome::TimedOut, StepStatus::Failed, 124, Some("did not end within 50ms")),
        (Outcome::Cancelled, StepStatus::Cancelled, 130, None),
    ];
    for (outcome, status, exit_code, message) in rows {
        let finished = Finished { outcome, stdout: kept(b"o", b"", 0), stderr: kept(b"e", b"", 0) };
        let result = told(&finished, &Capture::default(), Some(Duration::from_millis(50)));
        assert_eq!((result.status, result.exit_code), (status, exit_code));
        assert_eq!(result.error.map(|error| error.message).as_deref(), message);
        assert_eq!((result.output.as_str(), result.stderr.as_str()), ("o", "e"));
    }
}

#[test]
fn streams_are_kept_under_names() {
    let name = Located { value: "log".to_owned(), span: Span::start_of("w.yaml") };
    let capture = Capture { stderr: Some(name), max_size: Some(5), ..Capture::default() };
    let finished = Finished {
        outcome: Outcome::Exited(0),
        stdout: kept(b"o", b"", 0),
        stderr: kept(b"e", b"", 0),
    };
    assert_eq!(told(&finished, &capture, None).captured, [("log".to_owned(), "e".to_owned())]);
}
