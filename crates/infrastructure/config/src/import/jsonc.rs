//! JSON as editors keep it: with comments and trailing commas, which are made blanks.

/// The text as JSON. Inside of strings nothing is touched.
pub(super) fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => string_length(rest),
            '/' if rest.starts_with("//") => comment(rest, "\n"),
            '/' if rest.starts_with("/*") => comment(rest, "*/"),
            _ => c.len_utf8(),
        };
        let (token, behind) = rest.split_at(taken);
        match c {
            '/' if taken > 1 => out.push(' '),
            '}' | ']' => {
                let closed = out.trim_end();
                if closed.ends_with(',') {
                    out.truncate(closed.len() - 1);
                }
                out.push(c);
            }
            _ => out.push_str(token),
        }
        rest = behind;
    }
    out
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

fn comment(text: &str, end: &str) -> usize {
    let body = text.get(2..).unwrap_or_default();
    body.find(end).map_or(text.len(), |at| 2 + at + end.len())
}
