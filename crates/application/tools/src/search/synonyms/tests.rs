//! The table reads as meant.

use super::{NOUNS, VERBS, stem, synonyms};

#[test]
fn words_of_a_group_stand_for_one_another() {
    assert!(synonyms(&stem("rm")).contains(&stem("delete")));
    assert!(synonyms(&stem("delete")).contains(&"rm".to_owned()));
    assert!(synonyms(&stem("list")).contains(&stem("show")));
    assert!(synonyms("nonsense").is_empty());
}

#[test]
fn short_forms_go_one_way() {
    assert!(synonyms("pr").contains(&stem("request")));
    assert!(!synonyms(&stem("request")).contains(&"pr".to_owned()));
}

#[test]
fn no_word_stands_for_itself_and_groups_are_well_formed() {
    for group in VERBS.iter().chain(NOUNS) {
        assert!(group.split(' ').count() > 1 && !group.contains("  "), "{group}");
        for word in group.split(' ') {
            assert!(!synonyms(&stem(word)).contains(&stem(word)), "{word}");
        }
    }
}
