//! The command line as typed. Doc comments here are the help texts.

use std::{
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

use awf_config::TelemetrySettings;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{
    commands::{
        activity, call, completion, demo, diagram, doctor, error, history, init, list, mcp,
        mcp_serve, open, plugin, resume, run, schema, serve, status, tools, validate,
    },
    environment::Environment,
    report::CommandError,
    telemetry::Wanted,
    workflows,
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
    /// See in a minute what awf does; needs nothing
    Demo(demo::DemoArgs),
    /// Write a first workflow into this project
    Init(init::InitArgs),
    /// Prove on this machine that agents have no tools but awf's
    Doctor(doctor::DoctorArgs),
    /// Run a workflow
    #[command(disable_help_flag = true)]
    Run(run::RunArgs),
    /// Go on with a run that was stopped or killed
    Resume(resume::ResumeArgs),
    /// Call one tool, declaring what the call is for
    Call(call::CallArgs),
    /// Show the tools that can be called
    Tools(tools::ToolsArgs),
    /// Put other MCP servers behind awf: name them, try them, approve them, serve them
    Mcp(mcp::McpArgs),
    /// Serve MCP, the REST API and a page to look at over HTTP, to many clients at once
    Serve(serve::ServeArgs),
    /// Open the page of `awf serve` in a browser
    Open(open::OpenArgs),
    /// Show and check what was done
    Activity(activity::ActivityArgs),
    /// Show one run: its steps, how it ended, and how to go on
    Status(status::StatusArgs),
    /// List runs, newest first
    History(history::HistoryArgs),
    /// Find everything that is wrong with workflows, without starting anything
    Validate(validate::ValidateArgs),
    /// Show, check and switch plugins, and begin one
    Plugin(plugin::PluginArgs),
    /// List the workflows that can be run by name
    #[command(visible_alias = "ls")]
    List(list::ListArgs),
    /// Draw a workflow as text, for Mermaid or Graphviz
    Diagram(diagram::DiagramArgs),
    /// Print the JSON Schema of a file, for editors
    Schema(schema::SchemaArgs),
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
    /// What the command wants of its telemetry.
    pub(crate) fn telemetry(&self, environment: &Environment) -> Result<Wanted, CommandError> {
        let (spans, level) = match self {
            Self::Run(_) | Self::Resume(_) | Self::Demo(_) => (Spans::Some, beside_a_run()),
            // What its trials log is not about the user's machine.
            Self::Doctor(_) => (Spans::None, "off"),
            Self::Call(_) | Self::Serve(_) => (Spans::Some, "info"),
            Self::McpServe(args) => (args.spans(environment), "info"),
            Self::Mcp(args) => (args.spans(), "info"),
            Self::Tools(_)
            | Self::Activity(_)
            | Self::Status(_)
            | Self::History(_)
            | Self::Validate(_)
            | Self::Plugin(_)
            | Self::Open(_)
            | Self::Init(_)
            | Self::List(_)
            | Self::Diagram(_)
            | Self::Schema(_)
            | Self::Error(_)
            | Self::Completion(_) => (Spans::None, "info"),
        };
        let configured = match (spans, self) {
            (Spans::None, _) => TelemetrySettings::default(),
            (Spans::Some, Self::Run(args)) => {
                workflows::settings(&args.project_dir(environment)?, environment)?.telemetry
            }
            (Spans::Some, _) => workflows::settings(Path::new(""), environment)?.telemetry,
        };
        Ok(Wanted { spans, level, configured })
    }
}

/// A terminal that shows a run shows its calls already.
fn beside_a_run() -> &'static str {
    if io::stderr().is_terminal() { "warn,awf_tools::calls=off" } else { "info" }
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
    /// Configuration file (JSON or YAML); without it: the six built-in tools beneath the working directory, the project's
    /// plugins, and all configured MCP servers
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
