//! Lines for a log: nothing moves, and a heartbeat shows that a silent step is alive.

use std::time::Instant;

use awf_workflow::Notice;

use crate::{
    moment::elapsed,
    watch::{View, lines::Lines, page::Page},
};

pub(crate) struct Plain {
    lines: Lines,
    pub(crate) page: Page,
    view: View,
    /// When something was last said.
    said: Instant,
}

impl Plain {
    pub(crate) fn new(view: View) -> Self {
        Self { lines: Lines::new(view), page: Page::new(), view, said: Instant::now() }
    }

    pub(crate) fn note(&mut self, notice: &Notice) {
        let began = Lines::began(notice);
        let text = self.lines.note(notice);
        self.say(&began.unwrap_or_default());
        self.say(&text);
    }

    /// Build servers end jobs that say nothing for long.
    pub(crate) fn tick(&mut self) {
        if self.said.elapsed() < self.view.heartbeat {
            return;
        }
        let running: Vec<String> = self
            .lines
            .running()
            .map(|(step, since)| format!("{step} ({})", elapsed(since.elapsed())))
            .collect();
        if !running.is_empty() {
            self.say(&format!("  ..   still running: {}\n", running.join(", ")));
        }
    }

    fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.page.write(text.as_bytes());
            self.said = Instant::now();
        }
    }
}
