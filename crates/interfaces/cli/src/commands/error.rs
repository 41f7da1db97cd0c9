//! `awf error`: what a code means and what to do about it.

use awf_core::{Code, RefusalCode, WarningCode, nearest, shown};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{
    output::Output,
    report::{CommandError, Exit},
    table::Table,
};

mod examples;

use examples::{Example, example};

#[derive(Debug, Args)]
pub(crate) struct ErrorArgs {
    /// A code such as `USER.MCP_PROXY.UNKNOWN_KEY`, or its beginning; without it: all codes
    code: Option<String>,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Text)]
    output: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A code, as printed.
#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    severity: &'static str,
    description: &'static str,
    resolution: &'static str,
    /// The page of its family.
    docs: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<&'static Example>,
}

pub(crate) fn run(args: &ErrorArgs) -> Result<Exit, CommandError> {
    let codes = meant(args.code.as_deref())?;
    let output = Output::stdout();
    match (args.output, codes.as_slice()) {
        (Format::Text, [code]) => output.line(&text(*code))?,
        (Format::Text, codes) => output.line(&table(codes))?,
        (Format::Json, [code]) if args.code.is_some() => output.json(&explanation(*code))?,
        (Format::Json, codes) => {
            output.json(&codes.iter().copied().map(explanation).collect::<Vec<_>>())?;
        }
    }
    Ok(Exit::Ok)
}

/// The code of that name, whole or as refusals have it, else those that begin with it. People type codes in small letters, too.
fn meant(typed: Option<&str>) -> Result<Vec<Code>, CommandError> {
    let Some(typed) = typed else { return Ok(Code::ALL.to_vec()) };
    let wanted = typed.to_uppercase();
    if let Some(code) = Code::parse(&wanted) {
        return Ok(vec![code]);
    }
    // A model sees the word alone.
    if let Some(refusal) = RefusalCode::parse(&wanted) {
        return Ok(vec![refusal.into()]);
    }
    let begins = |code: &&Code| code.as_str().starts_with(&wanted);
    let codes: Vec<Code> = Code::ALL.iter().filter(begins).copied().collect();
    if codes.is_empty() || wanted.is_empty() { Err(unknown(typed)) } else { Ok(codes) }
}

fn unknown(typed: &str) -> CommandError {
    let names = Code::ALL.iter().map(|code| code.as_str());
    let near: Vec<String> =
        nearest(typed, names).into_iter().map(|near| format!("`{near}`")).collect();
    let message = format!("there is no code `{}`", shown(typed));
    let error = CommandError::of(Code::InputInvalidFormat, message);
    if WarningCode::ALL.iter().any(|code| code.as_str().eq_ignore_ascii_case(typed)) {
        return error.hinting("it is a warning: see docs/codes/warnings.md");
    }
    if near.is_empty() {
        return error.hinting("run `awf error` for all codes");
    }
    error.hinting(&format!("did you mean {}?", near.join(" or ")))
}

fn explanation(code: Code) -> Explanation {
    Explanation {
        code: code.as_str(),
        severity: code.severity().as_str(),
        description: code.description(),
        resolution: code.hint(),
        docs: page(code),
        example: example(code),
    }
}

/// The page of a code's family, within the repository.
fn page(code: Code) -> String {
    let family: Vec<&str> = code.as_str().split('.').take(2).collect();
    format!("docs/codes/{}.md", family.join("-").to_lowercase().replace('_', "-"))
}

fn table(codes: &[Code]) -> String {
    let mut table = Table::new(["CODE", "SEVERITY", "MEANING"]);
    for code in codes {
        table.row([code.to_string(), code.severity().as_str().into(), code.description().into()]);
    }
    table.to_string()
}

fn text(code: Code) -> String {
    let Explanation { code, severity, description, resolution, docs, example } = explanation(code);
    let meaning = format!(
        "{code} ({severity})\n\n  what it means  {description}\n  what to do     {resolution}\n  more           {docs}\n"
    );
    let shown = example.map(|example| {
        let (file, output) = (indented(example.workflow), indented(example.output));
        format!("\nexample\n\n{file}\nwhat `awf validate` says of it\n\n{output}")
    });
    meaning + &shown.unwrap_or_default()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}
