//! Watching a run: what the engine tells, shown to a person or to a program.

use std::{
    convert::Infallible,
    io::{self, IsTerminal as _},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use awf_workflow::Notice;

use crate::{
    environment::Environment,
    icons::Icons,
    report::{CommandError, say},
    table::printable,
    watch::{json::JsonLines, live::Live, plain::Plain},
};

mod json;
mod lines;
mod live;
mod page;
mod plain;

pub(crate) use json::schema as events_schema;
pub(crate) use lines::StepOutput;

/// How often the running lines of a terminal are drawn again.
const REDRAW: Duration = Duration::from_millis(120);

/// What is shown, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) form: Form,
    pub(crate) output: StepOutput,
    pub(crate) icons: Icons,
    /// A sign of life when nothing else was said for so long, where there is no terminal.
    pub(crate) heartbeat: Duration,
}

impl View {
    /// As a person sees it who asked for nothing special.
    pub(crate) fn text(icons: Icons) -> Self {
        let heartbeat = Duration::from_secs(30);
        Self { form: Form::Text, output: StepOutput::Streaming, icons, heartbeat }
    }
}

/// For whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A person; running steps move if there is a terminal.
    Text,
    /// A program: one event per line.
    Json,
    /// Nobody; only a failure is told.
    Quiet,
}

/// Shows a run while it goes on.
#[derive(Clone)]
pub(crate) struct Watch(Arc<Mutex<Screen>>);

enum Screen {
    Plain(Plain),
    Live(Live),
    Json(JsonLines),
    Quiet,
}

impl Watch {
    pub(crate) fn new(view: View, environment: &Environment) -> Self {
        let moves = io::stdout().is_terminal() && environment.var("TERM") != Some("dumb");
        let screen = match view.form {
            Form::Json => Screen::Json(JsonLines::new()),
            Form::Quiet => Screen::Quiet,
            Form::Text if moves => Screen::Live(Live::new(view)),
            Form::Text => Screen::Plain(Plain::new(view)),
        };
        Self(Arc::new(Mutex::new(screen)))
    }

    /// Shows one piece of news. A reader that went away does not end the run.
    pub(crate) fn note(&self, notice: &Notice) {
        match &mut *self.screen() {
            Screen::Plain(plain) => plain.note(notice),
            Screen::Live(live) => live.note(notice),
            Screen::Json(lines) => lines.note(notice),
            Screen::Quiet => quiet(notice),
        }
    }

    /// Shows that time goes by; never ends.
    pub(crate) async fn keep_time(&self) -> Infallible {
        let mut tick = tokio::time::interval(REDRAW);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            match &mut *self.screen() {
                Screen::Plain(plain) => plain.tick(),
                Screen::Live(live) => live.tick(),
                Screen::Json(_) | Screen::Quiet => {}
            }
        }
    }

    /// Why not all that was to be shown could be written.
    pub(crate) fn lost(&self) -> Option<CommandError> {
        match &mut *self.screen() {
            Screen::Plain(plain) => plain.page.lost(),
            Screen::Live(live) => live.page.lost(),
            Screen::Json(lines) => lines.page.lost(),
            Screen::Quiet => None,
        }
    }

    fn screen(&self) -> std::sync::MutexGuard<'_, Screen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nothing is shown, but whoever finds a bad exit code finds the reason, too.
fn quiet(notice: &Notice) {
    if let Notice::RunEnded { finished, .. } = notice
        && let Some(error) = &finished.error
    {
        say(&format!("error[{}]: {}", error.code, printable(&error.message)));
    }
}
