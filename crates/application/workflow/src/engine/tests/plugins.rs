//! Steps that a plugin takes, with a plugin that is not one.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use awf_core::{
    Backoff, Code, InputSpec, InputType, OperationCall, OperationFailure, OperationInput,
    OperationProvider, OperationResult, OperationSchema, RawJson, RawObject, Retry, StateKind,
    StepError, StepStatus, StepTypeCall, StepTypeResult,
};
use serde_json::json;

use super::stage::{Stage, with};
use crate::{
    Notice, OutputStream,
    built::{Leading as _, command, custom, input, name, operation, span, tree, workflow},
};

/// A plugin that keeps what it was asked, and answers by its step types.
#[derive(Default)]
struct Fake(Mutex<Vec<String>>);

#[async_trait]
impl OperationProvider for Fake {
    async fn operations(&self, plugin: &str) -> Result<Vec<OperationSchema>, OperationFailure> {
        match plugin {
            "db" => Ok(vec![exec(), named("odd", "moment")]),
            "mute" => Ok(Vec::new()),
            "slow" => std::future::pending().await,
            other => Err(OperationFailure::Unknown(other.to_owned())),
        }
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        if !call.inputs.iter().all(|(name, _)| name == "none") {
            let output = format!("{:?}", call.inputs.into_raw());
            self.0.lock().unwrap().push(output.clone());
            return Ok(OperationResult { success: true, output, ..OperationResult::default() });
        }
        let tries = {
            let mut asked = self.0.lock().unwrap();
            asked.push("execute".to_owned());
            asked.len()
        };
        Ok(OperationResult { success: tries > 1, ..OperationResult::default() })
    }

    async fn execute_step(&self, call: StepTypeCall) -> Result<StepTypeResult, OperationFailure> {
        let asked = format!("{} {} {:?} {:?}", call.plugin, call.step, call.config, call.inputs);
        self.0.lock().unwrap().push(asked);
        let data = RawObject::from_iter([("rows".to_owned(), RawJson::from(json!(2)))]);
        let given = StepTypeResult { output: "two".to_owned(), data, exit_code: 0 };
        match call.step_type.as_str() {
            "query" => Ok(given),
            "fail" => Ok(StepTypeResult { exit_code: 7, ..given }),
            "hang" => {
                call.cancel.cancelled().await;
                Err(OperationFailure::Cancelled)
            }
            other => Err(OperationFailure::Unknown(format!("db.{other}"))),
        }
    }
}

fn named(name: &str, kind: &str) -> OperationSchema {
    let input = |name: &str, kind: &str| OperationInput {
        name: name.to_owned(),
        kind: kind.to_owned(),
        ..OperationInput::default()
    };
    let unit = OperationInput { choices: vec![json!("m"), json!("km")], ..input("unit", "string") };
    let inputs = vec![unit, input("limit", kind), input("text", "string")];
    OperationSchema { name: name.to_owned(), inputs, ..OperationSchema::default() }
}

fn exec() -> OperationSchema {
    named("exec", "integer")
}

fn stage() -> (Stage, Arc<Fake>) {
    let (mut stage, fake) = (Stage::new(), Arc::new(Fake::default()));
    stage.ports.operations = fake.clone();
    (stage, fake)
}

