//! A run under watch: the engine works, somebody looks on, a signal may end it.

use std::{sync::Arc, time::Duration};

use awf_core::{Code, RunId, RunStatus};
use awf_workflow::{EngineError, Inputs, Notice, ResumeRequest, RunRequest};
use clap::{Args, ValueEnum};
use tokio::{sync::Notify, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    approval,
    environment::Environment,
    icons::Icons,
    inputs,
    report::{CommandError, Exit, say},
    showing::{self, RunPage, ShowArgs},
    signals::Signals,
    telemetry::Telemetry,
    watch::{Form, StepOutput, View, Watch},
    wiring::{Company, Workshop},
    workflows::Bundle,
};

/// How long a reader of stdout has to take what is left, once a signal has asked the run to stop.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a run is shown.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// How to show the run
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// What to do with what steps print
    #[arg(short, long, value_enum, default_value_t = StepOutput::Streaming)]
    output: StepOutput,
    /// Show the intent of tool calls by a word only
    #[arg(long)]
    no_icons: bool,
    /// Without a terminal: say that a step still runs when nothing else was said for so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Lines for a person
    Text,
    /// One event per line; `awf schema events` has their shape
    Json,
    /// Nothing but a failure, on stderr
    Quiet,
}

impl WatchArgs {
    pub(crate) fn view(&self) -> View {
        View {
            form: match self.format {
                Format::Text => Form::Text,
                Format::Json => Form::Json,
                Format::Quiet => Form::Quiet,
            },
            output: self.output,
            icons: Icons::from_flag(self.no_icons),
            heartbeat: Duration::from_secs(self.heartbeat),
        }
    }
}

/// A run from its beginning, or from where it stopped.
pub(crate) enum Occasion {
    New(RunRequest),
    Again(ResumeRequest),
}

impl Occasion {
    fn id(&self) -> RunId {
        match self {
            Self::New(request) => request.id,
            Self::Again(request) => request.id,
        }
    }

    fn inputs(&self) -> &Inputs {
        match self {
            Self::New(request) => &request.inputs,
            Self::Again(request) => &request.inputs,
        }
    }
}

/// How a run is shown: at the terminal, and beside it.
pub(crate) struct Manner<'a> {
    pub(crate) view: View,
    pub(crate) show: &'a ShowArgs,
}

/// Runs it to its end. The exit code is the run's.
pub(crate) async fn run(
    occasion: Occasion,
    bundle: &Bundle,
    manner: Manner<'_>,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let mut signals = Signals::listen()?;
    let Manner { view, show } = manner;
    let (form, watch) = (view.form, Watch::new(view, environment));
    let (shown, begun) = (watch.clone(), Arc::new(Notify::new()));
    let beginning = begun.clone();
    let watcher = Arc::new(move |notice: Notice| {
        // By then its beginning is in the journal.
        if !matches!(notice, Notice::RunBegan { .. }) {
            beginning.notify_one();
        }
        shown.note(&notice);
    });
    let company = Company { watcher, person: watch.person() };
    let secrets = inputs::secrets(bundle.workflow(), occasion.inputs());
    let workshop = Workshop::open(bundle, &secrets, company, environment, telemetry)?;
    approval::before_run(bundle.program.states(), workshop.upstreams()).await?;
    let (id, stop) = (occasion.id(), CancellationToken::new());
    let showing = show.prepare(workshop.log(), environment)?;
    let page = showing.page(id, environment).await?;
    let outcome = {
        let over = CancellationToken::new();
        let work = async {
            let outcome = match occasion {
                Occasion::New(request) => workshop.engine.run(request, stop.clone()).await,
                Occasion::Again(request) => workshop.engine.resume(request, stop.clone()).await,
            };
            over.cancel();
            outcome
        };
        // A run may be over before its page is open.
        let shown =
            async { tokio::join!(work, present(page.as_ref(), &begun, &over, environment)) };
        tokio::select! {
            (outcome, ()) = shown => Some(outcome),
            never = watch.keep_time() => match never {},
            // Dropping the work ends it where it stands; the guard ends what it started.
            () = twice(&mut signals, &stop) => None,
        }
    };
    workshop.close().await;
    let lost = tokio::select! {
        lost = watch.close() => lost,
        // Whoever does not read any more need not be waited for.
        () = signals.next() => None,
        () = sleep(LAST_WORDS), if stop.is_cancelled() => None,
    };
    let written = showing.write(id, environment).await;
    if let Some(page) = page {
        if !stop.is_cancelled() {
            showing::linger(&page, &mut signals).await;
        }
        page.close().await;
    }
    match outcome {
        Some(Ok(finished)) => match (finished.status, lost.or(written.err())) {
            // Whoever keeps what a run says must not take a part for the whole.
            (RunStatus::Success, Some(error)) => Err(error),
            (_, lost) => {
                lost.into_iter().for_each(note);
                Ok(Exit::of_run(&finished))
            }
        },
        Some(Err(error)) => Err(explain(id, error)),
        None => {
            say(&format!("stopped at once; `awf status {id}` shows how far it came"));
            if form == Form::Text {
                say(&format!("next: awf resume {id}"));
            }
            Ok(Exit::Interrupted)
        }
    }
}

/// What does not change how the run ended.
fn note(error: CommandError) {
    for finding in error.into_findings() {
        say(&format!("warning: {}", finding.message));
    }
}

/// Opens the page, where there is one.
async fn present(
    page: Option<&RunPage>,
    begun: &Notify,
    over: &CancellationToken,
    environment: &Environment,
) {
    if let Some(page) = page {
        page.present(begun, over, environment).await;
    }
}

/// The first signal asks the run to stop; returns at the second.
async fn twice(signals: &mut Signals, stop: &CancellationToken) {
    signals.next().await;
    say("stopping; once more to stop at once");
    stop.cancel();
    signals.next().await;
}

/// What to do about a run that did not come to an end.
fn explain(id: RunId, error: EngineError) -> CommandError {
    let message = error.to_string();
    match error {
        EngineError::Journal(error) => error.into(),
        EngineError::Stuck => CommandError::of(Code::InternalUnmapped, message),
        EngineError::NotBegun => CommandError::of(Code::RunNotFound, message),
        EngineError::Finished => CommandError::of(Code::RunFinished, message)
            .hinting(&format!("begin again at a state: `awf resume {id} --from <state>`")),
        EngineError::Interrupted { .. } => CommandError::of(Code::RunInterrupted, message).hinting(
            &format!("look at what it did; then `awf resume {id} --from current` runs it again"),
        ),
        EngineError::SecretMissing { .. } => CommandError::of(Code::InputMissing, message)
            .hinting("secrets are not kept: give it again with `--input name=value`"),
        EngineError::NoAgent { error, .. } => CommandError::of(error.code, message),
        EngineError::UnknownState { nearest, .. } => {
            let error = CommandError::of(Code::InputInvalidFormat, message);
            match nearest {
                Some(near) => error.hinting(&format!("did you mean `{near}`?")),
                None => error.hinting(&format!("`awf status {id}` shows its states")),
            }
        }
    }
}

/// A provider as typed on the command line: the file of a script is beneath the working directory.
pub(crate) fn provider(name: &str, environment: &Environment) -> String {
    match name.strip_prefix("scripted:") {
        Some(file) => format!("scripted:{}", environment.current_dir.join(file).display()),
        None => name.to_owned(),
    }
}
