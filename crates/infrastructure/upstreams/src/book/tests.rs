//! A book reads as it was written, or not at all.

use std::path::Path;

use awf_core::Class;

use super::{Book, MOST_TEXT, read, write};
use crate::{
    digest::Digest,
    held::Held,
    pin::{Approval, HiddenText, Kept, Parts, Pin},
};

fn pin(text: &str) -> Pin {
    Pin {
        hash: Digest::of([Some(text)]),
        class: Held::To(Class::Write),
        approved: Approval::Person,
        hidden: HiddenText::Present,
        parts: Parts {
            title: None,
            description: Some(Kept::Text(text.to_owned())),
            input_schema: Some(Kept::Hash(Digest::of([None]))),
            output_schema: Some(Kept::Text("{}".to_owned())),
            remarks: Some(Kept::Text(r#"{"title":"T"}"#.to_owned())),
        },
    }
}

#[test]
fn a_book_reads_as_it_was_written() {
    let plain = Pin { approved: Approval::FirstSight, hidden: HiddenText::Absent, ..pin("p") };
    let book = Book::from([("a".to_owned(), pin("text\u{200b}")), ("b".to_owned(), plain)]);
    let text = write("srv", &book).unwrap();
    assert_eq!(read(Path::new("x"), &text).unwrap(), book);
    assert!(text.contains(r#""approved": "first-sight""#) && text.contains(r#""class": "write""#));
}

#[test]
fn long_books_keep_hashes_that_still_tell_what_changed() {
    let long = "x".repeat(60_000);
    let many = MOST_TEXT / long.len() + 10;
    let book: Book = (0..many).map(|number| (format!("t{number:04}"), pin(&long))).collect();
    let text = write("srv", &book).unwrap();
    assert!(text.len() < MOST_TEXT + many * 1_000, "{}", text.len());
    let again = read(Path::new("x"), &text).unwrap();
    let last = again.values().next_back().unwrap().parts.description.as_ref().unwrap();
    assert!(matches!(last, Kept::Hash(_)) && last.says(&long) && !last.says("y"));
}

#[test]
fn what_is_not_understood_whole_is_damaged() {
    let good = write("srv", &Book::from([("a".to_owned(), pin("t"))])).unwrap();
    for (from, to) in [
        ("{", ""),
        ("\"version\": 2", "\"version\": 1"),
        ("\"write\"", "\"harmless\""),
        ("\"person\"", "\"robot\""),
        ("\"hash\": \"", "\"hash\": \"z"),
        ("\"server\"", "\"sever\""),
    ] {
        let bad = good.replacen(from, to, 1);
        let error = read(Path::new("the/file"), &bad).unwrap_err().to_string();
        assert!(error.starts_with("`the/file` is damaged: "), "{error}");
    }
    assert!(read(Path::new("x"), "").is_err());
}
