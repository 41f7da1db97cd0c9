//! What templates and expressions mention: each namespace, input, state and property must exist where it is named.

use std::collections::HashSet;

use awf_core::{Code, Diagnostic, Located, OutputFormat, State, StateKind, shown};

use crate::{
    check::{
        fields::{Around, Moment, Site},
        namespaces,
        subject::Subject,
        texts::{Parsed, TOLD},
    },
    ways::parts,
};

pub(super) fn check(subject: &Subject<'_>, texts: &[Parsed<'_>]) -> Vec<Diagnostic> {
    let names = Names::new(subject);
    let mut findings = Vec::new();
    for Parsed { field, references, .. } in texts {
        let found = references.iter().filter_map(|reference| {
            let finding = names.finding(field.site, &reference.path)?;
            Some(finding.at(field.text.span_of(reference.at.clone())))
        });
        findings.extend(found.take(TOLD));
    }
    findings
}

/// The names a workflow itself gives.
struct Names<'s, 'a> {
    subject: &'s Subject<'a>,
    inputs: HashSet<&'a str>,
    captured: HashSet<&'a str>,
    /// By the number of a state: whether it runs within a loop.
    in_loop: Vec<bool>,
}

impl<'s, 'a> Names<'s, 'a> {
    fn new(subject: &'s Subject<'a>) -> Self {
        let workflow = subject.workflow;
        let captures = workflow.states.iter().map(|state| &state.capture);
        Self {
            subject,
            inputs: workflow.inputs.iter().map(|input| input.name.as_str()).collect(),
            captured: captures
                .flat_map(|capture| capture.stdout.iter().chain(&capture.stderr))
                .map(Located::as_str)
                .collect(),
            in_loop: in_loop(subject),
        }
    }

    fn finding(&self, site: Site, path: &[String]) -> Option<Diagnostic> {
        let mut path = path.iter().map(String::as_str);
        let root = path.next()?;
        if root == "error" && !knows_error(site) {
            let hint =
                "name the state that may fail: `states.<name>.Stderr`, `states.<name>.ExitCode`";
            return Some(misplaced("error", "in a `workflow_error` hook", hint));
        }
        if root == "loop" && !self.knows_loop(site) {
            let hint = "use it in a state of a loop's `body`";
            return Some(misplaced("loop", "within a loop", hint));
        }
        match (root, path.next()) {
            ("states", Some(state)) => self.state(state, path.next()),
            ("inputs", Some(name)) => self.declared("input", name, &self.inputs),
            ("captured", Some(name)) => self.declared("captured output", name, &self.captured),
            ("workflow", Some(name)) => self.property(root, name, namespaces::WORKFLOW),
            ("context", Some(name)) => self.property(root, name, namespaces::CONTEXT),
            ("error", Some(name)) => self.property(root, name, namespaces::ERROR),
            ("awf", Some(name)) => self.property(root, name, namespaces::AWF),
            // Each `Parent` is the loop around the one before.
            ("loop", Some("Parent")) => path
                .find(|name| *name != "Parent")
                .and_then(|name| self.property(root, name, namespaces::LOOP)),
            ("loop", Some(name)) => self.property(root, name, namespaces::LOOP),
            (root, _) => self.root(root),
        }
    }

    fn root(&self, root: &str) -> Option<Diagnostic> {
        if namespaces::ROOTS.contains(&root) {
            return None;
        }
        let message = format!("`{}` is not known", shown(root));
        if self.inputs.contains(root) {
            let hint = format!("write `inputs.{root}` for the input");
            return Some(Diagnostic::new(Code::UndefinedReference, message).hinting(hint));
        }
        Some(self.undefined(message, root, namespaces::ROOTS.iter().copied()))
    }

    fn declared(&self, what: &str, name: &str, known: &HashSet<&'a str>) -> Option<Diagnostic> {
        if known.contains(name) {
            return None;
        }
        let message = format!("{what} `{}` is not declared", shown(name));
        let mut known: Vec<&str> = known.iter().copied().collect();
        known.sort_unstable();
        Some(self.undefined(message, name, known))
    }

    fn state(&self, name: &str, property: Option<&str>) -> Option<Diagnostic> {
        let Some(state) = self.subject.state(name) else {
            let message = format!("state `{}` does not exist", shown(name));
            return Some(self.undefined(message, name, self.subject.state_names()));
        };
        if property == Some("JSON") && !answers_json(state) {
            let message = format!("`states.{}` has no `JSON`", shown(name));
            let hint = "it is what an agent with `output_format: json` answers";
            return Some(Diagnostic::new(Code::UndefinedReference, message).hinting(hint));
        }
        self.property(&format!("states.{name}"), property?, namespaces::STATE_PROPERTIES)
    }

    fn property(&self, owner: &str, name: &str, known: &[&str]) -> Option<Diagnostic> {
        if known.contains(&name) {
            return None;
        }
        let message = format!("`{}` has no `{}`", shown(owner), shown(name));
        let finding = Diagnostic::new(Code::UndefinedReference, message)
            .hinting(format!("it has {}", known.join(", ")));
        Some(self.subject.suggest(finding, name, known.iter().copied()))
    }

    fn undefined<'n>(
        &self,
        message: String,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        self.subject.unknown(Code::UndefinedReference, message, name, known)
    }

    fn knows_loop(&self, site: Site) -> bool {
        match site {
            Site::Run(_) => false,
            Site::State(_, Moment::Iterating) => true,
            Site::State(place, Moment::Before | Moment::After) => {
                self.in_loop.get(place).copied().unwrap_or_default()
            }
        }
    }
}

fn answers_json(state: &State) -> bool {
    matches!(&state.kind, StateKind::Agent(agent) if agent.output_format == OutputFormat::Json)
}

fn misplaced(root: &str, when: &str, hint: &str) -> Diagnostic {
    let message = format!("`{root}` is known only {when}");
    Diagnostic::new(Code::UndefinedReference, message).hinting(hint)
}

fn knows_error(site: Site) -> bool {
    match site {
        Site::Run(Around::Error) => true,
        Site::Run(Around::Start | Around::End | Around::Cancel) | Site::State(..) => false,
    }
}

/// Which states run within a loop: the parts of loops, and the parts of those.
fn in_loop(subject: &Subject<'_>) -> Vec<bool> {
    let states = &subject.workflow.states;
    let mut inside = vec![false; states.len()];
    let loops = states.iter().filter(|state| matches!(state.kind, StateKind::Loop(_)));
    let mut open: Vec<_> = loops.flat_map(parts).collect();
    while let Some(part) = open.pop() {
        let Some(place) = subject.place(part.as_str()) else { continue };
        let (Some(mark), Some(state)) = (inside.get_mut(place), states.get(place)) else {
            continue;
        };
        if !std::mem::replace(mark, true) {
            open.extend(parts(state));
        }
    }
    inside
}

#[cfg(test)]
mod tests;
