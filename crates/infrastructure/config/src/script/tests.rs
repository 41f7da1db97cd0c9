//! Scripts, good and bad, as text.

use serde_json::json;

use super::parse_script;

#[test]
fn the_short_and_the_long_form_of_a_call_are_one() {
    let short = "turns:\n  - say: reading\n    call: Read\n    arguments: {file_path: a.txt, limit: 2}\n    expect: {contains: hello}\n  - fail: enough\n";
    let long = "turns:\n  - say: reading\n    calls:\n      - tool: Read\n        arguments: {file_path: a.txt, limit: 2}\n        expect: {contains: [hello]}\n  - fail: enough\n";
    let [short, long] = [short, long].map(|text| parse_script("s.yaml", text).unwrap());
    let call = &short.turns[0].calls[0];
    assert_eq!(call.tool.value, "Read");
    assert_eq!(json!(call.arguments), json!({"file_path": "a.txt", "limit": 2}));
    assert_eq!(call.expect.contains, ["hello"]);
    assert_eq!(short.turns[1].fail.as_deref(), Some("enough"));
    assert_eq!(call.expect, long.turns[0].calls[0].expect);
    assert_eq!(call.arguments, long.turns[0].calls[0].arguments);
}

#[test]
fn steps_have_turns_of_their_own() {
    let text = "steps:\n  fix:\n    - call: Bash\n      arguments:\n      expect: {refused: true, error: true}\n";
    let script = parse_script("s.yaml", text).unwrap();
    let call = &script.turns_for("fix").unwrap()[0].calls[0];
    assert!(call.expect.refused);
    assert_eq!(call.expect.error, Some(true));
    assert_eq!(script.turns_for("other"), None);
}

#[test]
fn everything_that_is_wrong_is_told() {
    let text = "turn: []\nturns:\n  - sya: x\n  - {call: Read, calls: [{tol: x}]}\n  - {fail: x, call: y}\n  - {say: x, expect: {contain: y, error: yes}}\n  - 5\n";
    let found: Vec<String> = parse_script("s.yaml", text)
        .unwrap_err()
        .into_iter()
        .map(|finding| {
            let span = finding.span.unwrap();
            format!("{}:{} {} {}", span.line, span.column, finding.code, finding.message)
        })
        .collect();
    assert_eq!(
        found,
        [
            "1:1 USER.CONFIG.UNKNOWN_KEY unknown key `turn`",
            "3:5 USER.CONFIG.UNKNOWN_KEY unknown key `sya`",
            "3:5 USER.CONFIG.INVALID a turn does nothing",
            "4:18 USER.CONFIG.CONFLICT a turn has both `call` and `calls`",
            "4:27 USER.CONFIG.UNKNOWN_KEY unknown key `tol`",
            "5:6 USER.CONFIG.CONFLICT a turn that fails calls nothing",
            "6:14 USER.CONFIG.INVALID `expect` belongs to a `call`, and the turn has none",
            "6:23 USER.CONFIG.UNKNOWN_KEY unknown key `contain`",
            "6:42 USER.CONFIG.INVALID `error` must be `true` or `false`, not the text `yes`",
            "7:5 USER.CONFIG.INVALID an item of `turns` must be a mapping, not the number `5`",
        ]
    );
}

#[test]
fn a_script_without_turns_is_none() {
    for text in ["", "{}", "[]", "turns: {"] {
        assert!(parse_script("s.yaml", text).is_err(), "{text}");
    }
}
