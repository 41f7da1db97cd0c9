//! The line format shared by segments and `heads.jsonl`: numbered lines, each carrying the hash of the one before.
//!
//! ```text
//! {"v":1,"seq":7,"prev":"<64 hex>","event":{…},"hash":"<64 hex>"}
//! └────────────────── body ──────────────────┘└───── tail ─────┘
//! ```
//! The hash is SHA-256 over the bytes of the body as they stand on disk, so a reader checks a line without printing it
//! again. The body holds `prev`, so a hash vouches for everything before it.

use std::io::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The only line format there is so far.
pub(crate) const VERSION: u32 = 1;

const TAIL_START: &[u8] = b",\"hash\":\"";
const TAIL_END: &[u8] = b"\"}";
const HEX: usize = 64;
/// How long a tail is, without the newline.
pub(crate) const TAIL: usize = TAIL_START.len() + HEX + TAIL_END.len();

/// A SHA-256 hash as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash([u8; HEX]);

impl Hash {
    /// What the first line of `heads.jsonl` names as its predecessor.
    pub(crate) const ZERO: Self = Self([b'0'; HEX]);

    pub(crate) fn of(body: &[u8]) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; HEX];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(Sha256::digest(body)) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 0xf)];
        }
        Self(hex)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let well_formed = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        text.as_bytes().try_into().ok().filter(|_| well_formed).map(Self)
    }

    /// The first 64 bits: enough to see by accident or carelessness that a line is no longer the one that was read.
    pub(crate) fn short(&self) -> i64 {
        let (digits, _) = self.as_str().split_at(16);
        u64::from_str_radix(digits, 16).unwrap_or_default().cast_signed()
    }

    pub(crate) fn as_str(&self) -> &str {
        // Hex digits are always text; the fallback only spares a panic path.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The last line of a chain: what the next one must build on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) seq: u64,
    pub(crate) hash: Hash,
}

impl Link {
    /// The place before the first line of `heads.jsonl`.
    pub(crate) const START: Self = Self { seq: 0, hash: Hash::ZERO };

    /// The place before the first line of a segment: bound to the entry that registered it.
    pub(crate) fn registered(entry: Hash) -> Self {
        Self { seq: 0, hash: entry }
    }
}

/// Writes the line after `last` into `buffer`, newline included, and says where the chain then stands.
pub(crate) fn write_line(
    buffer: &mut Vec<u8>,
    last: Link,
    key: &str,
    payload: &impl Serialize,
) -> Result<Link, serde_json::Error> {
    let (start, seq) = (buffer.len(), last.seq + 1);
    let prev = last.hash.as_str();
    // Writing to memory does not fail.
    write!(buffer, r#"{{"v":{VERSION},"seq":{seq},"prev":"{prev}","{key}":"#)
        .map_err(serde_json::Error::io)?;
    serde_json::to_writer(&mut *buffer, payload)?;
    let hash = Hash::of(&buffer[start..]);
    buffer.extend_from_slice(TAIL_START);
    buffer.extend_from_slice(&hash.0);
    buffer.extend_from_slice(TAIL_END);
    buffer.push(b'\n');
    Ok(Link { seq, hash })
}

/// A line cut into what is hashed and the hash it claims.
#[derive(Clone, Copy)]
pub(crate) struct Split<'a> {
    pub(crate) body: &'a [u8],
    pub(crate) claimed: Hash,
}

impl Split<'_> {
    /// Whether the body is the one that was hashed.
    pub(crate) fn fits(&self) -> bool {
        Hash::of(self.body) == self.claimed
    }
}

/// Cuts a line, given without its newline. `None`: no line of ours.
pub(crate) fn split(line: &[u8]) -> Option<Split<'_>> {
    let (body, tail) = line.split_at_checked(line.len().checked_sub(TAIL)?)?;
    let hex = tail.strip_prefix(TAIL_START)?.strip_suffix(TAIL_END)?;
    let claimed = str::from_utf8(hex).ok().and_then(Hash::parse)?;
    Some(Split { body, claimed })
}

/// Where the chain stands after a line, if the line is the one after `last` and is as it was written.
pub(crate) fn next(line: &[u8], last: Link) -> Option<Link> {
    let (seq, prev) = (last.seq + 1, last.hash.as_str());
    let start = format!(r#"{{"v":{VERSION},"seq":{seq},"prev":"{prev}",""#);
    let split = split(line).filter(|_| line.starts_with(start.as_bytes()))?;
    split.fits().then_some(Link { seq, hash: split.claimed })
}

/// What stands before the payload of every line.
#[derive(Deserialize)]
pub(crate) struct Preamble<'a> {
    pub(crate) v: u32,
    pub(crate) seq: u64,
    pub(crate) prev: &'a str,
}

#[cfg(test)]
mod tests;
