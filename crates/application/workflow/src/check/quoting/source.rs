//! Whose words a reference means: those of whoever gives an input, of an agent, or of whatever failed.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use awf_core::{InputSpec, InputType, Located, LoopOver, StateKind, Tree, shown};
use awf_template::{Printed, Template};

use crate::check::{
    fields::{Around, Moment, Site},
    quoting::{enclosing::Enclosing, pattern},
    subject::Subject,
};

/// Words of others.
pub(super) struct Source {
    /// What they are, for a message.
    pub(super) what: String,
    /// How they are named in a template.
    pub(super) path: String,
    /// The variable that has them.
    pub(super) variable: Option<String>,
    pub(super) risk: Risk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Risk {
    /// They may be any text, so they can hold commands.
    Commands,
    /// They are a secret, which a command line shows to everybody.
    Secret,
}

/// What is known of the workflow's sources.
pub(super) struct Sources<'a> {
    subject: &'a Subject<'a>,
    inputs: HashMap<&'a str, &'a InputSpec>,
    /// What agents' steps keep under a name.
    captured: HashSet<&'a str>,
    enclosing: Enclosing,
    /// The loop with items of others that `loop` means at a state, by the state and how many loops further out.
    items: RefCell<HashMap<(usize, usize), Option<usize>>>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Self {
        let states = subject.workflow.states.iter();
        let agents = states.filter(|state| matches!(state.kind, StateKind::Agent(_)));
        let names = agents.flat_map(|state| [&state.capture.stdout, &state.capture.stderr]);
        Self {
            subject,
            inputs: subject.workflow.inputs.iter().map(|spec| (spec.name.as_str(), spec)).collect(),
            captured: names.flatten().map(Located::as_str).collect(),
            enclosing: Enclosing::of(subject),
            items: RefCell::default(),
        }
    }

    /// The words that a reference means, if they are of others.
    pub(super) fn of(&self, site: Site, path: &[String]) -> Option<Source> {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["inputs", name, ..] => self.inputs.get(name).and_then(|spec| input(spec)),
            // All of them at once, or one that is chosen when it runs.
            ["inputs"] => self.inputs.values().any(|spec| is_free(spec)).then(|| {
                let path = "inputs.NAME".to_owned();
                commands("one of the inputs".to_owned(), path)
            }),
            ["states", name, "Output" | "Stderr" | "Response" | "JSON", ..] => {
                let state = self.subject.state(name)?;
                matches!(state.kind, StateKind::Agent(_)).then(|| {
                    commands(format!("the answer of agent `{}`", shown(name)), words.join("."))
                })
            }
            ["captured", name, ..] => self.captured.contains(name).then(|| {
                let what = format!("`{}`, captured of an agent,", shown(name));
                commands(what, words.join("."))
            }),
            ["error", "Message"] => (site == Site::Run(Around::Error))
                .then(|| commands("the message of an error".to_owned(), words.join("."))),
            ["loop", rest @ ..] => self.item(site, rest, &words),
            _ => None,
        }
    }

    /// `loop.Item`, `loop.Parent.Item`, …
    fn item(&self, site: Site, rest: &[&str], words: &[&str]) -> Option<Source> {
        let out = rest.iter().take_while(|word| **word == "Parent").count();
        if rest.get(out) != Some(&"Item") {
            return None;
        }
        let Site::State(place, _) = site else { return None };
        let known = self.items.borrow().get(&(place, out)).copied();
        let found = known.unwrap_or_else(|| {
            // A loop whose items come from itself is told elsewhere; here it must only end.
            self.items.borrow_mut().insert((place, out), None);
            let mut around = self.enclosing.loops(place, out).into_iter();
            let found = around.find(|place| self.is_over_words_of_others(*place));
            self.items.borrow_mut().insert((place, out), found);
            found
        })?;
        let name = self.subject.workflow.states.get(found)?.name.as_str();
        Some(commands(format!("the item of loop `{}`", shown(name)), words.join(".")))
    }

    fn is_over_words_of_others(&self, place: usize) -> bool {
        let Some(StateKind::Loop(cycle)) =
            self.subject.workflow.states.get(place).map(|state| &state.kind)
        else {
            return false;
        };
        match &cycle.over {
            LoopOver::Items(items) => self.has_words_of_others(place, items),
            LoopOver::Condition(_) => false,
        }
    }

    fn has_words_of_others(&self, place: usize, items: &Tree) -> bool {
        match items {
            Tree::Text(text) => {
                let site = Site::State(place, Moment::Before);
                let parsed = Template::parse(&text.value).ok();
                let insertions = parsed.map(|template| template.insertions()).unwrap_or_default();
                let mut references = insertions
                    .iter()
                    .filter(|insertion| insertion.printed != Printed::Plain)
                    .flat_map(|insertion| &insertion.references);
                references.any(|found| {
                    let source = self.of(site, &found.path);
                    source.is_some_and(|source| source.risk == Risk::Commands)
                })
            }
            Tree::Plain(_) => false,
            Tree::List(list, _) => list.iter().any(|item| self.has_words_of_others(place, item)),
            Tree::Map(map, _) => map.iter().any(|(_, item)| self.has_words_of_others(place, item)),
        }
    }
}

fn commands(what: String, path: String) -> Source {
    Source { what, path, variable: None, risk: Risk::Commands }
}

fn input(spec: &InputSpec) -> Option<Source> {
    let name = spec.name.as_str();
    // A secret is best left out altogether, which also keeps its commands from running.
    let (what, risk) = match spec.secret {
        true => (format!("secret input `{}`", shown(name)), Risk::Secret),
        false if is_free(spec) => (format!("input `{}`", shown(name)), Risk::Commands),
        false => return None,
    };
    let variable = is_variable(name).then(|| name.to_owned());
    Some(Source { what, path: format!("inputs.{name}"), variable, risk })
}

/// Whether any text may be given. Numbers, yes and no, the words of a list and plain words can do no harm.
fn is_free(spec: &InputSpec) -> bool {
    let harmless = |pattern: &Located<String>| pattern::is_harmless(pattern.as_str());
    spec.kind == InputType::String
        && spec.rules.one_of.is_none()
        && !spec.rules.pattern.as_ref().is_some_and(harmless)
}

/// Whether a shell can read it as the name of a variable.
fn is_variable(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
