//! The `awf` binary: reads the world, runs one command, turns its outcome into words and an exit code.

use std::{process::ExitCode, time::Duration};

use awf_core::Code;
use clap::Parser as _;

use crate::{
    cli::{Cli, Command},
    environment::Environment,
    report::{CommandError, Exit, report},
    telemetry::Telemetry,
};

mod approval;
mod cli;
mod commands;
mod environment;
mod home;
mod icons;
mod inputs;
mod moment;
mod output;
mod palette;
mod plan_page;
mod prompt;
mod proofs;
mod report;
mod running;
mod runs;
mod secrets;
mod showing;
mod signals;
mod snippet;
mod stderr;
mod table;
mod telemetry;
mod variables;
mod watch;
mod wiring;
mod workflows;
mod yaml;

/// How long threads that work for us may go on after everything is done.
const STUCK_THREADS: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    // The guard of our children is this same executable; it must stay tiny, so it is told apart before anything is built.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == wiring::GUARD_WORD) {
        return wiring::guard_main(words);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return report::usage(&error),
    };
    match run(&cli) {
        Ok(exit) => exit.into(),
        Err(error) => report(&error),
    }
}

/// One thread carries everything: a call is answered without a hand-over between threads.
fn run(cli: &Cli) -> Result<Exit, CommandError> {
    let environment = Environment::read()?;
    secrets::learn(environment.secrets());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        CommandError::of(Code::InternalUnmapped, format!("cannot start the runtime: {error}"))
    })?;
    let outcome = runtime.block_on(async {
        signals::outlive_file_limits();
        let wanted = cli.command.telemetry(&environment)?;
        let telemetry = Telemetry::start(&cli.telemetry, &wanted, &environment)?;
        let outcome = dispatch(&cli.command, &environment, &telemetry).await;
        telemetry.shutdown().await;
        outcome
    });
    // A thread stuck on a dead mount or an open terminal must not keep the process alive.
    runtime.shutdown_timeout(STUCK_THREADS);
    outcome
}

async fn dispatch(
    command: &Command,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    match command {
        Command::Demo(args) => commands::demo::run(args, environment, telemetry).await,
        Command::Doctor(args) => commands::doctor::run(args, environment, telemetry).await,
        Command::Init(args) => commands::init::run(args, environment),
        Command::Run(args) => commands::run::run(args, environment, telemetry).await,
        Command::Resume(args) => commands::resume::run(args, environment, telemetry).await,
        Command::Call(args) => commands::call::run(args, environment, telemetry).await,
        Command::Tools(args) => commands::tools::run(args, environment, telemetry).await,
        Command::Mcp(args) => commands::mcp::run(args, environment, telemetry).await,
        Command::Serve(args) => commands::serve::run(args, environment, telemetry).await,
        Command::Open(args) => commands::open::run(args, environment).await,
        Command::Activity(args) => commands::activity::run(args, environment).await,
        Command::Status(args) => commands::status::run(args, environment).await,
        Command::History(args) => commands::history::run(args, environment).await,
        Command::Validate(args) => commands::validate::run(args, environment).await,
        Command::Plugin(args) => commands::plugin::run(args, environment).await,
        Command::List(args) => commands::list::run(args, environment),
        Command::Diagram(args) => commands::diagram::run(args, environment),
        Command::Schema(args) => commands::schema::run(args),
        Command::Error(args) => commands::error::run(args),
        Command::Completion(args) => commands::completion::run(args),
        Command::McpServe(args) => commands::mcp_serve::run(args, environment, telemetry).await,
    }
}
