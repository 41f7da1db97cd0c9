//! Reading a tree into types, telling everything that is wrong on the way and not only the first.
//!
//! A type that can be read also gives the schema of what it reads (`Shape`), so the two cannot drift apart.

use awf_core::{Code, Diagnostic, Span, nearest, shown};

use crate::yaml::{Node, Place};

mod object;
mod shape;
mod values;

pub(crate) use object::{Entries, FieldShape, ObjectTraits, Presence, object};
pub(crate) use shape::{Choice, Field, Mapping, Refused, Shape, Useless, Word};
pub(crate) use values::{JsonObject, Plain, Texts, text_of};

/// Findings of one file at most: nobody mends more at once, and a hostile file has more than fits.
const MOST_FINDINGS: usize = 100;
/// Keys that are listed in a hint at most.
const MOST_LISTED: usize = 12;

/// Which codes a kind of file is judged with.
pub(crate) struct Dialect {
    pub(crate) syntax: Code,
    pub(crate) too_large: Code,
    pub(crate) duplicate: Code,
    pub(crate) unknown: Code,
    pub(crate) invalid: Code,
    pub(crate) missing: Code,
}

/// Workflow files.
pub(crate) const WORKFLOW: Dialect = Dialect {
    syntax: Code::ParseYamlSyntax,
    too_large: Code::ParseTooLarge,
    duplicate: Code::ParseDuplicateKey,
    unknown: Code::ParseUnknownField,
    invalid: Code::ParseInvalidValue,
    missing: Code::MissingField,
};

/// Everything else.
pub(crate) const CONFIG: Dialect = Dialect {
    syntax: Code::ConfigInvalid,
    too_large: Code::ConfigInvalid,
    duplicate: Code::ConfigInvalid,
    unknown: Code::ConfigUnknownKey,
    invalid: Code::ConfigInvalid,
    missing: Code::ConfigInvalid,
};

/// What is wrong with a file, gathered; and what is being read, for the messages.
pub(crate) struct Findings<'f> {
    file: &'f str,
    dialect: &'static Dialect,
    found: Vec<Diagnostic>,
    subject: String,
    subject_place: Place,
    /// What `subject` is a part of.
    outer_place: Place,
    /// Keys that an unknown one was most likely meant to be, with the place of what they belong to and of what that is
    /// a part of: half of an agent's keys may stand in a block of their own.
    misspelt: Vec<([Place; 2], String)>,
}

impl<'f> Findings<'f> {
    /// Nothing found yet in `file`; `subject` is what the whole of it is called.
    pub(crate) fn new(file: &'f str, dialect: &'static Dialect, subject: &str) -> Self {
        let subject = subject.to_owned();
        Self {
            file,
            dialect,
            found: Vec::new(),
            subject,
            subject_place: Place::START,
            outer_place: Place::START,
            misspelt: Vec::new(),
        }
    }

    pub(crate) fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// In the order of the file; what an alias repeats, once.
    pub(crate) fn sorted(self) -> Vec<Diagnostic> {
        let mut sorted: Vec<Diagnostic> = Vec::new();
        for finding in self.found {
            if !sorted.contains(&finding) {
                sorted.push(finding);
            }
        }
        sorted.sort_by(|a, b| a.span.cmp(&b.span));
        sorted
    }

    pub(crate) fn span(&self, place: Place) -> Span {
        place.in_file(self.file)
    }

    /// The key whose value is being read.
    pub(crate) fn subject_place(&self) -> Place {
        self.subject_place
    }

    pub(crate) fn subject(&self) -> &str {
        &self.subject
    }

    pub(crate) fn add(&mut self, finding: Diagnostic, place: Place) {
        self.add_at(finding, place.in_file(self.file));
    }

    /// A finding whose place is known as a span.
    pub(crate) fn add_at(&mut self, finding: Diagnostic, span: Span) {
        if self.found.len() < MOST_FINDINGS {
            self.found.push(finding.at(span));
        }
    }

    /// What was found elsewhere in this file.
    pub(crate) fn take(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        let room = MOST_FINDINGS.saturating_sub(self.found.len());
        self.found.extend(found.into_iter().take(room));
    }

