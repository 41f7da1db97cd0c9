//! What is kept of what a state gave, and under which names: the same for every kind of state.

use awf_core::{Capture, Encoding, StepResult};
use awf_process::{Captured, Keep};
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// What is kept of a stream when the state does not say.
const USUAL_SIZE: u64 = 1 << 20;
/// A state may ask for more, but not for all memory.
const LARGEST_SIZE: u64 = 64 << 20;

/// How much of a stream is kept.
pub(crate) fn keep(capture: &Capture) -> Keep {
    let size = capture.max_size.unwrap_or(USUAL_SIZE).min(LARGEST_SIZE);
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    Keep { head: size - size / 2, tail: size / 2 }
}

/// The result of a state that gave text, not bytes: cut and named as its capture says.
pub(crate) fn of_text(result: StepResult, capture: &Capture) -> StepResult {
    let encoding = match capture.encoding {
        Encoding::Base64 => Encoding::Base64,
        // Text has been decoded already.
        Encoding::Utf8 | Encoding::Latin1 => Encoding::Utf8,
    };
    let kept = |whole: &str| text(&cut(whole.as_bytes(), keep(capture)), encoding);
    let (output, stderr) = (kept(&result.output), kept(&result.stderr));
    named(StepResult { output, stderr, ..result }, capture)
}

/// The result, with its streams also known by the names the capture gives them.
pub(crate) fn named(result: StepResult, capture: &Capture) -> StepResult {
    let streams = [(&capture.stdout, &result.output), (&capture.stderr, &result.stderr)];
    let named = streams.into_iter().filter_map(|(name, kept)| Some((name.as_ref()?, kept)));
    let captured = named.map(|(name, kept)| (name.value.clone(), kept.clone())).collect();
    StepResult { captured, ..result }
}

/// What was kept of a stream, with a mark where something is missing.
pub(crate) fn text(kept: &Captured, encoding: Encoding) -> String {
    if kept.dropped == 0 {
        return decoded(&kept.bytes(), encoding);
    }
    match encoding {
        // A mark would make the whole unreadable: what is kept is the beginning.
        Encoding::Base64 => decoded(&kept.head, encoding),
        Encoding::Utf8 | Encoding::Latin1 => format!(
            "{}\n[{} bytes left out]\n{}",
            decoded(&kept.head, encoding),
            kept.dropped,
            decoded(&kept.tail, encoding)
        ),
    }
}

fn cut(bytes: &[u8], keep: Keep) -> Captured {
    let (head, rest) = bytes.split_at(keep.head.min(bytes.len()));
    let dropped = rest.len().saturating_sub(keep.tail);
    let (_, tail) = rest.split_at(dropped);
    Captured { head: head.to_vec(), tail: tail.to_vec(), dropped: dropped as u64 }
}

fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        Encoding::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
        Encoding::Base64 => STANDARD.encode(bytes),
    }
}

#[cfg(test)]
mod tests;
