//! What the validators say beyond the two tables: texts, derived operations, order of warnings.

use tokio_util::sync::CancellationToken;

use crate::{
    annotations::Class,
    intent::{
        AllowAll, CallIntent, Decision, Declaration, IntentPolicy, IntentValidator, Mode,
        Operation, Origin, Refusal, RefusalCode, Sensitivity, Statement, Strictness,
        TwoKeyValidator, Unannotated, Variant, Warning,
    },
    json::RawJson,
    tool::{CallContext, CallSurface, Standing, ToolCall, ToolDefinition, ToolSource, Unapproved},
};

const READ: Variant = Variant(Operation::Read);
const WRITE: Variant = Variant(Operation::Write);

fn tool(annotations: &str) -> ToolDefinition {
    let raw = format!(r#"{{"name":"delete_repo","inputSchema":{{}},"annotations":{annotations}}}"#);
    ToolDefinition::from_raw(ToolSource::Mcp("github".into()), RawJson::parse(raw).unwrap())
        .unwrap()
}

fn call(intent: CallIntent) -> ToolCall {
    ToolCall {
        name: "github:delete_repo".into(),
        arguments: RawJson::empty_object(),
        intent,
        context: CallContext::new(CallSurface::Mcp),
        cancel: CancellationToken::new(),
    }
}

fn stated(variant: Variant, nested: &str) -> ToolCall {
    let nested = Some(RawJson::parse(nested).unwrap());
    let statement = Box::new(Statement { nested, ..Statement::default() });
    call(CallIntent::Stated { variant, statement })
}

fn declaration(operation: Operation, origin: Origin) -> Declaration {
    Declaration { operation, origin, sensitivity: None, reason: None }
}

fn validator(strictness: Strictness, unannotated: Unannotated) -> TwoKeyValidator {
    TwoKeyValidator::new(IntentPolicy { mode: Mode::TwoKey, strictness, unannotated })
}

/// The texts of the warnings a decision carries.
fn said(decision: Decision) -> Vec<String> {
    let Decision::Warn(_, warnings) = decision else { panic!("{decision:?} carries no warnings") };
    warnings.into_iter().map(|Warning { code, message }| format!("{code}: {message}")).collect()
}

#[test]
fn a_server_mismatch_carries_both_texts() {
    let validator = validator(Strictness::Strict, Unannotated::Destructive);
    let read = stated(READ, r#"{"operation_type":"read"}"#);
    let marked = "Tool 'github:delete_repo' is marked destructive by server, use call_tool_destructive\n\
                  Use call_tool_destructive instead of call_tool_read.";
    let refused = |message: &str| {
        Decision::Deny(Refusal { code: RefusalCode::ServerMismatch, message: message.to_owned() })
    };
    assert_eq!(validator.decide(&read, &tool(r#"{"destructiveHint":true}"#)), refused(marked));
    let silent = format!(
        "{marked}\nThe server says nothing about this tool; `intent_declaration.unannotated` counts it as destructive."
    );
    assert_eq!(validator.decide(&read, &tool("{}")), refused(&silent));
}

#[test]
fn warnings_say_what_the_tool_is_marked_as() {
    let permissive = validator(Strictness::Permissive, Unannotated::Write);
    let read = stated(READ, r#"{"operation_type":"read"}"#);
    let write = stated(WRITE, r#"{"operation_type":"write"}"#);
    assert_eq!(
        said(permissive.decide(&write, &tool(r#"{"destructiveHint":true}"#))),
        [
            "SERVER_MISMATCH: Tool 'github:delete_repo' is marked destructive by server, use call_tool_destructive\n\
          Use call_tool_destructive instead of call_tool_write."
        ]
    );
    assert_eq!(
        said(permissive.decide(&read, &tool(r#"{"readOnlyHint":false}"#))),
        [
            "UNDERSTATED_INTENT: Tool 'github:delete_repo' is marked as writing by server, call_tool_write says so"
        ]
    );
    assert_eq!(
        said(permissive.decide(&read, &tool("{}"))),
        [
            "UNDERSTATED_INTENT: Tool 'github:delete_repo' is marked as writing by configuration, call_tool_write says so"
        ]
    );
    assert_eq!(
        said(permissive.decide(&write, &tool(r#"{"readOnlyHint":true}"#))),
        [
            "OVERSTATED_INTENT: Tool 'github:delete_repo' is marked read-only by server, call_tool_read is enough"
        ]
    );
}

#[test]
fn warnings_come_in_the_order_statement_hints_verdict() {
    let call = stated(READ, r#"{"operation_type":"read","mood":1}"#);
    let tool = tool(r#"{"readOnlyHint":false,"idempotentHint":3}"#);
    assert_eq!(
        said(TwoKeyValidator::default().decide(&call, &tool)),
        [
            "UNKNOWN_INTENT_KEY: intent.mood is not known and was ignored",
            "MALFORMED_HINT: Tool 'github:delete_repo': idempotentHint is not a boolean and counts as absent",
            "UNDERSTATED_INTENT: Tool 'github:delete_repo' is marked as writing by server, call_tool_write says so",
        ]
    );
}

#[test]
fn on_the_direct_surface_the_operation_follows_from_the_hints() {
    let rows = [
        (r#"{"readOnlyHint":true}"#, Unannotated::Trust, Operation::Read),
        (r#"{"readOnlyHint":false}"#, Unannotated::Trust, Operation::Write),
        (r#"{"destructiveHint":true}"#, Unannotated::Trust, Operation::Destructive),
        ("{}", Unannotated::Trust, Operation::Write),
        ("{}", Unannotated::Write, Operation::Write),
        ("{}", Unannotated::Destructive, Operation::Destructive),
    ];
    let call = call(CallIntent::Direct);
    for (hints, unannotated, operation) in rows {
        let validator = validator(Strictness::Strict, unannotated);
        let expected = Decision::Allow(declaration(operation, Origin::Derived));
        assert_eq!(validator.decide(&call, &tool(hints)), expected, "{hints} {unannotated:?}");
        assert_eq!(validator.declared(&call), Ok(None));
    }
    assert_eq!(
        said(TwoKeyValidator::default().decide(&call, &tool(r#"{"destructiveHint":"yes"}"#))),
        [
            "MALFORMED_HINT: Tool 'github:delete_repo': destructiveHint is not a boolean and counts as absent"
        ]
    );
}

#[test]
fn a_statement_is_judged_before_any_tool_is_known() {
    let validator = TwoKeyValidator::default();
    let declared = validator.declared(&stated(WRITE, r#"{"operation_type":"write"}"#));
    assert_eq!(declared, Ok(Some(declaration(Operation::Write, Origin::Nested))));
    let refused = validator.declared(&stated(WRITE, r#"{"operation_type":"read"}"#)).unwrap_err();
    assert_eq!(refused.code, RefusalCode::IntentMismatch);
}

#[test]
fn allow_all_refuses_nothing_and_keeps_what_it_understands() {
    let understood = Declaration {
        operation: Operation::Read,
        origin: Origin::Nested,
        sensitivity: Some(Sensitivity::Public),
        reason: Some("why".into()),
    };
    let good = r#"{"operation_type":"read","data_sensitivity":"public","reason":"why"}"#;
    let rows = [
        (stated(READ, good), Some(understood.clone()), understood),
        (
            stated(READ, "[]"),
            Some(declaration(Operation::Read, Origin::Inferred)),
            declaration(Operation::Read, Origin::Inferred),
        ),
        (call(CallIntent::Direct), None, declaration(Operation::Destructive, Origin::Derived)),
    ];
    let tool = tool(r#"{"destructiveHint":true}"#);
    for (call, declared, decided) in rows {
        assert_eq!(AllowAll.declared(&call), Ok(declared));
        assert_eq!(AllowAll.decide(&call, &tool), Decision::Allow(decided));
    }
}

#[test]
fn a_class_that_was_lowered_is_ignored_and_told() {
    let validator = validator(Strictness::Strict, Unannotated::Trust);
    let held = tool(r#"{"readOnlyHint":true}"#).judged(Class::Destructive, Standing::Approved);
    let read = stated(READ, r#"{"operation_type":"read"}"#);
    let Decision::Deny(refusal) = validator.decide(&read, &held) else { panic!("let through") };
    assert_eq!(refusal.code, RefusalCode::ServerMismatch);
    let destroy = stated(Variant(Operation::Destructive), r#"{"operation_type":"destructive"}"#);
    assert_eq!(
        said(validator.decide(&destroy, &held)),
        [
            "CLASS_HELD: Tool 'github:delete_repo' counts as destructive until a person approves what it says now: \
          awf mcp approve github"
        ]
    );
}

#[test]
fn a_tool_nobody_stands_behind_is_refused_on_every_surface() {
    let validator = validator(Strictness::Strict, Unannotated::Trust);
    let standings = [
        (Standing::Unapproved(Unapproved::HiddenText), RefusalCode::ToolNotApproved),
        (Standing::Changed, RefusalCode::ToolChanged),
    ];
    for (standing, code) in standings {
        let tool = tool("{}").judged(Class::Unannotated, standing);
        for call in [call(CallIntent::Direct), stated(WRITE, r#"{"operation_type":"write"}"#)] {
            let Decision::Deny(refusal) = validator.decide(&call, &tool) else {
                panic!("{standing:?} was let through")
            };
            assert_eq!(refusal.code, code);
            assert!(refusal.message.ends_with("awf mcp approve github"), "{}", refusal.message);
        }
    }
}

#[test]
fn annotations_are_judged_before_approval() {
    let validator = validator(Strictness::Strict, Unannotated::Trust);
    let tool = tool(r#"{"destructiveHint":true}"#).judged(Class::Destructive, Standing::Changed);
    let read = stated(READ, r#"{"operation_type":"read"}"#);
    let Decision::Deny(refusal) = validator.decide(&read, &tool) else { panic!("let through") };
    assert_eq!(refusal.code, RefusalCode::ServerMismatch);
}
