//! Every stable code. A code never changes its meaning; a new meaning gets a new code.

use std::fmt;

use crate::{diagnostic::Severity, intent::RefusalCode};

/// Declares the codes once: name, string, severity, what it means, what to do.
macro_rules! codes {
    ($($name:ident = $text:literal, $severity:ident, $description:literal, $hint:literal;)+) => {
        /// A stable code: what a report, an exit status and a search engine agree on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $description] $name,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The code as printed.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// How bad it is unless said otherwise.
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)+ }
            }

            /// What it means, in one line.
            pub fn description(self) -> &'static str {
                match self { $(Self::$name => $description,)+ }
            }

            /// What to do about it, in one line.
            pub fn hint(self) -> &'static str {
                match self { $(Self::$name => $hint,)+ }
            }
        }
    };
}

codes! {
    ProxyUnknownKey = "USER.MCP_PROXY.UNKNOWN_KEY", Error,
        "a key of the `mcp_proxy` block is not known",
        "use `enable`, `intercept_builtins` and `plugin_tools`; other settings live in the `tools` block";
    ProxyUnknownPlugin = "USER.MCP_PROXY.UNKNOWN_PLUGIN", Error,
        "`plugin_tools` names a plugin that is not declared",
        "declare the plugin in `.awf/plugins.yaml`";
    ProxyUnknownOperation = "USER.MCP_PROXY.UNKNOWN_OPERATION", Error,
        "`expose` names an operation the plugin does not have",
        "expose an operation the plugin lists";
    NameCollision = "USER.MCP_PROXY.NAME_COLLISION", Error,
        "two tools or two sources of tools would be called by the same name",
        "rename one of them, or expose only one";
    ProxyEmpty = "USER.MCP_PROXY.EMPTY_PROXY", Error,
        "the proxy is enabled and offers no tools",
        "set `intercept_builtins: true`, list `plugin_tools` or `tools.servers`, or disable the proxy";
    ProxyUnsupportedProvider = "USER.MCP_PROXY.UNSUPPORTED_PROVIDER", Warning,
        "the provider keeps its own tools beside the proxy's",
        "prove the version you have with `awf doctor`, or use `claude` or `openai_compatible`";
    ProxyUnsupportedSchema = "USER.MCP_PROXY.UNSUPPORTED_SCHEMA", Error,
        "an operation takes something that the schema of a tool cannot express",
        "correct the operation's inputs, or do not expose it";
    ProxyInfiniteLoop = "USER.MCP_PROXY.INFINITE_LOOP_GUARD", Error,
        "the model asked for tools without naming any, or without end",
        "check the model's tool support, or raise the turn limit";

    IntentInvalidName = "USER.INTENT.INVALID_NAME", Error,
        "the call names no tool, or not as `server:tool`",
        "name the tool as `server:tool`";
    IntentInvalid = "USER.INTENT.INVALID_INTENT", Error,
        "the intent has the wrong shape",
        "send `intent` as an object whose values are strings";
    IntentMissing = "USER.INTENT.MISSING_INTENT", Error,
        "the call declares no intent",
        "send `intent` with the operation type of the variant";
    IntentMissingType = "USER.INTENT.MISSING_OPERATION_TYPE", Error,
        "the intent declares no operation type",
        "set `intent.operation_type` to the variant's own word";
    IntentInvalidType = "USER.INTENT.INVALID_OPERATION_TYPE", Error,
        "the operation type is none of the three",
        "use `read`, `write` or `destructive`";
    IntentInvalidSensitivity = "USER.INTENT.INVALID_SENSITIVITY", Error,
        "the data sensitivity is none of the four",
        "use `public`, `internal`, `private` or `unknown`";
    IntentReasonTooLong = "USER.INTENT.REASON_TOO_LONG", Error,
        "the reason has more than 1000 characters",
        "shorten the reason";
    IntentMismatch = "USER.INTENT.INTENT_MISMATCH", Error,
        "the declared operation type is not the variant's",
        "declare the variant's own type, or call the other variant";
    IntentConflict = "USER.INTENT.INTENT_CONFLICT", Error,
        "the intent says two different things",
        "say each thing once";
    IntentUnknownServer = "USER.INTENT.UNKNOWN_SERVER", Error,
        "no server of that name is configured",
        "run `awf tools list` for the names";
    IntentUnknownTool = "USER.INTENT.UNKNOWN_TOOL", Error,
        "the server has no tool of that name",
        "run `awf tools list` for the names";
    IntentServerMismatch = "USER.INTENT.SERVER_MISMATCH", Error,
        "the tool is marked destructive and the variant is milder",
        "call the tool with `call_tool_destructive`";
    IntentAboveCeiling = "USER.INTENT.ABOVE_CEILING", Error,
        "the tool's class is above `tools.allow`",
        "raise `tools.allow`, or use a milder tool";
    IntentJournalUnavailable = "USER.INTENT.JOURNAL_UNAVAILABLE", Error,
        "the activity journal cannot be written, so nothing may be changed",
        "make room and give access where the journal lives";
    IntentToolNotApproved = "USER.INTENT.TOOL_NOT_APPROVED", Error,
        "nobody approved this tool yet",
        "approve the server with `awf mcp approve`";
    IntentToolChanged = "USER.INTENT.TOOL_CHANGED", Error,
        "the tool changed after it was approved",
        "look at the change, then approve the server again with `awf mcp approve`";
    IntentInvalidArguments = "USER.INTENT.INVALID_ARGUMENTS", Error,
        "the arguments do not fit the tool",
        "compare the arguments with the tool's input schema";

    PluginUnknown = "USER.PLUGIN.UNKNOWN", Error,
        "no plugin has that name",
        "run `awf plugin list` for the names";

    ServerUnknown = "USER.SERVER.UNKNOWN", Error,
        "no MCP server of that name is configured",
        "run `awf mcp list` for the names";
    ServerNotApproved = "USER.SERVER.NOT_APPROVED", Error,
        "only the project names this MCP server, and nobody approved it yet",
        "look at what would be started, then `awf mcp approve <server>`";

    ConfigUnreadable = "USER.CONFIG.UNREADABLE", Error,
        "a configuration file cannot be read",
        "check the path and its permissions";
    ConfigInvalid = "USER.CONFIG.INVALID", Error,
        "a configuration file is not well formed, or a value has the wrong type",
        "mend the marked place";
    ConfigUnknownKey = "USER.CONFIG.UNKNOWN_KEY", Error,
        "a configuration file has a key that is not known",
        "remove the key, or correct its spelling";
    ConfigUnsupported = "USER.CONFIG.UNSUPPORTED", Error,
        "a setting is known but not supported by this version",
        "remove the setting, or use a version that has it";
    ConfigConflict = "USER.CONFIG.CONFLICT", Error,
        "two settings contradict each other",
        "keep one of them";

    InputMissingFile = "USER.INPUT.MISSING_FILE", Error,
        "a file that was named does not exist",
        "check the path";
    InputInvalidFormat = "USER.INPUT.INVALID_FORMAT", Error,
        "a value given on the command line has the wrong form",
        "see `awf --help` for the form";
    InputInvalidJson = "USER.INPUT.INVALID_JSON", Error,
        "the arguments of a call are not a JSON object",
        "quote the JSON for the shell: --args '{\"file_path\": \"README.md\"}'";
    InputValidationFailed = "USER.INPUT.VALIDATION_FAILED", Error,
        "an input of the workflow breaks its own rules",
        "see the input's `validation` in the workflow";

    InputUnknown = "USER.INPUT.UNKNOWN_INPUT", Error,
        "an input was given that the workflow does not have",
        "run `awf run <workflow> --help` for its inputs";
    InputMissing = "USER.INPUT.MISSING_INPUT", Error,
        "a required input was not given",
        "give it with `--input name=value`";
    InputMissingVariable = "USER.INPUT.MISSING_VARIABLE", Error,
        "an environment variable the workflow needs is not set",
        "set the variable";
    InputMissingSkill = "USER.INPUT.MISSING_SKILL", Error,
        "a skill was not found",
        "put its `SKILL.md` into `.awf/skills/<name>/`, or give its path";
    InputMissingRole = "USER.INPUT.MISSING_ROLE", Error,
        "a role was not found",
        "put its `AGENTS.md` into `.awf/roles/<name>/`, or give its path";
    InputExists = "USER.INPUT.ALREADY_EXISTS", Error,
        "a file that would be written exists already",
        "move it away first; nothing is ever overwritten";
    RunNotFound = "USER.RUN.NOT_FOUND", Error,
        "no run has that id",
        "run `awf history` for the ids";
    RunActive = "USER.RUN.ACTIVE", Error,
        "the run is under way in another process",
        "wait for it, or stop that process";
    RunFinished = "USER.RUN.FINISHED", Error,
        "the run has ended and has nothing left to do",
        "name a state to begin at again: `awf resume <id> --from <state>`";
    RunInterrupted = "USER.RUN.INTERRUPTED_STEP", Error,
        "a step was under way when the run was interrupted, and nobody knows how far it came",
        "look at what it did; then `awf resume <id> --from current` runs it again";
    WorkflowNotFound = "USER.WORKFLOW.NOT_FOUND", Error,
        "no workflow has that name",
        "put it into `.awf/workflows/`, or give a path";

    ParseYamlSyntax = "WORKFLOW.PARSE.YAML_SYNTAX", Error,
        "the workflow is not well-formed YAML",
        "mend the marked place";
    ParseUnknownField = "WORKFLOW.PARSE.UNKNOWN_FIELD", Error,
        "the workflow has a key that is not known",
        "remove the key, or correct its spelling";
    ParseDuplicateKey = "WORKFLOW.PARSE.DUPLICATE_KEY", Error,
        "a key is given twice",
        "keep one of them";
    ParseInvalidValue = "WORKFLOW.PARSE.INVALID_VALUE", Error,
        "a value has the wrong type, or is none of those there are",
        "mend the marked value";
    ParseTooLarge = "WORKFLOW.PARSE.TOO_LARGE", Error,
        "the file is too large, nested too deep, or its aliases grow without bound",
        "split the workflow, or write out its aliases";
    ParseIgnoredKey = "WORKFLOW.PARSE.IGNORED_KEY", Warning,
        "a key has no effect",
        "remove the key";
    ParseUnsupported = "WORKFLOW.PARSE.UNSUPPORTED", Error,
        "awf does not have this part of the language",
        "see the list of what is in and what is out in the documentation";
    MissingField = "WORKFLOW.VALIDATION.MISSING_FIELD", Error,
        "a state lacks a key it cannot do without",
        "add the key";
    ConflictingFields = "WORKFLOW.VALIDATION.CONFLICTING_FIELDS", Error,
        "two keys of a state exclude each other",
        "keep one of them";
    MisplacedField = "WORKFLOW.VALIDATION.MISPLACED_FIELD", Error,
        "a key stands on a state that cannot use it",
        "move it to a state of the right type, or remove it";
    CycleDetected = "WORKFLOW.VALIDATION.CYCLE_DETECTED", Error,
        "states lead back to themselves without a way out",
        "give one of them a way to a terminal state";
    MissingState = "WORKFLOW.VALIDATION.MISSING_STATE", Error,
        "a state that is referred to does not exist",
        "add the state, or correct its name";
    InvalidTransition = "WORKFLOW.VALIDATION.INVALID_TRANSITION", Error,
        "a transition cannot be followed",
        "give it a condition that parses and a state that exists";

    UnreachableState = "WORKFLOW.VALIDATION.UNREACHABLE_STATE", Warning,
        "no way leads to the state",
        "lead to it from another state, or remove it";
    InvalidTemplate = "WORKFLOW.VALIDATION.INVALID_TEMPLATE", Error,
        "a template does not parse",
        "mend the marked place";
    InvalidExpression = "WORKFLOW.VALIDATION.INVALID_EXPRESSION", Error,
        "an expression does not parse",
        "mend the marked place";
    UndefinedReference = "WORKFLOW.VALIDATION.UNDEFINED_REFERENCE", Error,
        "a template or an expression names something that does not exist",
        "correct the name, or declare it";
    ForwardReference = "WORKFLOW.VALIDATION.FORWARD_REFERENCE", Error,
        "a template names a state that cannot have run before",
        "name a state that leads here";
    InvalidRetry = "WORKFLOW.VALIDATION.INVALID_RETRY", Error,
        "a `retry` block cannot be followed",
        "use at least one attempt, a jitter of 0 to 1 and a positive multiplier";
    InvalidTimeout = "WORKFLOW.VALIDATION.INVALID_TIMEOUT", Error,
        "a timeout is no duration",
        "write whole seconds (`30`) or a duration (`1500ms`, `2m`, `1h30m`)";
    InvalidLoop = "WORKFLOW.VALIDATION.INVALID_LOOP", Error,
        "a loop cannot be run",
        "give it a body of distinct states and a bound of 1 to 10000";
    InvalidInput = "WORKFLOW.VALIDATION.INVALID_INPUT", Error,
        "an input is declared in a way no value can satisfy",
        "mend the marked rule";
    UnknownProvider = "WORKFLOW.VALIDATION.UNKNOWN_PROVIDER", Error,
        "no agent has that name",
        "use claude, gemini, codex, opencode, openai_compatible or scripted";
    UnknownWorkflow = "WORKFLOW.VALIDATION.UNKNOWN_WORKFLOW", Error,
        "`call_workflow` names a workflow that does not exist, or one that leads back here",
        "correct the name, or add the workflow";
    UnknownPluginOperation = "WORKFLOW.VALIDATION.UNKNOWN_OPERATION", Error,
        "an operation state names an operation no plugin has",
        "name it `plugin.operation`, as the plugin declares it";
    UnverifiedOperation = "WORKFLOW.VALIDATION.UNVERIFIED_OPERATION", Warning,
        "a use of a plugin could not be checked",
        "run `awf plugin lock`, or declare `operations` and `step_types` in `.awf/plugins.yaml`";
    UnknownStepType = "WORKFLOW.VALIDATION.UNKNOWN_STEP_TYPE", Error,
        "a state has a type that neither awf nor a plugin has",
        "name it `plugin.type`, as the plugin declares it";
    PluginFinding = "WORKFLOW.VALIDATION.PLUGIN_FINDING", Error,
        "the validator of a plugin found something",
        "read the message; it is the plugin's own";
    UnquotedInput = "WORKFLOW.VALIDATION.UNQUOTED_INPUT", Warning,
        "an input reaches the shell unquoted: whoever gives it can run commands",
        "write `{{escape .inputs.name}}`, or use the variable `\"$name\"`";

    CommandFailed = "EXECUTION.COMMAND.FAILED", Error,
        "a command or tool reported a failure",
        "read its output";
    CommandTimeout = "EXECUTION.COMMAND.TIMEOUT", Error,
        "a command or tool did not end in time",
        "raise the timeout, or do less at once";
    ParallelPartialFailure = "EXECUTION.PARALLEL.PARTIAL_FAILURE", Error,
        "some branches of a parallel state failed",
        "read the output of the failed branches";
    AgentFailed = "EXECUTION.AGENT.FAILED", Error,
        "an agent gave no answer",
        "read its output; `--log-level debug` shows more";
    AgentUnsupported = "EXECUTION.AGENT.UNSUPPORTED", Error,
        "this version of awf does not have the agent",
        "use `--provider scripted:<file>` to play its part";
    AgentMissing = "EXECUTION.AGENT.NOT_INSTALLED", Error,
        "the program of an agent is not on this machine",
        "install it, or use `--provider scripted:<file>` to play its part";
    AgentUnusable = "EXECUTION.AGENT.UNUSABLE", Error,
        "an agent cannot be asked as the step says, or its script cannot be played",
        "mend what the message names; trying again changes nothing";
    OperationUnknown = "EXECUTION.OPERATION.UNKNOWN", Error,
        "no plugin has the operation",
        "declare the plugin in `.awf/plugins.yaml`";
    OperationFailed = "EXECUTION.OPERATION.FAILED", Error,
        "an operation reported a failure",
        "read its output";
    TemplateFailed = "EXECUTION.TEMPLATE.FAILED", Error,
        "a template or an expression could not be evaluated",
        "check the values it names";
    HookFailed = "EXECUTION.HOOK.FAILED", Error,
        "a `workflow_start` hook failed, so the run did not begin",
        "read its output";
    WorkflowFailed = "EXECUTION.WORKFLOW.FAILED", Error,
        "the run ended in a failure state",
        "read its message";
    CallTooDeep = "EXECUTION.WORKFLOW.TOO_DEEP", Error,
        "workflows call each other more than ten deep",
        "flatten the calls";
    ProxyGone = "EXECUTION.PROXY.GONE", Error,
        "the run this server belonged to is gone",
        "start the server from a run, or give it a configuration without `socket`";
    ProxyUnavailable = "EXECUTION.PROXY.UNAVAILABLE", Error,
        "the tools of a step could not be offered",
        "read the message; check the space and the permissions";
    ProxyUnseen = "EXECUTION.PROXY.UNSEEN", Error,
        "an agent ended without having asked for the tools it was given",
        "read its complaints; `awf doctor` shows whether this version takes awf's tools";
    ProxyBypassed = "EXECUTION.PROXY.BYPASSED", Error,
        "an agent used a tool of its own although awf was to be its only source",
        "`awf activity list --status bypassed` shows what it did; `awf doctor` shows what this version keeps";
    ScriptMismatch = "EXECUTION.SCRIPT.MISMATCH", Error,
        "a scripted agent got another answer than its script expects",
        "compare the script's `expect` with the answer";
    ServerUnavailable = "EXECUTION.SERVER.UNAVAILABLE", Error,
        "an MCP server could not be started or reached, or did not answer",
        "run `awf mcp test <server>` to see what it says";
    PluginDisabled = "EXECUTION.PLUGIN.DISABLED", Error,
        "the plugin is switched off",
        "run `awf plugin enable` with its name";
    PluginStartFailed = "EXECUTION.PLUGIN.START_FAILED", Error,
        "a plugin could not be started",
        "check its `path` or `command` in `.awf/plugins.yaml`";
    PluginHandshakeFailed = "EXECUTION.PLUGIN.HANDSHAKE_FAILED", Error,
        "a program was started and does not speak as a plugin does",
        "read the message: it names the cause; `awf plugin verify` tries it again";
    PluginChecksumMismatch = "EXECUTION.PLUGIN.CHECKSUM_MISMATCH", Error,
        "the plugin's binary is not the one that was vouched for",
        "check where the binary came from; then correct its `checksum`, or run `awf plugin lock`";

    ActivityNotFound = "USER.ACTIVITY.NOT_FOUND", Error,
        "no record has that id",
        "run `awf activity list` for the ids";
    ActivityDamaged = "SYSTEM.ACTIVITY.DAMAGED", Error,
        "the activity journal was altered, or cannot be read back",
        "run `awf activity verify` to see where";
    ActivityIndexAltered = "SYSTEM.ACTIVITY.INDEX_ALTERED", Error,
        "the index over the activity journal is not what the journal says",
        "delete `activity/index.sqlite` in awf's data directory: it is made anew from the journal";
    ActivityUnavailable = "SYSTEM.ACTIVITY.UNAVAILABLE", Error,
        "the activity journal cannot be opened",
        "make room and give access where the journal lives, or set `activity.enabled: false`";
    ActivityNewer = "SYSTEM.ACTIVITY.NEWER", Error,
        "the activity log was written by a newer awf",
        "use the newest awf, or give this one a place of its own with `AWF_HOME`";
    ActivityOverLimits = "SYSTEM.ACTIVITY.OVER_LIMITS", Warning,
        "the activity log could not be kept within its limits",
        "make room and give access where the log lives; it is tried again with the next segment";
    RunDamaged = "SYSTEM.RUN.DAMAGED", Error,
        "the journal of a run was altered, or was written by a newer awf",
        "use the newest awf; the run cannot go on from a journal that cannot be read";
    RunUnavailable = "SYSTEM.RUN.UNAVAILABLE", Error,
        "the journal of a run cannot be read or written",
        "make room and give access where awf keeps its data";
    ListenFailed = "SYSTEM.SERVE.LISTEN_FAILED", Error,
        "the address cannot be listened on",
        "free the address, or name another with `--listen`";
    ServeUnreachable = "SYSTEM.SERVE.UNREACHABLE", Error,
        "no server answers at the address",
        "start `awf serve`, and name the address it listens on with `--listen`";
    IoReadFailed = "SYSTEM.IO.READ_FAILED", Error,
        "a file or stream cannot be read",
        "check that it exists and can be read";
    IoWriteFailed = "SYSTEM.IO.WRITE_FAILED", Error,
        "a file or stream cannot be written",
        "check the space and the permissions";
    IoPermissionDenied = "SYSTEM.IO.PERMISSION_DENIED", Error,
        "the system does not permit it",
        "check the owner and mode of the file";
    InternalUnmapped = "SYSTEM.INTERNAL.UNMAPPED", Error,
        "something broke that has no code of its own",
        "please report it, with the log";
}

