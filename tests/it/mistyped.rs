//! What a person typed and did not mean: told by what was typed, with what to type instead.

use std::process::Output;

use serde_json::json;

use crate::{
    intent::stage::{Upstream, settings, tool},
    mcp_trouble::{awf, err},
    world::World,
};

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn what_is_typed_wrong_is_blamed_on_what_was_typed() {
    let world = World::new();
    let rows: [(&[&str], &str); 5] = [
        (&["mcp", "add", "a", "--url", "ftp://h"], "'--url <URL>'"),
        (&["mcp", "add", "two words", "--", "x"], "'<NAME>'"),
        (&["mcp", "add", "a", "--env", "=x", "--", "x"], "'--env <NAME=VALUE>'"),
        (
            &["mcp", "add", "a", "--url", "http://h", "--header", "a b: c"],
            "'--header <NAME: VALUE>'",
        ),
        (&["serve", "--listen", "18473"], "such as `127.0.0.1:8080`"),
    ];
    for (args, blamed) in rows {
        let output = awf(&world, args);
        let said = err(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(blamed) && !said.contains("config.yaml"), "{said}");
    }
    let named = awf(&world, &["serve", "--listen", "localhost:1", "--host"]);
    assert!(err(&named).contains("'--host <NAME>'"), "{}", err(&named));
}

#[test]
fn a_search_that_can_find_nothing_says_why() {
    let world = World::new();
    let rows = [
        ("", "USER.INPUT.INVALID_FORMAT", "a query is required"),
        ("  ", "USER.INPUT.INVALID_FORMAT", "a query is required"),
        ("server:nosuch x", "USER.SERVER.UNKNOWN", "there are builtin"),
        ("x -server:nosuch", "USER.SERVER.UNKNOWN", "there is no server `nosuch`"),
        ("is:reed", "USER.INPUT.INVALID_FORMAT", "use `is:read`, `is:write` or `is:destructive`"),
    ];
    for (query, code, told) in rows {
        let output = awf(&world, &["tools", "search", query]);
        let said = err(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(code) && said.contains(told), "{said}");
    }
    let found = awf(&world, &["tools", "search", "Server:BUILTIN is:read read a file"]);
    assert!(found.status.success(), "{}", err(&found));
    let table = out(&found);
    assert!(table.contains("builtin:Read") && !table.contains("Call it with"), "{table}");
    assert!(!table.contains("  0.00  "), "{table}");
}

#[test]
fn a_refused_call_says_what_to_type() {
    let world = World::new();
    let tools = [tool("wipe", r#"{"destructiveHint":true}"#), tool("look", "-")];
    let tiny = Upstream::of_tools(&world, "tiny", &[&tools[0], &tools[1]]);
    let config = world.config(settings(&[&tiny], &json!({})));
    let config = config.to_str().unwrap();
    let rows = [
        ("tiny:wipe", 5, "  hint: awf call tool-destructive tiny:wipe\n"),
        ("look", 1, "  hint: did you mean `tiny:look`?\n"),
        ("nothing", 1, "  hint: name the tool as `server:tool`\n"),
    ];
    for (name, code, hint) in rows {
        let output = awf(&world, &["call", "tool-read", name, "--config", config]);
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        assert!(err(&output).ends_with(hint), "{}", err(&output));
    }
    assert_eq!(tiny.calls(), []);
    let explained = awf(&world, &["error", "server_mismatch"]);
    assert!(
        out(&explained).starts_with("USER.INTENT.SERVER_MISMATCH (error)"),
        "{}",
        err(&explained)
    );
    let warning = awf(&world, &["error", "CLASS_HELD"]);
    assert!(err(&warning).contains("docs/codes/warnings.md"), "{}", err(&warning));
}
