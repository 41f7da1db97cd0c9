//! awf-agents: agents behind one port, a file for each.
//!
//! An agent reaches tools by the access it is given and by nothing else that awf can see to; what it starts, it starts
//! through a guard.

mod claude;
mod cli;
mod codex;
mod gemini;
mod models;
mod openai;
mod opencode;
mod options;
mod scripted;

pub use cli::{
    CliAgent, CliSettings, Proofs,
    installed::{Installed, find, installed, program_of},
    ledger::Ledger,
};
pub use models::{
    INPUT_TOKENS, ModelAnswer, ModelCall, ModelProtocol, ModelRequest, ModelServer, ModelTurn,
    ModelWatcher, OUTPUT_TOKENS, Scenario, ToolResultSeen, Wanted,
};
pub use openai::{ApiKey, OpenAiAgent, OpenAiSettings, ProxyVariables};
pub use options::check_option;
pub use scripted::ScriptedAgent;
