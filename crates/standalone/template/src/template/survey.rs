//! What a template asks of its scope, found without evaluating it.

use std::{collections::BTreeMap, mem};

use crate::{
    Insertion, Printed, Reference,
    template::{
        ast::{Base, Binding, Choice, Command, Loop, LoopNames, Node, Operand, Pipeline},
        function::Function,
        survey::origin::{Origin, is_number},
        token::LONGEST_KEY,
    },
};

mod origin;

/// How often a template is gone through at most. Each time a value gets one variable further against the order of the
/// text, by way of the next turn of a `range`.
const PASSES: usize = 8;

/// References and insertions of a template, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) references: Vec<Reference>,
    pub(crate) insertions: Vec<Insertion>,
    /// The text since the last insertion.
    text: String,
    variables: Vec<Variable>,
    elements: Vec<Origin>,
    /// How many times a `range` is around.
    ranges: usize,
    /// How many variables were declared so far.
    declared: usize,
    /// What each variable is set to within a `range` that it outlives, by the number of its declaration.
    late: BTreeMap<usize, Origin>,
    /// How many things around may keep what follows from being evaluated.
    doubts: usize,
}

#[derive(Debug)]
struct Variable {
    origin: Origin,
    /// The number of its declaration.
    number: usize,
    /// How many times a `range` is around its declaration.
    ranges: usize,
}

impl Survey {
    pub(crate) fn of(nodes: &[Node]) -> Self {
        let mut survey = Self::default();
        survey.nodes(nodes);
        let mut known = BTreeMap::new();
        for _ in 1..PASSES {
            if survey.late == known {
                break;
            }
            known.clone_from(&survey.late);
            survey = Self { late: survey.late, ..Self::default() };
            survey.nodes(nodes);
        }
        survey
    }

    pub(crate) fn of_pipeline(pipeline: &Pipeline) -> Self {
        let mut survey = Self::default();
        survey.pipeline(pipeline);
        survey
    }

    fn nodes(&mut self, nodes: &[Node]) {
        let outer = self.variables.len();
        for node in nodes {
            match node {
                Node::Text(text) => self.text.push_str(text),
                Node::Print(pipeline, at) => {
                    let Origin { references, printed, .. } = self.pipeline(pipeline);
                    let before = mem::take(&mut self.text);
                    let at = at.clone();
                    self.insertions.push(Insertion { references, printed, before, at });
                }
                Node::Set(pipeline) => {
                    self.pipeline(pipeline);
                }
                Node::If(choice) => self.choice(choice, |this, _, body| this.nodes(body)),
                Node::With(choice) => self.choice(choice, Self::with_element),
                Node::Range(each) => self.range(each),
            }
        }
        self.variables.truncate(outer);
    }

    fn choice(&mut self, choice: &Choice, enter: impl Fn(&mut Self, Origin, &[Node])) {
        let outer = self.variables.len();
        let doubts = self.doubts;
        for (tested, body) in &choice.branches {
            let origin = self.pipeline(tested);
            // Only the first test is always made.
            self.doubts = doubts + 1;
            enter(self, origin, body);
        }
        self.nodes(&choice.otherwise);
        self.doubts = doubts;
        self.variables.truncate(outer);
    }

    fn with_element(&mut self, origin: Origin, body: &[Node]) {
        self.elements.push(origin);
        self.nodes(body);
        self.elements.pop();
    }

