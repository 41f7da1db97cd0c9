//! `awf resume`: a run goes on where it stopped. What had ended is not done again.

use awf_core::{
    Code, RecordedInput, ResumeFrom, RunBegan, RunEvent, RunJournal as _, RunJournalError,
    RunStatus,
};
use awf_workflow::ResumeRequest;
use clap::Args;
use serde_json::Value;

use crate::{
    commands::history,
    environment::Environment,
    inputs::{self, pair},
    output::Output,
    report::{CommandError, Exit},
    running::{self, Manner, Occasion, WatchArgs},
    runs,
    showing::ShowArgs,
    telemetry::Telemetry,
    workflows::Bundle,
};

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run; `awf history` has the ids
    id: Option<String>,
    /// List the runs that can go on, newest first
    #[arg(
        short,
        long,
        conflicts_with_all = ["id", "from", "inputs", "format", "output", "no_icons", "heartbeat", "html", "open"],
    )]
    list: bool,
    /// Where to go on: `current` runs again what was under way, a state's name begins there
    #[arg(long, value_name = "current|STATE")]
    from: Option<String>,
    /// A secret input, which no journal keeps; as often as needed
    #[arg(short, long = "input", value_name = "NAME=VALUE", value_parser = pair)]
    inputs: Vec<(String, String)>,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) async fn run(
    args: &ResumeArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let store = runs::run_store(environment)?;
    let mut runs = store.list().await?;
    if args.list {
        runs.retain(|run| can_go_on(run.status));
        Output::stdout().line(&history::table(&runs).to_string())?;
        return Ok(Exit::Ok);
    }
    let id = args.id.as_deref().ok_or_else(nobody_named)?;
    let run = runs::find(&runs, id)?;
    let id = run.id;
    // The journal would refuse it too, but only after it was judged as if it had died.
    if run.status == RunStatus::Running {
        return Err(RunJournalError::Active(id).into());
    }
    let events = store.load(id).await?;
    let Some(RunEvent::Began(began)) = events.first() else {
        return Err(CommandError::of(Code::RunNotFound, format!("run `{id}` never began")));
    };
    let bundle = Bundle::remembered(began.sources.clone(), began.dir.clone(), environment)?;
    inputs::variables(&bundle, environment)?;
    let given = given(began, &args.inputs);
    let inputs = inputs::gather(&bundle, given, environment).await?;
    let request = ResumeRequest {
        id,
        program: bundle.program.clone(),
        inputs,
        from: match args.from.as_deref() {
            None => ResumeFrom::Here,
            Some("current") => ResumeFrom::Again,
            Some(state) => ResumeFrom::State(state.to_owned()),
        },
        events,
    };
    let manner = Manner { view: args.watch.view(), show: &args.show };
    running::run(Occasion::Again(request), &bundle, manner, environment, telemetry).await
}

/// A run that failed goes on from a state of one's choice.
fn can_go_on(status: RunStatus) -> bool {
    match status {
        RunStatus::Failed | RunStatus::Cancelled | RunStatus::Interrupted => true,
        RunStatus::Success | RunStatus::Running => false,
    }
}

/// The newest run is often not the one that is meant, and what goes on acts: it must be named.
fn nobody_named() -> CommandError {
    CommandError::of(Code::InputMissing, "name the run that should go on: `awf resume <id>`")
        .hinting("`awf resume --list` shows those that can, `awf history` shows all")
}

/// What the run was given, as far as it was kept; what is typed now wins, for it must hold the secrets.
fn given(began: &RunBegan, typed: &[(String, String)]) -> Vec<(String, Value)> {
    let kept = began.inputs.iter().filter_map(|(name, input)| match input {
        RecordedInput::Value(value) => Some((name.clone(), value.clone())),
        RecordedInput::Secret => None,
    });
    let typed = typed.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    kept.chain(typed).collect()
}
