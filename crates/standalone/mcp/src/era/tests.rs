//! The table of both eras: which request is served by which rules.

use super::*;

/// What `judge` must say: an era, or the code of the refusal.
type Verdict = Result<Era, i64>;

const LEGACY: Verdict = Ok(Era::Legacy);
const MODERN: Verdict = Ok(Era::Modern);
const UNKNOWN_METHOD: Verdict = Err(-32601);
const BAD_PARAMS: Verdict = Err(-32602);
const BAD_VERSION: Verdict = Err(-32022);

fn verdicts(meta: &str, handshake: Handshake) -> [Verdict; 6] {
    let meta: Meta<'_> = serde_json::from_str(meta).unwrap();
    ["initialize", "server/discover", "ping", "shutdown", "tools/list", "tools/call"].map(|name| {
        judge(Method::from_name(name).unwrap(), name, &meta, handshake).map_err(|error| error.code)
    })
}

#[test]
fn every_method_in_every_state() {
    let version =
        |version: &str| format!(r#"{{"{VERSION_KEY}":{version},"{CAPABILITIES_KEY}":{{}}}}"#);
    let before = [LEGACY, BAD_PARAMS, LEGACY, LEGACY, BAD_PARAMS, BAD_PARAMS];
    let after = [LEGACY, BAD_PARAMS, LEGACY, LEGACY, LEGACY, LEGACY];
    let modern = [UNKNOWN_METHOD, MODERN, UNKNOWN_METHOD, MODERN, MODERN, MODERN];
    // One row per `_meta`: before the handshake, then after it.
    let rows = [
        ("{}".to_owned(), before, after),
        (r#"{"progressToken":1}"#.to_owned(), before, after),
        (format!(r#"{{"{CAPABILITIES_KEY}":{{}}}}"#), before, after),
        (version(r#""2026-07-28""#), modern, modern),
        (version(r#""2025-11-25""#), [LEGACY; 6], [LEGACY; 6]),
        (version(r#""2024-11-05""#), [LEGACY; 6], [LEGACY; 6]),
        (version(r#""2099-01-01""#), [BAD_VERSION; 6], [BAD_VERSION; 6]),
        (version(r#""""#), [BAD_VERSION; 6], [BAD_VERSION; 6]),
        (version("7"), [BAD_PARAMS; 6], [BAD_PARAMS; 6]),
        (format!(r#"{{"{VERSION_KEY}":"2026-07-28"}}"#), [BAD_PARAMS; 6], [BAD_PARAMS; 6]),
        (
            format!(r#"{{"{VERSION_KEY}":"2026-07-28","{CAPABILITIES_KEY}":[]}}"#),
            [BAD_PARAMS; 6],
            [BAD_PARAMS; 6],
        ),
    ];
    for (meta, awaited, done) in rows {
        assert_eq!(verdicts(&meta, Handshake::Awaited), awaited, "{meta} before the handshake");
        assert_eq!(verdicts(&meta, Handshake::Done), done, "{meta} after the handshake");
    }
}

#[test]
fn initialize_never_answers_with_the_modern_version() {
    let rows = [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ];
    for (requested, answered) in rows {
        assert_eq!(negotiate(requested), answered, "{requested}");
    }
}

#[test]
fn an_unknown_version_is_told_what_discover_lists() {
    let version = format!(r#"{{"{VERSION_KEY}":"2099-01-01"}}"#);
    let meta: Meta<'_> = serde_json::from_str(&version).unwrap();
    let error = judge(Method::CallTool, "tools/call", &meta, Handshake::Done).unwrap_err();
    let server = Implementation { name: "s".into(), version: "1".into() };
    let mut discovered = Vec::new();
    Identity { server: &server, instructions: None, changing: false }
        .write_discovered(&mut discovered);
    let discovered: serde_json::Value = serde_json::from_slice(&discovered).unwrap();
    let data: serde_json::Value = serde_json::from_str(error.data.unwrap().get()).unwrap();
    assert_eq!(
        data,
        serde_json::json!({"supported": discovered["supportedVersions"], "requested": "2099-01-01"})
    );
}

#[test]
fn only_the_result_type_differs_in_a_tools_result() {
    let rows = [
        (r#"{"content":[]}"#, r#"{"content":[]}"#, r#"{"resultType":"complete","content":[]}"#),
        ("{}", "{}", r#"{"resultType":"complete"}"#),
        (" { } ", "{ }", r#"{"resultType":"complete" }"#),
        (r#"{"resultType":"complete","a": 1}"#, r#"{"a":1}"#, r#"{"resultType":"complete","a":1}"#),
        (r#"{"resultType":"complete"}"#, "{}", r#"{"resultType":"complete"}"#),
        (
            r#"{"z":{"resultType":"x"},"a":1.10}"#,
            r#"{"z":{"resultType":"x"},"a":1.10}"#,
            r#"{"resultType":"complete","z":{"resultType":"x"},"a":1.10}"#,
        ),
        ("{\n \"a\":1}", "{  \"a\":1}", "{\"resultType\":\"complete\",  \"a\":1}"),
    ];
    for (result, legacy, modern) in rows {
        for (era, expected) in [(Era::Legacy, legacy), (Era::Modern, modern)] {
            let mut out = Vec::new();
            write_call_result(era, result, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{result} for {era:?}");
        }
    }
}
