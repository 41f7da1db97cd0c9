//! Plain text tables: columns padded to their widest cell, two spaces between, nothing but text.

use std::fmt;

/// Rows under headings.
pub(crate) struct Table<const N: usize> {
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(headings: [&str; N]) -> Self {
        Self { rows: vec![headings.map(str::to_owned)] }
    }

    /// Adds a row. Control characters are escaped: a cell may hold text from anywhere.
    pub(crate) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells.map(|cell| printable(&cell)));
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = [0; N];
        for row in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = (*widest).max(width(cell));
            }
        }
        for row in &self.rows {
            let mut line = String::new();
            for (cell, widest) in row.iter().zip(widths) {
                line.push_str(&padded(cell, widest + 2));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Text that cannot steer a terminal: control and direction-changing characters are written out.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let steers = c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if steers { c.escape_unicode().collect::<Vec<_>>() } else { vec![c] }
        })
        .collect()
}

/// The text, made `columns` wide by spaces.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Columns a text takes: the book icon is the one wide character awf prints itself.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c >= '\u{1f300}' { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests;
