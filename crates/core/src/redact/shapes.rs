//! Shapes that only secrets have: tokens with a maker's prefix, JWTs, private keys, passwords in addresses.

/// A token with a maker's prefix.
struct Token {
    prefix: &'static str,
    /// How many characters follow at least.
    tail: usize,
    /// What may stand before it.
    before: Before,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Anything,
    /// Not a letter or digit: `task-…` is no `sk-…`.
    Boundary,
}

const fn anywhere(prefix: &'static str, tail: usize) -> Token {
    Token { prefix, tail, before: Before::Anything }
}

const fn apart(prefix: &'static str, tail: usize) -> Token {
    Token { prefix, tail, before: Before::Boundary }
}

const TOKENS: [Token; 30] = [
    apart("sk-", 16),
    apart("sk_live_", 16),
    apart("sk_test_", 16),
    apart("rk_live_", 16),
    apart("rk_test_", 16),
    apart("pk-lf-", 16),
    anywhere("ghp_", 16),
    anywhere("gho_", 16),
    anywhere("ghu_", 16),
    anywhere("ghs_", 16),
    anywhere("ghr_", 16),
    anywhere("github_pat_", 16),
    anywhere("glpat-", 16),
    apart("gsk_", 20),
    anywhere("AKIA", 16),
    anywhere("ASIA", 16),
    anywhere("AIza", 30),
    anywhere("AGE-SECRET-KEY-", 20),
    anywhere("xoxa-", 10),
    anywhere("xoxb-", 10),
    anywhere("xoxe-", 10),
    anywhere("xoxp-", 10),
    anywhere("xoxr-", 10),
    anywhere("xoxs-", 10),
    anywhere("xapp-", 10),
    apart("hf_", 30),
    apart("npm_", 30),
    anywhere("pypi-", 40),
    apart("ya29.", 20),
    anywhere("dop_v1_", 40),
];
/// The first two bytes of everything [`Shapes::at`] looks for; a colon ends a word and is looked at anyway.
pub(super) const BEGINNINGS: [[u8; 2]; 20] = [
    *b"ey", *b"--", *b"sk", *b"rk", *b"pk", *b"py", *b"gh", *b"gi", *b"gl", *b"gs", *b"AK", *b"AS",
    *b"AI", *b"AG", *b"xo", *b"xa", *b"hf", *b"np", *b"ya", *b"do",
];
/// What the three parts of a JWT hold at least; the signature may be missing.
const JWT_PART: usize = 8;
/// Bytes the first line of a PEM block takes at most.
const PEM_LINE: usize = 64;

/// What one pass over a text remembers, so that no stretch of it is searched twice.
#[derive(Default)]
pub(super) struct Shapes {
    /// What begins before this place is no JWT: one that begins further left in the same run was none.
    no_jwt_before: usize,
}

impl Shapes {
    /// Where the secret that begins at `at` lies.
    pub(super) fn at(&mut self, text: &str, at: usize) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let end = match bytes.get(at)? {
            b':' => return user_info(bytes, at),
            b'e' => self.jwt_end(bytes, at),
            b'-' => private_key_end(text, at),
            letter if letter.is_ascii_alphabetic() => token_end(bytes, at),
            _ => None,
        };
        end.map(|end| (at, end))
    }

    fn jwt_end(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if at < self.no_jwt_before || !bytes.get(at..)?.starts_with(b"eyJ") {
            return None;
        }
        let header = run(bytes, at, is_token);
        let payload = run(bytes, header + 1, is_token);
        let dots = bytes.get(header) == Some(&b'.') && bytes.get(payload) == Some(&b'.');
        if !dots || header - at < JWT_PART || payload - header <= JWT_PART {
            self.no_jwt_before = header;
            return None;
        }
        Some(run(bytes, payload + 1, is_token))
    }
}

fn token_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let token = TOKENS.iter().find(|token| rest.starts_with(token.prefix.as_bytes()))?;
    if token.before == Before::Boundary && !is_boundary(bytes, at) {
        return None;
    }
    let tail = at + token.prefix.len();
    let end = run(bytes, tail, is_token);
    (end - tail >= token.tail).then_some(end)
}

/// Whether a word may begin at `at`. Escapes that were escaped once more (`\n`, `%3D`) end in a letter or digit.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    let back = |steps: usize| at.checked_sub(steps).and_then(|place| bytes.get(place)).copied();
    match (back(3), back(2), back(1)) {
        (_, _, None) | (_, Some(b'\\'), Some(b'n' | b'r' | b't')) => true,
        (Some(b'%'), Some(high), Some(low))
            if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
        {
            true
        }
        (_, _, Some(before)) => !before.is_ascii_alphanumeric(),
    }
}

fn private_key_end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let rest = bytes.get(at..)?;
    let label = rest.strip_prefix(b"-----BEGIN ")?;
    let line = label.get(..PEM_LINE.min(label.len()))?;
    let ends = line.windows(5).position(|part| part == b"-----")?;
    if !line.get(..ends)?.windows(11).any(|part| part == b"PRIVATE KEY") {
        return None;
    }
    // A key that was cut off runs to the end.
    let Some(foot) = text.get(at + 1..).and_then(|rest| rest.find("-----END ")) else {
        return Some(text.len());
    };
    let foot = at + 1 + foot + "-----END ".len();
    let close = text.get(foot..).and_then(|rest| rest.find("-----"));
    Some(close.map_or(text.len(), |close| foot + close + 5))
}

/// The part before the `@` of `scheme://user:password@host`.
fn user_info(bytes: &[u8], colon: usize) -> Option<(usize, usize)> {
    let authority = bytes.get(colon..)?.strip_prefix(b"://")?;
    let start = colon + 3;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/?#\"'<>\\`".contains(byte);
    let length = authority.iter().position(ends).unwrap_or(authority.len());
    let at = authority.get(..length)?.iter().rposition(|byte| *byte == b'@')?;
    (at > 0).then_some((start, start + at))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Where the run of bytes that are `of` a kind ends.
pub(super) fn run(bytes: &[u8], start: usize, of: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().position(|byte| !of(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests;
