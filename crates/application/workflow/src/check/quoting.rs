//! Where words of others reach a shell unquoted: whoever chooses them can run commands.

use awf_core::{Code, Diagnostic};
use awf_template::{Insertion, Printed};

use crate::check::{
    fields::{Sink, Site},
    quoting::{
        shell::{Place, Shell},
        source::{Risk, Source, Sources},
    },
    subject::Subject,
    texts::{Parsed, TOLD},
};

mod enclosing;
mod pattern;
mod script;
mod shell;
mod source;

/// What becomes of the text that a shell reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// It is an argument of the shell, and every program can ask for it.
    AsArgument,
    /// It is a file that only its owner may read.
    AsFile,
}

pub(super) fn check(subject: &Subject<'_>, texts: &[Parsed<'_>]) -> Vec<Diagnostic> {
    let sources = Sources::new(subject);
    let shells = texts.iter().filter(|text| text.field.sink == Sink::Shell);
    let commands = shells.flat_map(|Parsed { field, insertions, .. }| {
        let found = of_text(&sources, field.site, Given::AsArgument, insertions).into_iter();
        found.map(|(insertion, finding)| finding.at(field.text.span_of(insertion.at.clone())))
    });
    commands.chain(script::check(subject, &sources)).collect()
}

/// What is wrong with a text's insertions, each with the one it is about.
fn of_text<'i>(
    sources: &Sources<'_>,
    site: Site,
    given: Given,
    insertions: &'i [Insertion],
) -> Vec<(&'i Insertion, Diagnostic)> {
    let mut shell = Shell::default();
    let found = insertions.iter().filter_map(|insertion| {
        shell.read(&insertion.before);
        let place = shell.place();
        shell.insert();
        let mut references = insertion.references.iter();
        let finding = references.find_map(|found| {
            finding(&sources.of(site, &found.path)?, given, insertion.printed, place)
        })?;
        Some((insertion, finding))
    });
    found.take(TOLD).collect()
}

/// What is wrong with words of others that are printed so and stand there.
fn finding(source: &Source, given: Given, printed: Printed, place: Place) -> Option<Diagnostic> {
    let what = &source.what;
    let seen = source.risk == Risk::Secret && given == Given::AsArgument;
    let message = match (printed, place) {
        (Printed::Plain, _) => return None,
        _ if seen => format!("{what} becomes part of a command, which other programs can see"),
        (Printed::Word, Place::Open) => return None,
        (Printed::Word, Place::Unsafe(place)) => {
            format!("{what} is escaped {place}, where that does not hold")
        }
        (Printed::Free, _) => format!("{what} reaches the shell unquoted"),
    };
    Some(Diagnostic::new(Code::UnquotedInput, message).hinting(hint(source, place)))
}

fn hint(source: &Source, place: Place) -> String {
    let escape = match place {
        Place::Open => format!("write `{{{{escape .{}}}}}`", source.path),
        Place::Unsafe(_) => format!("write `{{{{escape .{}}}}}` outside of quotes", source.path),
    };
    match (&source.variable, source.risk) {
        (Some(name), Risk::Secret) => format!("use the variable `\"${name}\"`"),
        (None, Risk::Secret) => {
            "give it a name that a shell can read, and use the variable `\"$name\"`".to_owned()
        }
        (Some(name), Risk::Commands) => format!("{escape}, or use the variable `\"${name}\"`"),
        (None, Risk::Commands) => escape,
    }
}

#[cfg(test)]
mod tests;
