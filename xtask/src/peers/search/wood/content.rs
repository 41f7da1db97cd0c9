//! What the files hold.

use crate::numbers::Numbers;

const WORDS: [&str; 24] = [
    "request", "handler", "buffer", "socket", "config", "parser", "token", "cache", "stream",
    "worker", "queue", "result", "context", "session", "module", "signal", "record", "schema",
    "filter", "cursor", "branch", "commit", "vector", "option",
];

/// The content of the file with this number; what kind it is comes from the number alone.
pub(crate) fn of(numbers: &mut Numbers, number: usize) -> Vec<u8> {
    let text = text(numbers, number);
    match number % 100 {
        7 => Vec::new(),
        13 | 14 => text.replace('\n', "\r\n").into_bytes(),
        21 => text.trim_end().as_bytes().to_vec(),
        28 => with_nul(text.as_bytes(), 3),
        29 => with_nul(text.as_bytes(), text.len() - 1),
        35 => [text.as_bytes(), b"caf\xe9 closed\n\xff\xfe\xfd\n"].concat(),
        42 => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        49 => text.encode_utf16().fold(vec![0xff, 0xfe], |mut bytes, unit| {
            bytes.extend(unit.to_le_bytes());
            bytes
        }),
        63 if number % 400 == 63 => long_line(&text),
        70 => vec![b'\n'; number % 9 + 1],
        _ => text.into_bytes(),
    }
}

fn text(numbers: &mut Numbers, number: usize) -> String {
    let mut text = String::new();
    for _ in 0..3 + numbers.below(30) {
        for _ in 0..=numbers.below(9) {
            text.push_str(numbers.pick(&WORDS));
            text.push(if numbers.below(40) == 0 { '\t' } else { ' ' });
        }
        text.push_str(&numbers.below(1000).to_string());
        text.push('\n');
    }
    match numbers.below(60) {
        0 => text.push_str("the needle_in_the_wood is here\nnext\nand the Needle_In_The_Wood\n"),
        1 => text.push_str("Straße Überall αβγñ 日本\n"),
        2 => text = format!("{text}BEGIN {number}\n  inner\nEND\nBEGIN 1 END\n"),
        3 => text.push_str("needle at the last word\n"),
        4 => text.insert_str(0, "first the needle_in_the_wood\n"),
        5 => text.push_str("\x1b[31mneedle_in_the_wood\x07\x1b[0m\n"),
        _ => {}
    }
    text
}

fn with_nul(text: &[u8], at: usize) -> Vec<u8> {
    let (before, after) = text.split_at(at);
    [before, b"\0", after].concat()
}

/// Matches stand before the NUL byte, which is past what a searcher reads first, and after it.
pub(crate) fn late_nul(numbers: &mut Numbers, number: usize) -> Vec<u8> {
    let text = format!("needle_in_the_wood before\n{}", text(numbers, number));
    let before = text.repeat(90_000 / text.len() + 1);
    format!("{before}\0needle_in_the_wood after\n").into_bytes()
}

/// Longer than a line is shown, and longer than a searcher's buffer.
fn long_line(text: &str) -> Vec<u8> {
    let wide = "wide ".repeat(450 + text.len() % 100);
    let wider = "é".repeat(50_000);
    format!("far_to_the_right\n{wide}far_to_the_right\n{text}{wider}far_to_the_right\n")
        .into_bytes()
}
