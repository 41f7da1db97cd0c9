//! Secrets known by value, in the forms they travel in: plain, inside JSON, base64 at any offset, percent-encoded.

use std::fmt;

/// Shorter forms would strike out ordinary words.
const SHORTEST: usize = 6;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The forms to look for, by first byte, longest first.
#[derive(Clone)]
pub(super) struct Known {
    by_first: Vec<Vec<Box<[u8]>>>,
}

impl Known {
    pub(super) fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Self {
        let mut by_first = vec![Vec::new(); 256];
        for secret in secrets {
            let secret = secret.as_ref().trim();
            if secret.len() < SHORTEST {
                continue;
            }
            for form in forms(secret).into_iter().filter(|form| form.len() >= SHORTEST) {
                if let Some(bucket) =
                    form.first().and_then(|first| by_first.get_mut(usize::from(*first)))
                {
                    bucket.push(form.into_boxed_slice());
                }
            }
        }
        for bucket in &mut by_first {
            bucket.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            bucket.dedup();
        }
        Self { by_first }
    }

    /// How many bytes of a known secret begin at `at`.
    pub(super) fn length_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let bucket = self.by_first.get(usize::from(*rest.first()?))?;
        bucket.iter().find(|form| rest.starts_with(form)).map(|form| form.len())
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
        write!(f, "{} forms", self.by_first.iter().map(Vec::len).sum::<usize>())
    }
}

fn forms(secret: &str) -> Vec<Vec<u8>> {
    let bytes = secret.as_bytes();
    let mut forms = vec![
        bytes.to_vec(),
        percent_encoded(bytes, b"0123456789ABCDEF"),
        percent_encoded(bytes, b"0123456789abcdef"),
    ];
    let quoted = serde_json::to_string(secret).unwrap_or_default();
    forms.push(quoted.trim_matches('"').as_bytes().to_vec());
    for offset in 0..3 {
        for alphabet in [STANDARD, URL_SAFE] {
            forms.push(base64_core(bytes, offset, alphabet));
        }
    }
    forms
}

fn percent_encoded(bytes: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    let digit = |value: u8| digits.get(usize::from(value)).copied().unwrap_or_default();
    bytes.iter().fold(Vec::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(byte) {
            out.push(*byte);
        } else {
            out.extend([b'%', digit(byte >> 4), digit(byte & 15)]);
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
