//! The second table (decision D4): a variant held against a tool's class.

use crate::{
    annotations::Class,
    intent::{
        IntentPolicy, Operation, Refusal, RefusalCode, Strictness, Unannotated, Variant, Warning,
        WarningCode,
    },
};

/// What the second table says about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may go ahead.
    Allow,
    /// It may go ahead, though the tool is marked destructive and the variant is milder (permissive mode).
    Tolerate,
    /// It may go ahead, though the tool is marked as writing and the caller only means to read.
    Understated,
    /// It may go ahead, though the tool is marked read-only and reading would have done.
    Overstated,
    /// It may not: the tool is marked destructive and the variant is milder.
    Mismatch,
}

/// What a variant may do with a tool of `class`.
pub fn judge(variant: Variant, class: Class, policy: IntentPolicy) -> Verdict {
    use Operation::{Destructive, Read, Write};
    match (variant.0, effective(class, policy.unannotated), policy.strictness) {
        (Read | Write, Class::Destructive, Strictness::Strict) => Verdict::Mismatch,
        (Read | Write, Class::Destructive, Strictness::Permissive) => Verdict::Tolerate,
        (Read, Class::Write, Strictness::Strict | Strictness::Permissive) => Verdict::Understated,
        (Write, Class::Read, Strictness::Strict | Strictness::Permissive) => Verdict::Overstated,
        (Read, Class::Read | Class::Unannotated, Strictness::Strict | Strictness::Permissive)
        | (Write, Class::Write | Class::Unannotated, Strictness::Strict | Strictness::Permissive)
        | (
            Destructive,
            Class::Destructive | Class::Read | Class::Write | Class::Unannotated,
            Strictness::Strict | Strictness::Permissive,
        ) => Verdict::Allow,
    }
}

/// The variant a tool of `class` should be called with.
pub fn call_with(class: Class, unannotated: Unannotated) -> Variant {
    Variant(match effective(class, unannotated) {
        Class::Read => Operation::Read,
        Class::Write | Class::Unannotated => Operation::Write,
        Class::Destructive => Operation::Destructive,
    })
}

/// The stricter of two classes, and `said` where both are as strict.
pub fn stricter(held: Class, said: Class, unannotated: Unannotated) -> Class {
    let grade = |class| {
        let counts_as = effective(class, unannotated);
        Class::ALL.iter().position(|known| *known == counts_as)
    };
    if grade(held) > grade(said) { held } else { said }
}

/// What a tool without annotations counts as; every other class stays.
fn effective(class: Class, unannotated: Unannotated) -> Class {
    match (class, unannotated) {
        (Class::Unannotated, Unannotated::Write) => Class::Write,
        (Class::Unannotated, Unannotated::Destructive) => Class::Destructive,
        (Class::Unannotated, Unannotated::Trust)
        | (
            Class::Read | Class::Write | Class::Destructive,
            Unannotated::Trust | Unannotated::Write | Unannotated::Destructive,
        ) => class,
    }
}

/// The refusal of a milder `variant` on the destructive tool `name`: both literal texts, a line each.
pub(crate) fn mismatch(name: &str, class: Class, variant: Variant) -> Refusal {
    let right = Variant(Operation::Destructive);
    let mut message = format!(
        "Tool '{name}' is marked destructive by server, use {right}\nUse {right} instead of {variant}."
    );
    if class == Class::Unannotated {
        message.push_str(
            "\nThe server says nothing about this tool; `intent_declaration.unannotated` counts it as destructive.",
        );
    }
    Refusal { code: RefusalCode::ServerMismatch, message }
}

/// What should be seen about a call that goes ahead with this verdict.
pub(crate) fn warning(
    verdict: Verdict,
    name: &str,
    class: Class,
    variant: Variant,
) -> Option<Warning> {
    let source = match class {
        Class::Unannotated => "configuration",
        Class::Destructive | Class::Read | Class::Write => "server",
    };
    let (code, message) = match verdict {
        Verdict::Allow | Verdict::Mismatch => return None,
        Verdict::Tolerate => (WarningCode::ServerMismatch, mismatch(name, class, variant).message),
        Verdict::Understated => (
            WarningCode::UnderstatedIntent,
            format!("Tool '{name}' is marked as writing by {source}, call_tool_write says so"),
        ),
        Verdict::Overstated => (
            WarningCode::OverstatedIntent,
            format!("Tool '{name}' is marked read-only by {source}, call_tool_read is enough"),
        ),
    };
    Some(Warning::new(code, message))
}
