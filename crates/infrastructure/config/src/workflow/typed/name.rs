//! Names an author gives: of states, inputs and captured output. They stand in templates, in the paths of steps, in
//! environment variables and on terminals, so they hold nothing that means something there.

use awf_core::{Code, Diagnostic, Located, shown};
use serde_json::{Value, json};

use crate::{
    reader::{Findings, Shape},
    schema::Definitions,
    yaml::Node,
};

/// A name, judged. One that was refused is kept: whoever mentions it is not wrong as well.
#[derive(Clone, Debug)]
pub(crate) struct Name(pub(crate) Located<String>);

impl Name {
    pub(super) fn judged(name: Located<String>, findings: &mut Findings<'_>) -> Self {
        let text = &name.value;
        if text.is_empty() || !text.chars().all(belongs) {
            let message = format!("`{}` cannot be a name", shown(text));
            let finding = Diagnostic::new(Code::ParseInvalidValue, message);
            findings.add_at(finding.hinting("use letters, digits, `_` and `-`"), name.span.clone());
        }
        Self(name)
    }

    /// The schema of a name that is a key.
    pub(super) fn key_schema() -> Value {
        json!({ "pattern": r"^[\p{Alphabetic}\p{N}_-]+$" })
    }
}

fn belongs(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

impl Shape for Name {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        Located::read(node, findings).map(|name| Self::judged(name, findings))
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let text = String::schema(definitions);
        // A number with a point is no name either.
        let whole = json!({ "type": ["string", "integer", "boolean"] });
        json!({ "allOf": [text, whole, Self::key_schema()] })
    }
}
