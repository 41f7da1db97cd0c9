//! Nothing secret is left, nothing else is touched, nothing breaks.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::Value;

use super::{Redactor, capture};
use crate::{activity::Captured, json::RawJson};

mod canaries;

fn text(input: &str) -> String {
    Redactor::default().text(input).into_owned()
}

fn json(input: &str) -> String {
    Redactor::default().json(&RawJson::parse(input).unwrap()).get().to_owned()
}

#[test]
fn text_without_secrets_is_lent_back_as_it_was() {
    for input in [
        "",
        "cargo test -p awf-core -- --nocapture",
        "max_tokens=4096 token_count: 12, tokens = 7; keyboard=us",
        "task-force-of-people-who-ask-nothing and disk-usage-by-directory-name",
        "the bearer of news; Bearer x; if token == other { Token::new() } (token => 1)",
        "https://example.org/a@b?c=d#e and ssh: a@b, ratio 1://2",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "AKIA eyJ eyJhbGciOi.J9 sk- ghp_short xoxb-1 \npassword=\ntoken:\nnext",
        "Invalid intent.data_sensitivity 'secret': must be public, internal, private, or unknown",
        "naïve 日本語 🦀 \u{202e}",
    ] {
        assert!(
            matches!(Redactor::default().text(input), std::borrow::Cow::Borrowed(same) if same == input),
            "{input} -> {}",
            text(input)
        );
    }
}

