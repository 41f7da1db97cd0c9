//! The validators: the two-key rules, and one that lets everything pass.

use crate::{
    intent::{
        CallIntent, Decision, Declaration, IntentPolicy, IntentValidator, Origin, Refusal,
        Statement, Unannotated, Variant, Verdict, Warning, WarningCode, call_with, declare, judge,
        judgement, understood,
    },
    tool::{ToolCall, ToolDefinition},
};

/// Judges by both tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoKeyValidator {
    policy: IntentPolicy,
}

impl TwoKeyValidator {
    /// A validator under `policy`.
    pub fn new(policy: IntentPolicy) -> Self {
        Self { policy }
    }

    fn decide_stated(
        self,
        variant: Variant,
        statement: &Statement,
        tool: &ToolDefinition,
    ) -> Decision {
        let (declaration, mut warnings) = match declare(variant, statement, self.policy.mode) {
            Ok(stated) => stated,
            Err(refusal) => return Decision::Deny(refusal),
        };
        let (name, class) = (tool.qualified_name(), tool.class());
        let verdict = judge(variant, class, self.policy);
        match verdict {
            Verdict::Mismatch => Decision::Deny(judgement::mismatch(&name, class, variant)),
            Verdict::Allow | Verdict::Tolerate | Verdict::Understated | Verdict::Overstated => {
                warnings.extend(about(tool));
                warnings.extend(judgement::warning(verdict, &name, class, variant));
                go_ahead(tool, declaration, warnings)
            }
        }
    }
}

impl IntentValidator for TwoKeyValidator {
    fn declared(&self, call: &ToolCall) -> Result<Option<Declaration>, Refusal> {
        match &call.intent {
            CallIntent::Direct => Ok(None),
            CallIntent::Stated { variant, statement } => {
                declare(*variant, statement, self.policy.mode)
                    .map(|(declaration, _)| Some(declaration))
            }
        }
    }

    fn decide(&self, call: &ToolCall, tool: &ToolDefinition) -> Decision {
        match &call.intent {
            CallIntent::Direct => {
                let declaration = derived(tool, self.policy.unannotated);
                go_ahead(tool, declaration, about(tool).collect())
            }
            CallIntent::Stated { variant, statement } => {
                self.decide_stated(*variant, statement, tool)
            }
        }
    }

    fn understood(&self, call: &ToolCall, tool: Option<&ToolDefinition>) -> Option<Declaration> {
        meant(call, tool, self.policy.unannotated)
    }
}

/// Lets everything pass, and keeps of a statement what can be understood.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowAll;

impl IntentValidator for AllowAll {
    fn declared(&self, call: &ToolCall) -> Result<Option<Declaration>, Refusal> {
        Ok(match &call.intent {
            CallIntent::Direct => None,
            CallIntent::Stated { variant, statement } => Some(understood(*variant, statement)),
        })
    }

    fn decide(&self, call: &ToolCall, tool: &ToolDefinition) -> Decision {
        Decision::Allow(match &call.intent {
            CallIntent::Direct => derived(tool, Unannotated::default()),
            CallIntent::Stated { variant, statement } => understood(*variant, statement),
        })
    }

    fn understood(&self, call: &ToolCall, tool: Option<&ToolDefinition>) -> Option<Declaration> {
        meant(call, tool, Unannotated::default())
    }
}

/// The call is in order; what is left is whether a person stands behind the tool.
fn go_ahead(tool: &ToolDefinition, declaration: Declaration, warnings: Vec<Warning>) -> Decision {
    if let Some(refusal) =
        tool.standing().refusal(&tool.qualified_name(), tool.source().namespace())
    {
        return Decision::Deny(refusal);
    }
    if warnings.is_empty() {
        Decision::Allow(declaration)
    } else {
        Decision::Warn(declaration, warnings)
    }
}

/// What can be told of a call, in order or not: what was stated, or what the tool says of itself.
fn meant(
    call: &ToolCall,
    tool: Option<&ToolDefinition>,
    unannotated: Unannotated,
) -> Option<Declaration> {
    match &call.intent {
        CallIntent::Direct => tool.map(|tool| derived(tool, unannotated)),
        CallIntent::Stated { variant, statement } => Some(understood(*variant, statement)),
    }
}

/// What a call by name does, as far as the tool's annotations tell.
fn derived(tool: &ToolDefinition, unannotated: Unannotated) -> Declaration {
    let operation = call_with(tool.class(), unannotated).0;
    Declaration { operation, origin: Origin::Derived, sensitivity: None, reason: None }
}

/// What should be seen about a tool, whoever calls it.
fn about(tool: &ToolDefinition) -> impl Iterator<Item = Warning> {
    let held = tool.is_held().then(|| {
        let (name, class) = (tool.qualified_name(), tool.class());
        let server = tool.source().namespace();
        let message = format!(
            "Tool '{name}' counts as {class} until a person approves what it says now: awf mcp approve {server}"
        );
        Warning::new(WarningCode::ClassHeld, message)
    });
    held.into_iter().chain(malformed_hints(tool))
}

fn malformed_hints(tool: &ToolDefinition) -> impl Iterator<Item = Warning> {
    tool.annotations().malformed().into_iter().map(|hint| {
        let name = tool.qualified_name();
        let message = format!("Tool '{name}': {hint} is not a boolean and counts as absent");
        Warning::new(WarningCode::MalformedHint, message)
    })
}

#[cfg(test)]
mod tests;
