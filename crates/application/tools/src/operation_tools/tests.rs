//! Operations called as tools: what reaches them, what comes back, and the promises of every source of tools.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use awf_core::{
    Annotations, CallContext, CallIntent, CallSurface, Hint, OperationCall, OperationFailure,
    OperationInput, OperationProvider, OperationResult, OperationSchema, RawJson, RawObject,
    ToolCall, ToolFailure, ToolProvider as _, ToolResult, ToolSource, TraceContext,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::OperationTools;

/// Answers every call alike and remembers it; without an answer it waits to be cancelled.
#[derive(Default)]
struct Fake {
    answer: Option<Result<OperationResult, OperationFailure>>,
    calls: Mutex<Vec<OperationCall>>,
}

#[async_trait]
impl OperationProvider for Fake {
    async fn operations(&self, _: &str) -> Result<Vec<OperationSchema>, OperationFailure> {
        Ok(Vec::new())
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        self.calls.lock().unwrap().push(call.clone());
        if let Some(answer) = &self.answer {
            return answer.clone();
        }
        call.cancel.cancelled().await;
        Err(OperationFailure::Cancelled)
    }
}

impl Fake {
    fn answering(answer: Result<OperationResult, OperationFailure>) -> Arc<Self> {
        Arc::new(Self { answer: Some(answer), ..Self::default() })
    }

    fn fine() -> Arc<Self> {
        Self::answering(Ok(OperationResult { success: true, ..OperationResult::default() }))
    }
}

fn input(name: &str, kind: &str) -> OperationInput {
    OperationInput { name: name.into(), kind: kind.into(), ..OperationInput::default() }
}

fn operation(name: &str, inputs: Vec<OperationInput>) -> (OperationSchema, Annotations) {
    let schema = OperationSchema { name: name.into(), inputs, ..OperationSchema::default() };
    (schema, Annotations::default())
}

/// Plugin `kube` with the operations `apply` and `any`.
fn tools(provider: &Arc<Fake>) -> OperationTools {
    let inputs = vec![
        OperationInput { required: true, ..input("text", "string") },
        input("count", "integer"),
        OperationInput { validation: Some("url".into()), ..input("url", "string") },
        OperationInput { validation: Some("email".into()), ..input("mail", "string") },
        OperationInput { choices: vec![json!("a"), json!("b")], ..input("pick", "string") },
        input("rest", ""),
    ];
    let operations = [operation("apply", inputs), operation("any", Vec::new())];
    OperationTools::new("kube", &operations, provider.clone()).unwrap()
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        name: name.into(),
        arguments: RawJson::parse(arguments).unwrap(),
        intent: CallIntent::Direct,
        context: CallContext::new(CallSurface::Mcp),
        cancel: CancellationToken::new(),
    }
}

fn object(text: &str) -> RawObject {
    RawObject::read(&RawJson::parse(text).unwrap()).unwrap()
}

fn view(result: &ToolResult) -> Value {
    serde_json::from_str(result.raw().get()).unwrap()
}

#[tokio::test]
async fn an_operation_is_listed_with_its_schema_its_outputs_and_the_hints_that_are_set() {
    let schema = OperationSchema {
        name: "delete".into(),
        description: "Deletes a thing".into(),
        inputs: vec![input("name", "string")],
        outputs: vec![("id".into(), "what was deleted".into()), ("raw".into(), String::new())],
        annotations: Annotations::default(),
    };
    let hints = Annotations {
        destructive: Hint::Set(true),
        idempotent: Hint::Set(false),
        open_world: Hint::Malformed,
        ..Annotations::default()
    };
    let tools = OperationTools::new("kube", &[(schema, hints)], Fake::fine()).unwrap();
    let listed = tools.tools().await.unwrap();
    let raw: Value = serde_json::from_str(listed[0].raw().get()).unwrap();
    let expected = json!({
        "name": "delete",
        "description": "Deletes a thing\n\nGives `id`: what was deleted; `raw`",
        "inputSchema": {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "additionalProperties": false,
        },
        "annotations": {"destructiveHint": true, "idempotentHint": false},
    });
    assert_eq!(raw, expected);
    assert_eq!(listed[0].source(), &ToolSource::Plugin("kube".into()));
    assert_eq!(listed[0].annotations().destructive, Hint::Set(true));
}

#[test]
fn an_operation_whose_name_no_tool_can_have_is_refused() {
    let made = OperationTools::new("kube", &[operation("do it", Vec::new())], Fake::fine());
    let error = made.err().unwrap().to_string();
    assert!(error.starts_with("operation `do it`: tool name `do it` must be"), "{error}");
}

