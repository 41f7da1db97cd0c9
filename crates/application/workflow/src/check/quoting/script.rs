//! Script files: templates in them are filled in as those of a command are.

use awf_core::{CommandSource, Diagnostic, StateKind, Text, shown};
use awf_template::Template;

use crate::check::{
    fields::{Moment, Site},
    files::known_places,
    quoting::{Given, of_text, source::Sources},
    subject::Subject,
};

/// Bytes of scripts that are read for one check, at most.
const READ: usize = 4 * 1024 * 1024;

/// What a shebang names when a shell reads the script.
const SHELLS: &[&str] = &["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"];

pub(super) fn check(subject: &Subject<'_>, sources: &Sources<'_>) -> Vec<Diagnostic> {
    let mut left = READ;
    let mut findings = Vec::new();
    for (place, state) in subject.workflow.states.iter().enumerate() {
        let StateKind::Command(CommandSource::Script(path)) = &state.kind else { continue };
        let Some((name, text)) = script(subject, path) else { continue };
        let Some(rest) = left.checked_sub(text.len()) else { break };
        left = rest;
        let site = Site::State(place, Moment::Before);
        let found = of_script(sources, site, &name, &text).into_iter();
        findings.extend(found.map(|finding| finding.at(path.span.clone())));
    }
    findings
}

/// The path of a script and its text, where both are known before a run.
fn script(subject: &Subject<'_>, path: &Text) -> Option<(String, String)> {
    let (name, places) = known_places(subject, path)?;
    let text = places.iter().find_map(|place| (subject.surroundings.read_file)(place))?;
    Some((name, text))
}

fn of_script(sources: &Sources<'_>, site: Site, name: &str, text: &str) -> Vec<Diagnostic> {
    let Some(given) = given(text) else { return Vec::new() };
    let Ok(template) = Template::parse(text) else { return Vec::new() };
    let insertions = template.insertions();
    let found = of_text(sources, site, given, &insertions).into_iter();
    let placed = found.map(|(insertion, mut finding)| {
        let before = text.get(..insertion.at.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        finding.message = format!("line {line} of `{}`: {}", shown(name), finding.message);
        finding
    });
    placed.collect()
}

/// How a shell is given the script; none if something else reads it.
fn given(text: &str) -> Option<Given> {
    let Some(shebang) = text.strip_prefix("#!") else { return Some(Given::AsArgument) };
    let line = shebang.lines().next().unwrap_or_default();
    let mut words = line.split(|c: char| c.is_whitespace() || c == '/');
    words.any(|word| SHELLS.contains(&word)).then_some(Given::AsFile)
}

#[cfg(test)]
mod tests;
