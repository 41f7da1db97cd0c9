//! All that a host asks of a plugin, of the example.

use std::{fs, os::unix::fs::PermissionsExt as _};

use awf_plugin_sdk::wire::{
    health::{
        HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
    },
    host::{grpc_stdio_client::GrpcStdioClient, stdio_data},
    v1::{
        ExecuteStepRequest, GetInfoRequest, InitRequest, ListOperationsRequest,
        ListStepTypesRequest, Severity, ValidateStepRequest, ValidateWorkflowRequest,
        operation_service_client::OperationServiceClient,
        plugin_service_client::PluginServiceClient,
        step_type_service_client::StepTypeServiceClient,
        validator_service_client::ValidatorServiceClient,
    },
};
use serde_json::json;
use tonic::Code;

use crate::host::{Credentials, EXAMPLE, Started, channel, signal};

#[tokio::test]
async fn it_is_known_as_a_plugin_of_go_is() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let certificate = &host.handshake.certificate;
    let has = |part: &[u8]| certificate.windows(part.len()).any(|window| window == part);
    assert!(has(&[0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23]), "its key is on P-521");
    let authority = [0x55, 0x1d, 0x13, 0x01, 0x01, 0xff, 0x04, 0x05, 0x30, 0x03, 0x01, 0x01, 0xff];
    assert!(has(&authority), "it is marked as an authority");
    assert!(!host.started.line.contains('='), "base64 is not padded");
    let mode = fs::metadata(&host.handshake.socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut health = HealthClient::new(host.channel.clone());
    let ask = |service: &str| HealthCheckRequest { service: service.to_owned() };
    let answer = health.check(ask("plugin")).await.unwrap().into_inner();
    assert_eq!(answer.status(), ServingStatus::Serving);
    assert_eq!(health.check(ask("other")).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn it_tells_what_it_offers() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let mut plugin = PluginServiceClient::new(host.channel.clone());
    let info = plugin.get_info(GetInfoRequest {}).await.unwrap().into_inner();
    assert_eq!(info.name, "example");
    assert_eq!(info.capabilities, ["operations", "step_types", "validators"]);
    let mut operations = OperationServiceClient::new(host.channel.clone());
    let listed = operations.list_operations(ListOperationsRequest {}).await.unwrap().into_inner();
    let names: Vec<_> = listed.operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(names, ["echo", "add", "greet", "delete"]);
    let greet = &listed.operations[2];
    assert_eq!(greet.inputs[1].default, "en");
    assert_eq!(greet.inputs[1].choices, [b"\"de\"", b"\"en\"", b"\"fr\""]);
    assert_eq!(greet.annotations.unwrap().read_only, Some(true));
    assert_eq!(listed.operations[3].annotations.unwrap().destructive, Some(true));
}

#[tokio::test]
async fn values_come_back_to_the_last_digit() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let long = format!("\"{}\"", "é".repeat(500_000));
    let inputs = [
        ("big", "123456789012345678901234567890"),
        ("exact", "1.10"),
        ("object", r#"{"b":  [1,2], "a":null}"#),
        ("text", r#""$(x) `y` | \n \u00e9 \"q\"""#),
        ("long", &long),
    ];
    let answer = host.execute("echo", &inputs).await.unwrap();
    assert!(answer.success, "{}", answer.error);
    assert_eq!(answer.output, "$(x) `y` | \n é \"q\"");
    for (name, json) in inputs {
        assert!(answer.data[name] == json.as_bytes(), "{name} was altered");
    }
}

#[tokio::test]
async fn what_goes_wrong_is_an_answer() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let sum = host.execute("add", &[("a", "40"), ("b", "2")]).await.unwrap();
    assert_eq!((sum.output.as_str(), sum.data["sum"].as_slice()), ("42", b"42".as_slice()));
    for (operation, inputs, error) in [
        ("add", [("a", "1")].as_slice(), "input `b` is not given"),
        ("add", &[("a", "1"), ("b", "9223372036854775807")], "the sum is too large"),
        ("greet", &[("name", "\"Ada\""), ("language", "\"la\"")], "nobody here speaks `la`"),
        ("subtract", &[], "no operation `subtract`"),
    ] {
        let answer = host.execute(operation, inputs).await.unwrap();
        assert_eq!((answer.success, answer.error.as_str()), (false, error));
    }
}

#[tokio::test]
async fn settings_and_defaults_reach_a_handler_and_its_log_the_host() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let config = [("mark".to_owned(), b"\"!\"".to_vec())].into();
    PluginServiceClient::new(host.channel.clone()).init(InitRequest { config }).await.unwrap();
    let answer = host.execute("greet", &[("name", "\"Ada\"")]).await.unwrap();
    assert_eq!(answer.output, "Good day, Ada!");
    let mut stdio = GrpcStdioClient::new(host.channel.clone());
    let mut lines = stdio.stream_stdio(()).await.unwrap().into_inner();
    let said = lines.message().await.unwrap().unwrap();
    assert_eq!(said.channel(), stdio_data::Channel::Stderr);
    assert_eq!(said.data, b"greeting Ada\n");
    host.shut_down().await;
    assert_eq!(lines.message().await.unwrap(), None);
}

