//! What templates and expressions can name: the namespaces and the fixed names within them.

/// Every namespace.
pub(super) const ROOTS: &[&str] =
    &["inputs", "states", "workflow", "env", "context", "error", "loop", "awf", "captured"];

/// What is known of a state that ran.
pub const STATE_PROPERTIES: &[&str] = &[
    "Output",
    "Stderr",
    "ExitCode",
    "Status",
    "Response",
    "JSON",
    "TokensUsed",
    "TokensInput",
    "TokensOutput",
    "TokensEstimated",
];

/// What is known of the run.
pub(super) const WORKFLOW: &[&str] = &["ID", "Name", "CurrentState", "StartedAt", "Duration"];

/// What is known of where it runs. The lower-case names are those of older files.
pub(super) const CONTEXT: &[&str] =
    &["WorkingDir", "User", "Hostname", "working_dir", "user", "hostname"];

/// What is known of a failure.
pub(super) const ERROR: &[&str] = &["Message", "State", "ExitCode", "Type"];

/// What is known within a loop.
pub(super) const LOOP: &[&str] = &["Item", "Index", "Index1", "First", "Last", "Length", "Parent"];

/// awf's own directories.
pub(super) const AWF: &[&str] = &[
    "prompts_dir",
    "scripts_dir",
    "config_dir",
    "data_dir",
    "workflows_dir",
    "plugins_dir",
    "skills_dir",
    "roles_dir",
    "pack_name",
];
