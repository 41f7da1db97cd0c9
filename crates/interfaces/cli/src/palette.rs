//! Whether a stream gets colour: what the user says, else whether a person sees it.

use std::io::IsTerminal;

use crate::environment::Environment;

/// Colour, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    Plain,
    Colour,
}

/// Who reads a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    Terminal,
    Program,
}

impl Palette {
    /// What `stream` gets. `NO_COLOR` outweighs `CLICOLOR_FORCE`, as it is the one people set for good.
    pub(crate) fn of(stream: &impl IsTerminal, environment: &Environment) -> Self {
        let reader = if stream.is_terminal() { Reader::Terminal } else { Reader::Program };
        Self::choose(reader, |name| environment.var(name))
    }

    fn choose<'a>(reader: Reader, var: impl Fn(&str) -> Option<&'a str>) -> Self {
        let forced = var("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let capable = reader == Reader::Terminal && var("TERM") != Some("dumb");
        if var("NO_COLOR").is_none() && (forced || capable) { Self::Colour } else { Self::Plain }
    }
}

#[cfg(test)]
mod tests;
