//! `server:tool` as callers write it.

use super::ToolAddress;
use crate::{
    intent::{Operation, RefusalCode, Variant},
    json::RawJson,
};

#[test]
fn an_address_is_split_at_the_first_colon() {
    for (text, server, tool) in [
        ("github:delete_repo", "github", "delete_repo"),
        ("builtin:Read", "builtin", "Read"),
        ("Read", "builtin", "Read"),
        ("gіthub:x.y-z", "gіthub", "x.y-z"),
    ] {
        let address = ToolAddress::parse(text).unwrap();
        assert_eq!((address.server(), address.tool()), (server, tool));
        assert_eq!(address.to_string(), format!("{server}:{tool}"));
    }
    for bare in ["Write", "Edit", "Bash", "Glob", "Grep"] {
        assert_eq!(ToolAddress::parse(bare).unwrap().server(), "builtin");
    }
}

#[test]
fn a_name_that_is_no_address_is_refused_with_the_form_to_use() {
    let read = |json: &str| {
        let raw = RawJson::parse(json).unwrap();
        ToolAddress::read(Variant(Operation::Read), Some(&raw)).unwrap_err()
    };
    for (json, shown) in [
        (r#""delete_repo""#, "delete_repo"),
        (r#"":delete_repo""#, ":delete_repo"),
        (r#""github:""#, "github:"),
        (r#""github:a:b""#, "github:a:b"),
        (r#""github:a b""#, "github:a b"),
        (r#""read""#, "read"),
        (r#""a\n:b\n""#, "a\\n:b\\n"),
        ("7", "7"),
        ("[\"Read\"]", "[\\\"Read\\\"]"),
    ] {
        let refusal = read(json);
        assert_eq!(refusal.code, RefusalCode::InvalidName);
        assert_eq!(refusal.message, format!("Invalid tool name '{shown}': use server:tool"));
    }
}

#[test]
fn a_missing_name_is_asked_for() {
    for variant in Variant::ALL {
        for json in [None, Some("null"), Some(r#""""#)] {
            let raw = json.map(|json| RawJson::parse(json).unwrap());
            let refusal = ToolAddress::read(variant, raw.as_ref()).unwrap_err();
            assert_eq!(refusal.code, RefusalCode::InvalidName);
            assert_eq!(refusal.message, format!("name is required for {variant}"));
        }
        let raw = RawJson::parse(r#""github:x""#).unwrap();
        assert_eq!(ToolAddress::read(variant, Some(&raw)).unwrap().tool(), "x");
    }
}
