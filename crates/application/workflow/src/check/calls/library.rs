//! The workflows that calls lead to, each read once.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    rc::Rc,
};

use awf_core::Workflow;

use crate::check::{Surroundings, calls::calls};

/// How deep workflows may call each other.
const DEEPEST: usize = 10;
/// Calls followed at most beneath the workflow under check.
const FOLLOWED: usize = 1_000;

/// Why a call cannot be made.
pub(super) enum Trouble {
    /// It leads back: the names on the way, the first once more at the end.
    Circle(Vec<String>),
    /// It leads too deep.
    TooDeep,
}

pub(super) struct Library<'a> {
    surroundings: &'a Surroundings<'a>,
    read: HashMap<(String, String), Option<Rc<Workflow>>>,
    /// How many workflows deep a file leads, itself included; for those without trouble.
    heights: HashMap<PathBuf, usize>,
    followed: usize,
}

/// A workflow on the way from the one under check to the one being looked at.
struct Caller {
    file: PathBuf,
    name: String,
}

impl Caller {
    fn of(workflow: &Workflow) -> Self {
        Self { file: key(&workflow.file), name: workflow.name.value.clone() }
    }
}

/// The same file may be named with or without `./`.
fn key(file: &str) -> PathBuf {
    Path::new(file).components().collect()
}

impl<'a> Library<'a> {
    pub(super) fn new(surroundings: &'a Surroundings<'a>) -> Self {
        Self { surroundings, read: HashMap::new(), heights: HashMap::new(), followed: 0 }
    }

    /// The workflow that a call in the file `from` means.
    pub(super) fn called(&mut self, from: &str, name: &str) -> Option<Rc<Workflow>> {
        let look_up = || (self.surroundings.workflows)(from, name).map(Rc::new);
        self.read.entry((from.to_owned(), name.to_owned())).or_insert_with(look_up).clone()
    }

    /// Follows every call beneath `callee`. Calls of workflows that do not exist are told where they stand.
    pub(super) fn descend(&mut self, root: &Workflow, callee: &Workflow) -> Result<(), Trouble> {
        self.height(callee, &mut vec![Caller::of(root)]).map(drop)
    }

    fn height(&mut self, workflow: &Workflow, path: &mut Vec<Caller>) -> Result<usize, Trouble> {
        let own = Caller::of(workflow);
        if let Some(first) = path.iter().position(|caller| caller.file == own.file) {
            let circle = path.iter().skip(first).map(|caller| caller.name.clone());
            return Err(Trouble::Circle(circle.chain([own.name]).collect()));
        }
        let known = self.heights.get(&own.file).copied();
        if path.len() + known.unwrap_or(1) > DEEPEST {
            return Err(Trouble::TooDeep);
        }
        if let Some(known) = known {
            return Ok(known);
        }
        let file = own.file.clone();
        path.push(own);
        let mut beneath = 0;
        for call in calls(workflow) {
            self.followed += 1;
            if self.followed > FOLLOWED {
                break;
            }
            if let Some(callee) = self.called(&workflow.file, call.workflow.as_str()) {
                beneath = beneath.max(self.height(&callee, path)?);
            }
        }
        path.pop();
        self.heights.insert(file, beneath + 1);
        Ok(beneath + 1)
    }
}
