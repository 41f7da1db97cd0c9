//! The client against our own server, in both eras.

use std::sync::Arc;

use awf_mcp::{
    Client, ClientError, ClientOptions, Era, Opening, RpcError, Server, ToolHandler, ToolReply,
    ToolRequest, handler_fn,
};
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const TOOL: &str = r#"{"zeta":1180591620717411303424,"name":"t","inputSchema":{"b":1.10,"a":2}}"#;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

async fn connect(handler: Arc<dyn ToolHandler>, opening: Opening) -> Client {
    let mut server = Server::new("test", "1");
    server.register_raw(raw(TOOL), handler).unwrap();
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        let (reader, writer) = tokio::io::split(theirs);
        server.serve(reader, writer).await
    });
    let (reader, writer) = tokio::io::split(ours);
    let options = ClientOptions { opening, ..ClientOptions::new("client", "2") };
    Client::connect(reader, writer, options).await.unwrap()
}

#[tokio::test]
async fn both_eras_list_and_call_without_loss() {
    const ARGUMENTS: &str = r#"{"z":1180591620717411303424,"a":1.10}"#;
    for (opening, era, version) in [
        (Opening::LegacyFirst, Era::Legacy, "2025-11-25"),
        (Opening::Modern, Era::Modern, "2026-07-28"),
    ] {
        let handler = handler_fn(|context, arguments| async move {
            assert_eq!(context.client.unwrap().name, "client");
            let meta = context.meta.unwrap();
            assert!(meta.get().contains(r#""traceparent":"00-1""#), "{meta}");
            let body = format!(r#"{{"era":"{:?}","echo":{arguments}}}"#, context.era);
            Ok(ToolReply::Complete(RawValue::from_string(body).unwrap()))
        });
        let client = connect(handler, opening).await;
        let server = client.server();
        assert_eq!((server.era, server.version.as_str()), (era, version));
        assert_eq!(server.implementation.as_ref().unwrap().name, "test");
        let tools = client.list_tools().await.unwrap();
        assert_eq!(tools.iter().map(|tool| tool.get()).collect::<Vec<_>>(), [TOOL]);
        // What a modern peer of ours said of itself must not be passed on as if we had said it.
        let meta =
            raw(r#"{"traceparent":"00-1","io.modelcontextprotocol/protocolVersion":"2099-01-01"}"#);
        let arguments = raw(ARGUMENTS);
        let request = ToolRequest { name: "t", arguments: &arguments, meta: Some(&meta) };
        let result = client.call_tool(request, &CancellationToken::new()).await.unwrap();
        let echo = format!(r#""era":"{era:?}","echo":{ARGUMENTS}}}"#);
        assert!(result.get().ends_with(&echo), "{result}");
        client.close().await;
    }
}

#[tokio::test]
async fn an_error_keeps_its_code_and_data() {
    let handler = handler_fn(|_, _| async {
        Err(RpcError {
            data: Some(raw(r#"{"n":1180591620717411303424}"#)),
            ..RpcError::new(-32010, "no")
        })
    });
    let client = connect(handler, Opening::LegacyFirst).await;
    let request = ToolRequest { name: "t", arguments: &raw("{}"), meta: None };
    match client.call_tool(request, &CancellationToken::new()).await {
        Err(ClientError::Refused(error)) => {
            assert_eq!((error.code, &*error.message), (-32010, "no"));
            assert_eq!(error.data.unwrap().get(), r#"{"n":1180591620717411303424}"#);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn cancelling_and_dropping_both_reach_the_tool() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let handler = handler_fn(move |context, _| {
        let tell = tell.clone();
        async move {
            tell.send("begun").unwrap();
            context.cancellation.cancelled().await;
            tell.send("cancelled").unwrap();
            Ok(ToolReply::text(""))
        }
    });
    let client = connect(handler, Opening::LegacyFirst).await;
    let arguments = raw("{}");
    let request = ToolRequest { name: "t", arguments: &arguments, meta: None };

    let cancellation = CancellationToken::new();
    let cancel_once_begun = async {
        assert_eq!(told.recv().await, Some("begun"));
        cancellation.cancel();
    };
    let (outcome, ()) = tokio::join!(client.call_tool(request, &cancellation), cancel_once_begun);
    assert!(matches!(outcome, Err(ClientError::Cancelled)), "{outcome:?}");
    assert_eq!(told.recv().await, Some("cancelled"));

    let never = CancellationToken::new();
    tokio::select! {
        outcome = client.call_tool(request, &never) => panic!("{outcome:?}"),
        begun = told.recv() => assert_eq!(begun, Some("begun")),
    }
    assert_eq!(told.recv().await, Some("cancelled"));
}
