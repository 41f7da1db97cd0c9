//! Templates evaluated: nodes print, pipelines have values.

use std::ops::Range;

use serde_json::Value;

use crate::{
    EvalError, Scope,
    budget::{Budget, Draft},
    nearest::nearest,
    template::{
        ast::{Base, Binding, Choice, Command, Loop, LoopNames, Node, Operand, Pipeline},
        call::{call, is_true},
    },
    value::{Held, kind, text},
};

/// What a key that is not there means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Error,
    Null,
}

/// One evaluation under way.
pub(crate) struct Evaluation<'s, 'b> {
    pub(crate) scope: &'s dyn Scope,
    pub(crate) budget: &'b mut Budget,
    missing: Missing,
    variables: Vec<Held<'s>>,
    /// The element of each `range` and `with` around; the last is `.`.
    elements: Vec<Held<'s>>,
    output: Draft,
}

impl<'s, 'b> Evaluation<'s, 'b> {
    pub(crate) fn new(scope: &'s dyn Scope, budget: &'b mut Budget, missing: Missing) -> Self {
        let (variables, elements) = (Vec::new(), Vec::new());
        Self { scope, budget, missing, variables, elements, output: Draft::default() }
    }

    pub(crate) fn render(mut self, nodes: &[Node]) -> Result<String, EvalError> {
        self.nodes(nodes)?;
        Ok(self.output.finish())
    }

    /// Runs the nodes of one block. Its variables are gone afterwards.
    fn nodes(&mut self, nodes: &[Node]) -> Result<(), EvalError> {
        let outer = self.variables.len();
        for node in nodes {
            match node {
                Node::Text(text) => self.print(text, &(0..0))?,
                Node::Print(pipeline, at) => {
                    let value = self.pipeline(pipeline)?;
                    self.print(&text(&value), at)?;
                }
                Node::Set(pipeline) => {
                    self.pipeline(pipeline)?;
                }
                Node::If(choice) => self.choice(choice, |this, _, body| this.nodes(body))?,
                Node::With(choice) => self.choice(choice, Self::with_element)?,
                Node::Range(each) => self.range(each)?,
            }
        }
        self.variables.truncate(outer);
        Ok(())
    }

    fn print(&mut self, text: &str, at: &Range<usize>) -> Result<(), EvalError> {
        self.budget.spend_bytes(text.len(), at)?;
        self.output.push(text, at)
    }

    /// Runs the first branch whose pipeline is true, by `enter`, which is handed what the pipeline gave.
    fn choice(
        &mut self,
        choice: &Choice,
        enter: impl Fn(&mut Self, Held<'s>, &[Node]) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let outer = self.variables.len();
        for (tested, body) in &choice.branches {
            let value = self.pipeline(tested)?;
            if is_true(&value) {
                enter(self, value, body)?;
                self.variables.truncate(outer);
                return Ok(());
            }
        }
        self.nodes(&choice.otherwise)?;
        self.variables.truncate(outer);
        Ok(())
    }

    fn with_element(&mut self, element: Held<'s>, body: &[Node]) -> Result<(), EvalError> {
        self.elements.push(element);
        self.nodes(body)?;
        self.elements.pop();
        Ok(())
    }

    fn range(&mut self, each: &Loop) -> Result<(), EvalError> {
        let subject = self.pipeline(&each.subject)?;
        let at = &each.subject.at;
        match &*subject {
            Value::Null => self.nodes(&each.otherwise),
            Value::Array(items) if items.is_empty() => self.nodes(&each.otherwise),
            Value::Object(map) if map.is_empty() => self.nodes(&each.otherwise),
            Value::Array(items) => (0..items.len()).try_for_each(|place| {
                self.round(each, Value::from(place), subject.place(place).unwrap_or(Held::null()))
            }),
            Value::Object(map) => map.keys().try_for_each(|key| {
                self.round(
                    each,
                    Value::from(key.as_str()),
                    subject.key(key).unwrap_or(Held::null()),
                )
            }),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => Err(EvalError::new(
                format!("`range` needs a list or a map, this is {}", kind(&subject)),
                at.clone(),
            )),
        }
    }

    /// One round of a loop.
    fn round(&mut self, each: &Loop, key: Value, element: Held<'s>) -> Result<(), EvalError> {
        self.budget.spend_bytes(element.copied(), &each.subject.at)?;
        let outer = self.variables.len();
        match each.names {
            LoopNames::None => {}
            LoopNames::Element => self.variables.push(element.clone()),
            LoopNames::KeyAndElement => {
                self.variables.push(Held::made(key));
                self.variables.push(element.clone());
            }
        }
        self.with_element(element, &each.body)?;
        self.variables.truncate(outer);
        Ok(())
    }

    pub(crate) fn pipeline(&mut self, pipeline: &Pipeline) -> Result<Held<'s>, EvalError> {
        let mut value = None;
        for command in &pipeline.commands {
            value = Some(match command {
                Command::Operand(operand) => self.operand(operand)?,
                Command::Call { function, arguments, at } => {
                    call(self, *function, arguments, value, at)?
                }
            });
        }
        let value = value.unwrap_or(Held::null());
        match pipeline.binding {
            Binding::None => {}
            Binding::Declare => self.variables.push(value.clone()),
            Binding::Assign(slot) => {
                if let Some(variable) = self.variables.get_mut(slot) {
                    *variable = value.clone();
                }
            }
        }
        Ok(value)
    }

