//! Codex's code mode: one tool runs JavaScript, and the others are functions in it. Which there are is known only inside.

use serde_json::Value;

/// Stands before the list of callable tools in what a script says.
const MARK: &str = "callable here: ";

/// A script that says what can be called and then calls the tool whose name ends in `wanted`.
pub(in crate::models) fn calling(wanted: &str, argument: &Value) -> String {
    let wanted = Value::from(wanted);
    format!(
        r#"const names = ALL_TOOLS.map((tool) => tool.name);
text("{MARK}" + JSON.stringify(names) + "\n");
const name = names.find((name) => name === {wanted} || name.endsWith("_" + {wanted}));
if (name === undefined) {{
  text("no tool can be called whose name ends in " + {wanted});
}} else {{
  const result = await tools[name]({argument});
  text(typeof result === "string" ? result : JSON.stringify(result));
}}
"#
    )
}

/// The names in what a script said.
pub(in crate::models) fn callable(said: &str) -> Vec<String> {
    let Some((_, list)) = said.split_once(MARK) else { return Vec::new() };
    let mut values = serde_json::Deserializer::from_str(list).into_iter::<Vec<String>>();
    values.next().and_then(Result::ok).unwrap_or_default()
}
