//! Text and trees to search, the same on every machine.

use std::{fmt::Write, fs, path::Path};

use anyhow::Result;

use crate::numbers::Numbers;

const WORDS: [&str; 24] = [
    "request", "handler", "buffer", "socket", "config", "parser", "token", "cache", "stream",
    "worker", "queue", "result", "context", "session", "module", "signal", "record", "schema",
    "filter", "cursor", "branch", "commit", "vector", "option",
];
const FOLDERS: [&str; 8] = ["src", "lib", "internal", "pkg", "tests", "docs", "tools", "web"];
const ENDINGS: [&str; 5] = ["rs", "go", "ts", "py", "md"];

/// A word that stands in one file of a thousand.
pub(crate) const NEEDLE: &str = "needle_in_the_stack";
/// One file in `ENDINGS × 40` bears such a name.
pub(crate) const GLOB: &str = "**/handler_*.go";

/// Lines of words, exactly `size` bytes, closed by a line break and told apart by a number at the end.
pub(crate) fn text(size: usize) -> String {
    let end = format!(" end_{size}\n");
    let mut text = lines(&mut Numbers::from_seed(7), size - end.len());
    text.push_str(&end);
    text
}

fn lines(numbers: &mut Numbers, size: usize) -> String {
    let mut text = String::with_capacity(size + 64);
    while text.len() < size {
        for _ in 0..3 + numbers.below(9) {
            text.push_str(numbers.pick(&WORDS));
            text.push(' ');
        }
        text.push('\n');
    }
    text.truncate(size);
    text
}

/// `count` files of some 4 KB in nested folders.
pub(crate) fn grow(folder: &Path, count: usize) -> Result<()> {
    let mut numbers = Numbers::from_seed(42);
    for number in 0..count {
        let mut path = folder.join(numbers.pick(&FOLDERS));
        for _ in 0..=numbers.below(3) {
            path.push(numbers.pick(&WORDS));
        }
        fs::create_dir_all(&path)?;
        let stem = if number % 40 == 0 { "handler" } else { numbers.pick(WORDS.split_at(2).1) };
        path.push(format!("{stem}_{number}.{}", numbers.pick(&ENDINGS)));
        let size = 1_000 + numbers.below(6_000);
        let mut text = lines(&mut numbers, size);
        if number % 1_000 == 321 {
            write!(text, "\n{NEEDLE}\n")?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
