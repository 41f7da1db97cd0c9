//! Whether an answer through awf is the answer of the server.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::{
    servers::{Case, Likeness},
    truth::{difference, texts},
};
use crate::peers::speech::Answer;

/// Whether the server itself answers as its case has it: otherwise equal answers would prove little.
pub(super) fn expected(case: &Case, answer: &Answer) -> Result<()> {
    match (&case.likeness, answer) {
        (Likeness::Refused, Answer::Error(_))
        | (Likeness::Same | Likeness::Kind(_), Answer::Result(_)) => Ok(()),
        (Likeness::Failing, Answer::Result(result)) => {
            let result: Value = serde_json::from_str(result)?;
            ensure!(result["isError"] == true, "it does not fail: {result}");
            Ok(())
        }
        _ => bail!("it answers {answer:?}"),
    }
}

pub(super) fn compare(case: &Case, wanted: &Answer, found: &str) -> Result<()> {
    match (&case.likeness, wanted) {
        (Likeness::Same | Likeness::Failing, Answer::Result(wanted)) => {
            ensure!(wanted == found, "{}", difference(wanted, found));
            Ok(())
        }
        (Likeness::Kind(why), Answer::Result(wanted)) => {
            let (wanted, found) = (kind(wanted)?, kind(found)?);
            ensure!(wanted == found, "{found} instead of {wanted} (compared by kind: {why})");
            Ok(())
        }
        (Likeness::Refused, Answer::Error(message)) => {
            let found: Value = serde_json::from_str(found)?;
            let told = found["isError"] == true && texts(&found).contains(message.as_str());
            ensure!(told, "`{message}` is not told: {found}");
            Ok(())
        }
        (likeness, answer) => bail!("{answer:?} is not {likeness:?}"),
    }
}

/// What is left of a result without its words: the keys, and the kinds of its content.
fn kind(result: &str) -> Result<String> {
    let result: Value =
        serde_json::from_str(result).with_context(|| format!("read the result {result}"))?;
    let keys: Vec<_> = result.as_object().context("an object")?.keys().collect();
    let content = result["content"].as_array().into_iter().flatten();
    let kinds: Vec<_> = content.map(|block| block["type"].as_str()).collect();
    Ok(format!("{keys:?} {kinds:?} {}", result["isError"]))
}

#[cfg(test)]
mod tests;
