//! Whether an output is the one that is shown: what differs from run to run (times, ids, durations, places, widths of
//! columns) counts as equal, and a line `…` stands for any lines.

/// Whether `shown` describes `real`.
pub(super) fn alike(shown: &[String], real: &str) -> bool {
    let shown: Vec<String> = shown.iter().map(|line| settled(line)).collect();
    let real: Vec<String> = real.lines().map(settled).collect();
    match shown.iter().position(|line| line == "…") {
        None => shown == real,
        Some(at) => {
            let (head, tail) = (&shown[..at], &shown[at + 1..]);
            real.len() >= head.len() + tail.len() && real.starts_with(head) && real.ends_with(tail)
        }
    }
}

/// A line without what differs from run to run.
fn settled(line: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in line.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.' | '_') {
            word.push(c);
            continue;
        }
        out.push_str(&settled_word(&word, &out));
        word.clear();
        if !(c.is_whitespace() && (out.is_empty() || out.ends_with(' '))) {
            out.push(if c.is_whitespace() { ' ' } else { c });
        }
    }
    out.trim_end().to_owned()
}

fn settled_word(word: &str, before: &str) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_id = word.len() == 26
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_time = word.len() > 20 && word.ends_with('Z') && word.get(10..11) == Some("T");
    let named = before.trim_end_matches(['=', ':', '"', ' ']).ends_with("duration_ms");
    let is_duration = word.strip_suffix("ms").is_some_and(digits)
        || (named && digits(word.trim_start_matches(':')));
    if is_id {
        "<id>".to_owned()
    } else if is_time {
        "<time>".to_owned()
    } else if is_duration {
        "<ms>".to_owned()
    } else {
        word.to_owned()
    }
}

#[test]
fn what_differs_from_run_to_run_is_equal() {
    let shown = ["01ARZ3NDEKTSV4RRFFQ69G5FAV  2026-11-16T09:30:00.751Z  Grep  3ms".to_owned()];
    assert!(alike(&shown, "01M7H990BRS9YRDRPX7T1Y4B78  2027-01-02T19:30:00.001Z  Grep    117ms\n"));
    assert!(!alike(
        &shown,
        "01M7H990BRS9YRDRPX7T1Y4B78  2027-01-02T19:30:00.001Z  Read    117ms\n"
    ));
    assert!(!alike(&shown, ""));
    let log = ["2026-11-16T09:30:00.751557Z  INFO tool call duration_ms=3 x=3".to_owned()];
    assert!(alike(&log, "2026-11-16T09:30:01.000001Z  INFO tool call duration_ms=40 x=3\n"));
    assert!(!alike(&log, "2026-11-16T09:30:01.000001Z  INFO tool call duration_ms=40 x=4\n"));
    let json = [r#"{"duration_ms":3,"x":3}"#, r#"  "duration_ms": 3,"#].map(str::to_owned);
    assert!(alike(&json, "{\"duration_ms\":40,\"x\":3}\n  \"duration_ms\": 40,\n"));
    assert!(!alike(&json, "{\"duration_ms\":40,\"x\":4}\n  \"duration_ms\": 40,\n"));
}

#[test]
fn an_ellipsis_stands_for_any_lines() {
    let shown = ["first", "…", "last"].map(str::to_owned);
    assert!(alike(&shown, "first\na\nb\nlast\n"));
    assert!(alike(&shown, "first\nlast\n"));
    assert!(!alike(&shown, "first\na\n"));
}
