//! The table of beginnings and the shapes it stands for.

use super::{BEGINNINGS, Shapes, TOKENS};

#[test]
fn every_token_begins_like_one_of_the_beginnings() {
    for token in TOKENS {
        let begins = token.prefix.as_bytes().first_chunk::<2>().unwrap();
        assert!(BEGINNINGS.contains(begins), "{}", token.prefix);
        let found = |text: &str| Shapes::default().at(text, 0);
        let whole = format!("{}{}", token.prefix, "a".repeat(token.tail));
        assert_eq!(found(&whole), Some((0, whole.len())), "{whole}");
        assert_eq!(found(&whole[1..]), None);
        assert_eq!(found(&whole[..whole.len() - 1]), None, "{whole} less one");
    }
}
