//! JSON for people: the same text, set line by line. No digit and no key is touched.

use serde::Deserialize;

/// How far a level is set in.
const STEP: &str = "  ";
/// Levels that are set in; what lies deeper stays at this distance.
const DEEPEST: usize = 32;

/// Sets a JSON text in lines. What is no JSON comes out as some text.
pub(crate) fn pretty(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let (mut depth, mut rest) = (0_usize, text.chars().peekable());
    while let Some(next) = rest.next() {
        match next {
            '"' => {
                out.push('"');
                string(&mut rest, &mut out);
            }
            '{' | '[' => {
                out.push(next);
                while rest.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(end) = rest.next_if(|c| matches!(c, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(next);
            }
            ',' => {
                out.push(',');
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            other if other.is_ascii_whitespace() => {}
            other => out.push(other),
        }
    }
    out
}

/// The rest of a string, its end included.
fn string(rest: &mut impl Iterator<Item = char>, out: &mut String) {
    while let Some(next) = rest.next() {
        out.push(next);
        match next {
            '"' => return,
            '\\' => out.extend(rest.next()),
            _ => {}
        }
    }
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(STEP, depth.min(DEEPEST)));
}

/// The texts of an MCP result; none when it holds anything else.
pub(crate) fn texts(result: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Outcome {
        content: Vec<Block>,
    }
    #[derive(Deserialize)]
    struct Block {
        text: String,
    }
    let read: Result<Outcome, _> = serde_json::from_str(result);
    read.map(|read| read.content.into_iter().map(|block| block.text).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
