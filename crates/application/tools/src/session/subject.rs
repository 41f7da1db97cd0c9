//! What a call is about, in a few words, read from arguments that are already redacted.

use std::fmt;

use awf_core::{Captured, shown};
use serde::{
    Deserializer as _,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value;

/// Arguments that say what a call is about, the most telling first.
const TELLING: [&str; 7] = ["file_path", "command", "pattern", "path", "url", "query", "name"];

/// A file, a command's first line, a pattern; empty when nothing of that kind is there.
pub(super) fn subject(arguments: &Captured) -> String {
    let text = match arguments {
        Captured::Whole(raw) => raw.get(),
        // Broken off in the middle of some value; what comes before it can still be read.
        Captured::Cut { head, .. } => head,
    };
    let mut best = Best(None);
    // An error means that the text broke off, or that the arguments are no object: what was found counts.
    serde_json::Deserializer::from_str(text).deserialize_map(&mut best).ok();
    best.0.map(|(_, text)| shown(first_line(&text))).unwrap_or_default()
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

/// The most telling argument so far, with its rank.
struct Best(Option<(usize, String)>);

impl<'de> Visitor<'de> for &mut Best {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the arguments of a call")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let rank = TELLING.iter().position(|telling| *telling == key);
            match rank.filter(|rank| self.0.as_ref().is_none_or(|(best, _)| rank < best)) {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(rank) => {
                    if let Value::String(text) = map.next_value()? {
                        self.0 = Some((rank, text));
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
