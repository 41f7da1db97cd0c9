//! Rust text without what is not code, and the functions in it.
//!
//! A scanner, not a parser: it knows comments, strings and characters, which is all that counting braces honestly needs.

/// `text` with comments and the contents of string and character literals blanked; line breaks stay where they were.
pub(crate) fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let hidden = hidden_length(rest, code.chars().next_back());
        let (taken, remaining) = rest.split_at(hidden.unwrap_or(next.len_utf8()));
        if hidden.is_some() {
            code.extend(taken.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }));
        } else {
            code.push_str(taken);
        }
        rest = remaining;
    }
    code
}

/// How many bytes at the start of `rest` are comment or literal, if any. `before` is the character in front.
fn hidden_length(rest: &str, before: Option<char>) -> Option<usize> {
    let in_word = before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment_length(rest));
    }
    if rest.starts_with('"') {
        return Some(quoted_length(rest, '"'));
    }
    if rest.starts_with('\'') {
        return char_length(rest);
    }
    if in_word { None } else { raw_string_length(rest) }
}

fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// A quote opens a character only if one character (or an escape) stands before the closing quote; else it is a lifetime.
fn char_length(rest: &str) -> Option<usize> {
    let mut letters = rest.char_indices().skip(1);
    let (_, first) = letters.next()?;
    let (at, second) = letters.next()?;
    match (first, second) {
        ('\\', _) => Some(quoted_length(rest, '\'')),
        (_, '\'') => Some(at + 1),
        _ => None,
    }
}

/// `r"…"`, `r#"…"#`, with `b` or `c` in front.
fn raw_string_length(rest: &str) -> Option<usize> {
    let after_prefix = rest.strip_prefix(['b', 'c']).unwrap_or(rest).strip_prefix('r')?;
    let after_hashes = after_prefix.trim_start_matches('#');
    let body = after_hashes.strip_prefix('"')?;
    let hashes = after_prefix.len() - after_hashes.len();
    let close = format!("\"{}", "#".repeat(hashes));
    let opened = rest.len() - body.len();
    Some(body.find(&close).map_or(rest.len(), |at| opened + at + close.len()))
}

/// A function with a body: its name, the line of its `fn`, and how many lines it spans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) lines: usize,
}

/// The functions in `code`, which must have passed [`code_only`].
pub(crate) fn functions(code: &str) -> Vec<Function> {
    let starts = code.match_indices("fn ").map(|(at, _)| at);
    starts.filter(|at| begins_word(code, *at)).filter_map(|at| function_at(code, at)).collect()
}

fn begins_word(code: &str, at: usize) -> bool {
    let before = code.get(..at).and_then(|head| head.chars().next_back());
    !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
}

fn function_at(code: &str, at: usize) -> Option<Function> {
    let text = code.get(at..)?;
    let name: String = text
        .get(3..)?
        .trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    let body = text.get(..body_end(text)?)?;
    let line = line_of(code, at);
    (!name.is_empty()).then(|| Function { name, line, lines: body.matches('\n').count() + 1 })
}

/// Where the body that begins at the first brace outside parentheses ends; none for a declaration without one.
fn body_end(text: &str) -> Option<usize> {
    let mut brackets = 0_i32;
    let mut braces = 0_i32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if brackets == 0 && braces == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces <= 0 {
                    return (braces == 0).then_some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The 1-based line of a byte position.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).map_or(0, |head| head.matches('\n').count()) + 1
}

#[cfg(test)]
mod tests;
