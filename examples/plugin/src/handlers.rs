//! What the plugin does.

use awf_plugin_sdk::{Call, Failure, Issue, Reply, Step, Workflow};
use serde_json::{Value, json};

pub(crate) fn echo(call: &Call) -> Result<Reply, Failure> {
    let text: Option<String> = call.input("text")?;
    let reply = Reply::text(text.unwrap_or_default());
    Ok(call.inputs().fold(reply, |reply, (name, value)| reply.data(name, value)))
}

pub(crate) fn add(call: &Call) -> Result<Reply, Failure> {
    let (a, b): (i64, i64) = (call.input("a")?, call.input("b")?);
    let sum = a.checked_add(b).ok_or("the sum is too large")?;
    Ok(Reply::text(sum.to_string()).data("sum", sum))
}

pub(crate) fn greet(call: &Call) -> Result<Reply, Failure> {
    let (name, language): (String, String) = (call.input("name")?, call.input("language")?);
    // From the `config` of the plugin, where there is one.
    let mark: Option<String> = call.setting("mark")?;
    let greeting = match language.as_str() {
        "de" => "Guten Tag",
        "en" => "Good day",
        "fr" => "Bonjour",
        other => return Err(format!("nobody here speaks `{other}`").into()),
    };
    call.log(&format!("greeting {name}"));
    Ok(Reply::text(format!("{greeting}, {name}{}", mark.as_deref().unwrap_or("."))))
}

pub(crate) fn delete(call: &Call) -> Result<Reply, Failure> {
    let name: String = call.input("name")?;
    Ok(Reply::text(format!("`{name}` would be gone now")).data("deleted", name))
}

/// A step of `type: example.query`. Its database knows one table, and one query that fails.
pub(crate) fn query(step: &Step) -> Result<Reply, Failure> {
    let config: Value = step.config()?;
    let sql = config.get("sql").and_then(Value::as_str).ok_or("config: `sql` is not given")?;
    if sql.contains("nothing") {
        return Ok(Reply::text("no such table: `nothing`").exit_code(2));
    }
    let rows = json!([{ "id": 1, "name": "ada" }, { "id": 2, "name": "bob" }]);
    Ok(Reply::text(format!("2 rows for step `{}`", step.name()))
        .data("sql", sql)
        .data("rows", rows))
}

pub(crate) fn validate(workflow: &Workflow) -> Result<Vec<Issue>, Failure> {
    let mut issues = Vec::new();
    for step in workflow.steps()? {
        if step.name == "forbidden" {
            let issue = Issue::error("no state may be called `forbidden`");
            issues.push(issue.step(&step.name));
        }
        if step.description.is_empty() {
            let issue = Issue::warning("nobody knows what it is for: describe it");
            issues.push(issue.step(&step.name).field("description"));
        }
    }
    Ok(issues)
}
