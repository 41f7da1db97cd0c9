//! The floors answer what a client asks of any server.

use std::io::Write;

use super::{echo, reader};

const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"message":"h\ni"}}}"#;

#[test]
fn echo_answers_a_session() {
    let input = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        CALL,
        "",
    ];
    let mut output = Vec::new();
    echo(input.join("\n").as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let replies: Vec<&str> = output.lines().collect();
    assert_eq!(replies.len(), 3);
    assert!(
        replies[0]
            .starts_with(r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","#)
    );
    assert!(
        replies[1].starts_with(r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo","#)
    );
    assert_eq!(
        replies[2],
        r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"h\ni"}]}}"#
    );
}

#[test]
fn reader_sends_the_file() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"a\n\"b\"\n").unwrap();
    let mut output = Vec::new();
    reader(file.path(), format!("{CALL}\n").as_bytes(), &mut output).unwrap();
    let wanted =
        r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a\n\"b\"\n"}]}}"#;
    assert_eq!(String::from_utf8(output).unwrap(), format!("{wanted}\n"));
}