    fn range(&mut self, each: &Loop) {
        let outer = self.variables.len();
        let subject = self.pipeline(&each.subject);
        let origin = Origin { printed: Printed::Free, exact: false, ..subject };
        let declared = match each.names {
            LoopNames::None => 0,
            LoopNames::Element => 1,
            LoopNames::KeyAndElement => 2,
        };
        self.doubts += 1;
        self.ranges += 1;
        for _ in 0..declared {
            self.declare(origin.clone());
        }
        self.with_element(origin, &each.body);
        self.ranges -= 1;
        self.variables.truncate(outer);
        self.nodes(&each.otherwise);
        self.doubts -= 1;
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Origin {
        let mut origin: Option<Origin> = None;
        for command in &pipeline.commands {
            origin = Some(match command {
                Command::Operand(operand) => self.operand(operand),
                Command::Call { function, arguments, .. } => {
                    self.call(*function, arguments, origin)
                }
            });
        }
        let origin = origin.unwrap_or_default();
        match pipeline.binding {
            Binding::None => {}
            Binding::Declare => self.declare(origin.clone()),
            Binding::Assign(slot) => self.assign(slot, &origin),
        }
        origin
    }

    fn declare(&mut self, origin: Origin) {
        let number = self.declared;
        self.declared += 1;
        self.variables.push(Variable { origin, number, ranges: self.ranges });
    }

    fn assign(&mut self, slot: usize, origin: &Origin) {
        let Some(variable) = self.variables.get_mut(slot) else { return };
        variable.origin.merge(origin);
        if variable.ranges < self.ranges {
            self.late.entry(variable.number).or_default().merge(origin);
        }
    }

    /// What a variable may hold here: in a `range` also what a turn before has set.
    fn variable(&self, slot: usize) -> Origin {
        let Some(variable) = self.variables.get(slot) else { return Origin::default() };
        let mut origin = variable.origin.clone();
        if variable.ranges < self.ranges
            && let Some(late) = self.late.get(&variable.number)
        {
            origin.merge(late);
        }
        origin
    }

    fn call(&mut self, function: Function, arguments: &[Operand], fed: Option<Origin>) -> Origin {
        let doubts = self.doubts;
        let mut origins = Vec::new();
        for (place, argument) in arguments.iter().enumerate() {
            origins.push(match (function, place) {
                (Function::Index, 0) => self.indexed(argument, arguments),
                _ => self.operand(argument),
            });
            if let Function::And | Function::Or = function {
                self.doubts = doubts + 1;
            }
        }
        self.doubts = doubts;
        origins.extend(fed);
        let mut made = Origin::default();
        for origin in &origins {
            made.add(&origin.references);
        }
        made.printed = match function {
            Function::Escape => Printed::Word,
            Function::Len
            | Function::Not
            | Function::Eq
            | Function::Ne
            | Function::Lt
            | Function::Le
            | Function::Gt
            | Function::Ge => Printed::Plain,
            Function::And | Function::Or => {
                origins.iter().map(|origin| origin.printed).max().unwrap_or_default()
            }
            Function::Index
            | Function::Join
            | Function::Json
            | Function::Print
            | Function::Printf
            | Function::Println
            | Function::ReadFile
            | Function::Split
            | Function::TrimSpace => Printed::Free,
        };
        made
    }

    fn operand(&mut self, operand: &Operand) -> Origin {
        let origin = match &operand.base {
            Base::Literal(_) => Origin::default(),
            Base::Namespace(_) => return self.mention(operand, &[]),
            Base::Element => self.elements.last().cloned().unwrap_or_default(),
            Base::Variable { slot, .. } => self.variable(*slot),
            Base::Group(pipeline) => self.pipeline(pipeline),
        };
        if operand.keys.is_empty() {
            return origin;
        }
        origin.within(&operand.keys)
    }

    /// The first argument of `index`, with the keys that follow as far as they are written out.
    fn indexed(&mut self, operand: &Operand, arguments: &[Operand]) -> Origin {
        let Base::Namespace(_) = &operand.base else { return self.operand(operand) };
        self.mention(operand, arguments.get(1..).unwrap_or_default())
    }

    fn mention(&mut self, operand: &Operand, indices: &[Operand]) -> Origin {
        let Base::Namespace(name) = &operand.base else { return Origin::default() };
        let mut path = vec![name.clone()];
        // A number is a place in a list, and what is behind it is not known by name.
        path.extend(operand.keys.iter().take_while(|key| !is_number(key)).cloned());
        let mut at = operand.at.clone();
        let whole = path.len() == operand.keys.len() + 1;
        if whole {
            for (key, end) in indices.iter().map_while(written_out) {
                path.push(key);
                at.end = end;
            }
        }
        let reference = Reference { path, at, certain: self.doubts == 0 };
        self.references.push(reference.clone());
        let exact = whole && indices.is_empty();
        Origin { references: vec![reference], printed: Printed::Free, exact }
    }
}

/// A key that stands in the text, and where it ends.
fn written_out(operand: &Operand) -> Option<(String, usize)> {
    match &operand.base {
        Base::Literal(literal) => {
            let key = literal.as_str().filter(|key| key.len() <= LONGEST_KEY)?;
            Some((key.to_owned(), operand.at.end))
        }
        Base::Namespace(_) | Base::Element | Base::Variable { .. } | Base::Group(_) => None,
    }
}

#[cfg(test)]
mod tests;