#[tokio::test]
async fn arguments_arrive_as_they_were_written() {
    let long = "x\\n$(rm)`;|&<>\\\"'\\u0000".repeat(60_000);
    let rows = [
        r#"{"text":"$(reboot); `x` && \"y\" '\n\t\r\u0000\u001b\ud83d\ude00 é / \/"}"#.to_owned(),
        r#"{"text":"a","count":9007199254740993}"#.to_owned(),
        r#"{"text":"a","count":1000000000000000000000000000000}"#.to_owned(),
        r#"{"text":"a","count":-18446744073709551617}"#.to_owned(),
        r#"{"text":"a","rest":{"f":1.10,"n":123456789012345678901234567890,"z":1,"a":[ 1,2 ]}}"#
            .to_owned(),
        format!(r#"{{"text":"{long}"}}"#),
    ];
    for arguments in rows {
        let provider = Fake::fine();
        let result = tools(&provider).call(call("apply", &arguments)).await.unwrap();
        assert!(!result.is_error(), "{:.300}", result.raw().get());
        let calls = provider.calls.lock().unwrap();
        assert_eq!((calls[0].plugin.as_str(), calls[0].operation.as_str()), ("kube", "apply"));
        assert!(calls[0].inputs == object(&arguments), "{arguments:.300}");
        assert!(calls[0].inputs.clone().into_raw().get() == arguments, "{arguments:.300}");
    }
}

#[tokio::test]
async fn an_operation_that_declares_no_inputs_takes_any() {
    let provider = Fake::fine();
    tools(&provider).call(call("any", r#"{"x":[1]}"#)).await.unwrap();
    assert_eq!(provider.calls.lock().unwrap()[0].inputs, object(r#"{"x":[1]}"#));
}

#[tokio::test]
async fn arguments_that_nobody_could_read_reach_nothing() {
    let provider = Fake::fine();
    let result = tools(&provider).call(call("any", r#"{"a":1,"a":2}"#)).await.unwrap();
    assert!(result.is_error() && result.first_text().unwrap().contains("duplicate key `a`"));
    assert!(provider.calls.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_an_operation_gives_becomes_text_and_structured_content() {
    let data = r#"{"n":9007199254740993,"f":1.10}"#;
    let rows = [
        (true, "out", "", None, json!({"content": "out"})),
        (true, "out", data, None, json!({"content": "out", "data": true})),
        (true, "", data, None, json!({"content": data, "data": true})),
        (true, "", "", None, json!({"content": ""})),
        (false, "", "", Some("broken"), json!({"content": "broken", "error": true})),
        (
            false,
            "out",
            data,
            Some("broken"),
            json!({"content": "broken\n\nout", "error": true, "data": true}),
        ),
        (
            false,
            "",
            "",
            None,
            json!({"content": "the operation failed and gave no reason", "error": true}),
        ),
    ];
    for (success, output, data, error, expected) in rows {
        let given = OperationResult {
            success,
            output: output.into(),
            data: if data.is_empty() { RawObject::default() } else { object(data) },
            error: error.map(str::to_owned),
        };
        let result = tools(&Fake::answering(Ok(given))).call(call("any", "{}")).await.unwrap();
        assert_eq!(result.first_text().as_deref(), expected["content"].as_str());
        assert_eq!(result.is_error(), expected["error"] == true);
        let structured = format!("\"structuredContent\":{data}");
        assert_eq!(
            result.raw().get().contains(&structured),
            expected["data"] == true,
            "{result:?}"
        );
        assert_eq!(view(&result).get("structuredContent").is_some(), expected["data"] == true);
    }
}

#[tokio::test]
async fn a_failure_of_the_plugin_is_a_failure_of_the_call() {
    let rows = [
        (
            OperationFailure::Unknown("kube.any".into()),
            ToolFailure::Unknown { name: "kube.any".into() },
        ),
        (OperationFailure::Cancelled, ToolFailure::Cancelled),
        (
            OperationFailure::Disabled("kube".into()),
            ToolFailure::Unavailable("plugin `kube` is switched off".into()),
        ),
        (OperationFailure::NotStarted("no".into()), ToolFailure::Unavailable("no".into())),
        (OperationFailure::Unavailable("gone".into()), ToolFailure::Unavailable("gone".into())),
    ];
    for (failure, expected) in rows {
        let called = tools(&Fake::answering(Err(failure))).call(call("any", "{}")).await;
        assert_eq!(called.unwrap_err(), expected);
    }
}

#[tokio::test]
async fn the_trace_goes_along() {
    let provider = Fake::fine();
    let trace = TraceContext { traceparent: "00-a-b-01".into(), tracestate: Some("x=1".into()) };
    let mut traced = call("any", "{}");
    traced.context.trace = Some(trace.clone());
    tools(&provider).call(traced).await.unwrap();
    assert_eq!(provider.calls.lock().unwrap()[0].trace, Some(trace));
}

#[tokio::test]
async fn the_promises_of_a_source_of_tools_are_kept() {
    let provider = Arc::new(Fake::default());
    let tools = tools(&provider);
    let names = || async {
        let listed = tools.tools().await.unwrap();
        listed.iter().map(|tool| tool.name().to_string()).collect::<Vec<_>>()
    };
    assert_eq!((names().await, names().await), (vec!["apply".into(), "any".into()], names().await));
    let unknown = tools.call(call("kube_any", "{}")).await.unwrap_err();
    assert_eq!(unknown, ToolFailure::Unknown { name: "kube_any".into() });
    let cancelled = call("any", "{}");
    cancelled.cancel.cancel();
    assert_eq!(tools.call(cancelled).await.unwrap_err(), ToolFailure::Cancelled);
    assert!(provider.calls.lock().unwrap().is_empty());
    let stuck = call("any", "{}");
    let cancel = stuck.cancel.clone();
    let (outcome, ()) = tokio::join!(tools.call(stuck), async move { cancel.cancel() });
    assert_eq!(outcome.unwrap_err(), ToolFailure::Cancelled);
    tools.close().await;
    tools.close().await;
    assert_eq!(names().await.len(), 2);
}
