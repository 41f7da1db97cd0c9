//! What is held never falls, under any settings.

use awf_core::{Class, Unannotated, stricter};

use super::Held;

const SETTINGS: [Unannotated; 3] =
    [Unannotated::Trust, Unannotated::Write, Unannotated::Destructive];

fn all() -> impl Iterator<Item = Held> {
    Class::ALL.into_iter().map(Held::To).chain([Held::UnannotatedAndWrite])
}

#[test]
fn another_class_never_lowers_what_is_held_and_always_counts() {
    for (held, said) in all().flat_map(|held| Class::ALL.map(|said| (held, said))) {
        for unannotated in SETTINGS {
            let now = held.and(said).class(unannotated);
            for floor in [held.class(unannotated), said] {
                let as_strict = stricter(floor, now, unannotated) == now;
                assert!(as_strict, "{held:?} {said} {unannotated:?}: {now}");
            }
        }
        assert_eq!(held.and(said).and(said), held.and(said));
        assert_eq!(held.and_all(Held::To(said)), held.and(said));
    }
}

#[test]
fn words_read_as_they_are_written() {
    for held in all() {
        assert_eq!(Held::parse(held.as_str()), Some(held));
    }
    assert_eq!(Held::parse("write+unannotated"), None);
}

#[test]
fn what_is_held_besides_the_word_is_told() {
    assert_eq!(Held::To(Class::Write).besides(Class::Write), None);
    assert_eq!(Held::To(Class::Write).besides(Class::Read), Some(Class::Write));
    assert_eq!(Held::UnannotatedAndWrite.besides(Class::Write), Some(Class::Unannotated));
    assert_eq!(Held::UnannotatedAndWrite.besides(Class::Unannotated), Some(Class::Write));
}
