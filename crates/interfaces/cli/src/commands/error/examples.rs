//! A broken workflow for each code that `awf validate` gives, and what it says of it: the files of `examples/broken`.

use awf_core::Code;
use serde::Serialize;

/// A broken workflow.
#[derive(Debug, Serialize)]
pub(super) struct Example {
    /// Its file, or the one beside it that is broken.
    pub(super) workflow: &'static str,
    /// What `awf validate` says of it.
    pub(super) output: &'static str,
}

/// The example of a code, if `awf validate` can give the code.
pub(super) fn example(code: Code) -> Option<&'static Example> {
    EXAMPLES.iter().find(|(of, _)| *of == code).map(|(_, example)| example)
}

macro_rules! examples {
    ($($code:ident = $stem:literal $rest:literal;)+) => {
        const EXAMPLES: &[(Code, Example)] = &[$((Code::$code, Example {
            workflow: include_str!(concat!("../../../../../../examples/broken/", $stem, $rest)),
            output: include_str!(concat!("../../../../../../examples/broken/", $stem, ".txt")),
        })),+];
    };
}

examples! {
    ProxyUnknownKey = "user-mcp-proxy-unknown-key" ".yaml";
    ProxyUnknownPlugin = "user-mcp-proxy-unknown-plugin" ".yaml";
    ProxyUnknownOperation = "user-mcp-proxy-unknown-operation" ".yaml";
    NameCollision = "user-mcp-proxy-name-collision" ".yaml";
    ProxyEmpty = "user-mcp-proxy-empty-proxy" ".yaml";
    ProxyUnsupportedProvider = "user-mcp-proxy-unsupported-provider" ".yaml";
    ProxyUnsupportedSchema = "user-mcp-proxy-unsupported-schema" ".yaml";
    ServerUnknown = "user-server-unknown" "/triage.yaml";
    ConfigInvalid = "user-config-invalid" "/.awf/plugins.yaml";
    ConfigUnknownKey = "user-config-unknown-key" "/.awf/plugins.yaml";
    InputMissingFile = "user-input-missing-file" ".yaml";
    InputUnknown = "user-input-unknown-input" ".yaml";
    InputMissing = "user-input-missing-input" ".yaml";
    InputMissingSkill = "user-input-missing-skill" ".yaml";
    InputMissingRole = "user-input-missing-role" ".yaml";
    ParseYamlSyntax = "workflow-parse-yaml-syntax" ".yaml";
    ParseUnknownField = "workflow-parse-unknown-field" ".yaml";
    ParseDuplicateKey = "workflow-parse-duplicate-key" ".yaml";
    ParseInvalidValue = "workflow-parse-invalid-value" ".yaml";
    ParseTooLarge = "workflow-parse-too-large" ".yaml";
    ParseIgnoredKey = "workflow-parse-ignored-key" ".yaml";
    ParseUnsupported = "workflow-parse-unsupported" ".yaml";
    MissingField = "workflow-validation-missing-field" ".yaml";
    ConflictingFields = "workflow-validation-conflicting-fields" ".yaml";
    MisplacedField = "workflow-validation-misplaced-field" ".yaml";
    CycleDetected = "workflow-validation-cycle-detected" ".yaml";
    MissingState = "workflow-validation-missing-state" ".yaml";
    InvalidTransition = "workflow-validation-invalid-transition" ".yaml";
    UnreachableState = "workflow-validation-unreachable-state" ".yaml";
    InvalidTemplate = "workflow-validation-invalid-template" ".yaml";
    InvalidExpression = "workflow-validation-invalid-expression" ".yaml";
    UndefinedReference = "workflow-validation-undefined-reference" ".yaml";
    ForwardReference = "workflow-validation-forward-reference" ".yaml";
    InvalidRetry = "workflow-validation-invalid-retry" ".yaml";
    InvalidTimeout = "workflow-validation-invalid-timeout" ".yaml";
    InvalidLoop = "workflow-validation-invalid-loop" ".yaml";
    InvalidInput = "workflow-validation-invalid-input" ".yaml";
    UnknownProvider = "workflow-validation-unknown-provider" ".yaml";
    UnknownWorkflow = "workflow-validation-unknown-workflow" ".yaml";
    UnknownPluginOperation = "workflow-validation-unknown-operation" ".yaml";
    UnverifiedOperation = "workflow-validation-unverified-operation" ".yaml";
    UnknownStepType = "workflow-validation-unknown-step-type" ".yaml";
    UnquotedInput = "workflow-validation-unquoted-input" ".yaml";
    CallTooDeep = "execution-workflow-too-deep" ".yaml";
}
