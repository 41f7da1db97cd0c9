//! The validators: the two-key rules, and one that lets everything pass.

use crate::{
    intent::{
        CallIntent, Decision, Declaration, IntentPolicy, IntentValidator, Mode, Origin, Refusal,
        Statement, Unannotated, Variant, Verdict, Warning, WarningCode, call_with, declare, judge,
        judgement,
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
        let (name, class) = (tool.qualified_name(), tool.annotations().class());
        let verdict = judge(variant, class, self.policy);
        match verdict {
            Verdict::Mismatch => Decision::Deny(judgement::mismatch(&name, class, variant)),
            Verdict::Allow | Verdict::Tolerate | Verdict::Understated | Verdict::Overstated => {
                warnings.extend(malformed_hints(tool));
                warnings.extend(judgement::warning(verdict, &name, class, variant));
                go_ahead(declaration, warnings)
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
                go_ahead(declaration, malformed_hints(tool).collect())
            }
            CallIntent::Stated { variant, statement } => {
                self.decide_stated(*variant, statement, tool)
            }
        }
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
}

fn go_ahead(declaration: Declaration, warnings: Vec<Warning>) -> Decision {
    if warnings.is_empty() {
        Decision::Allow(declaration)
    } else {
        Decision::Warn(declaration, warnings)
    }
}

/// What a call by name does, as far as the tool's annotations tell.
fn derived(tool: &ToolDefinition, unannotated: Unannotated) -> Declaration {
    let operation = call_with(tool.annotations().class(), unannotated).0;
    Declaration { operation, origin: Origin::Derived, sensitivity: None, reason: None }
}

fn understood(variant: Variant, statement: &Statement) -> Declaration {
    declare(variant, statement, Mode::Inferred).map_or_else(
        |_| Declaration {
            operation: variant.0,
            origin: Origin::Inferred,
            sensitivity: None,
            reason: None,
        },
        |(declaration, _)| declaration,
    )
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
