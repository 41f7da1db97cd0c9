//! Foreign text made fit for a message: nothing that moves a cursor, forges a line or fills a screen.

/// Characters of foreign text a message holds at most, the mark of the cut included.
const MOST: usize = 64;

/// `text` with quotes, control and invisible characters escaped, at most 64 characters, `…` where it was cut.
pub fn shown(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let escaped = c.escape_debug();
        let last = rest.as_str().is_empty();
        // One place is kept free for the mark, unless this character ends the text.
        if length + escaped.len() + usize::from(!last) > MOST {
            out.push('…');
            return out;
        }
        length += escaped.len();
        out.extend(escaped);
    }
    out
}

#[cfg(test)]
mod tests;
