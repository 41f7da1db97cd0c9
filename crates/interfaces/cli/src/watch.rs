//! Watching a run: what the engine tells, shown to a person or to a program.

use std::{
    convert::Infallible,
    io::{self, IsTerminal as _},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use awf_workflow::{Notice, Person};
use futures_util::FutureExt as _;

use crate::{
    environment::Environment,
    icons::Icons,
    prompt,
    report::{CommandError, say},
    table::printable,
    watch::{json::JsonLines, live::Live, page::Page, plain::Plain},
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
pub(crate) struct Watch {
    screen: Arc<Mutex<Screen>>,
    output: StepOutput,
    /// Bytes that steps printed and that were left out because nobody read what is shown.
    skipped: Arc<AtomicUsize>,
    /// Somebody types: what moves stands still.
    held: Arc<AtomicBool>,
}

enum Screen {
    Plain(Plain),
    Live(Live),
    Json(JsonLines),
    Quiet,
}

impl Screen {
    fn page(&mut self) -> Option<&mut Page> {
        match self {
            Self::Plain(plain) => Some(&mut plain.page),
            Self::Live(live) => Some(&mut live.page),
            Self::Json(lines) => Some(&mut lines.page),
            Self::Quiet => None,
        }
    }

    fn is_full(&mut self) -> bool {
        self.page().is_some_and(|page| page.is_full())
    }

    fn note(&mut self, notice: &Notice) {
        match self {
            Self::Plain(plain) => plain.note(notice),
            Self::Live(live) => live.note(notice),
            Self::Json(lines) => lines.note(notice),
            Self::Quiet => quiet(notice),
        }
    }
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
        let screen = Arc::new(Mutex::new(screen));
        Self { screen, output: view.output, skipped: Arc::default(), held: Arc::default() }
    }

    /// Shows one piece of news; never waits. A reader that went away or stalls does not stop the run.
    pub(crate) fn note(&self, notice: &Notice) {
        let mut screen = self.screen();
        let Notice::Output { step, stream, text } = notice else { return screen.note(notice) };
        if self.output == StepOutput::Silent {
            return;
        }
        if screen.is_full() {
            self.skipped.fetch_add(text.len(), Ordering::Relaxed);
            return;
        }
        match self.skipped.swap(0, Ordering::Relaxed) {
            0 => screen.note(notice),
            skipped => {
                let text = format!("[{skipped} bytes left out: nobody read them]\n{text}");
                screen.note(&Notice::Output { step: step.clone(), stream: *stream, text });
            }
        }
    }

    /// Shows that time goes by; never ends.
    pub(crate) async fn keep_time(&self) -> Infallible {
        let mut tick = tokio::time::interval(REDRAW);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            if self.held.load(Ordering::Relaxed) {
                continue;
            }
            let mut screen = self.screen();
            if screen.is_full() {
                continue;
            }
            match &mut *screen {
                Screen::Plain(plain) => plain.tick(),
                Screen::Live(live) => live.tick(),
                Screen::Json(_) | Screen::Quiet => {}
            }
        }
    }

    /// Somebody to talk with, if there is one who sees what is said.
    pub(crate) fn person(&self) -> Option<Person> {
        let shown = matches!(*self.screen(), Screen::Plain(_) | Screen::Live(_));
        if !shown || !prompt::somebody_is_there() {
            return None;
        }
        let watch = self.clone();
        Some(Arc::new(move |step| watch.clone().ask(step).boxed()))
    }

    /// Asks what to say next. Nothing is drawn over what is typed.
    async fn ask(self, step: String) -> Option<String> {
        self.held.store(true, Ordering::Relaxed);
        if let Screen::Live(live) = &mut *self.screen() {
            live.stand_still();
        }
        let question = format!("{} (an empty line ends it)> ", printable(&step));
        // A person takes their time; the runtime does not wait with them.
        let asked = tokio::task::spawn_blocking(move || prompt::line(&question)).await;
        self.held.store(false, Ordering::Relaxed);
        asked.ok()?.ok()?
    }

    /// Waits until all that was to be shown is written. Gives why a part of it could not be.
    pub(crate) async fn close(&self) -> Option<CommandError> {
        let closed = self.screen().page().map(Page::close);
        match closed {
            Some(closed) => closed.await,
            None => None,
        }
    }

    fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
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
