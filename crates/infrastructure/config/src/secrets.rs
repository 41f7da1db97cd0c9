//! What a file holds secret, read so that nothing of it is repeated: a file that is wrong has its lines shown, and the
//! secrets beside the mistake stay where they are.

use awf_core::{GivenBy, secrets_in, shown};

use crate::{
    reader::{CONFIG, Findings},
    yaml::{Node, NodeValue, parse_tree},
};

/// The values in `text` that nobody but their program may see. Of a text that is no YAML it is every word that looks like
/// nothing but a key: which of them stand behind `env`, nobody can say.
pub fn secrets_of_file(text: &str) -> Vec<String> {
    if let Some(tree) = parse_tree(text, &mut Findings::new("", &CONFIG, "the file")) {
        return of_value(&tree, GivenBy::Environment, "");
    }
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"-_.~+".contains(c));
    words.flat_map(|word| secrets_in(GivenBy::Setting, "", word)).collect()
}

fn of_value(node: &Node, by: GivenBy, name: &str) -> Vec<String> {
    match &node.value {
        NodeValue::Map(entries) => {
            let each = entries.iter().flat_map(|entry| {
                let by = match entry.key.as_str() {
                    "headers" => GivenBy::Header,
                    "env" | "config" | "url" => GivenBy::Setting,
                    _ => by,
                };
                of_value(&entry.value, by, &entry.key)
            });
            each.collect()
        }
        NodeValue::List(items) => items.iter().flat_map(|item| of_value(item, by, name)).collect(),
        // Where a template or a variable brings the secret, the file does not hold it.
        NodeValue::Scalar(scalar) if scalar.text.contains("{{") || scalar.text.contains("${") => {
            Vec::new()
        }
        NodeValue::Scalar(scalar) => {
            let mut secrets = secrets_in(by, name, &scalar.text);
            secrets.extend(beginning(&scalar.text, &secrets));
            secrets
        }
    }
}

/// What is left of a secret where a message cuts the text it stands in: half of one would not be recognised.
fn beginning(text: &str, secrets: &[String]) -> Option<String> {
    let (cut, whole) = (shown(text), text.find(secrets.first()?)?);
    let kept = cut.strip_suffix('…')?;
    kept.get(whole..).map(str::to_owned)
}

#[cfg(test)]
mod tests;