#[tokio::test]
async fn a_step_of_a_plugins_own_type_is_told_its_config_and_gives_values() {
    let (stage, fake) = stage();
    let stage = stage.input("table", "users");
    let query = with(custom("ask", "db.query"), |state| {
        if let StateKind::Custom(custom) = &mut state.kind {
            custom.config = vec![(name("sql"), tree("select from {{.inputs.table}}"))];
        }
    });
    let shown = command("show", "echo {{.states.ask.Response.rows}}{{.states.ask.JSON.rows}}");
    let mut flow = workflow([query.to("show"), shown]);
    flow.inputs = vec![input("table")];
    assert_eq!(stage.run(flow).await.exit_code, 0);
    assert_eq!(
        *fake.0.lock().unwrap(),
        [r#"db ask {"sql":"select from users"} {"table":"users"}"#]
    );
    let said = Notice::Output {
        step: "ask".to_owned(),
        stream: OutputStream::Stdout,
        text: "two".to_owned(),
    };
    assert!(stage.news().contains(&said));
    assert_eq!((stage.output("ask"), stage.output("show")), ("two".to_owned(), "22\n".to_owned()));
}

#[tokio::test]
async fn its_exit_code_is_the_steps_and_its_time_is_bounded() {
    let (failing, _) = stage();
    let finished = failing.run(workflow([custom("ask", "db.fail")])).await;
    let error = finished.error.unwrap();
    assert_eq!((error.code, error.message.as_str()), (Code::OperationFailed, "exit code 7: two"));
    assert_eq!(failing.result("ask").exit_code, 7);

    let (unknown, _) = stage();
    let error = unknown.run(workflow([custom("ask", "db.other")])).await.error.unwrap();
    assert_eq!(error.code, Code::OperationUnknown);

    let (hanging, _) = stage();
    let patient = with(custom("ask", "db.hang"), |state| {
        state.timeout = Some(Duration::from_millis(50));
    });
    let error = hanging.run(workflow([patient])).await.error.unwrap();
    assert_eq!(error.code, Code::CommandTimeout);
}

#[tokio::test]
async fn an_operation_that_fails_is_tried_again() {
    let (stage, fake) = stage();
    let again = with(operation("ask", "db.exec"), |state| {
        state.retry = Some(Retry {
            max_attempts: 3,
            initial_delay: Duration::ZERO,
            max_delay: None,
            backoff: Backoff::Constant,
            multiplier: 1.0,
            jitter: 0.0,
            retryable_exit_codes: Vec::new(),
            span: span(1),
        });
    });
    assert_eq!(stage.run(workflow([again])).await.exit_code, 0);
    assert_eq!(fake.0.lock().unwrap().len(), 2);
    assert_eq!(stage.result("ask").status, StepStatus::Completed);
}

/// What the plugin was asked and what became of a step of it, whose inputs are texts.
async fn used(operation_name: &str, inputs: &[(&str, &str)]) -> (Vec<String>, Option<StepError>) {
    let (stage, fake) = stage();
    let stage = stage.input("u", "mile").input("n", 5).input("t", "7\n");
    let asking = with(operation("ask", operation_name), |state| {
        state.timeout = Some(Duration::from_millis(200));
        if let StateKind::Operation(operation) = &mut state.kind {
            operation.inputs = inputs.iter().map(|(key, text)| (name(key), tree(text))).collect();
        }
    });
    let mut flow = workflow([asking]);
    flow.inputs =
        vec![input("u"), InputSpec { kind: InputType::Integer, ..input("n") }, input("t")];
    let error = stage.run(flow).await.error;
    let said = stage.news().into_iter().filter_map(|notice| match notice {
        Notice::Output { text, .. } => Some(text),
        _ => None,
    });
    assert_eq!(said.collect::<Vec<_>>(), *fake.0.lock().unwrap(), "it gives what it was asked");
    (fake.0.lock().unwrap().clone(), error)
}

#[tokio::test]
async fn what_does_not_fit_an_operation_is_not_sent() {
    let (asked, error) = used("db.exec", &[("unit", "{{.inputs.u}}")]).await;
    let error = error.unwrap();
    assert_eq!(error.code, Code::OperationFailed);
    assert_eq!(
        error.message,
        r#"the inputs do not fit operation `db.exec`: at `/unit`: value is not one of "m" or "km""#
    );
    assert_eq!(asked, [""; 0]);
    let (asked, error) = used("db.exec", &[("limit", "{{.inputs.u}}")]).await;
    assert!(error.unwrap().message.contains("at `/limit`: "));
    assert_eq!(asked, [""; 0]);
    // What stands in the file as text is text.
    let (asked, error) = used("db.exec", &[("limit", "5")]).await;
    assert!(error.unwrap().message.contains("at `/limit`: "));
    assert_eq!(asked, [""; 0]);
}

#[tokio::test]
async fn what_a_template_gives_has_the_type_the_operation_takes() {
    let rows = [
        (("limit", "{{.inputs.n}}"), r#"{"limit":5}"#),
        (("limit", "{{.inputs.t}}"), r#"{"limit":7}"#),
        (("limit", "1{{.inputs.n}}"), r#"{"limit":15}"#),
        (("text", "{{.inputs.n}}"), r#"{"text":"5"}"#),
        (("text", "{{.inputs.t}}"), r#"{"text":"7\n"}"#),
    ];
    for (given, sent) in rows {
        let (asked, error) = used("db.exec", &[given]).await;
        assert_eq!((asked, error), (vec![sent.to_owned()], None), "{given:?}");
    }
    // Of these nothing is known that could be held against them.
    for operation in ["db.odd", "mute.any"] {
        let (asked, error) = used(operation, &[("limit", "{{.inputs.u}}")]).await;
        assert_eq!((asked, error), (vec![r#"{"limit":"mile"}"#.to_owned()], None));
    }
}

#[tokio::test]
async fn an_operation_that_is_not_there_is_not_asked_for() {
    let rows = [
        (
            "db.exce",
            Code::OperationUnknown,
            "plugin `db` has no operation `exce`; did you mean `exec`?",
        ),
        ("other.x", Code::OperationUnknown, "no operation or step type `other.x`"),
        ("slow.x", Code::CommandTimeout, "did not end within 200ms"),
    ];
    for (operation, code, message) in rows {
        let (asked, error) = used(operation, &[]).await;
        let error = error.unwrap();
        assert_eq!((error.code, error.message.as_str()), (code, message));
        assert_eq!(asked, [""; 0]);
    }
}
