//! A document as the tests see it: fenced blocks, links, headings.

use std::{fs, path::Path};

/// The repository.
pub(super) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
}

/// One Markdown file; `path` is relative to the repository.
pub(super) struct Page {
    pub(super) path: String,
    pub(super) text: String,
}

/// A fenced block.
pub(super) struct Block {
    /// Where its fence opens.
    pub(super) line: usize,
    /// What stands behind the opening fence.
    pub(super) info: String,
    pub(super) lines: Vec<String>,
}

impl Block {
    /// Whether the tests do something with it.
    pub(super) fn is_run(&self) -> bool {
        !matches!(self.info.as_str(), "sh manual" | "json agent" | "toml agent" | "text")
    }
}

/// The documents at the top and all in `docs`.
pub(super) fn all() -> Vec<Page> {
    let tops = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let mut paths: Vec<String> = tops.map(str::to_owned).to_vec();
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
                continue;
            }
            assert!(
                Path::new(&path).extension().is_some_and(|end| end == "md"),
                "{path} is no page"
            );
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

pub(super) fn read(path: &str) -> Page {
    let text =
        fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Page { path: path.to_owned(), text }
}

impl Page {
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> {
        let mut lines = self.text.lines().zip(1..);
        std::iter::from_fn(move || {
            let (info, line) =
                lines.find_map(|(text, line)| Some((text.strip_prefix("```")?, line)))?;
            let inside: Vec<String> = lines
                .by_ref()
                .map(|(text, _)| text.to_owned())
                .take_while(|text| text != "```")
                .collect();
            Some(Block { line, info: info.to_owned(), lines: inside })
        })
    }

    /// Links to places in this repository.
    pub(super) fn links(&self) -> Vec<String> {
        let targets = self
            .prose()
            .split("](")
            .skip(1)
            .map(|rest| {
                let end =
                    rest.find(')').unwrap_or_else(|| panic!("{}: a link does not end", self.path));
                rest[..end].to_owned()
            })
            .collect::<Vec<_>>();
        targets.into_iter().filter(|target| !target.starts_with("https://")).collect()
    }

    /// What a link may name after `#`.
    pub(super) fn anchors(&self) -> impl Iterator<Item = String> {
        let headings: Vec<String> = self
            .prose()
            .lines()
            .filter(|line| line.starts_with('#'))
            .map(|line| slug(line.trim_start_matches('#')))
            .collect();
        headings.into_iter()
    }

    /// What stands under the second-level heading `title`.
    pub(super) fn section(&self, title: &str) -> Option<&str> {
        let start = self.text.find(&format!("\n## {title}\n"))? + 1;
        let rest = &self.text[start..];
        Some(rest.find("\n## ").map_or(rest, |end| &rest[..end]))
    }

    /// A path in a link, made relative to the repository.
    pub(super) fn beside(&self, path: &str) -> String {
        let mut names: Vec<&str> = self.path.split('/').collect();
        names.pop();
        for name in path.split('/') {
            match name {
                ".." => drop(names.pop()),
                name => names.push(name),
            }
        }
        names.join("/")
    }

    /// The text without its fenced blocks.
    fn prose(&self) -> String {
        let outside = |(at, part): (usize, &'_ str)| (at % 2 == 0).then(|| part.to_owned());
        self.text.split("```").enumerate().filter_map(outside).collect()
    }
}

/// A heading as GitHub makes an anchor of it.
fn slug(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}
