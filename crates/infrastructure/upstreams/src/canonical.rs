//! JSON in one form, so that two texts are equal when they say the same: keys in order, strings written in one way, no
//! white space. Numbers stay as they were written; no reader is asked what it makes of `1e400`.
//!
//! It reads only what is known to be JSON and nests no deeper than serde allows.

use std::collections::BTreeMap;

/// Why a value has no one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ambiguous {
    /// A key is given twice: two readers could disagree on which one counts.
    Twice,
    /// It is no JSON, or nests too deep.
    NotJson,
}

/// How deep a value may nest.
const DEEPEST: usize = 128;

/// The one form of a JSON value.
pub(crate) fn canonical(json: &str) -> Result<String, Ambiguous> {
    let mut reader = Reader { json, at: 0 };
    let mut out = String::with_capacity(json.len());
    reader.value(&mut out, 0)?;
    Ok(out)
}

/// All texts in a JSON value, keys included, without their escapes.
pub(crate) fn strings(json: &str) -> impl Iterator<Item = String> {
    let mut reader = Reader { json, at: 0 };
    std::iter::from_fn(move || {
        let rest = reader.json.get(reader.at..)?;
        reader.at += rest.find('"')?;
        reader.string().ok()
    })
}

struct Reader<'j> {
    json: &'j str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, out: &mut String, depth: usize) -> Result<(), Ambiguous> {
        if depth > DEEPEST {
            return Err(Ambiguous::NotJson);
        }
        match self.peek()? {
            b'{' => self.object(out, depth),
            b'[' => self.array(out, depth),
            b'"' => {
                let text = self.string()?;
                write_string(&text, out)
            }
            _ => {
                let rest = self.json.get(self.at..).unwrap_or_default();
                let end = rest.find([',', ']', '}', ' ', '\t', '\r', '\n']).unwrap_or(rest.len());
                out.push_str(rest.get(..end).unwrap_or_default());
                self.at += end;
                if end == 0 { Err(Ambiguous::NotJson) } else { Ok(()) }
            }
        }
    }

    fn object(&mut self, out: &mut String, depth: usize) -> Result<(), Ambiguous> {
        let mut members = BTreeMap::new();
        self.at += 1;
        while self.more(b'}')? {
            let key = self.string()?;
            self.take(b':')?;
            let mut value = String::new();
            self.value(&mut value, depth + 1)?;
            if members.insert(key, value).is_some() {
                return Err(Ambiguous::Twice);
            }
        }
        out.push('{');
        for (number, (key, value)) in members.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { "," });
            write_string(key, out)?;
            out.push(':');
            out.push_str(value);
        }
        out.push('}');
        Ok(())
    }

    fn array(&mut self, out: &mut String, depth: usize) -> Result<(), Ambiguous> {
        self.at += 1;
        out.push('[');
        let mut first = true;
        while self.more(b']')? {
            out.push_str(if first { "" } else { "," });
            first = false;
            self.value(out, depth + 1)?;
        }
        out.push(']');
        Ok(())
    }

    /// Whether another member follows; passes the comma before it, or the end.
    fn more(&mut self, end: u8) -> Result<bool, Ambiguous> {
        let mut next = self.peek()?;
        if next == b',' {
            self.at += 1;
            next = self.peek()?;
        }
        if next == end {
            self.at += 1;
        }
        Ok(next != end)
    }

    fn string(&mut self) -> Result<String, Ambiguous> {
        self.take(b'"')?;
        let from = self.at;
        let bytes = self.json.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => return Err(Ambiguous::NotJson),
            }
        }
        let quoted = self.json.get(from - 1..=self.at).ok_or(Ambiguous::NotJson)?;
        self.at += 1;
        serde_json::from_str(quoted).map_err(|_| Ambiguous::NotJson)
    }

    fn take(&mut self, wanted: u8) -> Result<(), Ambiguous> {
        let found = self.peek()? == wanted;
        self.at += 1;
        if found { Ok(()) } else { Err(Ambiguous::NotJson) }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Result<u8, Ambiguous> {
        loop {
            match self.json.as_bytes().get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(byte) => return Ok(*byte),
                None => return Err(Ambiguous::NotJson),
            }
        }
    }
}

fn write_string(text: &str, out: &mut String) -> Result<(), Ambiguous> {
    out.push_str(&serde_json::to_string(text).map_err(|_| Ambiguous::NotJson)?);
    Ok(())
}

#[cfg(test)]
mod tests;
