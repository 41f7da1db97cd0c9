//! Terms found whole, by their beginning, and by a slip.

use super::Vocabulary;

fn vocabulary() -> Vocabulary {
    let terms = ["delet", "deploy", "issu", "kubernet", "kubectl", "note", "repository", "sha256"];
    let mut terms: Vec<Box<str>> = terms.map(Box::from).to_vec();
    terms.sort();
    Vocabulary::new(terms)
}

fn near(word: &str) -> Vec<(String, usize)> {
    let terms = vocabulary();
    let near = terms.near(word).into_iter();
    near.map(|meant| (terms.spelt(meant.term).to_owned(), meant.letters_off)).collect()
}

#[test]
fn terms_are_found_whole() {
    let terms = vocabulary();
    assert_eq!(terms.find("issu").map(|term| terms.spelt(term)), Some("issu"));
    assert_eq!(terms.find("iss"), None);
    assert_eq!(terms.find(""), None);
}

#[test]
fn terms_are_found_by_their_beginning_the_shortest_first() {
    let terms = vocabulary();
    let found: Vec<_> =
        terms.beginning_with("kube").into_iter().map(|id| terms.spelt(id)).collect();
    assert_eq!(found, ["kubectl", "kubernet"]);
}

#[test]
fn one_slip_is_forgiven_in_a_short_word_and_two_in_a_long_one() {
    assert_eq!(near("isus"), [("issu".to_owned(), 1)]);
    assert_eq!(near("isxx"), []);
    assert_eq!(near("repsitroy"), [("repository".to_owned(), 2)]);
    assert_eq!(near("not"), [], "three letters are too few to guess from");
    assert_eq!(near("sha257"), [], "a number is not a slip of another");
}

#[test]
fn guessing_is_bounded() {
    let terms = (0..200_000).map(|n| format!("a{}", letters(n)).into_boxed_str());
    let mut terms: Vec<_> = terms.collect();
    terms.sort();
    assert!(Vocabulary::new(terms).near("aaaabbbbcccc").len() <= super::MOST_MEANT);
}

fn letters(number: u32) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}
