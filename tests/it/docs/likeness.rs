//! Whether an output is the one that is shown: what differs from run to run (times, ids, durations, places, widths of
//! columns) counts as equal, and a line `…` stands for any lines.

/// Whether `shown` describes `real`.
pub(super) fn alike(shown: &[String], real: &str) -> bool {
    let shown: Vec<String> = shown.iter().map(|line| settled(line)).collect();
    let real: Vec<String> = real.lines().map(settled).collect();
    let mut parts = shown.split(|line| line == "…");
    let head = parts.next().unwrap_or_default();
    let Some(mut rest) = real.strip_prefix(head) else { return false };
    let mut parts: Vec<&[String]> = parts.collect();
    let Some(tail) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let found = (0..=rest.len()).find(|at| rest[*at..].starts_with(part));
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(tail)
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
    without_durations(out.trim_end())
}

fn settled_word(word: &str, before: &str) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (stem, last) = word.rsplit_once('-').unwrap_or(("", word));
    let last = last.trim_end_matches(':');
    let is_id = last.len() == 26
        && last.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_time = word.len() > 20 && word.ends_with('Z') && word.get(10..11) == Some("T");
    let named = before.trim_end_matches(['=', ':', '"', ' ']).ends_with("_ms");
    let is_duration = word.strip_suffix("ms").is_some_and(digits)
        || (named && digits(word.trim_start_matches(':')));
    if is_id {
        format!("{stem}<id>")
    } else if is_time {
        "<time>".to_owned()
    } else if is_duration {
        "<ms>".to_owned()
    } else {
        word.to_owned()
    }
}

/// `12 ms` and `1.2 s` are what a person reads.
fn without_durations(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        if matches!(words[at], "ms" | "s") && words[at - 1].parse::<f64>().is_ok() {
            (words[at - 1], words[at]) = ("<time>", "");
        }
    }
    words.join(" ")
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
    let step = ["  ok   build  command  7 ms  1 call".to_owned()];
    assert!(alike(&step, "  ok   build  command  1.2 s  1 call\n"));
    assert!(!alike(&step, "  ok   build  command  1.2 s  2 calls\n"));
    let place = ["in /tmp/awf-demo-01ARZ3NDEKTSV4RRFFQ69G5FAV: here".to_owned()];
    assert!(alike(&place, "in /tmp/awf-demo-01M7H990BRS9YRDRPX7T1Y4B78: here\n"));
    assert!(!alike(&place, "in /tmp/awf-demo-none: here\n"));
}

#[test]
fn an_ellipsis_stands_for_any_lines() {
    let shown = ["first", "…", "last"].map(str::to_owned);
    assert!(alike(&shown, "first\na\nb\nlast\n"));
    assert!(alike(&shown, "first\nlast\n"));
    assert!(!alike(&shown, "first\na\n"));
    let shown = ["first", "…", "b", "…", "last"].map(str::to_owned);
    assert!(alike(&shown, "first\na\nb\nlast\n"));
    assert!(!alike(&shown, "first\na\nlast\n"));
    assert!(alike(&["…".to_owned()], "anything\n"));
}
