//! A broken workflow for each code that `awf validate` gives, and what it says of it: the files of `examples/broken`.

use awf_core::Code;
use serde::Serialize;

/// A broken workflow.
#[derive(Debug, Serialize)]
pub(super) struct Example {
    /// Its file.
    pub(super) workflow: &'static str,
    /// What `awf validate` says of it.
    pub(super) output: &'static str,
}

/// The example of a code, if `awf validate` can give the code.
pub(super) fn example(code: Code) -> Option<&'static Example> {
    EXAMPLES.iter().find(|(of, _)| *of == code).map(|(_, example)| example)
}

macro_rules! examples {
    ($($code:ident = $stem:literal;)+) => {
        const EXAMPLES: &[(Code, Example)] = &[$((Code::$code, Example {
            workflow: include_str!(concat!("../../../../../../examples/broken/", $stem, ".yaml")),
            output: include_str!(concat!("../../../../../../examples/broken/", $stem, ".txt")),
        })),+];
    };
}

examples! {
    ProxyUnknownKey = "user-mcp-proxy-unknown-key";
    ProxyUnknownPlugin = "user-mcp-proxy-unknown-plugin";
    ProxyUnknownOperation = "user-mcp-proxy-unknown-operation";
    NameCollision = "user-mcp-proxy-name-collision";
    ProxyEmpty = "user-mcp-proxy-empty-proxy";
    ProxyUnsupportedProvider = "user-mcp-proxy-unsupported-provider";
    InputMissingFile = "user-input-missing-file";
    InputUnknown = "user-input-unknown-input";
    InputMissing = "user-input-missing-input";
    InputMissingSkill = "user-input-missing-skill";
    InputMissingRole = "user-input-missing-role";
    ParseYamlSyntax = "workflow-parse-yaml-syntax";
    ParseUnknownField = "workflow-parse-unknown-field";
    ParseDuplicateKey = "workflow-parse-duplicate-key";
    ParseInvalidValue = "workflow-parse-invalid-value";
    ParseTooLarge = "workflow-parse-too-large";
    ParseIgnoredKey = "workflow-parse-ignored-key";
    ParseUnsupported = "workflow-parse-unsupported";
    MissingField = "workflow-validation-missing-field";
    ConflictingFields = "workflow-validation-conflicting-fields";
    MisplacedField = "workflow-validation-misplaced-field";
    CycleDetected = "workflow-validation-cycle-detected";
    MissingState = "workflow-validation-missing-state";
    InvalidTransition = "workflow-validation-invalid-transition";
    UnreachableState = "workflow-validation-unreachable-state";
    InvalidTemplate = "workflow-validation-invalid-template";
    InvalidExpression = "workflow-validation-invalid-expression";
    UndefinedReference = "workflow-validation-undefined-reference";
    ForwardReference = "workflow-validation-forward-reference";
    InvalidRetry = "workflow-validation-invalid-retry";
    InvalidTimeout = "workflow-validation-invalid-timeout";
    InvalidLoop = "workflow-validation-invalid-loop";
    InvalidInput = "workflow-validation-invalid-input";
    UnknownProvider = "workflow-validation-unknown-provider";
    UnknownWorkflow = "workflow-validation-unknown-workflow";
    UnknownPluginOperation = "workflow-validation-unknown-operation";
    UnverifiedOperation = "workflow-validation-unverified-operation";
    UnquotedInput = "workflow-validation-unquoted-input";
    CallTooDeep = "execution-workflow-too-deep";
}
