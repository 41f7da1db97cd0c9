//! Steps that a plugin takes.

use std::{sync::Arc, time::Instant};

use awf_core::{
    Code, OperationCall, OperationFailure, OperationProvider, OperationResult, OperationSchema,
    OperationState, StepError, StepResult, StepStatus, Tree, nearest, shown,
};
use awf_tools::{check_inputs, typed_input};
use futures_util::FutureExt as _;
use serde_json::{Map, Value};

use crate::{
    engine::{
        OutputStream,
        bench::{Bench, Job},
        patience::{Ended, within},
        render::values,
    },
    machine,
};

/// An operation, ready to be used.
struct Order {
    operations: Arc<dyn OperationProvider>,
    /// Without its inputs.
    call: OperationCall,
    inputs: Map<String, Value>,
    /// The inputs that a template gave.
    rendered: Vec<String>,
}

/// Why an operation gave nothing.
enum Trouble {
    Failed(OperationFailure),
    /// It was not asked at all.
    Refused(StepError),
}

impl From<OperationFailure> for Trouble {
    fn from(failure: OperationFailure) -> Self {
        Self::Failed(failure)
    }
}

pub(super) fn step(bench: &Bench<'_>, state: &OperationState) -> Result<Job, StepError> {
    let name = &state.operation.value;
    let Some((plugin, operation)) = name.split_once('.') else {
        let message = format!("no operation `{}`", shown(name));
        return Err(StepError { code: Code::OperationUnknown, message });
    };
    let cancel = bench.cancel.child_token();
    let call = OperationCall {
        plugin: plugin.to_owned(),
        operation: operation.to_owned(),
        inputs: Map::new().into(),
        trace: bench.trace.clone(),
        cancel: cancel.clone(),
    };
    let rendered = state.inputs.iter().filter(|(_, tree)| is_template(tree));
    let order = Order {
        operations: bench.ports.operations.clone(),
        call,
        inputs: values(&state.inputs, &bench.view)?,
        rendered: rendered.map(|(key, _)| key.value.clone()).collect(),
    };
    let (timeout, mut speaker) = (bench.timeout(), bench.speaker(OutputStream::Stdout));
    let work = async move {
        let began = Instant::now();
        let answer = within(timeout, &cancel, order.carried_out()).await;
        let result = told(answer);
        speaker.say(&result.output);
        StepResult { elapsed: began.elapsed(), ..result }
    };
    Ok(Job { work: work.boxed(), provider: None })
}

fn is_template(tree: &Tree) -> bool {
    match tree {
        Tree::Text(text) => text.value.contains("{{"),
        Tree::Plain(_) | Tree::List(..) | Tree::Map(..) => false,
    }
}

impl Order {
    /// Asks for nothing that the operation does not take: a file can say what a template gives only when it runs.
    async fn carried_out(mut self) -> Result<OperationResult, Trouble> {
        let known = self.known().await?;
        let (plugin, name) = (&self.call.plugin, &self.call.operation);
        let schema = known.iter().find(|schema| schema.name == *name);
        // One that lists none says itself what it makes of the call.
        if schema.is_none() && !known.is_empty() {
            return Err(Trouble::Refused(unknown(plugin, name, &known)));
        }
        let inputs = match schema {
            Some(schema) => typed(schema, self.inputs, &self.rendered),
            None => self.inputs,
        };
        self.call.inputs = inputs.into();
        if let Some(Err(why)) = schema.map(|schema| check_inputs(schema, &self.call.inputs)) {
            let (plugin, name) = (shown(&self.call.plugin), shown(&self.call.operation));
            let message = format!("the inputs do not fit operation `{plugin}.{name}`: {why}");
            return Err(Trouble::Refused(StepError { code: Code::OperationFailed, message }));
        }
        Ok(self.operations.execute(self.call).await?)
    }

    /// What the plugin has. It may have to be started, which nobody waits for who wants no answer any more.
    async fn known(&self) -> Result<Vec<OperationSchema>, OperationFailure> {
        let (plugin, name) = (&self.call.plugin, &self.call.operation);
        let asked = self.operations.operations(plugin);
        let known = self.call.cancel.run_until_cancelled(asked).await;
        known.unwrap_or(Err(OperationFailure::Cancelled)).map_err(|failure| match failure {
            OperationFailure::Unknown(_) => {
                OperationFailure::Unknown(shown(&format!("{plugin}.{name}")))
            }
            failure @ (OperationFailure::Disabled(_)
            | OperationFailure::Altered(_)
            | OperationFailure::NotStarted(_)
            | OperationFailure::Handshake(_)
            | OperationFailure::Unavailable(_)
            | OperationFailure::Cancelled) => failure,
        })
    }
}

/// The inputs in the types of the operation, as far as templates gave them; what stands in the file is as it stands.
fn typed(
    schema: &OperationSchema,
    inputs: Map<String, Value>,
    rendered: &[String],
) -> Map<String, Value> {
    let typed = inputs.into_iter().filter_map(|(name, value)| {
        let value = if value.is_null() || rendered.contains(&name) {
            typed_input(schema, &name, value)?
        } else {
            value
        };
        Some((name, value))
    });
    typed.collect()
}

fn unknown(plugin: &str, name: &str, known: &[OperationSchema]) -> StepError {
    let near = nearest(name, known.iter().map(|schema| schema.name.as_str()));
    let near = near.first().map(|near| format!("; did you mean `{}`?", shown(near)));
    let (plugin, name, near) = (shown(plugin), shown(name), near.unwrap_or_default());
    let message = format!("plugin `{plugin}` has no operation `{name}`{near}");
    StepError { code: Code::OperationUnknown, message }
}

fn told(answer: Ended<Result<OperationResult, Trouble>>) -> StepResult {
    let fail = |code, message| machine::failed(StepError { code, message });
    match answer {
        Ended::Late(error) | Ended::ByItself(Err(Trouble::Refused(error))) => {
            machine::failed(error)
        }
        Ended::Cancelled | Ended::ByItself(Err(Trouble::Failed(OperationFailure::Cancelled))) => {
            machine::finished(StepStatus::Cancelled, 130)
        }
        Ended::ByItself(Ok(result)) => {
            let ended = if result.success {
                machine::finished(StepStatus::Completed, 0)
            } else {
                let message = result.error.unwrap_or_else(|| "the operation failed".to_owned());
                fail(Code::OperationFailed, message)
            };
            StepResult { output: result.output, response: result.data.to_map(), ..ended }
        }
        Ended::ByItself(Err(Trouble::Failed(failure))) => fail(failure.code(), failure.to_string()),
    }
}
