//! One file per command: its arguments, whose doc comments are its help, and the function that runs it.

pub(crate) mod activity;
pub(crate) mod call;
pub(crate) mod completion;
pub(crate) mod demo;
pub(crate) mod diagram;
pub(crate) mod doctor;
pub(crate) mod error;
pub(crate) mod history;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod mcp;
pub(crate) mod mcp_serve;
pub(crate) mod open;
pub(crate) mod plugin;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod status;
pub(crate) mod tools;
pub(crate) mod validate;
