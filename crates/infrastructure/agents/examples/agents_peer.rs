//! What the tests of this crate start: `guard` is the guard of their children, `serve` an MCP server with a few tools,
//! `die` one that complains and ends before it says anything.

use std::{env, process::ExitCode};

use awf_mcp::{CallContext, RpcError, Server, ToolReply, handler_fn};
use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};

#[expect(clippy::print_stderr, reason = "complaints are what this one is for")]
fn main() -> ExitCode {
    match env::args().nth(1).as_deref() {
        Some("guard") => awf_process::guard_main(),
        Some("serve") => serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS),
        _ => {
            eprintln!("the run is gone\nand so am I");
            ExitCode::from(3)
        }
    }
}

fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let mut server = Server::new("peer", "1");
    let schema = to_raw_value(&json!({"type": "object"}))?;
    for name in ["echo", "refuse", "stuck", "who"] {
        server.register_tool(name, "", &schema, handler_fn(answer))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (reader, writer) = awf_mcp::stdio()?;
        server.serve(reader, writer).await?;
        Ok(())
    })
}

async fn answer(context: CallContext, arguments: Box<RawValue>) -> Result<ToolReply, RpcError> {
    match context.tool.as_str() {
        "echo" => Ok(ToolReply::text(arguments.get())),
        "who" => Ok(ToolReply::text(&about_me())),
        "stuck" => {
            context.cancellation.cancelled().await;
            Err(RpcError::internal("cancelled"))
        }
        _ => {
            let refusal = json!({
                "content": [{"type": "text", "text": "not today"}],
                "structuredContent": {"code": "ABOVE_CEILING"},
                "isError": true,
            });
            Ok(ToolReply::Complete(to_raw_value(&refusal).unwrap_or_default()))
        }
    }
}

/// Where this process is and what it was given.
#[expect(clippy::disallowed_methods, reason = "what it was started with is the answer")]
fn about_me() -> String {
    let at = env::current_dir().unwrap_or_default();
    let given = |name: &str| env::var(name).unwrap_or_default();
    format!("cwd={} OWN={} OVER={}", at.display(), given("OWN"), given("OVER"))
}
