//! The client against servers that follow a script, most of them badly.

use std::{sync::Arc, time::Duration};

use awf_mcp::{Client, ClientError, ClientOptions, Era, MAX_LINE, ToolRequest};
use serde_json::{Value, value::RawValue};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    sync::mpsc,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

const HANG: Duration = Duration::from_secs(20);

/// The server's end, played by the test.
struct Script {
    input: Lines<BufReader<ReadHalf<DuplexStream>>>,
    output: WriteHalf<DuplexStream>,
}

impl Script {
    async fn next(&mut self) -> Value {
        let line = timeout(HANG, self.input.next_line()).await.unwrap().unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn say(&mut self, line: &str) {
        timeout(HANG, self.output.write_all(format!("{line}\n").as_bytes()))
            .await
            .unwrap()
            .unwrap();
    }

    /// Answers the next request, whose method must be this.
    async fn answer(&mut self, method: &str, body: &str) {
        let request = self.next().await;
        assert_eq!(request["method"], method);
        self.say(&format!(r#"{{{body},"jsonrpc":"2.0","id":{}}}"#, request["id"])).await;
    }

    async fn greet(&mut self) {
        let result = r#""result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#;
        self.answer("initialize", result).await;
        assert_eq!(self.next().await["method"], "notifications/initialized");
    }
}

fn pair() -> (Script, ReadHalf<DuplexStream>, WriteHalf<DuplexStream>) {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    let (reader, writer) = tokio::io::split(ours);
    (Script { input: BufReader::new(input).lines(), output }, reader, writer)
}

async fn connected() -> (Script, Client) {
    let (mut script, reader, writer) = pair();
    let (client, ()) =
        tokio::join!(Client::connect(reader, writer, ClientOptions::new("c", "1")), script.greet());
    (script, client.unwrap())
}

async fn call(client: &Client) -> Result<String, ClientError> {
    let arguments = RawValue::from_string("{}".to_owned()).unwrap();
    let request = ToolRequest { name: "t", arguments: &arguments, meta: None };
    let result = timeout(HANG, client.call_tool(request, &CancellationToken::new())).await.unwrap();
    result.map(|result| result.get().to_owned())
}

#[tokio::test]
async fn falls_back_to_the_modern_era() {
    let (mut script, reader, writer) = pair();
    let serving = async {
        script
            .answer("initialize", r#""error":{"code":-32601,"message":"Method not found"}"#)
            .await;
        script
            .answer(
                "server/discover",
                r#""result":{"supportedVersions":["2026-07-28"],"capabilities":{}}"#,
            )
            .await;
    };
    let (client, ()) =
        tokio::join!(Client::connect(reader, writer, ClientOptions::new("c", "1")), serving);
    let client = client.unwrap();
    assert_eq!(client.server().era, Era::Modern);
    let (outcome, request) = tokio::join!(call(&client), async {
        let request = script.next().await;
        script
            .say(&format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{{"resultType":"input_required"}}}}"#,
                request["id"]
            ))
            .await;
        request
    });
    assert_eq!(request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert!(matches!(outcome, Err(ClientError::InputRequired)), "{outcome:?}");
}

#[tokio::test]
async fn a_version_nobody_speaks_is_an_error() {
    let (mut script, reader, writer) = pair();
    let serving = script.answer("initialize", r#""result":{"protocolVersion":"1999-01-01"}"#);
    let (client, ()) =
        tokio::join!(Client::connect(reader, writer, ClientOptions::new("c", "1")), serving);
    assert!(
        matches!(client, Err(ClientError::UnsupportedVersion { version }) if version == "1999-01-01")
    );
}

#[tokio::test]
async fn follows_pages_and_notices_circles() {
    let (mut script, client) = connected().await;
    let (tools, ()) = tokio::join!(client.list_tools(), async {
        script.answer("tools/list", r#""result":{"tools":[{"name":"a"}],"nextCursor":"2"}"#).await;
        script.answer("tools/list", r#""result":{"tools":[{"name":"b", "x":1.10}]}"#).await;
    });
    let tools: Vec<String> = tools.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(tools, [r#"{"name":"a"}"#, r#"{"name":"b", "x":1.10}"#]);
    let (tools, ()) = tokio::join!(client.list_tools(), async {
        for _ in 0..2 {
            script.answer("tools/list", r#""result":{"tools":[],"nextCursor":"again"}"#).await;
        }
    });
    assert!(
        matches!(tools, Err(ClientError::ListTooLong { reason: "a cursor came back" })),
        "{tools:?}"
    );
}

#[tokio::test]
async fn a_cursor_that_is_no_place_in_a_list_is_not_kept() {
    let (mut script, client) = connected().await;
    let long = "c".repeat(5_000);
    let (tools, ()) = tokio::join!(client.list_tools(), async {
        let page = format!(r#""result":{{"tools":[],"nextCursor":"{long}"}}"#);
        script.answer("tools/list", &page).await;
    });
    assert!(
        matches!(tools, Err(ClientError::ListTooLong { reason: "a cursor of more than 4 KiB" })),
        "{tools:?}"
    );
}

#[tokio::test]
async fn refuses_what_servers_ask_and_answers_pings() {
    let (mut script, _client) = connected().await;
    for method in ["sampling/createMessage", "roots/list", "elicitation/create"] {
        script
            .say(&format!(r#"{{"jsonrpc":"2.0","id":"q","method":"{method}","params":{{}}}}"#))
            .await;
        let answer = script.next().await;
        assert_eq!(
            (&answer["id"], answer["error"]["code"].as_i64()),
            (&Value::from("q"), Some(-32601))
        );
    }
    script.say(r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#).await;
    assert_eq!(script.next().await["result"], serde_json::json!({}));
}

#[tokio::test]
async fn junk_and_strangers_are_ignored() {
    let (mut script, client) = connected().await;
    let (outcome, ()) = tokio::join!(call(&client), async {
        let request = script.next().await;
        for line in [
            "Listening on port 1",
            "",
            r#"{"jsonrpc":"2.0","id":"x","result":{}}"#,
            "[]",
            r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        ] {
            script.say(line).await;
        }
        script
            .say(&format!(
                r#"{{"result":{{"n":1180591620717411303424}},"jsonrpc":"2.0","id":{}}}"#,
                request["id"]
            ))
            .await;
    });
    assert_eq!(outcome.unwrap(), r#"{"n":1180591620717411303424}"#);
}

#[tokio::test]
async fn a_reply_over_the_limits_fails_its_call_and_not_the_session() {
    let (mut script, client) = connected().await;
    let long = "A".repeat(MAX_LINE);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    // The id before the long part, after it, and beside a part that nests too deep.
    for (head, tail) in [
        (r#"{"jsonrpc":"2.0","id":ID,"result":""#.to_owned(), format!(r#"{long}"}}"#)),
        (r#"{"result":""#.to_owned(), format!(r#"{long}","jsonrpc":"2.0","id":ID}}"#)),
        (r#"{"result":"#.to_owned(), format!(r#"{deep},"jsonrpc":"2.0","id":ID}}"#)),
    ] {
        let (outcome, ()) = tokio::join!(call(&client), async {
            let id = script.next().await["id"].to_string();
            script.say(&(head + &tail).replace("ID", &id)).await;
        });
        assert!(matches!(outcome, Err(ClientError::BadReply { .. })), "{outcome:?}");
    }
    let (outcome, ()) = tokio::join!(call(&client), script.answer("tools/call", r#""result":{}"#));
    assert_eq!(outcome.unwrap(), "{}");
}

#[tokio::test]
async fn an_error_without_an_id_ends_the_only_call() {
    let (mut script, client) = connected().await;
    let (outcome, ()) = tokio::join!(call(&client), async {
        script.next().await;
        script
            .say(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too long"}}"#)
            .await;
    });
    assert!(matches!(outcome, Err(ClientError::Refused(error)) if error.code == -32600));
}

#[tokio::test]
async fn a_server_that_hangs_up_fails_what_is_open_and_what_follows() {
    let (mut script, client) = connected().await;
    let (outcome, ()) = tokio::join!(call(&client), async {
        script.next().await;
        script.output.write_all(br#"{"jsonrpc":"2.0","#).await.unwrap();
        script.output.shutdown().await.unwrap();
    });
    assert!(matches!(outcome, Err(ClientError::Closed)), "{outcome:?}");
    let outcome = call(&client).await;
    assert!(matches!(outcome, Err(ClientError::Closed)), "{outcome:?}");
}

#[tokio::test]
async fn notifications_reach_the_sink() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let options = ClientOptions {
        notifications: Arc::new(move |method, _params| tell.send(method.to_owned()).unwrap()),
        ..ClientOptions::new("c", "1")
    };
    let (mut script, reader, writer) = pair();
    let (client, ()) = tokio::join!(Client::connect(reader, writer, options), script.greet());
    script.say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#).await;
    assert_eq!(told.recv().await.unwrap(), "notifications/tools/list_changed");
    client.unwrap().close().await;
    assert!(
        script.input.next_line().await.unwrap().is_none(),
        "closing is seen as the end of input"
    );
}
