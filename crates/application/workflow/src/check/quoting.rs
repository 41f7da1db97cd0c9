//! Where words of others reach a shell unquoted: whoever chooses them can run commands.

use awf_core::{Code, Diagnostic};
use awf_template::{Insertion, Printed};

use crate::check::{
    fields::{Field, Sink},
    quoting::{
        shell::{Place, Shell},
        source::{Risk, Source, Sources},
    },
    subject::Subject,
    texts::{Parsed, TOLD},
};

mod enclosing;
mod pattern;
mod shell;
mod source;

pub(super) fn check(subject: &Subject<'_>, texts: &[Parsed<'_>]) -> Vec<Diagnostic> {
    let sources = Sources::new(subject);
    let shells = texts.iter().filter(|text| text.field.sink == Sink::Shell);
    shells.flat_map(|text| of_text(&sources, &text.field, &text.insertions)).collect()
}

fn of_text(sources: &Sources<'_>, field: &Field<'_>, insertions: &[Insertion]) -> Vec<Diagnostic> {
    let mut shell = Shell::default();
    let found = insertions.iter().filter_map(|insertion| {
        shell.read(&insertion.before);
        let place = shell.place();
        shell.insert();
        let mut references = insertion.references.iter();
        let finding = references.find_map(|found| {
            finding(&sources.of(field.site, &found.path)?, insertion.printed, place)
        })?;
        Some(finding.at(field.text.span_of(insertion.at.clone())))
    });
    found.take(TOLD).collect()
}

/// What is wrong with words of others that are printed so and stand there.
fn finding(source: &Source, printed: Printed, place: Place) -> Option<Diagnostic> {
    let what = &source.what;
    let message = match (source.risk, printed, place) {
        (_, Printed::Plain, _) | (Risk::Commands, Printed::Word, Place::Open) => return None,
        (Risk::Secret, ..) => {
            format!("{what} becomes part of a command, which other programs can see")
        }
        (Risk::Commands, Printed::Word, Place::Unsafe(place)) => {
            format!("{what} is escaped {place}, where that does not hold")
        }
        (Risk::Commands, Printed::Free, _) => format!("{what} reaches the shell unquoted"),
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
