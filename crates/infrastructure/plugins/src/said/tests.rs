//! What is kept of what a plugin says.

use super::*;

#[test]
fn the_last_of_it_is_kept_on_one_line() {
    let said = Arc::new(Said::default());
    assert_eq!(said.words(Since::default()), "");
    let mut ear = Ear::keeping("db", &said);
    ear.hear(&[b'x'; 10_000]);
    ear.hear(b"\n\n  no such host \r\ngiving up\n");
    let words = said.words(Since::default());
    assert!(words.starts_with("; it said: xxx"), "{words}");
    assert!(words.ends_with("xxx / no such host / giving up"), "{words}");
    assert!(words.len() < TOLD + 32);
    let now = said.now();
    assert_eq!(said.words(now), "", "nothing was said since");
    ear.hear(b"out of memory\n");
    assert_eq!(said.words(now), "; it said: out of memory");
    let words = said.words(Since::default());
    let mut deaf = Ear::new("db", &said);
    deaf.hear(b"more");
    assert_eq!(said.words(Since::default()), words);
}
