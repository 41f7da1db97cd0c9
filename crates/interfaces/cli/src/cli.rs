//! The command line as typed. Doc comments here are the help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{
    commands::{activity, call, completion, error, history, mcp_serve, status, tools},
    environment::Environment,
};

/// See, judge and prove what AI agents do on a real machine.
#[derive(Debug, Parser)]
#[command(name = "awf", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) telemetry: TelemetryArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Call one tool, declaring what the call is for
    Call(call::CallArgs),
    /// Show the tools that can be called
    Tools(tools::ToolsArgs),
    /// Show and check what was done
    Activity(activity::ActivityArgs),
    /// Show one run: its steps, how it ended, and how to go on
    Status(status::StatusArgs),
    /// List runs, newest first
    History(history::HistoryArgs),
    /// Explain a code: what it means, what to do, and an example
    #[command(visible_alias = "explain")]
    Error(error::ErrorArgs),
    /// Print a completion script for a shell
    Completion(completion::CompletionArgs),
    /// Serve the tools of a configuration file to an MCP client on stdin and stdout
    #[command(hide = true)]
    McpServe(mcp_serve::McpServeArgs),
}

/// Whether a command calls tools, and so has spans to export.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spans {
    Some,
    None,
}

impl Command {
    /// What is logged unless the user says otherwise. A terminal that shows a run shows its calls already.
    pub(crate) fn log_level(&self) -> &'static str {
        "info"
    }

    pub(crate) fn spans(&self, environment: &Environment) -> Spans {
        match self {
            Self::Call(_) => Spans::Some,
            Self::McpServe(args) => args.spans(environment),
            Self::Tools(_)
            | Self::Activity(_)
            | Self::Status(_)
            | Self::History(_)
            | Self::Error(_)
            | Self::Completion(_) => Spans::None,
        }
    }
}

/// Where logs and spans go; logs always go to stderr.
#[derive(Debug, Args)]
pub(crate) struct TelemetryArgs {
    /// What to log: `error`, `warn`, `info`, `debug`, or a filter such as `awf=debug`; `info` by default, and `warn` where
    /// a terminal shows a run as it goes
    #[arg(long, global = true, value_name = "FILTER")]
    pub(crate) log_level: Option<String>,
    /// How to write logs
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
    /// Export spans: `otlp` follows `OTEL_EXPORTER_OTLP_PROTOCOL`; off unless this or an OTLP endpoint variable is set
    #[arg(long, global = true, value_enum, value_name = "EXPORTER")]
    pub(crate) otel_exporter: Option<OtelExporter>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OtelExporter {
    None,
    Otlp,
    OtlpGrpc,
    OtlpHttp,
}

/// Which tools, beneath which root, under which rules.
#[derive(Debug, Args)]
pub(crate) struct ToolsetArgs {
    /// Configuration file (JSON or YAML); without it: the six built-in tools beneath the working directory
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
