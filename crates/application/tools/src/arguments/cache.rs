//! Checks that were made ready once and serve all calls of their tool, until the tool is another one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use awf_core::{RawJson, ToolDefinition, ToolSource};

use crate::arguments::{ArgumentCheck, WrongArguments, strict};

/// Tools whose checks are kept. A session uses a handful.
const KEPT: usize = 256;

/// The checks of a router's tools.
#[derive(Default)]
pub(crate) struct ArgumentChecks {
    /// By `server:tool`.
    ready: Mutex<HashMap<String, Ready>>,
}

#[derive(Clone)]
struct Ready {
    tool: Arc<ToolDefinition>,
    check: Arc<Result<ArgumentCheck, String>>,
}

/// What a check came to.
#[derive(Debug, PartialEq)]
pub(crate) enum Checked {
    Fit,
    Wrong(Box<WrongArguments>),
    /// The schema cannot be used, for the reason given.
    Unchecked(String),
}

impl ArgumentChecks {
    /// Holds `arguments` against the schema of `tool`; `misread` is why there are none.
    pub(crate) fn check(
        &self,
        tool: &Arc<ToolDefinition>,
        arguments: &RawJson,
        misread: Option<&str>,
    ) -> Checked {
        // The built-ins know their arguments by several names each, and check them when those are settled.
        if *tool.source() == ToolSource::Builtin && misread.is_none() {
            return shape(arguments);
        }
        match (&*self.ready(tool), misread) {
            (Ok(check), Some(reason)) => Checked::Wrong(Box::new(check.unread(reason))),
            (Ok(check), None) => match check.check(arguments) {
                Ok(()) => Checked::Fit,
                Err(wrong) => Checked::Wrong(Box::new(wrong)),
            },
            (Err(_), Some(reason)) => wrong_shape(reason.to_owned()),
            (Err(reason), None) => match shape(arguments) {
                Checked::Fit => Checked::Unchecked(reason.clone()),
                wrong => wrong,
            },
        }
    }

    fn ready(&self, tool: &Arc<ToolDefinition>) -> Arc<Result<ArgumentCheck, String>> {
        let name = tool.qualified_name();
        let held = self.kept().get(&name).cloned();
        if let Some(held) = held.filter(|held| same(&held.tool, tool)) {
            return held.check;
        }
        let check = Arc::new(ArgumentCheck::of(tool));
        let mut kept = self.kept();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(name, Ready { tool: tool.clone(), check: check.clone() });
        check
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<String, Ready>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn same(one: &Arc<ToolDefinition>, other: &Arc<ToolDefinition>) -> bool {
    Arc::ptr_eq(one, other) || one.raw() == other.raw()
}

/// What holds for all arguments, whatever they are for.
fn shape(arguments: &RawJson) -> Checked {
    strict::object(arguments).map_or_else(wrong_shape, |_| Checked::Fit)
}

fn wrong_shape(reason: String) -> Checked {
    Checked::Wrong(Box::new(WrongArguments::new(&[(String::new(), reason)])))
}
