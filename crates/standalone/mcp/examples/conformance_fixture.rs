//! A server over stdio with the tools that the official MCP conformance suite calls.
//!
//! ```sh
//! cargo run -p awf-mcp --example conformance_fixture
//! ```

use std::{sync::Arc, time::Duration};

use awf_mcp::{
    CallContext, ProgressUpdate, RpcError, Server, ToolHandler, ToolReply, code, handler_fn, stdio,
};
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A WAV file without samples.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = fixture()?;
    let (reader, writer) = stdio()?;
    server.serve(reader, writer).await?;
    Ok(())
}

fn fixture() -> Result<Server, Box<dyn std::error::Error>> {
    let text = |text: &str| json!({"type": "text", "text": text});
    let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
    let resource = |uri: &str, mime: &str, body: &str| json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": body}});
    let fixed = [
        ("test_simple_text", json!([text("This is a simple text response for testing.")])),
        ("test_image_content", json!([image])),
        ("test_audio_content", json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}])),
        (
            "test_embedded_resource",
            json!([resource(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content."
            )]),
        ),
        (
            "test_multiple_content_types",
            json!([
                text("Multiple content types test:"),
                image,
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    r#"{"test":"data","value":123}"#
                ),
            ]),
        ),
    ];
    let empty = to_raw_value(&json!({"type": "object", "properties": {}}))?;
    let mut server = Server::new("awf-mcp-conformance-fixture", env!("CARGO_PKG_VERSION"));
    for (name, content) in fixed {
        server.register_tool(
            name,
            "Gives a fixed answer",
            &empty,
            answering(&json!({"content": content}))?,
        )?;
    }
    let failing = handler_fn(|_, _| async {
        Ok(ToolReply::failure("This tool intentionally returns an error for testing"))
    });
    server.register_tool("test_error_handling", "Always fails", &empty, failing)?;
    server.register_tool(
        "test_tool_with_progress",
        "Reports progress",
        &empty,
        handler_fn(with_progress),
    )?;
    server.register_tool(
        "test_missing_capability",
        "Needs sampling",
        &empty,
        handler_fn(needs_sampling),
    )?;
    server.register_raw(json_schema_tool()?, handler_fn(echo))?;
    server.register_tool("echo", "Gives back its arguments", &empty, handler_fn(echo))?;
    server.register_tool("sleep", "Answers after `ms` milliseconds", &empty, handler_fn(sleep))?;
    Ok(server)
}

/// A tool whose keywords of JSON Schema 2020-12 must reach the peer untouched.
fn json_schema_tool() -> serde_json::Result<Box<RawValue>> {
    to_raw_value(&json!({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "$anchor": "addressDef",
                    "type": "object",
                    "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
                }
            },
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"},
                "email": {"type": "string"}
            },
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false
        }
    }))
}

fn answering(result: &Value) -> serde_json::Result<Arc<dyn ToolHandler>> {
    let result = to_raw_value(result)?;
    Ok(handler_fn(move |_context, _arguments| {
        let result = result.clone();
        async move { Ok(ToolReply::Complete(result)) }
    }))
}

async fn with_progress(
    context: CallContext,
    _arguments: Box<RawValue>,
) -> Result<ToolReply, RpcError> {
    for step in [0.0, 50.0, 100.0] {
        context.progress.report(
            ProgressUpdate::at(step).of(100.0).saying(&format!("Completed step {step} of 100")),
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(ToolReply::text("Tool with progress executed successfully"))
}

/// Refuses, as the modern era demands, clients that did not declare what the tool would need.
async fn needs_sampling(
    context: CallContext,
    _arguments: Box<RawValue>,
) -> Result<ToolReply, RpcError> {
    let meta: Value =
        context.meta.and_then(|meta| serde_json::from_str(meta.get()).ok()).unwrap_or_default();
    if meta["io.modelcontextprotocol/clientCapabilities"].get("sampling").is_some() {
        return Ok(ToolReply::text("The client can sample"));
    }
    let data = to_raw_value(&json!({"requiredCapabilities": {"sampling": {}}})).ok();
    Err(RpcError {
        data,
        ..RpcError::new(code::MISSING_CAPABILITY, "Missing required client capability: sampling")
    })
}

async fn echo(_context: CallContext, arguments: Box<RawValue>) -> Result<ToolReply, RpcError> {
    Ok(ToolReply::text(arguments.get()))
}

async fn sleep(context: CallContext, arguments: Box<RawValue>) -> Result<ToolReply, RpcError> {
    let arguments: Value = serde_json::from_str(arguments.get())
        .map_err(|error| RpcError::internal(error.to_string()))?;
    let pause = Duration::from_millis(arguments["ms"].as_u64().unwrap_or(1000));
    tokio::select! {
        () = tokio::time::sleep(pause) => Ok(ToolReply::text("slept")),
        () = context.cancellation.cancelled() => Ok(ToolReply::failure("woken")),
    }
}
