//! Output as a step may print it.

use std::time::Duration;

use awf_core::{StepStatus, ToolCalls, Usage};
use awf_workflow::{Notice, OutputStream};

use super::{Lines, StepOutput, keep, quoted};
use crate::{icons::Icons, watch::View};

#[test]
fn what_a_hook_prints_is_shown_unless_silence_is_asked_for() {
    let notice = Notice::Output {
        step: "a:post".to_owned(),
        stream: OutputStream::Stdout,
        text: "told\n".to_owned(),
    };
    let view = View::text(Icons::Hidden);
    assert_eq!(Lines::new(view).note(&notice), "       a:post | told\n");
    let silent = View { output: StepOutput::Silent, ..view };
    assert_eq!(Lines::new(silent).note(&notice), "");
}

#[test]
fn the_output_of_a_step_in_a_log_hook_stands_on_lines_of_its_own() {
    let notice = Notice::Log { step: Some("a:post".to_owned()), text: "on\nmain\n".to_owned() };
    let view = View::text(Icons::Hidden);
    assert_eq!(Lines::new(view).note(&notice), "  --   a:post  on\n  --   a:post  main\n");
}

#[test]
fn calls_are_counted_in_words_that_fit() {
    for (made, denied, counted) in [
        (0, 0, ""),
        (1, 0, "  1 call"),
        (1, 1, "  1 call, 1 denied"),
        (3, 1, "  3 calls, 1 denied"),
    ] {
        let notice = Notice::StepEnded {
            step: "a".to_owned(),
            status: StepStatus::Completed,
            exit_code: 0,
            elapsed: Duration::from_millis(2),
            calls: ToolCalls { made, denied, bypassed: 0 },
            usage: Usage::default(),
            error: None,
        };
        let wanted = format!("  ok   a  2 ms{counted}\n");
        assert_eq!(Lines::new(View::text(Icons::Hidden)).note(&notice), wanted);
    }
}

#[test]
fn a_step_cannot_draw_on_the_screen() {
    assert_eq!(quoted("a\x1b[2Jb\tc\r\n", None), "       | a[2Jb\tc\n");
    assert_eq!(quoted("x", Some("left")), "       left | x\n");
}

#[test]
fn of_endless_output_the_end_is_kept() {
    let mut pending = String::new();
    for _ in 0..100 {
        keep(&mut pending, &"äx\n".repeat(1_000));
    }
    assert!(pending.starts_with("[…]\n"));
    assert!(pending.len() < 256 * 1024, "{}", pending.len());
    assert!(pending.ends_with("äx\n"));
}