impl Code {
    /// Reads a code; case matters.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// Whose fault it is.
    pub fn area(self) -> Area {
        match self.as_str().split('.').next() {
            Some("USER") => Area::User,
            Some("WORKFLOW") => Area::Workflow,
            Some("EXECUTION") => Area::Execution,
            _ => Area::System,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whose fault it is: the first word of a code. An exit status follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Area {
    /// What was asked for or configured.
    User,
    /// The workflow file.
    Workflow,
    /// What a step or tool did.
    Execution,
    /// The machine, or awf itself.
    System,
}

impl Area {
    /// The word in templates and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Workflow => "workflow",
            Self::Execution => "execution",
            Self::System => "system",
        }
    }
}

impl From<RefusalCode> for Code {
    fn from(code: RefusalCode) -> Self {
        match code {
            RefusalCode::InvalidName => Self::IntentInvalidName,
            RefusalCode::InvalidIntent => Self::IntentInvalid,
            RefusalCode::MissingIntent => Self::IntentMissing,
            RefusalCode::MissingOperationType => Self::IntentMissingType,
            RefusalCode::InvalidOperationType => Self::IntentInvalidType,
            RefusalCode::InvalidSensitivity => Self::IntentInvalidSensitivity,
            RefusalCode::ReasonTooLong => Self::IntentReasonTooLong,
            RefusalCode::IntentMismatch => Self::IntentMismatch,
            RefusalCode::IntentConflict => Self::IntentConflict,
            RefusalCode::UnknownServer => Self::IntentUnknownServer,
            RefusalCode::UnknownTool => Self::IntentUnknownTool,
            RefusalCode::ServerMismatch => Self::IntentServerMismatch,
            RefusalCode::AboveCeiling => Self::IntentAboveCeiling,
            RefusalCode::JournalUnavailable => Self::IntentJournalUnavailable,
            RefusalCode::ToolNotApproved => Self::IntentToolNotApproved,
            RefusalCode::ToolChanged => Self::IntentToolChanged,
            RefusalCode::InvalidArguments => Self::IntentInvalidArguments,
        }
    }
}
