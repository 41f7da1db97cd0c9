//! Fifty canaries: secrets of every kind in every place, none of which may come out.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::{
    activity::Captured,
    json::RawJson,
    redact::{Redactor, capture},
};

/// Known to the host; with characters that every encoding changes.
const KNOWN: &str = "k#own/C4nary+value?é";
/// What no sink may hold, in any form the texts below use.
const TRACES: [&str; 8] =
    ["C4nary", "c4nary", "QzRuYXJ5", "NG5hcn", "M0bmFye", "k%23own", "MIIEcanary", "hunter"];

#[test]
fn no_canary_comes_out_of_any_sink() {
    let redactor = Redactor::new([KNOWN]);
    let texts = texts();
    assert!(texts.len() >= 50, "only {} canaries", texts.len());
    for (number, text) in texts.iter().enumerate() {
        let clean = redactor.text(text);
        assert_clean(number, &clean);
        for value in wrapped(text) {
            let raw = RawJson::from(value);
            assert_clean(number, redactor.json(&raw).get());
            for most in [raw.get().len() / 3, raw.get().len() / 2, raw.get().len() - 2, usize::MAX]
            {
                match capture(&redactor, &raw, most) {
                    Captured::Whole(clean) => assert_clean(number, clean.get()),
                    Captured::Cut { head, .. } => assert_clean(number, &head),
                }
            }
        }
    }
}

fn assert_clean(number: usize, text: &str) {
    for trace in TRACES {
        assert!(!text.contains(trace), "canary {number} leaves `{trace}` in {text}");
    }
}

/// The text where tools put texts: as an argument, in an array, as a key, inside JSON inside a string.
fn wrapped(text: &str) -> Vec<Value> {
    let inner = json!({"note": text, "n": 1}).to_string();
    vec![
        json!({"command": text}),
        json!({"content": [{"type": "text", "text": format!("before\n{text}\nafter")}]}),
        json!({"a": {text: [1, 2]}}),
        json!({"args_json": inner}),
    ]
}

fn texts() -> Vec<Cow<'static, str>> {
    let mut texts: Vec<Cow<'static, str>> = [
        "sk-C4naryC4naryC4nary",
        "sk-proj-C4nary_C4nary-C4nary",
        "sk-ant-api03-C4naryC4naryC4nary",
        "sk_live_C4naryC4naryC4nary",
        "rk_live_C4naryC4naryC4nary",
        "ghp_C4naryC4naryC4naryC4nary",
        "gho_C4naryC4naryC4nary",
        "ghs_C4naryC4naryC4nary",
        "ghu_C4naryC4naryC4nary",
        "ghr_C4naryC4naryC4nary",
        "github_pat_C4nary_C4naryC4nary",
        "glpat-C4nary-C4naryC4nary",
        "AKIAC4naryC4naryC4nary",
        "ASIAC4naryC4naryC4nary",
        "xoxb-1-C4nary-C4nary",
        "xoxp-1-C4nary-C4nary",
        "xoxa-1-C4nary-C4nary",
        "AIzaC4naryC4naryC4naryC4naryC4naryC4nary",
        "npm_C4naryC4naryC4naryC4naryC4nary",
        "hf_C4naryC4naryC4naryC4naryC4nary",
        "ya29.C4naryC4naryC4naryC4nary",
        "dop_v1_c4naryc4naryc4naryc4naryc4naryc4naryc4nary",
        "eyJC4naryC4nary.eyJC4naryC4nary.C4nary",
        "eyJC4naryC4nary.eyJC4naryC4nary.",
        "Bearer C4nary.C4nary",
        "bearer C4naryC4nary==",
        "curl -H \"Authorization: Bearer C4nary\"",
        "Authorization: Basic QzRuYXJ5QzRuYXJ5",
        "authorization=C4nary",
        "Proxy-Authorization: Digest C4nary, C4nary",
        "Cookie: sid=C4nary; t=C4nary",
        "Set-Cookie: sid=C4nary",
        "password=C4nary",
        "PASSWORD: C4nary",
        "PGPASSWORD='C4nary C4nary' psql",
        "password = \"C4nary\\\"C4nary\"",
        "passwd:C4nary",
        "export GITHUB_TOKEN=C4nary",
        "TOKEN=`C4nary`",
        "https://h/?access_token=C4nary&a=b",
        "https://h/?a=b&api_key=C4nary#f",
        "{\"client_secret\": \"C4nary\"}",
        "{'apiKey': 'C4nary'}",
        "{\\\"private_key\\\": \\\"C4nary\\\"}",
        "secretAccessKey=C4nary",
        "mysql --password C4nary -u root",
        "tool --api-key=C4nary",
        "x-api-key: C4nary",
        "db_pass=C4nary",
        "credentials: C4nary",
        "postgres://user:C4nary@host/db",
        "https://C4nary@github.com/x.git",
        "redis://:hunter@C4nary@host",
        "-----BEGIN PRIVATE KEY-----\nMIIEcanary\n-----END PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nMIIEcanary",
        "-----BEGIN EC PRIVATE KEY-----\\nMIIEcanary\\n-----END EC PRIVATE KEY-----",
    ]
    .map(Cow::Borrowed)
    .into();
    texts.extend([
        KNOWN.into(),
        format!("before{KNOWN}after").into(),
        "k%23own%2FC4nary%2Bvalue%3F%C3%A9".into(),
        "k%23own%2fC4nary%2bvalue%3f%c3%a9".into(),
        // base64 of the value alone, behind one byte, behind two, and in `user:value`; the last one for addresses.
        "ayNvd24vQzRuYXJ5K3ZhbHVlP8Op".into(),
        "eGsjb3duL0M0bmFyeSt2YWx1ZT/DqQ==".into(),
        "eHhrI293bi9DNG5hcnkrdmFsdWU/w6k=".into(),
        "dXNlcjprI293bi9DNG5hcnkrdmFsdWU/w6k=".into(),
        "eGsjb3duL0M0bmFyeSt2YWx1ZT_DqQ".into(),
    ]);
    texts
}
