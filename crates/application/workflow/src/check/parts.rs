//! Parallel states and loops: what they are made of must be distinct, must not hold itself, and must be able to go on.

use std::collections::HashSet;

use awf_core::{Code, Diagnostic, Located, State, StateKind, shown};

use crate::{check::subject::Subject, ways::parts};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = nested_in_themselves(subject);
    for state in &subject.workflow.states {
        findings.extend(twice(state));
        findings.extend(final_parts(subject, state));
    }
    findings
}

fn code(owner: &State) -> Code {
    match owner.kind {
        StateKind::Loop(_) => Code::InvalidLoop,
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Parallel(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => Code::InvalidTransition,
    }
}

fn twice(state: &State) -> impl Iterator<Item = Diagnostic> {
    let mut seen = HashSet::new();
    parts(state).iter().filter(move |part| !seen.insert(part.as_str())).map(|part| {
        let (name, owner) = (shown(part.as_str()), shown(state.name.as_str()));
        let message = format!("state `{name}` is listed twice in `{owner}`");
        Diagnostic::new(code(state), message)
            .at(part.span.clone())
            .hinting("list it once; two states may do the same work")
    })
}

/// A branch cannot end the run: the others are still under way.
fn final_parts(subject: &Subject<'_>, state: &State) -> Vec<Diagnostic> {
    if !matches!(state.kind, StateKind::Parallel(_)) {
        return Vec::new();
    }
    let is_final = |part: &&Located<String>| {
        let part = subject.state(part.as_str());
        part.is_some_and(|part| matches!(part.kind, StateKind::Terminal(_)))
    };
    let found = parts(state).iter().filter(is_final);
    found
        .map(|part| {
            let message = format!("terminal state `{}` cannot be a branch", shown(part.as_str()));
            Diagnostic::new(Code::InvalidTransition, message)
                .at(part.span.clone())
                .hinting("let the parallel state lead to it")
        })
        .collect()
}

/// A state that is part of itself, directly or through others, would never begin its work.
fn nested_in_themselves(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut search = Search {
        subject,
        marks: vec![Mark::New; subject.workflow.states.len()],
        findings: Vec::new(),
    };
    for place in 0..subject.workflow.states.len() {
        search.visit(place);
    }
    search.findings
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

struct Search<'s, 'a> {
    subject: &'s Subject<'a>,
    marks: Vec<Mark>,
    findings: Vec<Diagnostic>,
}

impl Search<'_, '_> {
    /// Depth first, without recursion: files may nest as deep as they are long.
    fn visit(&mut self, root: usize) {
        if self.mark(root, Mark::Open) != Mark::New {
            return;
        }
        let mut path = vec![(root, 0)];
        while let Some((place, next)) = path.last_mut() {
            let owner = self.subject.workflow.states.get(*place);
            let part = owner.and_then(|owner| Some((owner, parts(owner).get(*next)?)));
            let Some((owner, part)) = part else {
                self.mark(*place, Mark::Done);
                path.pop();
                continue;
            };
            *next += 1;
            let Some(inner) = self.subject.place(part.as_str()) else { continue };
            match self.marks.get(inner) {
                Some(Mark::New) => {
                    self.mark(inner, Mark::Open);
                    path.push((inner, 0));
                }
                Some(Mark::Open) => self.findings.push(itself(owner, part)),
                Some(Mark::Done) | None => {}
            }
        }
    }

    fn mark(&mut self, place: usize, mark: Mark) -> Mark {
        match self.marks.get_mut(place) {
            Some(old) if *old != Mark::Done => std::mem::replace(old, mark),
            Some(_) | None => Mark::Done,
        }
    }
}

fn itself(owner: &State, part: &Located<String>) -> Diagnostic {
    let (owner_name, name) = (shown(owner.name.as_str()), shown(part.as_str()));
    let message = if owner_name == name {
        format!("state `{name}` is part of itself")
    } else {
        format!("state `{name}` is part of itself, through `{owner_name}`")
    };
    Diagnostic::new(code(owner), message)
        .at(part.span.clone())
        .hinting("list other states; to repeat, lead back to it")
}

#[cfg(test)]
mod tests;
