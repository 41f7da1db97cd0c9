//! Whether a pattern lets through only text that is one plain word to a shell.

use std::{iter::Peekable, str::Chars};

/// Whether every text that the regular expression matches is made of letters, digits and harmless signs. What is not
/// understood is not harmless.
pub(super) fn is_harmless(pattern: &str) -> bool {
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    // A repetition right behind the anchor would make it optional.
    let inner = inner.filter(|inner| !inner.starts_with(['*', '+', '?', '{']));
    inner.is_some_and(|inner| reads_harmless(&mut inner.chars().peekable()).is_some())
}

type Reading<'p> = Peekable<Chars<'p>>;

fn reads_harmless(rest: &mut Reading<'_>) -> Option<()> {
    let mut depth = 0_usize;
    while let Some(c) = rest.next() {
        match c {
            '\\' => escaped(rest)?,
            '[' => class(rest)?,
            '(' => {
                depth += 1;
                // Of the marks that may follow, only the one for a group without a number changes nothing.
                if rest.next_if_eq(&'?').is_some() {
                    rest.next_if_eq(&':')?;
                }
            }
            ')' => depth = depth.checked_sub(1)?,
            // Outside a group it would part the anchors.
            '|' if depth > 0 => {}
            '*' | '+' | '?' => {}
            '{' => repetition(rest)?,
            c if is_plain(c) && c != '.' => {}
            _ => return None,
        }
    }
    (depth == 0).then_some(())
}

fn escaped(rest: &mut Reading<'_>) -> Option<()> {
    let c = rest.next()?;
    (matches!(c, 'd' | 'w') || (is_plain(c) && !c.is_alphanumeric())).then_some(())
}

/// Single characters and ranges within the digits or the letters of one case.
fn class(rest: &mut Reading<'_>) -> Option<()> {
    loop {
        let first = match rest.next()? {
            ']' => return Some(()),
            '\\' => {
                escaped(rest)?;
                continue;
            }
            c if is_plain(c) => c,
            _ => return None,
        };
        if rest.peek() == Some(&'-') {
            rest.next();
            match rest.next()? {
                ']' => return Some(()),
                last => is_range(first, last).then_some(())?,
            }
        }
    }
}

fn is_range(first: char, last: char) -> bool {
    let both = |is: fn(&char) -> bool| is(&first) && is(&last);
    both(char::is_ascii_digit) || both(char::is_ascii_lowercase) || both(char::is_ascii_uppercase)
}

fn repetition(rest: &mut Reading<'_>) -> Option<()> {
    rest.find(|c| !c.is_ascii_digit() && *c != ',').filter(|c| *c == '}').map(drop)
}

/// Characters that mean nothing to a shell wherever they stand in a word.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '%' | '=' | ',')
}

#[cfg(test)]
mod tests;
