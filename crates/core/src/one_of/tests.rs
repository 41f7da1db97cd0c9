//! One word, and several.

use super::one_of;

#[test]
fn words_are_listed_as_a_sentence_does() {
    assert_eq!(one_of(&["a"]), "a");
    assert_eq!(one_of(&["a", "b", "c"]), "a, b or c");
}
