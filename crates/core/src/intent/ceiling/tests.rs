//! Every ceiling against every class.

use crate::{
    annotations::Class,
    intent::{Ceiling, Operation, Unannotated},
};

#[test]
fn a_tool_of_a_higher_class_is_not_permitted() {
    use Unannotated::{Destructive, Trust, Write};
    let rows = [
        // class, meaning of "unannotated", permitted under read, write, destructive
        (Class::Read, Trust, [true, true, true]),
        (Class::Write, Trust, [false, true, true]),
        (Class::Destructive, Trust, [false, false, true]),
        (Class::Unannotated, Trust, [false, true, true]),
        (Class::Unannotated, Write, [false, true, true]),
        (Class::Unannotated, Destructive, [false, false, true]),
        (Class::Read, Destructive, [true, true, true]),
    ];
    for (class, unannotated, permitted) in rows {
        let found = Operation::ALL.map(|most| Ceiling(most).permits(class, unannotated));
        assert_eq!(found, permitted, "{class:?} {unannotated:?}");
    }
}

#[test]
fn nothing_is_above_the_default() {
    assert_eq!(Ceiling::default(), Ceiling(Operation::Destructive));
}

#[test]
fn the_refusal_names_tool_and_setting() {
    let refusal = Ceiling(Operation::Read).refusal("builtin:Bash");
    assert_eq!(refusal.code.as_str(), "ABOVE_CEILING");
    assert_eq!(refusal.message, "Tool 'builtin:Bash' is above `tools.allow: read`");
}
