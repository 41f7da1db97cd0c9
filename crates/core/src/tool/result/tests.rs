//! Results as the wire sees them.

use serde_json::json;

use super::ToolResult;
use crate::json::{RawJson, RawObject};

#[test]
fn a_text_result_is_one_text_block_without_an_error_flag() {
    assert_eq!(
        ToolResult::text("a\n\"b\"").raw().get(),
        r#"{"content":[{"type":"text","text":"a\n\"b\""}]}"#
    );
}

#[test]
fn an_error_result_carries_the_flag() {
    let result = ToolResult::error("no such file");
    assert!(result.is_error());
    assert_eq!(
        result.raw().get(),
        r#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#
    );
}

#[test]
fn a_foreign_result_is_kept_as_it_came_and_its_flag_is_read() {
    let text =
        r#"{"content":[{"type":"hologram","n":12345678901234567890123}],"x":1,"isError":true}"#;
    let result = ToolResult::from_raw(RawJson::parse(text).unwrap());
    assert!(result.is_error());
    assert_eq!(result.raw().get(), text);
    let fine = ToolResult::from_raw(RawJson::parse(r#"{"content":[],"isError":"yes"}"#).unwrap());
    assert!(!fine.is_error());
}

#[test]
fn meta_is_merged_and_everything_else_survives() {
    let raw =
        RawJson::parse(r#"{"_meta":{"a":1},"content":[],"big":12345678901234567890123}"#).unwrap();
    let entries = json!({"awf/warnings": [{"code": "X"}]}).as_object().unwrap().clone();
    let merged = ToolResult::from_raw(raw).with_meta(entries);
    assert_eq!(
        merged.raw().get(),
        r#"{"_meta":{"a":1,"awf/warnings":[{"code":"X"}]},"content":[],"big":12345678901234567890123}"#
    );
}

#[test]
fn structured_content_stands_beside_the_text_as_it_was_written() {
    let data = RawJson::parse(r#"{"n":12345678901234567890123, "f":1.10}"#).unwrap();
    let data = RawObject::read(&data).unwrap();
    let beside = r#""structuredContent":{"n":12345678901234567890123,"f":1.10}}"#;
    let fine = ToolResult::text("a").with_structured(&data);
    let expected = format!(r#"{{"content":[{{"type":"text","text":"a"}}],{beside}"#);
    assert_eq!((fine.raw().get(), fine.is_error()), (expected.as_str(), false));
    let failed = ToolResult::error("a").with_structured(&data);
    let expected = format!(r#"{{"content":[{{"type":"text","text":"a"}}],"isError":true,{beside}"#);
    assert_eq!((failed.raw().get(), failed.is_error()), (expected.as_str(), true));
}

#[test]
fn the_first_text_is_found_behind_other_blocks() {
    let raw = r#"{"content":[{"type":"image","data":"x"},{"type":"text","text":"a\nb"}]}"#;
    let result = ToolResult::from_raw(RawJson::parse(raw).unwrap());
    assert_eq!(result.first_text().as_deref(), Some("a\nb"));
    assert_eq!(ToolResult::from_raw(RawJson::empty_object()).first_text(), None);
}

#[test]
fn a_long_text_is_written_as_a_short_one_would_be() {
    for (text, is_error) in
        [("a\tb \"c\" \\ d\u{1}\u{7f}é\n".repeat(2_000), false), ("x".repeat(20_000), true)]
    {
        let result = if is_error { ToolResult::error(&text) } else { ToolResult::text(&text) };
        let mut expected = json!({"content": [{"type": "text", "text": text}]});
        if is_error {
            expected["isError"] = true.into();
        }
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(result.raw().get()).unwrap(),
            expected
        );
        assert_eq!(result.raw().as_raw().get(), result.raw().get());
        assert_eq!(result.is_error(), is_error);
    }
}
