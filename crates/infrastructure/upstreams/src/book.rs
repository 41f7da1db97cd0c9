//! The file of one server's pins, as it is written.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
    path::Path,
};

use awf_core::folded;
use serde::{Deserialize, Serialize};

use crate::{
    digest::Digest,
    held::Held,
    pin::{Approval, HiddenText, Kept, Parts, Pin},
    vault::{VaultError, damaged},
};

const VERSION: u32 = 2;
/// The texts of all pins together; beyond it only their hashes are kept.
const MOST_TEXT: usize = 8 * 1024 * 1024;

/// The pins of one server, by tool.
pub(crate) type Book = BTreeMap<String, Pin>;

/// A book to look tools up in, also by what their names look like.
pub(crate) struct Known<'b> {
    book: &'b Book,
    /// Made when it is first needed: most tools are known by their names.
    alike: OnceCell<HashMap<String, (&'b str, &'b Pin)>>,
}

impl<'b> Known<'b> {
    pub(crate) fn by(book: &'b Book) -> Self {
        Self { book, alike: OnceCell::new() }
    }

    /// The pin of a tool, and the name it was pinned under. A tool that nobody saw before and that looks like one that was is
    /// held against that one's: another spelling is a change like any other.
    pub(crate) fn pin(&self, name: &str) -> Option<(&'b str, &'b Pin)> {
        let own = self.book.get_key_value(name);
        if let Some((name, pin)) = own {
            return Some((name, pin));
        }
        let alike = self.alike.get_or_init(|| {
            let pins = self.book.iter().map(|(name, pin)| (folded(name), (name.as_str(), pin)));
            pins.collect()
        });
        alike.get(&folded(name)).copied()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    server: String,
    tools: BTreeMap<String, Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Entry {
    hash: String,
    class: String,
    approved: Approved,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hidden_text: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input_schema: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_schema: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remarks: Option<Part>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Approved {
    FirstSight,
    Person,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Text(String),
    Sha256(String),
}

/// Reads a book. What cannot be understood whole is damaged: half a book would approve what it forgot.
pub(crate) fn read(path: &Path, text: &str) -> Result<Book, VaultError> {
    let file: File =
        serde_json::from_str(text).map_err(|error| damaged(path, error.to_string()))?;
    if file.version != VERSION {
        return Err(damaged(path, format!("version {} is not known", file.version)));
    }
    let pins = file.tools.into_iter().map(|(name, entry)| Some((name, pin(entry)?)));
    pins.collect::<Option<Book>>().ok_or_else(|| damaged(path, "a hash or class is not one"))
}

/// Writes a book.
pub(crate) fn write(server: &str, book: &Book) -> Result<String, serde_json::Error> {
    let mut room = MOST_TEXT;
    let tools = book.iter().map(|(name, pin)| (name.clone(), entry(pin, &mut room))).collect();
    let file = File { version: VERSION, server: server.to_owned(), tools };
    serde_json::to_string_pretty(&file).map(|text| text + "\n")
}

fn pin(entry: Entry) -> Option<Pin> {
    let part = |part: Option<Part>| match part {
        None => Some(None),
        Some(Part::Text(text)) => Some(Some(Kept::Text(text))),
        Some(Part::Sha256(hash)) => Digest::parse(&hash).map(Kept::Hash).map(Some),
    };
    Some(Pin {
        hash: Digest::parse(&entry.hash)?,
        class: Held::parse(&entry.class)?,
        approved: match entry.approved {
            Approved::FirstSight => Approval::FirstSight,
            Approved::Person => Approval::Person,
        },
        hidden: match entry.hidden_text {
            Some(true) => HiddenText::Present,
            Some(false) | None => HiddenText::Absent,
        },
        parts: Parts {
            title: part(entry.title)?,
            description: part(entry.description)?,
            input_schema: part(entry.input_schema)?,
            output_schema: part(entry.output_schema)?,
            remarks: part(entry.remarks)?,
        },
    })
}

fn entry(pin: &Pin, room: &mut usize) -> Entry {
    let mut part = |kept: &Option<Kept>| kept.as_ref().map(|kept| part(kept, room));
    let Parts { title, description, input_schema, output_schema, remarks } = &pin.parts;
    Entry {
        hash: pin.hash.as_str().to_owned(),
        class: pin.class.as_str().to_owned(),
        approved: match pin.approved {
            Approval::FirstSight => Approved::FirstSight,
            Approval::Person => Approved::Person,
        },
        hidden_text: (pin.hidden == HiddenText::Present).then_some(true),
        title: part(title),
        description: part(description),
        input_schema: part(input_schema),
        output_schema: part(output_schema),
        remarks: part(remarks),
    }
}

fn part(kept: &Kept, room: &mut usize) -> Part {
    match kept {
        Kept::Text(text) if text.len() <= *room => {
            *room -= text.len();
            Part::Text(text.clone())
        }
        Kept::Text(text) => Part::Sha256(Digest::of([Some(text.as_str())]).as_str().to_owned()),
        Kept::Hash(hash) => Part::Sha256(hash.as_str().to_owned()),
    }
}

#[cfg(test)]
mod tests;
