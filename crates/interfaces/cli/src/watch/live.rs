//! A terminal: finished lines scroll away, running steps stay at the bottom and show how long they take.

use std::io;

use awf_workflow::Notice;

use crate::{
    moment::elapsed,
    watch::{View, lines::Lines, page::Page},
};

/// One column for each turn of the wheel; it shows life, not progress.
const WHEEL: [&str; 4] = ["..  ", " .. ", "  ..", ".  ."];

pub(crate) struct Live {
    lines: Lines,
    pub(crate) page: Page,
    /// How many lines at the bottom are ours to draw again.
    drawn: usize,
    turn: usize,
}

impl Live {
    pub(crate) fn new(view: View) -> Self {
        Self { lines: Lines::new(view), page: Page::new(), drawn: 0, turn: 0 }
    }

    pub(crate) fn note(&mut self, notice: &Notice) {
        let text = self.lines.note(notice);
        self.draw(&text);
    }

    pub(crate) fn tick(&mut self) {
        self.turn = self.turn.wrapping_add(1);
        self.draw("");
    }

    /// Leaves the running lines where they are: the next ones are drawn below.
    pub(crate) fn stand_still(&mut self) {
        self.drawn = 0;
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
        let (rows, columns) = room();
        let count = self.lines.running().count();
        let fitting = if count > rows { rows - 1 } else { count };
        let mut lines: Vec<String> = (self.lines.running().take(fitting))
            .map(|(step, since)| format!("{step}  {}", elapsed(since.elapsed())))
            .collect();
        lines.extend((fitting < count).then(|| format!("and {} more", count - fitting)));
        self.drawn = lines.len();
        for line in lines {
            text.extend(format!("  {wheel} {line}").chars().take(columns));
            text.push('\n');
        }
        self.page.write(text.as_bytes());
    }
}

/// Rows and columns to draw in. A line that wraps, or that scrolled away, could not be wiped by going up one line.
fn room() -> (usize, usize) {
    let size = rustix::termios::tcgetwinsize(io::stdout());
    let (rows, columns) = size.map_or((0, 0), |size| (size.ws_row, size.ws_col));
    // A terminal that does not know its size says 0.
    let or = |length: u16, usual: u16| usize::from(if length == 0 { usual } else { length });
    (or(rows, 24).max(3) - 1, or(columns, 80).max(20) - 1)
}
