//! Text written as a JSON string, eight bytes at a look: the answers of tools are long and mostly plain.

/// Writes `text` as a JSON string, quotes included.
pub(crate) fn escape(text: &str, json: &mut String) {
    json.push('"');
    let mut rest = text;
    loop {
        let (plain, from_special) = rest.split_at(plain_prefix(rest.as_bytes()));
        json.push_str(plain);
        let mut characters = from_special.chars();
        let Some(special) = characters.next() else { break };
        push_special(special, json);
        rest = characters.as_str();
    }
    json.push('"');
}

/// How many bytes at the beginning need no escape. It ends at an ASCII byte or at the end, so never within a character.
fn plain_prefix(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let clean =
        words.iter().take_while(|word| !has_special(u64::from_le_bytes(**word))).count() * 8;
    let tail = bytes.get(clean..).unwrap_or_default();
    clean + tail.iter().position(|byte| is_special(*byte)).unwrap_or(tail.len())
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Whether one of eight bytes is special. A borrow may make a clean byte look special; the byte-wise search then decides.
fn has_special(word: u64) -> bool {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES * 0x80;
    let below_space = word.wrapping_sub(ONES * 0x20) & !word;
    let zero_at = |byte: u8| {
        let difference = word ^ (ONES * u64::from(byte));
        difference.wrapping_sub(ONES) & !difference
    };
    (below_space | zero_at(b'"') | zero_at(b'\\')) & HIGH != 0
}

fn push_special(special: char, json: &mut String) {
    match special {
        '"' => json.push_str("\\\""),
        '\\' => json.push_str("\\\\"),
        '\n' => json.push_str("\\n"),
        '\r' => json.push_str("\\r"),
        '\t' => json.push_str("\\t"),
        control => {
            let digit = |nibble: u32| char::from_digit(nibble & 0xF, 16).unwrap_or('0');
            let code = u32::from(control);
            json.extend(['\\', 'u', '0', '0', digit(code >> 4), digit(code)]);
        }
    }
}

#[cfg(test)]
mod tests;