#[test]
fn a_value_behind_a_telling_name_is_struck_out_and_the_rest_stays() {
    for (input, expected) in [
        ("password=hunter22 x", "password=[redacted] x"),
        ("PASSWORD = 'a b c' x", "PASSWORD = '[redacted]' x"),
        ("?access_token=abc&x=1", "?access_token=[redacted]&x=1"),
        ("export API_KEY=\"a\\\"b\" x", "export API_KEY=\"[redacted]\" x"),
        (r#"{"password": "a b", "x": 1}"#, r#"{"password": "[redacted]", "x": 1}"#),
        (r#"{\"token\":\"abc\",\"x\":1}"#, r#"{\"token\":\"[redacted]\",\"x\":1}"#),
        ("secret := abc\nx: y", "secret := [redacted]\nx: y"),
        ("curl -H 'Authorization: Basic dXNlcjp4' -v", "curl -H 'Authorization: [redacted]' -v"),
        ("Cookie: a=b; c=d\nHost: e", "Cookie: [redacted]\nHost: e"),
        ("mysql --password hunter2 -v", "mysql --password [redacted] -v"),
        ("mysql --password=hunter2 -v", "mysql --password=[redacted] -v"),
        ("auth: Bearer abcdefgh rest", "auth: Bearer [redacted] rest"),
        ("BEARER\tabc.def-12= rest", "BEARER\t[redacted] rest"),
        ("password: 'open\nnext", "password: '[redacted]\nnext"),
        ("password=a,b;c", "password=[redacted];c"),
        ("token=`x y`", "token=`[redacted]`"),
        ("password=[redacted] x", "password=[redacted] x"),
        ("password=\"[redacted]\" x", "password=\"[redacted]\" x"),
    ] {
        assert_eq!(text(input), expected);
        assert_eq!(text(expected), expected, "twice is not once");
    }
}

#[test]
fn shapes_of_secrets_are_struck_out_wherever_they_stand() {
    for (input, expected) in [
        ("use sk-abcdefghijklmnop now", "use [redacted] now"),
        ("x\\nsk-abcdefghijklmnop", "x\\n[redacted]"),
        ("x%3Dsk-abcdefghijklmnop", "x%3D[redacted]"),
        ("desk-abcdefghijklmnop", "desk-abcdefghijklmnop"),
        ("foo_ghp_abcdefghijklmnop.", "foo_[redacted]."),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl!", "[redacted]!"),
        ("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "[redacted]"),
        ("postgres://user:pa:ss@db/x", "postgres://[redacted]@db/x"),
        ("https://token@host https://@host", "https://[redacted]@host https://@host"),
        (
            "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\nb",
            "a\n[redacted]\nb",
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIB", "[redacted]"),
    ] {
        assert_eq!(text(input), expected);
        assert_eq!(text(expected), expected, "twice is not once");
    }
}

#[test]
fn known_values_are_struck_out_in_every_form_they_travel_in() {
    let redactor = Redactor::new(["p@ss/wörd\"42", "12345678", "short"]);
    for (input, expected) in [
        ("is p@ss/wörd\"42!", "is [redacted]!"),
        ("is p%40ss%2Fw%C3%B6rd%2242!", "is [redacted]!"),
        ("is p%40ss%2fw%c3%b6rd%2242!", "is [redacted]!"),
        (r#"is p@ss/wörd\"42!"#, "is [redacted]!"),
        ("a short word", "a short word"),
    ] {
        assert_eq!(redactor.text(input), expected);
    }
    let raw = |text: &str| RawJson::parse(text).unwrap();
    assert_eq!(
        redactor.json(&raw(r#"{"n":12345678,"m":1234567}"#)).get(),
        r#"{"n":"[redacted]","m":1234567}"#
    );
    assert_eq!(redactor.json(&raw(r#"["p\u0040ss\/w\u00f6rd\"42"]"#)).get(), r#"["[redacted]"]"#);
    assert!(!format!("{redactor:?}").contains("12345678"));
}

#[test]
fn json_keeps_order_numbers_and_everything_unsuspicious() {
    for (input, expected) in [
        (
            r#"{"z":12345678901234567890123,"a":1.10,"max_tokens":1}"#,
            r#"{"z":12345678901234567890123,"a":1.10,"max_tokens":1}"#,
        ),
        (
            r#"{ "b" : [ 1 , {"password" : "x"} ] , "a" : "\u00e9" }"#,
            r#"{ "b" : [ 1 , {"password" : "[redacted]"} ] , "a" : "\u00e9" }"#,
        ),
        (r#"{"secret":{"a":["}",{"b":"\"]"}]},"c":1}"#, r#"{"secret":"[redacted]","c":1}"#),
        (
            r#"{"token":null,"password":"","secret":false,"pwd":true}"#,
            r#"{"token":null,"password":"","secret":false,"pwd":true}"#,
        ),
        (r#"{"token":-1.5e3,"x":[]}"#, r#"{"token":"[redacted]","x":[]}"#),
        (r#"{"api_key":["a","b"]}"#, r#"{"api_key":"[redacted]"}"#),
        (r#"{"pass\u0077ord":"x"}"#, r#"{"pass\u0077ord":"[redacted]"}"#),
        (r#"["a\tb password=x\ny"]"#, r#"["a\tb password=[redacted]\ny"]"#),
        (r#"{"sk-abcdefghijklmnop":1}"#, r#"{"[redacted]":1}"#),
        (r#""\ud800 \u0073k-abcdefghijklmnop""#, "\"\u{fffd} [redacted]\""),
        (r#""\ud83e\udd80 password=x""#, r#""🦀 password=[redacted]""#),
        (r#""\ud800""#, r#""\ud800""#),
        ("7", "7"),
        (
            r#"{"args_json":"{\"password\":\"x\",\"n\":1}"}"#,
            r#"{"args_json":"{\"password\":\"[redacted]\",\"n\":1}"}"#,
        ),
    ] {
        assert_eq!(json(input), expected);
    }
}

#[test]
fn a_small_value_is_captured_whole_and_a_long_one_cut_at_a_character() {
    let redactor = Redactor::default();
    let take = |input: &str, most| capture(&redactor, &RawJson::parse(input).unwrap(), most);
    let cut = |head: &str, full_bytes| Captured::Cut { head: head.to_owned(), full_bytes };
    assert_eq!(take(r#""abc""#, 5), Captured::Whole(RawJson::parse(r#""abc""#).unwrap()));
    assert_eq!(take(r#""abc""#, 4), cut("\"abc", 5));
    assert_eq!(take(r#""aéc""#, 3), cut("\"a", 6));
    assert_eq!(take(r#""aéc""#, 0), cut("", 6));
    assert_eq!(take(r#"{"token":1}"#, 11), cut(r#"{"token":"["#, 11));
    assert_eq!(
        take(r#"{"token":"abcdefghijklmnopqrst"}"#, 31),
        cut(r#"{"token":"[redacted]""#, 32)
    );
    assert_eq!(take(r#"["a\n password=abcdefghij"]"#, 14), cut(r#"["a\n password"#, 27));
    assert_eq!(take(r#"["a\n password=abcdefghij"]"#, 17), cut(r#"["a\n password=[r"#, 27));
}

#[test]
fn no_cut_leaves_half_a_secret() {
    let secret = "ghp_Zq1Zq2Zq3Zq4Zq5Zq6Zq7Zq8Zq9Zq0Zq";
    let known = "Wq-canary-Wq-canary";
    let redactor = Redactor::new([known]);
    for body in [
        format!(r#"{{"text":"a\n {secret} b","password":"{secret}","z":"{known}"}}"#),
        format!(r#"["{known} \u00e9 {known}","x token={secret}",{{"secret":["{secret}"]}}]"#),
        format!(r#"["{}{secret}"]"#, "é".repeat(40)),
    ] {
        let raw = RawJson::parse(body).unwrap();
        for most in 0..raw.get().len() {
            let Captured::Cut { head, .. } = capture(&redactor, &raw, most) else { continue };
            assert!(head.len() <= most);
            assert!(!head.contains("Zq") && !head.contains("Wq"), "{most}: {head}");
        }
    }
}

#[test]
fn hostile_text_takes_linear_time() {
    let units = [
        "eyJ-",
        "eyJaaaaaa.",
        "sk-",
        "://",
        "a://",
        "-----BEGIN ",
        "password ",
        "token:",
        "bearer ",
        "\\",
        "\"",
        " ",
        "a\\\"",
        "token=\\\"",
        "--token ",
        "é",
        "A",
        "x:\"",
    ];
    let redactor = Redactor::new(["aaaaaaaaaaaaaaaa", "password password"]);
    let begun = Instant::now();
    for unit in units {
        let hostile = unit.repeat((1 << 18) / unit.len());
        redactor.text(&hostile);
        redactor.json(&RawJson::from(Value::from(hostile)));
    }
    // Quadratic work on one of them alone would take longer.
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_or_leave_a_known_value(input in "(\\PC|[\\\\\"'=: \n]|password|token|Bearer |sk-|eyJ|://|@|\\[redacted\\]|canary-value|-----BEGIN PRIVATE KEY-----){0,40}") {
        let redactor = Redactor::new(["canary-value", "tokentoken"]);
        let clean = redactor.text(&input);
        prop_assert!(!clean.contains("canary-value") && !clean.contains("tokentoken"), "{}", clean);
    }

    #[test]
    fn any_json_stays_json_and_every_cut_is_a_text(
        keys in proptest::collection::vec("(\\PC|password|token|\\\\|\"){0,8}", 0..6),
        value in "(\\PC|[\\\\\"\n]|password=|sk-|ghp_abcdefghijklmnop|canary-value){0,20}",
        most in 0_usize..200,
    ) {
        let redactor = Redactor::new(["canary-value"]);
        let nested = keys.iter().fold(Value::from(value), |inner, key| serde_json::json!([{ key.as_str(): inner }, 1.10]));
        let raw = RawJson::from(nested);
        let clean = redactor.json(&raw);
        prop_assert!(serde_json::from_str::<Value>(clean.get()).is_ok(), "{}", clean.get());
        prop_assert!(!clean.get().contains("canary-value") && !clean.get().contains("ghp_abcdefghijklmnop"));
        if let Captured::Cut { head, full_bytes } = capture(&redactor, &raw, most) {
            prop_assert!(head.len() <= most && full_bytes == raw.get().len());
        }
    }
}

#[test]
fn a_redactor_learns_further_secrets() {
    let redactor = Redactor::new(["hunter2-first"]).knowing(["hunter2-second"]);
    assert_eq!(redactor.text("a hunter2-second, hunter2-first"), "a [redacted], [redacted]");
}

#[test]
fn each_line_of_a_known_secret_is_struck_out() {
    let redactor = Redactor::new(["first-line\n  second-line\nx\n"]);
    assert_eq!(redactor.text("a first-line b"), "a [redacted] b");
    assert_eq!(redactor.text("second-line\nx\n"), "[redacted]\nx\n");
}

/// Cut anywhere into two, only what is settled shown at once: nothing of the secret is ever seen.
#[test]
fn a_known_secret_that_comes_in_pieces_is_struck_out() {
    let secret = "hunter-hunter22-hunter";
    let redactor = Redactor::new([secret]);
    let whole = format!("{{\"a\":\"{secret}\",\"b\":\"{secret}{secret}\"}} hunt");
    for cut in 0..=whole.len() {
        let settled = redactor.settled(&whole.as_bytes()[..cut]);
        let (shown, rest) = whole.split_at(settled);
        let shown = format!("{}{}", redactor.text(shown), redactor.text(rest));
        assert!(!shown.contains("hunter"), "cut at {cut}: {shown}");
        assert!(cut - settled < secret.len(), "{cut} {settled}");
    }
}
