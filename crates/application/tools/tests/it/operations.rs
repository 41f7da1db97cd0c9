//! Operations of plugins beside other tools, at the router: names that collide, and a call on its way.

use std::sync::Arc;

use async_trait::async_trait;
use awf_core::{
    Annotations, Code, Exposure, IntentPolicy, OperationCall, OperationFailure, OperationInput,
    OperationProvider, OperationResult, OperationSchema, RawJson, Redactor, RefusalCode, ToolCall,
    ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource, TwoKeyValidator,
};
use awf_tools::{OperationTools, Ports, RouterError, ToolRouter, TraceLink};
use serde_json::{Value, json};

use crate::fakes::{definition, direct};

/// Says what it was asked.
struct Echo;

#[async_trait]
impl OperationProvider for Echo {
    async fn operations(&self, _: &str) -> Result<Vec<OperationSchema>, OperationFailure> {
        Ok(Vec::new())
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        let output = format!("{}.{}", call.plugin, call.operation);
        Ok(OperationResult { success: true, output, data: call.inputs, error: None })
    }
}

/// A source that only lists.
struct Listed(ToolSource, Vec<&'static str>);

#[async_trait]
impl ToolProvider for Listed {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.1.iter().map(|name| definition(&self.0, name, &json!({}))).collect())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        Err(ToolFailure::Unknown { name: call.name })
    }

    async fn close(&self) {}
}

fn listed(source: ToolSource, names: &[&'static str]) -> Arc<dyn ToolProvider> {
    Arc::new(Listed(source, names.to_vec()))
}

fn plugin(name: &str, operations: &[&str]) -> Arc<dyn ToolProvider> {
    let operations: Vec<_> = operations
        .iter()
        .map(|name| {
            let schema = OperationSchema { name: (*name).into(), ..OperationSchema::default() };
            (schema, Annotations::default())
        })
        .collect();
    Arc::new(OperationTools::new(name, &operations, Arc::new(Echo)).unwrap())
}

async fn router(sources: Vec<Arc<dyn ToolProvider>>) -> Result<ToolRouter, RouterError> {
    let ports = Ports {
        validator: Arc::new(TwoKeyValidator::new(IntentPolicy::default())),
        log: None,
        redactor: Redactor::new([""; 0]),
        trace: TraceLink::default(),
    };
    ToolRouter::new(sources, Exposure::default(), ports).await
}

#[tokio::test]
async fn an_operation_is_called_by_the_name_it_is_listed_under() {
    let router = router(vec![plugin("kube", &["pod.get", "apply"])]).await.unwrap();
    let names: Vec<String> =
        router.tools().await.unwrap().iter().map(|tool| tool.name().to_string()).collect();
    assert_eq!(names, ["kube_apply", "kube_pod.get"]);
    let result = router.call(direct("kube_pod.get")).await.unwrap();
    assert_eq!(result.first_text().as_deref(), Some("kube.pod.get"));
    let data = r#""structuredContent":{"n":12345678901234567890123}"#;
    assert!(result.raw().get().contains(data), "{result:?}");
}

#[tokio::test]
async fn operations_that_a_model_would_mix_up_with_another_tool_are_a_collision() {
    let rows = [
        (
            vec![listed(ToolSource::Builtin, &["Web_Fetch"]), plugin("web", &["fetch"])],
            "tools `builtin:Web_Fetch` and `web:fetch` would be seen under the same name",
        ),
        (
            vec![plugin("kube", &["pod_get"]), plugin("kube_pod", &["get"])],
            "tools `kube:pod_get` and `kube_pod:get` would be seen under the same name",
        ),
        (
            vec![plugin("kube", &["pod.get", "pod-get"])],
            "tools `kube:pod-get` and `kube:pod.get` would be seen under the same name",
        ),
        (
            vec![plugin("github", &["a"]), listed(ToolSource::Mcp("GitHub".into()), &["b"])],
            "`plugin:github` and `mcp:GitHub` share one namespace",
        ),
        (
            vec![plugin("kube", &["a"]), plugin("kube", &["b"])],
            "`plugin:kube` and `plugin:kube` share one namespace",
        ),
    ];
    for (sources, message) in rows {
        let Err(RouterError::Collision(error)) = router(sources).await else {
            panic!("no collision: {message}")
        };
        assert_eq!((error.code(), error.to_string().as_str()), (Code::NameCollision, message));
    }
}

#[tokio::test]
async fn wrong_arguments_are_refused_before_the_plugin_hears_of_them() {
    let input = |name: &str, kind: &str, validation: Option<&str>| OperationInput {
        name: name.into(),
        kind: kind.into(),
        validation: validation.map(str::to_owned),
        ..OperationInput::default()
    };
    let schema = OperationSchema {
        name: "apply".into(),
        inputs: vec![input("n", "string", None), input("url", "string", Some("url"))],
        ..OperationSchema::default()
    };
    let tools = OperationTools::new("kube", &[(schema, Annotations::default())], Arc::new(Echo));
    let router = router(vec![Arc::new(tools.unwrap())]).await.unwrap();
    for (arguments, path) in [(r#"{"n":1}"#, "/n"), (r#"{"url":"no url"}"#, "/url")] {
        let arguments = RawJson::parse(arguments).unwrap();
        let call = ToolCall { arguments, ..direct("kube_apply") };
        let answer = router.judge_and_call(call).await.unwrap();
        assert_eq!(answer.refusal.unwrap().code, RefusalCode::InvalidArguments);
        let result: Value = serde_json::from_str(answer.result.raw().get()).unwrap();
        let told = &result["structuredContent"];
        assert_eq!(
            (&told["code"], &told["details"]["path"]),
            (&json!("INVALID_ARGUMENTS"), &json!(path))
        );
        assert_eq!(told["details"]["tool"], "kube:apply");
        assert_eq!(told["details"]["schema"]["properties"]["n"]["type"], "string");
        assert!(
            result["content"][0]["text"].as_str().unwrap().contains("the arguments must fit: {")
        );
    }
}
