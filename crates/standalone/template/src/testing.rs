//! Values to evaluate with, for the tests of both languages.

use serde_json::{Value, json};

use crate::Scope;

pub(crate) struct Values(Value);

impl Values {
    pub(crate) fn of(namespaces: Value) -> Self {
        Self(namespaces)
    }
}

impl Scope for Values {
    fn root(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    fn read_file(&self, path: &str) -> Result<String, String> {
        match path {
            "notes.md" => Ok("the notes".to_owned()),
            "huge" => Ok("x".repeat((1 << 20) + 1)),
            _ => Err("it does not exist".to_owned()),
        }
    }
}

pub(crate) fn values() -> Values {
    Values::of(json!({
        "inputs": {
            "name": "it's", "count": "3", "flag": "true", "env": "prod", "none": null, "empty": "",
            "n": 7, "half": 0.5, "whole": 2.0, "yes": true, "no": false, "my-input": "dashed",
            "files": ["a.rs", "b.rs"], "nothing": [], "csv": " x, y ,z",
            "people": [{"name": "Ada", "age": 36}, {"name": "Bob", "age": 17}],
            "map": {"b": 2, "a": 1}, "path": "notes.md",
        },
        "states": {
            "build": {"Output": "done\n", "ExitCode": 0, "JSON": {"items": [10, 20]}},
            "my-step": {"Output": "42\n", "ExitCode": 1},
            "my": {"Output": "not this"},
        },
        "workflow": {"Name": "ship", "Duration": "2s"},
        "loop": {"Index": 0, "Last": false, "Item": {"id": 5}},
    }))
}
