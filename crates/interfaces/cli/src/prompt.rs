//! Asking a person for what was not given, when there is one.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use awf_core::{Code, InputSpec, shown};
use rustix::{
    io::Errno,
    termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr},
};

use crate::{
    inputs,
    report::{CommandError, say},
    signals::Signals,
};

/// Whether there is a person to ask.
pub(crate) fn somebody_is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for one input. What is secret is not shown while it is typed; a signal ends the question.
pub(crate) async fn ask(input: &InputSpec) -> Result<String, CommandError> {
    let about = input.description.as_deref().map(|text| format!(" ({})", shown(text)));
    let values = inputs::values(input).map(|values| format!(" [{values}]"));
    let (about, values) = (about.unwrap_or_default(), values.unwrap_or_default());
    let question = format!("{}{about}{values}: ", input.name.value);
    let silence = input.secret.then(Silence::fall).transpose().map_err(failed)?;
    let answer = answered(question).await;
    // Whoever answered has ended the line, unless it was not shown.
    if silence.is_some() || !matches!(answer, Ok(Some(_))) {
        say("");
    }
    answer?.ok_or_else(|| unanswered(input))
}

/// Asks for a yes; anything else is a no.
pub(crate) async fn confirm(question: &str) -> Result<bool, CommandError> {
    let answer = answered(format!("{question} [y/N] ")).await;
    if !matches!(answer, Ok(Some(_))) {
        say("");
    }
    let answer = answer?.unwrap_or_default();
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// The answer, none at the end of the input; a signal ends the question.
async fn answered(question: String) -> Result<Option<String>, CommandError> {
    // Heard here, for a signal that ended the process would leave the terminal silent.
    let mut signals = Signals::listen()?;
    // A person takes their time; the runtime does not wait with them.
    let asked = tokio::task::spawn_blocking(move || line(&question));
    let answer = tokio::select! {
        answer = asked => answer,
        () = signals.next() => return Err(CommandError::interrupted()),
    };
    answer.map_err(io::Error::other).flatten().map_err(failed)
}

/// The end of the input (Ctrl-D) in place of an answer.
fn unanswered(input: &InputSpec) -> CommandError {
    let name = &input.name.value;
    CommandError::of(Code::InputMissing, format!("input `{name}` is required"))
        .hinting(&format!("give it with `--input {name}=…`"))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn failed(error: io::Error) -> CommandError {
    CommandError::of(Code::IoReadFailed, format!("cannot ask for an input: {error}"))
}

/// The answer; none when the input ends.
pub(crate) fn line(question: &str) -> io::Result<Option<String>> {
    io::stderr().write_all(question.as_bytes())?;
    let mut answer = String::new();
    if io::stdin().lock().read_line(&mut answer)? == 0 {
        return Ok(None);
    }
    Ok(Some(answer.trim_end_matches(['\r', '\n']).to_owned()))
}

/// While this lives, the terminal keeps what is typed to itself.
struct Silence {
    before: Termios,
}

impl Silence {
    fn fall() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self { before })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // The terminal is gone, then: nobody types any more.
        let _: Result<(), Errno> = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
    }
}
