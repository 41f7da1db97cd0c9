//! A code is good once, soon, here, and only from the key.

use std::time::{Duration, SystemTime};

use super::{Codes, login_code};
use crate::key::ApiKey;

const PORT: u16 = 8080;

fn key(digit: char) -> ApiKey {
    ApiKey::parse(&digit.to_string().repeat(64)).unwrap()
}

fn noon() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(500_000)
}

fn made(at: SystemTime) -> String {
    login_code(&key('a'), PORT, at).unwrap()
}

#[test]
fn it_works_once() {
    let codes = Codes::new(noon());
    let code = made(noon());
    assert!(codes.redeem(&key('a'), PORT, &code, noon()));
    assert!(!codes.redeem(&key('a'), PORT, &code, noon()));
    assert!(codes.redeem(&key('a'), PORT, &made(noon()), noon()), "another one does");
}

#[test]
fn it_is_good_for_minutes_and_not_from_before_or_after() {
    let codes = Codes::new(noon());
    let after = |seconds| noon() + Duration::from_secs(seconds);
    for (made_at, used_at, good) in [(0, 300, true), (0, 301, false), (20, 10, false), (4, 0, true)]
    {
        let redeemed = codes.redeem(&key('a'), PORT, &made(after(made_at)), after(used_at));
        assert_eq!(redeemed, good, "made at {made_at}, used at {used_at}");
    }
    let before = made(noon() - Duration::from_secs(1));
    assert!(!codes.redeem(&key('a'), PORT, &before, noon()), "an earlier server may have taken it");
}

#[test]
fn it_is_of_one_key_and_one_port() {
    let codes = Codes::new(noon());
    let code = made(noon());
    assert!(!codes.redeem(&key('b'), PORT, &code, noon()));
    assert!(!codes.redeem(&key('a'), PORT + 1, &code, noon()));
    assert!(codes.redeem(&key('a'), PORT, &code, noon()), "a miss does not use it up");
}

#[test]
fn no_character_can_be_changed_added_or_left_out() {
    let codes = Codes::new(noon());
    let code = made(noon());
    for at in 0..code.len() {
        let mut other = code.clone().into_bytes();
        other[at] = if other[at] == b'A' { b'B' } else { b'A' };
        let other = String::from_utf8(other).unwrap();
        assert!(!codes.redeem(&key('a'), PORT, &other, noon()), "character {at}");
    }
    for other in ["", "A", &code[1..], &format!("{code}A"), &format!("{code}=")] {
        assert!(!codes.redeem(&key('a'), PORT, other, noon()), "{other}");
    }
}

#[test]
fn two_are_never_alike() {
    assert_ne!(made(noon()), made(noon()));
}
