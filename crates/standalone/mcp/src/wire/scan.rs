//! What serde's raw values leave unchecked: how deep JSON nests, and whether its escapes are Unicode.

/// How deep a message may nest, itself included.
pub const MAX_DEPTH: usize = 128;

/// Whether valid JSON nests deeper than [`MAX_DEPTH`].
pub(crate) fn too_deep(json: &str) -> bool {
    // Depth cannot exceed the number of openers, and looking for bytes is many times cheaper than tracking strings.
    let mut openers = memchr::memchr2_iter(b'[', b'{', json.as_bytes());
    openers.nth(MAX_DEPTH).is_some() && deepest_exceeds(json.as_bytes(), MAX_DEPTH)
}

fn deepest_exceeds(json: &[u8], limit: usize) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => at = string_end(json, at + 1),
            b'[' | b'{' => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    false
}

/// Where the string that began before `at` has its closing quote.
fn string_end(json: &[u8], mut at: usize) -> usize {
    while let Some(offset) = json.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += offset;
        if json[at] == b'"' {
            return at;
        }
        at += 2;
    }
    json.len()
}

/// Whether valid JSON escapes half of a surrogate pair. Such a string has no Unicode text, so two readers of
/// it may disagree on what it says.
pub(crate) fn has_lone_surrogate(json: &str) -> bool {
    let json = json.as_bytes();
    let mut at = 0;
    while let Some(offset) = json.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += offset;
        at += match (unit(json, at), unit(json, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => return true,
            (Some(_), _) => 6,
            (None, _) => 2,
        };
    }
    false
}

/// The code unit of the `\uXXXX` at `at`, if there is one.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests;
