//! What is known before a run, without its secrets; and texts resolved with it.

use std::collections::HashSet;

use awf_core::{GivenBy, Workflow, is_sensitive, secrets_in};
use awf_template::{Insertion, Scope, Template};
use serde_json::{Map, Value};

use crate::inputs::text;

/// What stands where a secret stood.
const SECRET: &str = "***";

pub(super) struct Known {
    namespaces: Map<String, Value>,
}

impl Known {
    /// Inputs that are declared secret, and variables whose names say so, are known as `***`.
    pub(super) fn new(workflow: &Workflow, namespaces: &Map<String, Value>) -> Self {
        let mut namespaces = namespaces.clone();
        let secrets: HashSet<&str> = workflow
            .inputs
            .iter()
            .filter(|spec| spec.secret)
            .map(|spec| spec.name.as_str())
            .collect();
        hide(namespaces.get_mut("inputs"), |name| secrets.contains(name));
        hide(namespaces.get_mut("env"), is_sensitive);
        Self { namespaces }
    }

    /// What the workflow is given, in the order of its declarations.
    pub(super) fn inputs(&self, workflow: &Workflow) -> Vec<(String, String)> {
        let given = |name: &str| self.namespaces.get("inputs").and_then(|inputs| inputs.get(name));
        let specs = workflow.inputs.iter();
        specs
            .filter_map(|spec| Some((spec.name.value.clone(), text(given(spec.name.as_str())?))))
            .collect()
    }

    /// The text as it would be; where it needs more than is known, as it is written, part by part.
    pub(super) fn text(&self, written: &str) -> String {
        let Ok(template) = Template::parse(written) else { return written.to_owned() };
        template.render(self).unwrap_or_else(|_| self.part_by_part(written, &template))
    }

    /// A variable as it would be, unless it is one that a run would hide.
    pub(super) fn variable(&self, name: &str, written: &str) -> String {
        let value = self.text(written);
        // Where something is not known yet, nothing is shown of it.
        let hidden =
            !value.contains("{{") && !secrets_in(GivenBy::Setting, name, &value).is_empty();
        if hidden { SECRET.to_owned() } else { value }
    }

    fn part_by_part(&self, written: &str, template: &Template) -> String {
        let mut shown = String::new();
        let mut from = 0;
        for Insertion { references, at, .. } in template.insertions() {
            let Some(action) = written.get(at.clone()) else { continue };
            let known = |root: &String| self.namespaces.contains_key(root);
            let resolvable = !references.is_empty()
                && references.iter().all(|reference| reference.path.first().is_some_and(known));
            let resolved = Template::parse(action)
                .ok()
                .filter(|_| resolvable)
                .and_then(|action| action.render(self).ok());
            if let (Some(resolved), Some(before)) = (resolved, written.get(from..at.start)) {
                shown.push_str(before);
                shown.push_str(&resolved);
                from = at.end;
            }
        }
        shown.push_str(written.get(from..).unwrap_or_default());
        shown
    }
}

impl Scope for Known {
    fn root(&self, name: &str) -> Option<&Value> {
        self.namespaces.get(name)
    }

    fn read_file(&self, _path: &str) -> Result<String, String> {
        Err("no file is read before a run".to_owned())
    }
}

fn hide(namespace: Option<&mut Value>, secret: impl Fn(&str) -> bool) {
    let values = namespace.and_then(Value::as_object_mut).into_iter().flatten();
    for (_, value) in values.filter(|(name, _)| secret(name)) {
        *value = Value::from(SECRET);
    }
}
