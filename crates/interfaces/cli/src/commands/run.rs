//! `awf run`: a workflow, from its file to its end.

use std::path::PathBuf;

use awf_core::{Code, RunId, Workflow, nearest, shown};
use awf_workflow::{Plan, RunRequest, STATE_PROPERTIES};
use clap::{Args, CommandFactory as _};
use serde_json::{Map, Value};

use crate::{
    cli::Cli,
    environment::Environment,
    inputs::{self, pair},
    output::Output,
    plan_page::{self, Ask, PlanDocument},
    report::{CommandError, Exit, say},
    running::{self, Manner, Occasion, WatchArgs},
    showing::ShowArgs,
    telemetry::Telemetry,
    watch::Form,
    workflows::{self, Bundle, Project},
};

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The workflow: its name, or the path of its file
    #[arg(required_unless_present = "help")]
    workflow: Option<String>,
    /// An input of the workflow; as often as needed
    #[arg(short, long = "input", value_name = "NAME=VALUE", value_parser = pair)]
    inputs: Vec<(String, String)>,
    /// Play every agent of the workflow: `scripted:<file>` has fixed turns and real tool calls, and needs no model
    #[arg(long, value_name = "PROVIDER")]
    provider: Option<String>,
    /// Print what would be done, with all values that are known now, and do nothing
    #[arg(long, conflicts_with_all = ["html", "open"])]
    dry_run: bool,
    /// Run this state only
    #[arg(short, long, value_name = "STATE")]
    step: Option<String>,
    /// Take a result as given, such as `states.build.Output=done`; as often as needed
    #[arg(short, long = "mock", value_name = "PATH=VALUE", value_parser = mock)]
    mocks: Vec<Mock>,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    show: ShowArgs,
    /// Print help; with a workflow, its inputs
    #[arg(short, long)]
    help: bool,
}

impl RunArgs {
    /// The project of the workflow.
    pub(crate) fn project_dir(&self, environment: &Environment) -> Result<PathBuf, CommandError> {
        let Some(name) = &self.workflow else { return Ok(PathBuf::new()) };
        Ok(Project::dir_of(&workflows::find(name, environment)?, environment))
    }
}

/// Names offered at most.
const OFFERED: usize = 10;

/// Results of one state, by property.
type Preset = (String, Map<String, Value>);

/// A result taken as given: `states.<state>.<property>=<value>`.
#[derive(Clone, Debug)]
struct Mock {
    state: String,
    property: String,
    value: String,
}

pub(crate) async fn run(
    args: &RunArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let Some(name) = &args.workflow else { return help() };
    let path = workflows::find(name, environment)?;
    let bundle = Bundle::load(&path, args.provider.as_deref(), environment)?;
    if args.help {
        Output::stdout().line(&inputs::describe(bundle.workflow()))?;
        return Ok(Exit::Ok);
    }
    if let Some(step) = &args.step {
        known("--step", "state", step, states(bundle.workflow()))?;
    }
    match inputs::variables(&bundle, environment) {
        // What is planned needs no variables.
        Err(missing) if args.dry_run => note(missing),
        needed => needed?,
    }
    let given = args.inputs.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    let inputs = inputs::gather(&bundle, given.collect(), environment).await?;
    let presets = presets(&args.mocks, bundle.workflow())?;
    let provider = args.provider.as_deref().map(|name| running::provider(name, environment));
    if args.dry_run {
        let (only, provider) = (args.step.as_deref(), provider.as_deref());
        let ask = Ask { inputs: &inputs, only, provider, presets };
        show(&plan_page::planned(&bundle, &ask, environment), args.watch.view().form)?;
        return Ok(Exit::Ok);
    }
    let request = RunRequest {
        inputs,
        provider,
        presets,
        only: args.step.clone(),
        ..bundle.request(RunId::generate())
    };
    let manner = Manner { view: args.watch.view(), show: &args.show };
    running::run(Occasion::New(request), &bundle, manner, environment, telemetry).await
}

/// What a run would be stopped by, and a plan is not.
fn note(missing: CommandError) {
    for finding in missing.into_findings() {
        say(&format!("note: {}", finding.message));
    }
}

fn show(plan: &Plan, form: Form) -> Result<(), CommandError> {
    match form {
        Form::Text => Output::stdout().line(&plan_page::page(plan)),
        Form::Json => Output::stdout().json(&PlanDocument::from(plan)),
        Form::Quiet => Ok(()),
    }
}

fn help() -> Result<Exit, CommandError> {
    let mut command = Cli::command();
    let help = command.find_subcommand_mut("run").map(|run| run.render_long_help().to_string());
    Output::stdout().line(&help.unwrap_or_default())?;
    Ok(Exit::Ok)
}

fn mock(text: &str) -> Result<Mock, String> {
    let form = "write it as states.<state>.<property>=<value>";
    let (path, value) = text.split_once('=').ok_or(form)?;
    let path = path.strip_prefix("states.").ok_or(form)?;
    let (state, property) = path.rsplit_once('.').ok_or(form)?;
    Ok(Mock { state: state.to_owned(), property: property.to_owned(), value: value.to_owned() })
}

/// By state. A value that is JSON is what it says; any other is text.
fn presets(mocks: &[Mock], workflow: &Workflow) -> Result<Vec<Preset>, CommandError> {
    let mut presets: Vec<Preset> = Vec::new();
    for mock in mocks {
        known("--mock", "state", &mock.state, states(workflow))?;
        known("--mock", "property", &mock.property, STATE_PROPERTIES.iter().copied())?;
        let text = || Value::from(mock.value.as_str());
        let value = match mock.property.as_str() {
            "Output" | "Stderr" | "Status" => text(),
            _ => serde_json::from_str(&mock.value).unwrap_or_else(|_| text()),
        };
        let at = presets.iter().position(|(state, _)| *state == mock.state);
        let at = at.unwrap_or_else(|| {
            presets.push((mock.state.clone(), Map::new()));
            presets.len() - 1
        });
        presets[at].1.insert(mock.property.clone(), value);
    }
    Ok(presets)
}

fn states(workflow: &Workflow) -> impl Iterator<Item = &str> + Clone {
    workflow.states.iter().map(|state| state.name.as_str())
}

/// The first few of what there is.
fn offered<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter().map(|name| format!("`{name}`"));
    let mut first: Vec<String> = names.by_ref().take(OFFERED).collect();
    match (names.next(), first.len()) {
        (Some(_), _) => format!("{} or another", first.join(", ")),
        (None, 0 | 1) => first.concat(),
        (None, _) => {
            let last = first.pop().unwrap_or_default();
            format!("{} or {last}", first.join(", "))
        }
    }
}

/// Refuses what would be taken and never looked at, before anything begins.
fn known<'a>(
    flag: &str,
    noun: &str,
    name: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Result<(), CommandError> {
    if names.clone().into_iter().any(|known| known == name) {
        return Ok(());
    }
    let message = format!("`{flag}`: there is no {noun} `{}`", shown(name));
    let error = CommandError::of(Code::InputInvalidFormat, message);
    Err(match nearest(name, names.clone()).first() {
        Some(near) => error.hinting(&format!("did you mean `{near}`?")),
        None => error.hinting(&format!("it must be {}", offered(names))),
    })
}
