//! The grafting, and the table against the workspace as it is now: a damage that cannot be done any more is told at once,
//! without building anything.

use std::{collections::BTreeSet, fs};

use crate::tree;

use super::{graft::graft, table};

fn mutant(id: &str, original: &str) -> table::Mutant {
    table::Mutant {
        id: id.to_owned(),
        damage: "x".to_owned(),
        file: "f.rs".to_owned(),
        original: original.to_owned(),
        mutated: "M".to_owned(),
        test: "t".to_owned(),
    }
}

#[test]
fn each_mutant_waits_behind_its_name() {
    let asks = |id: &str| {
        format!(
            r#"if ::std::env::var_os("AWF_MUTANT").is_some_and(|id| id == "{id}") {{ M }} else "#
        )
    };
    let (one, two, three) = (mutant("1", "b"), mutant("2", "b"), mutant("3", "d"));
    let grafted = graft("a b c d", &[&three, &one, &two]).unwrap();
    assert_eq!(grafted, format!("a ({}{}{{ b }}) c ({}{{ d }})", asks("1"), asks("2"), asks("3")));
}

#[test]
fn an_original_that_is_gone_doubled_or_overlapping_is_told() {
    for (text, originals, told) in [
        ("a", ["b", "a"], "`b` is not in f.rs any more"),
        ("b b a", ["b", "a"], "`b` stands more than once"),
        ("a b c", ["a b", "b c"], "overlaps"),
    ] {
        let mutants = originals.map(|original| mutant("1", original));
        let error = graft(text, &mutants.each_ref()).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn every_damage_can_still_be_done_and_its_test_is_there() {
    let root = tree::root();
    let mutants = table::read(&root).unwrap();
    let ids: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.id.as_str()).collect();
    assert_eq!(ids.len(), mutants.len(), "an id is there twice");
    for mutant in &mutants {
        let text = fs::read_to_string(root.join(&mutant.file));
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", mutant.file));
        graft(&text, &[mutant]).unwrap();
        let (file, test) = mutant.test.split_once(".rs::").unwrap();
        let text = fs::read_to_string(root.join(format!("{file}.rs")));
        let text = text.unwrap_or_else(|error| panic!("{file}.rs: {error}"));
        assert!(text.contains(&format!("fn {test}(")), "{}: no test {}", mutant.id, mutant.test);
    }
}

/// One damage at least for each functional requirement and each measure of success.
#[test]
fn every_requirement_has_a_mutant() {
    let mutants = table::read(&tree::root()).unwrap();
    let requirements = (1..=42).map(|number| format!("FR-{number:03}"));
    for id in requirements.chain((1..=8).map(|number| format!("SC-{number:03}"))) {
        assert!(mutants.iter().any(|mutant| mutant.id.starts_with(&id)), "no mutant for {id}");
    }
}