    pub(crate) fn operand(&mut self, operand: &Operand) -> Result<Held<'s>, EvalError> {
        self.budget.spend(1, &operand.at)?;
        let base = match &operand.base {
            Base::Literal(value) => Held::Made(value.clone()),
            Base::Namespace(name) => match self.scope.root(name) {
                Some(value) => Held::Lent(value),
                None => return self.missing(|| format!("there is no `{name}` here"), &operand.at),
            },
            Base::Element => self.elements.last().cloned().unwrap_or(Held::null()),
            Base::Variable { slot, .. } => {
                self.variables.get(*slot).cloned().unwrap_or(Held::null())
            }
            Base::Group(pipeline) => self.pipeline(pipeline)?,
        };
        let mut value = base;
        for (depth, key) in operand.keys.iter().enumerate() {
            value = match value.key(key) {
                Some(inner) => {
                    self.budget.spend_bytes(inner.copied(), &operand.at)?;
                    inner
                }
                None => return self.missing(|| self.not_set(operand, depth, &value), &operand.at),
            };
        }
        Ok(value)
    }

    pub(crate) fn missing(
        &self,
        message: impl Fn() -> String,
        at: &Range<usize>,
    ) -> Result<Held<'s>, EvalError> {
        match self.missing {
            Missing::Error => Err(EvalError::new(message(), at.clone())),
            Missing::Null => Ok(Held::null()),
        }
    }

    /// Says which key of a path is missing from `value`, and which one may have been meant.
    fn not_set(&self, operand: &Operand, depth: usize, value: &Value) -> String {
        let path = |keys: usize| written(operand, operand.keys.get(..keys).unwrap_or_default());
        let key = operand.keys.get(depth).map_or("", String::as_str);
        let message = absent(&path(depth), &path(depth + 1), key, value);
        if let (Base::Element, 0, Some(_)) = (&operand.base, depth, self.scope.root(key)) {
            let whole = operand.keys.join(".");
            return format!("{message}; inside `range` and `with` write `$.{whole}`");
        }
        message
    }
}

/// What to say when `value`, written `outer`, has no `key`; both together are written `inner`.
pub(crate) fn absent(outer: &str, inner: &str, key: &str, value: &Value) -> String {
    match value {
        Value::Object(map) => match nearest(key, map.keys().map(String::as_str)) {
            Some(near) => format!("`{inner}` is not set; did you mean `{near}`?"),
            None => format!("`{inner}` is not set"),
        },
        Value::Array(items) => {
            format!("`{inner}` is not set: `{outer}` is a list of {}", items.len())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            format!("`{inner}` is not set: `{outer}` is {}", kind(value))
        }
    }
}

/// A path as it is written in a template, without the leading dot of namespaces.
pub(crate) fn written(operand: &Operand, keys: &[String]) -> String {
    let mut path = match &operand.base {
        Base::Namespace(name) => name.clone(),
        Base::Variable { name, .. } => format!("${name}"),
        Base::Element if keys.is_empty() => ".".to_owned(),
        Base::Element => String::new(),
        Base::Literal(_) | Base::Group(_) => "(…)".to_owned(),
    };
    for key in keys {
        path.push('.');
        path.push_str(key);
    }
    path
}
