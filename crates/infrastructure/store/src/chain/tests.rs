//! The byte layout of a line, and what a change to it does.

use serde_json::json;

use super::{Hash, Link, next, split, write_line};

fn line_after(last: Link) -> (String, Link) {
    let mut buffer = Vec::new();
    let link = write_line(&mut buffer, last, "event", &json!({"ended": "…"})).unwrap();
    (String::from_utf8(buffer).unwrap(), link)
}

#[test]
fn a_line_is_laid_out_as_documented() {
    let (line, link) = line_after(Link::START);
    let zeros = "0".repeat(64);
    let body = format!(r#"{{"v":1,"seq":1,"prev":"{zeros}","event":{{"ended":"…"}}"#);
    assert_eq!(line, format!("{body},\"hash\":\"{}\"}}\n", Hash::of(body.as_bytes()).as_str()));
    assert_eq!(link, Link { seq: 1, hash: Hash::of(body.as_bytes()) });
    serde_json::from_str::<serde_json::Value>(&line).unwrap();
}

#[test]
fn the_hash_is_plain_sha_256() {
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(Hash::of(b"abc").as_str(), known);
    assert_eq!(Hash::parse(known), Some(Hash::of(b"abc")));
    assert_eq!(Hash::of(b"abc").short(), 0xba78_16bf_8f01_cfea_u64.cast_signed());
}

#[test]
fn a_line_continues_the_one_before() {
    let (_, first) = line_after(Link::START);
    let (line, second) = line_after(first);
    assert_eq!(second.seq, 2);
    assert!(line.contains(first.hash.as_str()));
}

#[test]
fn a_change_of_any_byte_is_seen() {
    let (line, _) = line_after(Link::START);
    let line = line.trim_end().as_bytes();
    assert!(split(line).unwrap().fits());
    for at in 0..line.len() {
        let mut changed = line.to_vec();
        changed[at] ^= 1;
        assert!(!split(&changed).is_some_and(|split| split.fits()), "byte {at}");
    }
}

#[test]
fn only_the_very_next_line_continues_a_chain() {
    let (first_line, first) = line_after(Link::START);
    let (second_line, second) = line_after(first);
    assert_eq!(next(first_line.trim_end().as_bytes(), Link::START), Some(first));
    assert_eq!(next(second_line.trim_end().as_bytes(), first), Some(second));
    for (line, last) in [(&first_line, first), (&second_line, Link::START), (&second_line, second)]
    {
        assert_eq!(next(line.trim_end().as_bytes(), last), None);
    }
    let edited = second_line.replace("ended", "ENDED");
    assert_eq!(next(edited.trim_end().as_bytes(), first), None);
}

#[test]
fn what_is_no_line_of_ours_is_not_split() {
    for line in ["", "{}", r#"{"v":1,"hash":"short"}"#, &"x".repeat(200)] {
        assert!(split(line.as_bytes()).is_none(), "{line}");
    }
}
