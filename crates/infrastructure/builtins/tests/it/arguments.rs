//! Arguments that do not fit are refused with the path of the one at fault and the schema to repair the call by.

use serde_json::Value;

use crate::stage::Stage;

/// The refusal of `arguments`: the failing path.
async fn failing_path(stage: &Stage, tool: &str, arguments: &str) -> String {
    let result = stage.call_raw(tool, arguments).await;
    assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
    let body = &result["structuredContent"];
    assert_eq!(body["code"], "INVALID_ARGUMENTS", "{tool} {arguments}: {result}");
    assert_eq!(body["message"], result["content"][0]["text"]);
    assert_eq!(body["details"]["schema"]["type"], "object");
    let path = body["details"]["path"].as_str().unwrap().to_owned();
    assert!(body["message"].as_str().unwrap().contains(&format!("`{path}`")), "{result}");
    path
}

#[tokio::test]
async fn the_failing_path_is_named() {
    let stage = Stage::new();
    stage.file("f", "x");
    let rows = [
        // not an object
        ("Read", "[]", "arguments"),
        ("Read", r#"["f", 1, 1]"#, "arguments"),
        ("Read", "null", "arguments"),
        ("Read", r#""f""#, "arguments"),
        // missing, unknown, twice
        ("Read", "{}", "file_path"),
        ("Read", r#"{"file_path": "f", "lines": 3}"#, "lines"),
        ("Read", r#"{"file_path": "f", "file_path": "g"}"#, "file_path"),
        ("Read", r#"{"file_path": "f", "path": "f"}"#, "file_path"),
        ("Read", r#"{"File_Path": "f"}"#, "File_Path"),
        ("Write", r#"{"file_path": "f"}"#, "content"),
        ("Write", r#"{"file_path": "f", "path": "g", "content": ""}"#, "file_path"),
        ("Edit", r#"{"file_path": "f", "old_string": "x"}"#, "new_string"),
        ("Edit", r#"{"file_path": "f", "old": "x", "old_string": "x", "new": "y"}"#, "old_string"),
        ("Glob", r#"{"pattern": "*", "path": ".", "directory": "."}"#, "path"),
        ("Grep", r#"{"pattern": "x", "-C": 1, "context_lines": 1}"#, "-C"),
        ("Grep", r#"{"pattern": "x", "-i": true, "case_insensitive": true}"#, "-i"),
        ("Bash", r#"{"command": "true", "cwd": ".", "working_dir": "."}"#, "cwd"),
        (
            "Bash",
            r#"{"command": "true", "timeout": 1000, "timeout_seconds": 1}"#,
            "timeout_seconds",
        ),
        // ill typed
        ("Read", r#"{"file_path": 7}"#, "file_path"),
        ("Read", r#"{"file_path": null}"#, "file_path"),
        ("Read", r#"{"file_path": ["f"]}"#, "file_path"),
        ("Write", r#"{"file_path": "f", "content": {"a": 1}}"#, "content"),
        (
            "Edit",
            r#"{"file_path": "f", "old": "x", "new": "y", "replace_all": "yes"}"#,
            "replace_all",
        ),
        ("Grep", r#"{"pattern": "x", "output_mode": "lines"}"#, "output_mode"),
        ("Grep", r#"{"pattern": "x", "multiline": 1}"#, "multiline"),
        ("Bash", r#"{"command": ["ls"]}"#, "command"),
        // numbers
        ("Read", r#"{"file_path": "f", "offset": 0}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": -1}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": 9223372036854775808}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": 99999999999999999999999}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": 1.5}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": 1.0}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": 1e3}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": "1"}"#, "offset"),
        ("Read", r#"{"file_path": "f", "offset": "NaN"}"#, "offset"),
        ("Read", r#"{"file_path": "f", "limit": 0}"#, "limit"),
        ("Read", r#"{"file_path": "f", "limit": -2}"#, "limit"),
        ("Read", r#"{"file_path": "f", "limit": true}"#, "limit"),
        ("Grep", r#"{"pattern": "x", "-A": -1}"#, "-A"),
        ("Grep", r#"{"pattern": "x", "-B": 1000000}"#, "-B"),
        ("Grep", r#"{"pattern": "x", "head_limit": 0}"#, "head_limit"),
        ("Bash", r#"{"command": "true", "timeout": 0}"#, "timeout"),
        ("Bash", r#"{"command": "true", "timeout": 600001}"#, "timeout"),
        ("Bash", r#"{"command": "true", "timeout_seconds": 601}"#, "timeout_seconds"),
        // well typed, but meaningless
        ("Edit", r#"{"file_path": "f", "old_string": "", "new_string": "y"}"#, "old_string"),
        ("Edit", r#"{"file_path": "f", "old_string": "x", "new_string": "x"}"#, "new_string"),
        ("Glob", r#"{"pattern": ""}"#, "pattern"),
        ("Glob", r#"{"pattern": "[a"}"#, "pattern"),
        ("Glob", r#"{"pattern": "../*"}"#, "pattern"),
        ("Glob", r#"{"pattern": "*", "path": "f"}"#, "path"),
        ("Grep", r#"{"pattern": "(a"}"#, "pattern"),
        ("Grep", r#"{"pattern": "a\nb"}"#, "pattern"),
        ("Grep", r#"{"pattern": "(((a{1000}){1000}){1000})"}"#, "pattern"),
        ("Grep", r#"{"pattern": "x", "glob": "{a"}"#, "glob"),
        ("Grep", r#"{"pattern": "x", "type": "klingon"}"#, "type"),
        ("Bash", r#"{"command": "true\u0000"}"#, "command"),
        ("Bash", r#"{"command": "true", "cwd": "f"}"#, "cwd"),
    ];
    for (tool, arguments, path) in rows {
        assert_eq!(failing_path(&stage, tool, arguments).await, path, "{tool} {arguments}");
    }
}

#[tokio::test]
async fn the_schema_beside_a_refusal_is_the_one_that_is_listed() {
    let stage = Stage::new();
    let result = stage.call_raw("Read", "{}").await;
    let listed: Vec<Value> = serde_json::from_str(include_str!("../tools.json")).unwrap();
    assert_eq!(result["structuredContent"]["details"]["schema"], listed[0]["inputSchema"]);
}

#[tokio::test]
async fn aliases_and_absent_values_are_accepted() {
    let stage = Stage::new();
    stage.file("sub/f", "One\nTwo\n");
    let rows = [
        ("Read", r#"{"path": "sub/f", "offset": null, "limit": 1}"#, "1\tOne\n"),
        ("Edit", r#"{"path": "sub/f", "old": "Two", "new": "two"}"#, "edited `sub/f`"),
        ("Glob", r#"{"pattern": "f", "directory": "sub"}"#, "sub/f"),
        (
            "Grep",
            r#"{"pattern": "ONE", "directory": "sub", "case_insensitive": true, "context_lines": 1, "output_mode": "content"}"#,
            "sub/f:1:One\nsub/f-2-two\n",
        ),
        ("Bash", r#"{"command": "pwd", "working_dir": "sub", "timeout_seconds": 20}"#, "/a/sub\n"),
        ("Bash", r#"{"command": "echo hi", "description": "greets"}"#, "hi\n"),
    ];
    for (tool, arguments, expected) in rows {
        let result = stage.call_raw(tool, arguments).await;
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(expected), "{tool} {arguments}: {text}");
        assert!(result.get("isError").is_none(), "{tool} {arguments}: {text}");
    }
}
