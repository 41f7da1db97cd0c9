//! What the model reads of a command that has ended.

use std::{fmt::Write as _, time::Duration};

use awf_core::ToolResult;
use awf_process::{Captured, Finished, Outcome};

/// Output, complaints, and how it ended unless it ended well.
pub(super) fn answer(finished: &Finished, timeout: Duration) -> ToolResult {
    let mut text = String::new();
    push_output(&mut text, &finished.stdout);
    if !finished.stderr.head.is_empty() {
        push_heading(&mut text, "[stderr]\n");
        push_output(&mut text, &finished.stderr);
    }
    let ending = match finished.outcome {
        Outcome::Exited(0) => {
            if text.is_empty() {
                text.push_str("[no output]");
            }
            return ToolResult::text(&text);
        }
        Outcome::Exited(code) => format!("[exit code {code}]"),
        Outcome::Signaled(signal) => format!("[ended by signal {signal}]"),
        Outcome::TimedOut => format!(
            "[timed out after {} ms; the command and everything it started were killed]",
            timeout.as_millis()
        ),
        Outcome::Cancelled => {
            "[cancelled; the command and everything it started were killed]".into()
        }
    };
    push_heading(&mut text, &ending);
    ToolResult::error(&text)
}

/// Begins a line of our own, whether or not the output ended its last one.
fn push_heading(text: &mut String, heading: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(heading);
}

fn push_output(text: &mut String, output: &Captured) {
    if output.dropped == 0 {
        text.push_str(&String::from_utf8_lossy(&output.bytes()));
        return;
    }
    text.push_str(&String::from_utf8_lossy(without_cut_end(&output.head)));
    // Writing to a `String` cannot fail.
    let _ = write!(text, "\n[… {} bytes of output cut …]\n", output.dropped);
    text.push_str(&String::from_utf8_lossy(without_cut_start(&output.tail)));
}

/// The cut may go through a character; its parts are not the command's fault.
fn without_cut_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => {
            bytes.get(..error.valid_up_to()).unwrap_or(bytes)
        }
        Ok(_) | Err(_) => bytes,
    }
}

fn without_cut_start(bytes: &[u8]) -> &[u8] {
    let continuing = bytes.iter().take(3).take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000);
    bytes.get(continuing.count()..).unwrap_or(bytes)
}

#[cfg(test)]
mod tests;
