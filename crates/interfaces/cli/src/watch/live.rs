//! A terminal: finished lines scroll away, running steps stay at the bottom and show how long they take.

use std::io::{self, Write as _};

use awf_workflow::Notice;

use crate::{
    moment::elapsed,
    watch::{View, lines::Lines},
};

/// One column for each turn of the wheel; it shows life, not progress.
const WHEEL: [&str; 4] = ["..  ", " .. ", "  ..", ".  ."];

pub(crate) struct Live {
    lines: Lines,
    /// How many lines at the bottom are ours to draw again.
    drawn: usize,
    turn: usize,
}

impl Live {
    pub(crate) fn new(view: View) -> Self {
        Self { lines: Lines::new(view), drawn: 0, turn: 0 }
    }

    pub(crate) fn note(&mut self, notice: &Notice) {
        let text = self.lines.note(notice);
        self.draw(&text);
    }

    pub(crate) fn tick(&mut self) {
        self.turn = self.turn.wrapping_add(1);
        self.draw("");
    }

    /// Wipes the running lines, writes what is finished, draws the running lines below it: in one write, so that nothing
    /// flickers.
    fn draw(&mut self, finished: &str) {
        let mut text = String::new();
        for _ in 0..self.drawn {
            text.push_str("\x1b[1A\x1b[2K");
        }
        text.push_str(finished);
        let wheel = WHEEL.get(self.turn % WHEEL.len()).copied().unwrap_or_default();
        self.drawn = 0;
        for (step, since) in self.lines.running() {
            let line = format!("  {wheel} {step}  {}", elapsed(since.elapsed()));
            text.extend(line.chars().take(width()));
            text.push('\n');
            self.drawn += 1;
        }
        let mut stdout = io::stdout().lock();
        // The run goes on when nobody looks.
        drop(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
    }
}

/// A line that wraps could not be wiped by going up one line.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout());
    size.map_or(80, |size| usize::from(size.ws_col).max(20)) - 1
}
