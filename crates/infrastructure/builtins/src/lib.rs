//! awf-builtins: Read, Write, Edit, Bash, Glob and Grep, as one source of tools.
//!
//! The file tools work beneath roots and never leave them; the module `files` is the only way to a file, and the only one that knows
//! the platform. Bash can do what the user can: it is guarded against outliving the session, not against itself.

mod answer;
mod arguments;
mod bash;
mod blocking;
mod edit;
mod files;
mod glob;
mod grep;
mod provider;
mod read;
mod schema;
mod shortlist;
mod shown;
mod tool;
mod tree;
mod trouble;
mod turns;
mod write;

pub use bash::ShellSettings;
pub use files::RootError;
pub use provider::{BuiltinError, BuiltinSettings, Builtins};
