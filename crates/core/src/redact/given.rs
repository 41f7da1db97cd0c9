//! What of a setting is a secret: the value behind a telling name, the password and the keys in an address, and whatever
//! looks like nothing but a key.

use crate::redact::is_sensitive;

/// A key has at least so many characters, where nothing but its look tells it.
const SHORTEST_KEY: usize = 16;
/// Headers that say how to talk, not who talks.
const OPEN_HEADERS: [&str; 7] = [
    "accept",
    "accept-language",
    "cache-control",
    "content-type",
    "mcp-protocol-version",
    "origin",
    "user-agent",
];

/// Where a setting was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenBy {
    /// A variable of our own environment, which holds much that nobody keeps to himself.
    Environment,
    /// A variable or a value that somebody wrote down for one program.
    Setting,
    /// A header of HTTP. Whoever sets one mostly says who he is.
    Header,
}

/// The secrets in the setting `name` with this `value`.
pub fn secrets_in(by: GivenBy, name: &str, value: &str) -> Vec<String> {
    let open = OPEN_HEADERS.iter().any(|open| open.eq_ignore_ascii_case(name));
    let whole = match by {
        GivenBy::Environment => is_sensitive(name),
        GivenBy::Setting => is_sensitive(name) || is_key(value),
        GivenBy::Header => is_sensitive(name) || !open,
    };
    let mut secrets = in_address(by, value);
    if whole {
        // A header may say how a secret is meant (`Bearer …`); the secret is what follows.
        secrets.extend(value.split_once(' ').map(|(_, secret)| secret.to_owned()));
        secrets.push(value.to_owned());
    }
    secrets
}

/// The secrets of an address: its password, and what in its path and its query looks like a key or is called one.
fn in_address(by: GivenBy, value: &str) -> Vec<String> {
    let Some((_, rest)) = value.split_once("://") else { return Vec::new() };
    let (rest, _) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut secrets = Vec::new();
    if let Some((user, _)) = authority.rsplit_once('@') {
        let secret = user.split_once(':').map_or(user, |(_, password)| password);
        secrets.push(secret.to_owned());
    }
    let telling = |part: &&str| by != GivenBy::Environment && is_key(part);
    secrets.extend(path.split('/').filter(telling).map(str::to_owned));
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        if is_sensitive(name) || is_bare_key_name(name) || telling(&value) {
            secrets.push(value.to_owned());
        }
    }
    let decoded: Vec<String> = secrets.iter().map(|secret| decoded(secret)).collect();
    secrets.extend(decoded);
    secrets
}

/// In a query these alone say it.
fn is_bare_key_name(name: &str) -> bool {
    ["key", "auth", "sig", "signature", "code"].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a value looks like nothing but a key: of one piece, and in it letters and digits mixed without a break, or a
/// UUID. The name of a model or of a release is none.
fn is_key(value: &str) -> bool {
    let in_one_piece = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~+=".contains(&byte);
    let unbroken = |run: &[u8]| {
        let count = |kind: fn(&u8) -> bool| run.iter().filter(|byte| kind(byte)).count();
        run.len() >= SHORTEST_KEY
            && count(u8::is_ascii_digit) >= 2
            && count(u8::is_ascii_alphabetic) >= 2
    };
    let runs = value.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    value.bytes().all(in_one_piece) && (is_uuid(value) || runs.into_iter().any(unbroken))
}

fn is_uuid(value: &str) -> bool {
    let groups = value.split('-').map(str::len);
    let digits = value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    digits && groups.eq([8, 4, 4, 4, 12])
}

/// Without percent-encoding; what is none stays.
fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *byte == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        out.push(code.unwrap_or(*byte));
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests;
