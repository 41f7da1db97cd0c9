//! What becomes of bytes and of text.

use awf_core::{Located, Span, StepStatus};

use super::*;
use crate::machine;

fn kept(head: &[u8], tail: &[u8], dropped: u64) -> Captured {
    Captured { head: head.to_vec(), tail: tail.to_vec(), dropped }
}

#[test]
fn bytes_become_text_as_asked() {
    let rows =
        [(Encoding::Utf8, "a\u{fffd}"), (Encoding::Latin1, "aÿ"), (Encoding::Base64, "Yf8=")];
    for (encoding, wanted) in rows {
        assert_eq!(text(&kept(b"a\xff", b"", 0), encoding), wanted);
    }
}

#[test]
fn a_cut_is_marked() {
    assert_eq!(text(&kept(b"abc", b"xyz", 7), Encoding::Utf8), "abc\n[7 bytes left out]\nxyz");
    assert_eq!(text(&kept(b"abc", b"xyz", 7), Encoding::Base64), "YWJj");
}

#[test]
fn text_is_cut_and_named_like_bytes() {
    let name = Located { value: "log".to_owned(), span: Span::start_of("w.yaml") };
    let rows = [
        (Encoding::Utf8, "12345", "12345"),
        (Encoding::Latin1, "äb", "äb"),
        (Encoding::Utf8, "1234567", "123\n[2 bytes left out]\n67"),
        (Encoding::Base64, "abc", "YWJj"),
    ];
    for (encoding, output, wanted) in rows {
        let stdout = Some(name.clone());
        let capture = Capture { stdout, max_size: Some(5), encoding, ..Capture::default() };
        assert_eq!(keep(&capture), Keep { head: 3, tail: 2 });
        let finished = machine::finished(StepStatus::Completed, 0);
        let result = of_text(StepResult { output: output.to_owned(), ..finished }, &capture);
        assert_eq!(result.output, wanted);
        assert_eq!(result.captured, [("log".to_owned(), wanted.to_owned())]);
    }
}