#[tokio::test]
async fn a_step_of_its_own_type_is_taken() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let mut steps = StepTypeServiceClient::new(host.channel.clone());
    let listed = steps.list_step_types(ListStepTypesRequest {}).await.unwrap().into_inner();
    assert_eq!(listed.step_types[0].name, "query");
    for (config, output, exit_code) in [
        (r#"{"sql":"select 1"}"#, "2 rows for step `ask`", 0),
        (r#"{"sql":"select nothing"}"#, "no such table: `nothing`", 2),
        ("{}", "config: `sql` is not given", 1),
    ] {
        let request = ExecuteStepRequest {
            step_name: "ask".to_owned(),
            step_type: "query".to_owned(),
            config: config.as_bytes().to_vec(),
            inputs: Vec::new(),
        };
        let answer = steps.execute_step(request).await.unwrap().into_inner();
        assert_eq!((answer.output.as_str(), answer.exit_code), (output, exit_code));
        assert!(answer.data.starts_with(b"{"));
    }
}

#[tokio::test]
async fn a_workflow_is_looked_at() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let mut validators = ValidatorServiceClient::new(host.channel.clone());
    let as_go_writes_it = json!({ "Name": "w", "Steps": {
        "build": { "Name": "build", "Type": "command", "Description": "" },
        "forbidden": { "Name": "forbidden", "Description": "why not" },
    } });
    let as_yaml_has_it = json!({ "states": { "build": { "type": "step" },
        "forbidden": { "description": "why not" } } });
    for workflow in [as_go_writes_it, as_yaml_has_it] {
        let workflow_json = workflow.to_string().into_bytes();
        let request = ValidateWorkflowRequest { workflow_json: workflow_json.clone() };
        let found = validators.validate_workflow(request).await.unwrap().into_inner().issues;
        let found: Vec<_> = found
            .iter()
            .map(|issue| (issue.severity(), issue.step.as_str(), issue.field.as_str()))
            .collect();
        let wanted =
            [(Severity::Warning, "build", "description"), (Severity::Error, "forbidden", "")];
        assert_eq!(found, wanted);
        let request = ValidateStepRequest { workflow_json, step_name: "forbidden".to_owned() };
        let found = validators.validate_step(request).await.unwrap().into_inner().issues;
        assert_eq!(found, []);
    }
}

#[tokio::test]
async fn it_serves_one_host_alone_and_leaves_nothing() {
    let host = Started::connect(EXAMPLE, &[]).await;
    let stranger = match channel(&host.handshake, &Credentials::fresh()).await {
        // In TLS 1.3 a client learns only with its first answer that it was refused.
        Ok(channel) => {
            let request = HealthCheckRequest::default();
            HealthClient::new(channel).check(request).await.is_err()
        }
        Err(_) => true,
    };
    assert!(stranger, "another certificate was taken");
    assert!(host.execute("add", &[("a", "1"), ("b", "1")]).await.unwrap().success);
    let socket = host.handshake.socket.clone();
    assert!(socket.exists() && socket.starts_with(host.started.folder.path()));
    let started = host.shut_down().await;
    assert!(!socket.exists() && started.folder.path().exists());
}

#[tokio::test]
async fn an_interrupt_is_for_the_host_and_a_termination_for_the_plugin() {
    let host = Started::connect(EXAMPLE, &[]).await;
    signal("INT", &host.started.child.id().to_string());
    assert!(host.execute("add", &[("a", "1"), ("b", "1")]).await.unwrap().success);
    host.shut_down().await;
    let mut host = Started::connect(EXAMPLE, &[]).await;
    signal("TERM", &host.started.child.id().to_string());
    assert!(host.started.child.wait().unwrap().success());
    assert!(!host.handshake.socket.exists());
}
