//! Plain text tables: columns padded to their widest cell, two spaces between, nothing but text.

use std::fmt;

use awf_upstreams::is_hidden;

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

/// Text that cannot steer a terminal and hides nothing: what nobody would see of it is written out.
pub(crate) fn printable(text: &str) -> String {
    written_out(text, |c| c.is_control() || is_hidden(c))
}

/// The text, with each character that `is_odd` as its number.
pub(crate) fn written_out(text: &str, is_odd: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_odd(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
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
