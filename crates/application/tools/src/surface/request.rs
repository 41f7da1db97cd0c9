//! From the arguments of a variant to the call they ask for. Nothing is refused here: what cannot be read is passed on as
//! such, for the router alone decides which fault a caller hears of first.

use std::fmt;

use awf_core::{CallIntent, RawJson, Statement, ToolCall, Variant, shown};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// What a call through `variant` asks for.
pub(super) fn inner(variant: Variant, call: ToolCall) -> ToolCall {
    let fields: Fields = serde_json::from_str(call.arguments.get()).unwrap_or_default();
    let Given { arguments, misread } = given(&fields);
    let misread = fields.fault().or(misread);
    let statement = Statement {
        nested: fields.get("intent").cloned(),
        operation_type: fields.get("intent_operation_type").cloned(),
        data_sensitivity: fields.get("intent_data_sensitivity").cloned(),
        reason: fields.get("intent_reason").cloned(),
        misread,
    };
    ToolCall {
        name: name(fields.get("name")),
        arguments,
        intent: CallIntent::Stated { variant, statement: Box::new(statement) },
        ..call
    }
}

/// A name that is no text is kept as it was written: no address looks like it.
fn name(raw: Option<&RawJson>) -> String {
    let Some(raw) = raw else { return String::new() };
    match serde_json::from_str::<Option<String>>(raw.get()) {
        Ok(text) => text.unwrap_or_default(),
        Err(_) => raw.get().to_owned(),
    }
}

/// The arguments of the tool, or what was given in their place.
struct Given {
    arguments: RawJson,
    misread: Option<String>,
}

fn given(fields: &Fields) -> Given {
    let present = |key: &str| fields.get(key).filter(|value| value.get() != "null");
    let read = |arguments: RawJson| Given { arguments, misread: None };
    let misread = |arguments: RawJson, reason: String| Given { arguments, misread: Some(reason) };
    let text = present("args_json").filter(|text| text.get() != "\"\"");
    match (present("args"), text) {
        (None, None) => read(RawJson::empty_object()),
        (Some(args), None) => read(args.clone()),
        (None, Some(text)) => match serde_json::from_str::<String>(text.get()) {
            Err(_) => misread(text.clone(), "`args_json` must be a string".to_owned()),
            Ok(json) => match RawJson::parse(json) {
                Ok(arguments) => read(arguments),
                Err(error) => misread(text.clone(), format!("`args_json` is {error}")),
            },
        },
        (Some(args), Some(text)) => {
            let both = format!(r#"{{"args":{},"args_json":{}}}"#, args.get(), text.get());
            let both = RawJson::parse(both).unwrap_or_else(|_| RawJson::empty_object());
            misread(both, "give `args` or `args_json`, not both".to_owned())
        }
    }
}

/// The members of an object. Of a key that is given twice the first one counts, and the call goes nowhere; nor does one with
/// a key that nobody looks at, for arguments under a wrong name would be left behind.
#[derive(Default)]
struct Fields {
    members: Vec<(String, RawJson)>,
    twice: Option<String>,
    unknown: Option<String>,
}

impl Fields {
    fn get(&self, key: &str) -> Option<&RawJson> {
        self.members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn fault(&self) -> Option<String> {
        let twice = self.twice.as_ref().map(|key| format!("`{}` is given twice", shown(key)));
        let unknown = self.unknown.as_ref().map(|key| {
            let key = shown(key);
            format!("`{key}` is not known beside `name`; what the tool is to get goes into `args`")
        });
        twice.or(unknown)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if !KNOWN.contains(&key.as_str()) {
                        fields.unknown.get_or_insert(key);
                    } else if fields.get(&key).is_some() {
                        fields.twice.get_or_insert(key);
                    } else {
                        fields.members.push((key, RawJson::from(value)));
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// What a variant looks at.
const KNOWN: [&str; 7] = [
    "name",
    "args",
    "args_json",
    "intent",
    "intent_operation_type",
    "intent_data_sensitivity",
    "intent_reason",
];

#[cfg(test)]
mod tests;