    /// What `read` gives, and what it finds: that is for the caller to judge.
    pub(crate) fn apart<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let before = std::mem::take(&mut self.found);
        let read = read(self);
        (read, std::mem::replace(&mut self.found, before))
    }

    pub(crate) fn say(&mut self, code: Code, place: Place, message: impl Into<String>) {
        self.add(Diagnostic::new(code, message), place);
    }

    pub(crate) fn hint(
        &mut self,
        code: Code,
        place: Place,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.add(Diagnostic::new(code, message).hinting(hint), place);
    }

    pub(crate) fn syntax(&mut self, place: Place, message: impl Into<String>) {
        self.say(self.dialect.syntax, place, message);
    }

    pub(crate) fn too_large(&mut self, place: Place, message: impl Into<String>) {
        self.say(self.dialect.too_large, place, message);
    }

    pub(crate) fn invalid(&mut self, place: Place, message: impl Into<String>) {
        self.say(self.dialect.invalid, place, message);
    }

    /// The value is not what it must be.
    pub(crate) fn wrong(&mut self, node: &Node, expected: &str) {
        let message = format!("{} must be {expected}, not {}", self.subject, node.described());
        let place = if node.is_null() { self.subject_place } else { node.place };
        self.invalid(place, message);
    }

    /// A word that is none of those there are.
    pub(crate) fn not_one_of(&mut self, node: &Node, word: &str, words: &[&str]) {
        let message = format!("{} cannot be `{}`", self.subject, shown(word));
        let words = || words.iter().filter(|word| !word.is_empty()).copied();
        let listed = words().collect::<Vec<_>>().join(", ");
        let hint = match nearest(word, words()).first() {
            Some(near) => format!("did you mean `{near}`? use one of: {listed}"),
            None => format!("use one of: {listed}"),
        };
        self.hint(self.dialect.invalid, node.place, message, hint);
    }

    pub(crate) fn unknown_key(&mut self, code: Code, key: &str, place: Place, known: &[&str]) {
        if self.found.len() >= MOST_FINDINGS {
            return;
        }
        let finding = Diagnostic::new(code, format!("unknown key `{}`", shown(key)));
        let listed =
            (known.len() <= MOST_LISTED).then(|| format!("known keys here: {}", known.join(", ")));
        let near = nearest(key, known.iter().copied());
        let places = [self.subject_place, self.outer_place];
        self.misspelt.extend(near.iter().map(|near| (places, (*near).to_owned())));
        let hint = match (near.first(), listed) {
            (Some(near), Some(listed)) if code == Code::ProxyUnknownKey => {
                Some(format!("did you mean `{near}`? {listed}"))
            }
            (Some(near), _) => Some(format!("did you mean `{near}`?")),
            (None, listed) => listed,
        };
        self.add(hint.into_iter().fold(finding, Diagnostic::hinting), place);
    }

    /// A key that must be there is not.
    pub(crate) fn missing(&mut self, key: &str) {
        self.missing_or(key, &format!("add `{key}`"));
    }

    /// A key that must be there is not, and `hint` says what would do. One that was only misspelt is not told twice.
    pub(crate) fn missing_or(&mut self, key: &str, hint: &str) {
        let place = self.subject_place;
        if !self.was_misspelt(key, &self.span(place)) {
            let message = format!("{} lacks `{key}`", self.subject);
            self.hint(self.dialect.missing, place, message, hint);
        }
    }

    /// Whether an unknown key of what stands at `span` was most likely meant to be `key`.
    pub(crate) fn was_misspelt(&self, key: &str, span: &Span) -> bool {
        let here = |place: &Place| self.span(*place) == *span;
        self.misspelt.iter().any(|(within, meant)| meant == key && within.iter().any(here))
    }

    /// Reads what belongs to `subject`, which stands at `place`.
    pub(crate) fn within<T>(
        &mut self,
        subject: String,
        place: Place,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.subject, subject);
        let within = std::mem::replace(&mut self.subject_place, place);
        let around = std::mem::replace(&mut self.outer_place, within);
        let read = read(self);
        self.subject = outer;
        self.subject_place = within;
        self.outer_place = around;
        read
    }
}
