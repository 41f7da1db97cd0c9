//! The document as it was last agreed upon, and its words against those of the core.

use awf_core::{
    CallSurface, Class, ExportFormat, Operation, PAGE_DEFAULT, PAGE_MAX, RunStatus, Status, Variant,
};
use serde_json::{Value, json};

use super::DOCUMENT;

fn document() -> Value {
    serde_json::from_str(&DOCUMENT).unwrap()
}

#[test]
fn the_document_is_the_one_that_was_agreed_upon() {
    let agreed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openapi.json");
    let now = format!("{}\n", *DOCUMENT);
    if std::fs::read_to_string(agreed).ok().as_deref() != Some(now.as_str()) {
        let place = std::env::temp_dir().join("openapi.json");
        std::fs::write(&place, &now).unwrap();
        panic!(
            "the API is described in another way; if that is meant, copy {} to {agreed}",
            place.display()
        );
    }
}

/// Each enumeration of the document has just the words that the core knows.
#[test]
fn words_are_those_of_the_core() {
    let document = document();
    let rows: [(&str, Vec<&str>); 7] = [
        ("Status", Status::ALL.map(Status::as_str).into()),
        ("OperationType", Operation::ALL.map(Operation::as_str).into()),
        ("RunStatus", RunStatus::ALL.map(RunStatus::as_str).into()),
        ("Source", CallSurface::ALL.map(CallSurface::as_str).into()),
        ("Class", Class::ALL.map(Class::as_str).into()),
        ("Variant", Variant::ALL.map(Variant::as_str).into()),
        ("ExportFormat", ExportFormat::ALL.map(ExportFormat::as_str).into()),
    ];
    for (name, mut known) in rows {
        let words = document["components"]["schemas"][name]["enum"].as_array().unwrap();
        let mut words: Vec<&str> = words.iter().map(|word| word.as_str().unwrap()).collect();
        words.sort_unstable();
        known.sort_unstable();
        assert_eq!(words, known, "{name}");
    }
}

/// Names of operations are how generated clients call them; references lead somewhere.
#[test]
fn every_operation_has_a_name_of_its_own_and_every_reference_a_target() {
    let document = document();
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    let mut names: Vec<&str> =
        operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for reference in DOCUMENT.split("\"$ref\": \"#").skip(1) {
        let target = reference.split('"').next().unwrap();
        assert!(document.pointer(target).is_some(), "{target}");
    }
}

/// Each parameter that a path takes is described, and no other.
#[test]
fn parameters_are_those_that_are_read() {
    let document = document();
    let described = |path: &str, method: &str| {
        let given = document["paths"][path][method]["parameters"].as_array().cloned();
        let names = given.unwrap_or_default().into_iter().filter(|given| given["in"] == "query");
        let mut names: Vec<String> =
            names.map(|given| given["name"].as_str().unwrap().to_owned()).collect();
        names.sort_unstable();
        names
    };
    let sorted = |names: &[&[&str]]| {
        let mut names: Vec<String> = names.concat().into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    let filters = &crate::api::activity::FILTERS[..];
    let view = &crate::query::VIEW[..];
    for (path, method, names) in [
        ("/api/v1/activity", "get", sorted(&[&crate::api::activity::listing()])),
        ("/api/v1/activity/summary", "get", sorted(&[filters])),
        ("/api/v1/activity/export", "get", sorted(&[filters, &["format"]])),
        ("/api/v1/activity/{id}", "get", sorted(&[])),
        ("/api/v1/events", "get", sorted(&[filters])),
        ("/api/v1/runs", "get", sorted(&[&crate::api::runs::parameters()])),
        ("/api/v1/tools", "get", sorted(&[view, &["query", "limit"]])),
        ("/api/v1/tools/call", "post", sorted(&[view])),
    ] {
        assert_eq!(described(path, method), names, "{path}");
    }
    let given = document["paths"]["/api/v1/activity"]["get"]["parameters"].as_array().unwrap();
    let limit = given.iter().find(|given| given["name"] == "limit").unwrap();
    let bounds = ["minimum", "maximum", "default"].map(|bound| &limit["schema"][bound]);
    assert_eq!(bounds, [&json!(1), &json!(PAGE_MAX), &json!(PAGE_DEFAULT)]);
}
