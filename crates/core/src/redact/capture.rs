//! What of a value is kept in a record: without secrets, and not more than a record should hold.

use crate::{
    activity::Captured,
    json::RawJson,
    redact::{
        Redactor,
        json::{floor, redact},
    },
};

/// How far past the cut is read, so that a secret across it is recognised: more than keys and tokens take.
const BEYOND: usize = 8 * 1024;

/// `raw` without secrets, cut to `most` bytes at the border of a character. The work done does not grow with what is
/// cut off.
pub fn capture(redactor: &Redactor, raw: &RawJson, most: usize) -> Captured {
    let text = raw.get();
    let full_bytes = text.len();
    if full_bytes <= most {
        let clean = redactor.json(raw);
        if clean.get().len() <= most {
            return Captured::Whole(clean);
        }
        return Captured::Cut { head: cut(clean.get(), most), full_bytes };
    }
    let read = text.get(..floor(text, most.saturating_add(BEYOND))).unwrap_or_default();
    let clean = redact(&redactor.known, read, floor(read, most));
    Captured::Cut { head: cut(&clean, most), full_bytes }
}

fn cut(text: &str, most: usize) -> String {
    text.get(..floor(text, most)).unwrap_or_default().to_owned()
}
