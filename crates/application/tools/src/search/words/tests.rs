//! What becomes of identifiers, sentences and other scripts.

use super::{STOP_WORDS, Wanted, Word, for_each_word, is_stop_word};

fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each_word(text, |word| {
        let (Word::Whole(word) | Word::Part(word)) = word;
        found.push(word.to_owned());
        Wanted::More
    });
    found
}

#[test]
fn identifiers_are_taken_apart() {
    for (text, expected) in [
        ("create_pull-request.v2/now", "create pull request v2 now"),
        ("createIssue", "createissue create issue"),
        ("GitHub", "github git hub"),
        ("HTTPServer", "httpserver http server"),
        ("sha256 page2 k8s s3", "sha256 sha 256 page2 page k8s s3"),
        ("Don't", "don t"),
    ] {
        assert_eq!(words(text).join(" "), expected, "{text}");
    }
}

#[test]
fn scripts_without_spaces_are_split_by_sign() {
    assert_eq!(words("搜索文件 Größe"), ["搜", "索", "文", "件", "größe"]);
}

#[test]
fn endless_words_are_cut_and_the_taker_may_have_enough() {
    let cut = words(&"x".repeat(1_000_000));
    assert_eq!(cut, ["x".repeat(40)]);
    let mut taken = 0;
    for_each_word(&"abCd12".repeat(100_000), |_| {
        taken += 1;
        if taken < 5 { Wanted::More } else { Wanted::Enough }
    });
    assert_eq!(taken, 5);
}

#[test]
fn control_characters_separate() {
    assert_eq!(words("a\u{0}b\u{1b}[31m c\u{202e}d"), ["a", "b", "31m", "31", "c", "d"]);
}

#[test]
fn stop_words_are_in_order() {
    assert!(STOP_WORDS.is_sorted());
    assert!(is_stop_word("the") && is_stop_word("a") && !is_stop_word("delete"));
}
