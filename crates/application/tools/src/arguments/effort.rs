//! Whether a schema can be held against anything in reasonable time.
//!
//! A schema that refers to its own parts can ask for more work than the universe has time for, in a few lines: each part
//! twice the next, or itself twice. So its parts are counted as often as they are reached before it is used.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// How often all parts together may be reached.
const MOST_PARTS: u64 = 20_000;
/// How deep a schema may be nested.
const DEEPEST: usize = 64;

/// Parts of a schema, and which of them lead to which.
#[derive(Default)]
struct Parts<'s> {
    known: HashMap<*const Value, usize>,
    parts: Vec<Part<'s>>,
}

struct Part<'s> {
    value: &'s Value,
    /// The parts beneath it and the part it refers to.
    leads_to: Vec<usize>,
}

/// Fails where the schema refers to anything outside, or would take too long.
pub(super) fn bounded(schema: &Value) -> Result<(), String> {
    let mut parts = Parts::default();
    parts.add(schema, 0)?;
    for part in 0..parts.parts.len() {
        parts.follow(schema, part)?;
    }
    let endless = parts.count()?;
    parts.check_loops(&endless)
}

impl<'s> Parts<'s> {
    fn add(&mut self, value: &'s Value, depth: usize) -> Result<usize, String> {
        if depth > DEEPEST {
            return Err(format!("it is nested deeper than {DEEPEST} levels"));
        }
        let index = self.parts.len();
        self.known.insert(std::ptr::from_ref(value), index);
        self.parts.push(Part { value, leads_to: Vec::new() });
        let beneath: Vec<&'s Value> = match value {
            Value::Object(members) => members.values().collect(),
            Value::Array(elements) => elements.iter().collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        };
        for child in beneath.into_iter().filter(|child| child.is_object() || child.is_array()) {
            let child = self.add(child, depth + 1)?;
            self.parts[index].leads_to.push(child);
        }
        Ok(index)
    }

    /// Where a reference leads. Only a pointer into the schema itself is followed.
    fn follow(&mut self, schema: &'s Value, part: usize) -> Result<(), String> {
        let Value::Object(members) = self.parts[part].value else { return Ok(()) };
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(Value::String(reference)) = members.get(key) else { continue };
            let target =
                reference.strip_prefix('#').and_then(|rest| schema.pointer(&unescaped(rest)));
            let target = target.and_then(|target| self.known.get(&std::ptr::from_ref(target)));
            let Some(target) = target else {
                return Err("it refers to something that is not part of it".to_owned());
            };
            let target = *target;
            self.parts[part].leads_to.push(target);
        }
        Ok(())
    }

    /// Counts every part as often as it is reached, from the leaves up. Gives those that lead into a loop.
    fn count(&self) -> Result<Vec<bool>, String> {
        let mut open: Vec<usize> = self.parts.iter().map(|part| part.leads_to.len()).collect();
        let mut led_to_by = vec![Vec::new(); self.parts.len()];
        for (index, part) in self.parts.iter().enumerate() {
            for target in &part.leads_to {
                led_to_by[*target].push(index);
            }
        }
        let mut ready: Vec<usize> = (0..open.len()).filter(|index| open[*index] == 0).collect();
        let mut reached = vec![1_u64; open.len()];
        while let Some(part) = ready.pop() {
            if reached[part] > MOST_PARTS {
                return Err("its parts refer to each other too often".to_owned());
            }
            for parent in &led_to_by[part] {
                reached[*parent] = reached[*parent].saturating_add(reached[part]);
                open[*parent] -= 1;
                if open[*parent] == 0 {
                    ready.push(*parent);
                }
            }
        }
        if open.iter().zip(&reached).any(|(open, reached)| *open > 0 && *reached > MOST_PARTS) {
            return Err("its parts refer to each other too often".to_owned());
        }
        Ok(open.into_iter().map(|open| open > 0).collect())
    }

    /// A loop is fine as long as one thing is never looked at twice by the same part.
    fn check_loops(&self, endless: &[bool]) -> Result<(), String> {
        let loops = |value: &Value| {
            self.known.get(&std::ptr::from_ref(value)).is_some_and(|index| endless[*index])
        };
        for (part, _) in self.parts.iter().zip(endless).filter(|(_, endless)| **endless) {
            let Value::Object(members) = part.value else { continue };
            if ways_back(members, &loops) > 1 {
                return Err("it refers to itself in more than one way".to_owned());
            }
        }
        Ok(())
    }
}

/// In how many ways the same thing may be looked at again. Members beside each other are different things.
fn ways_back(members: &Map<String, Value>, loops: &impl Fn(&Value) -> bool) -> usize {
    let mut apart = false;
    let mut ways = 0;
    for (key, value) in members {
        match key.as_str() {
            // A place for parts; they count where they are used.
            "$defs" | "definitions" => {}
            "$ref" | "$dynamicRef" | "$recursiveRef" => ways += 1,
            "properties" | "additionalProperties" | "items" | "prefixItems" | "additionalItems" => {
                apart |= loops(value);
            }
            _ => {
                ways += match value {
                    Value::Object(inner) if !is_schema_itself(key) => {
                        inner.values().filter(|part| loops(part)).count()
                    }
                    Value::Array(elements) => elements.iter().filter(|part| loops(part)).count(),
                    other => usize::from(loops(other)),
                };
            }
        }
    }
    ways + usize::from(apart)
}

/// Keywords whose object is one schema, not a map of them.
fn is_schema_itself(key: &str) -> bool {
    matches!(
        key,
        "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contentSchema"
    )
}

/// A pointer as it stands in a reference.
fn unescaped(pointer: &str) -> String {
    pointer.replace("%25", "%").replace("%24", "$")
}
