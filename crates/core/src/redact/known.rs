//! Secrets known by value, in the forms they travel in: plain, inside JSON, base64 at any offset, percent-encoded, hex.

use std::{collections::HashMap, fmt};

use crate::redact::shapes::BEGINNINGS;

/// Shorter forms would strike out ordinary words.
const SHORTEST: usize = 6;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const UPPER: &[u8; 16] = b"0123456789ABCDEF";
const LOWER: &[u8; 16] = b"0123456789abcdef";

/// The forms to look for.
#[derive(Clone)]
pub(super) struct Known {
    /// By their first two bytes, longest first.
    forms: HashMap<[u8; 2], Vec<Vec<u8>>>,
    /// One bit for every pair of bytes a secret may begin with, of a known value or of a shape: nearly every place of a
    /// text is dismissed by one look.
    begins: Vec<u64>,
    /// The length of the longest form.
    longest: usize,
}

impl Known {
    pub(super) fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Self {
        let mut known = Self { forms: HashMap::new(), begins: vec![0; 1 << 10], longest: 0 };
        known.learn(secrets);
        for pair in BEGINNINGS {
            known.mark(pair);
        }
        known
    }

    pub(super) fn learn<S: AsRef<str>>(&mut self, secrets: impl IntoIterator<Item = S>) {
        for secret in secrets {
            let secret = secret.as_ref().trim();
            // A key of several lines is printed, cut and searched line by line.
            let lines = secret.lines().map(str::trim).filter(|line| *line != secret);
            for part in std::iter::once(secret).chain(lines) {
                if part.len() >= SHORTEST {
                    for form in forms(part) {
                        self.add(form);
                    }
                }
            }
        }
        for forms in self.forms.values_mut() {
            forms.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            forms.dedup();
        }
    }

    fn add(&mut self, form: Vec<u8>) {
        if let Some(pair) = form.first_chunk::<2>().copied().filter(|_| form.len() >= SHORTEST) {
            self.mark(pair);
            self.longest = self.longest.max(form.len());
            self.forms.entry(pair).or_default().push(form);
        }
    }

    fn mark(&mut self, pair: [u8; 2]) {
        let (index, bit) = place(pair);
        if let Some(bits) = self.begins.get_mut(index) {
            *bits |= bit;
        }
    }

    /// Whether a secret may begin with these two bytes.
    pub(super) fn may_begin(&self, pair: [u8; 2]) -> bool {
        let (index, bit) = place(pair);
        self.begins.get(index).is_some_and(|bits| bits & bit != 0)
    }

    /// How many bytes of a known secret begin at `at`.
    pub(super) fn length_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let pair = rest.first_chunk::<2>().filter(|pair| self.may_begin(**pair))?;
        self.forms.get(pair)?.iter().find(|form| rest.starts_with(form)).map(Vec::len)
    }

    /// How much of a text that goes on can be judged: in what is left a known secret has begun and not ended.
    pub(super) fn settled(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            match self.length_at(bytes, at) {
                Some(length) => at += length,
                None if self.begins_with(rest) => return at,
                None => at += 1,
            }
        }
        bytes.len()
    }

    /// Whether `rest` is the beginning of a secret, and not the whole of it.
    fn begins_with(&self, rest: &[u8]) -> bool {
        let begun = |form: &Vec<u8>| form.len() > rest.len() && form.starts_with(rest);
        match rest.first_chunk::<2>() {
            Some(pair) if rest.len() < self.longest => {
                self.forms.get(pair).is_some_and(|forms| forms.iter().any(begun))
            }
            Some(_) => false,
            None => self.forms.values().flatten().any(begun),
        }
    }

    /// Whether a known secret stands anywhere in `text`.
    pub(super) fn within(&self, text: &str) -> bool {
        (0..text.len()).any(|at| self.length_at(text.as_bytes(), at).is_some())
    }
}

impl Default for Known {
    fn default() -> Self {
        Self::new::<&str>([])
    }
}

/// Never the values themselves.
impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} forms", self.forms.values().map(Vec::len).sum::<usize>())
    }
}

/// Where the bit of a pair lies.
fn place(pair: [u8; 2]) -> (usize, u64) {
    let number = u16::from_be_bytes(pair);
    (usize::from(number >> 6), 1 << (number & 63))
}

fn forms(secret: &str) -> Vec<Vec<u8>> {
    let bytes = secret.as_bytes();
    let mut forms =
        vec![bytes.to_vec(), percent_encoded(bytes, UPPER), percent_encoded(bytes, LOWER)];
    for digits in [UPPER, LOWER] {
        forms.push(bytes.iter().flat_map(|byte| hex(*byte, digits)).collect());
    }
    let quoted = serde_json::to_string(secret).unwrap_or_default();
    forms.push(quoted.trim_matches('"').as_bytes().to_vec());
    for offset in 0..3 {
        for alphabet in [STANDARD, URL_SAFE] {
            forms.push(base64_core(bytes, offset, alphabet));
        }
    }
    forms
}

fn hex(byte: u8, digits: &[u8; 16]) -> [u8; 2] {
    let digit = |value: u8| digits.get(usize::from(value)).copied().unwrap_or_default();
    [digit(byte >> 4), digit(byte & 15)]
}

fn percent_encoded(bytes: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    bytes.iter().fold(Vec::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(byte) {
            out.push(*byte);
        } else {
            out.push(b'%');
            out.extend(hex(*byte, digits));
        }
        out
    })
}

/// The base64 digits that depend on `bytes` alone when they stand `offset` bytes into a group of three: what comes
/// before and after in `user:secret` does not change them.
fn base64_core(bytes: &[u8], offset: usize, alphabet: &[u8; 64]) -> Vec<u8> {
    let mut digits = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in std::iter::repeat_n(&0, offset).chain(bytes) {
        bits = (bits << 8) | u32::from(*byte);
        held += 8;
        while held >= 6 {
            held -= 6;
            let digit = usize::try_from((bits >> held) & 63).unwrap_or_default();
            digits.extend(alphabet.get(digit));
        }
        bits &= 63;
    }
    let shared = match offset {
        0 => 0,
        1 => 2,
        _ => 3,
    };
    digits.split_off(shared.min(digits.len()))
}
