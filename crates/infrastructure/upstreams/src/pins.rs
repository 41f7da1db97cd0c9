//! The pins of all servers, on disk. They outlive every process, and no agent can reach them.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use awf_core::{Unannotated, shown};

use crate::{
    book::{self, Book, Known},
    digest::Digest,
    judge::{Judgement, Listed, judge, pin},
    pin::{Approval, Pin},
    spec::UpstreamSpec,
    vault::{self, Turn, VaultError},
};

/// A server whose tools come and go under ever new names cannot fill the disk.
const MOST_PINS: usize = 20_000;

/// Why tools cannot be held against their pins, or pinned.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// The file cannot be used.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// There are too many.
    #[error("`{}` holds {MOST_PINS} tools and takes no more; move it away to begin anew", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Nothing of that name is listed.
    #[error("server `{}` lists no tool `{}`", shown(server), shown(tool))]
    NoSuchTool {
        /// The server.
        server: String,
        /// What was named.
        tool: String,
    },
}

/// What tools were approved as.
#[derive(Debug)]
pub struct Pins {
    folder: PathBuf,
    /// What a tool without annotations counts as.
    unannotated: Unannotated,
    /// What could not be written down, by file: it holds for as long as this process lives.
    unwritten: Mutex<HashMap<PathBuf, Book>>,
}

/// The file of one server.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    server: String,
    path: PathBuf,
}

/// A file as it was at some moment. Files are replaced and never edited, so that another state is another file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(Option<(u64, u64, i64, i64)>);

impl Pins {
    /// Those beneath `home`. Reads and makes nothing yet.
    pub fn open(home: &Path) -> Self {
        let unannotated = Unannotated::default();
        Self { folder: home.join("pins"), unannotated, unwritten: Mutex::default() }
    }

    /// Where tools without annotations count as something else.
    #[must_use]
    pub fn counting(self, unannotated: Unannotated) -> Self {
        Self { unannotated, ..self }
    }

    /// Where the pins of a server are: those of another server of the same name are elsewhere.
    pub(crate) fn shelf(&self, spec: &UpstreamSpec) -> Shelf {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let name: String = spec.name.chars().take(40).map(plain).collect();
        let key = Digest::of([Some(spec.name.as_str()), Some(spec.identity.as_str())]);
        let path = self.folder.join(format!("{name}-{}.json", key.short()));
        Shelf { server: spec.name.clone(), path }
    }

    /// Tells whether there is another state than before, without reading it.
    pub(crate) fn stamp(shelf: &Shelf) -> Stamp {
        let found = fs::symlink_metadata(&shelf.path).ok();
        Stamp(found.map(|file| (file.ino(), file.size(), file.mtime(), file.mtime_nsec())))
    }

    /// What every tool counts as; those seen for the first time and those whose class rose are pinned.
    pub(crate) fn judge(
        &self,
        shelf: &Shelf,
        tools: &[Listed],
    ) -> Result<Vec<Judgement>, PinError> {
        let judged = self.judge_all(tools, &self.read(shelf)?);
        if judged.iter().all(|judgement| judgement.pin.is_none()) {
            return Ok(judged);
        }
        match self.pin_new(shelf, tools) {
            // A disk that takes nothing must not stop the work: what is new counts here and now.
            Err(PinError::Vault(VaultError::Write { path, source })) => {
                let mut unwritten = self.unwritten();
                if !unwritten.contains_key(&path) {
                    let server = shown(&shelf.server);
                    tracing::warn!(%server, path = %path.display(), error = %source, "pins cannot be written: they are forgotten when awf ends");
                }
                let book = unwritten.entry(shelf.path.clone()).or_default();
                keep(book, tools, &judged);
                Ok(judged)
            }
            other => other,
        }
    }

    /// Another process may have pinned meanwhile: what it wrote counts.
    fn pin_new(&self, shelf: &Shelf, tools: &[Listed]) -> Result<Vec<Judgement>, PinError> {
        let turn = Turn::take(&shelf.path)?;
        let mut book = self.read(shelf)?;
        let judged = self.judge_all(tools, &book);
        keep(&mut book, tools, &judged);
        self.put(shelf, &turn, &book)?;
        Ok(judged)
    }

    /// Pins tools as they are, in the name of a person.
    pub(crate) fn approve(&self, shelf: &Shelf, tools: &[&Listed]) -> Result<(), PinError> {
        let turn = Turn::take(&shelf.path)?;
        let mut book = self.read(shelf)?;
        for tool in tools {
            book.insert(tool.definition.name().to_string(), pin(tool, Approval::Person));
        }
        self.put(shelf, &turn, &book)
    }

    /// The pins of a server. A file that is there and cannot be read opens no door: nothing is judged then.
    pub(crate) fn read(&self, shelf: &Shelf) -> Result<Book, PinError> {
        let mut book = match vault::read(&shelf.path)? {
            Some(text) => book::read(&shelf.path, &text)?,
            None => Book::new(),
        };
        for (name, unwritten) in self.unwritten().get(&shelf.path).into_iter().flatten() {
            let known = book.entry(name.clone()).or_insert_with(|| unwritten.clone());
            if known.hash == unwritten.hash && known.approved != Approval::Person {
                known.class = known.class.and_all(unwritten.class);
            }
        }
        Ok(book)
    }

    fn judge_all(&self, tools: &[Listed], book: &Book) -> Vec<Judgement> {
        let known = Known::by(book);
        let pin = |tool: &Listed| Some(known.pin(tool.definition.name().as_str())?.1);
        tools.iter().map(|tool| judge(tool, pin(tool), self.unannotated)).collect()
    }

    fn put(&self, shelf: &Shelf, turn: &Turn<'_>, book: &Book) -> Result<(), PinError> {
        if book.len() > MOST_PINS {
            return Err(PinError::Full { path: shelf.path.clone() });
        }
        let text = book::write(&shelf.server, book).map_err(|error| VaultError::Write {
            path: shelf.path.clone(),
            source: error.into(),
        })?;
        turn.write(&text)?;
        self.unwritten().remove(&shelf.path);
        Ok(())
    }

    fn unwritten(&self) -> MutexGuard<'_, HashMap<PathBuf, Book>> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(book: &mut Book, tools: &[Listed], judged: &[Judgement]) {
    for (tool, judgement) in tools.iter().zip(judged) {
        if let Some(pin) = &judgement.pin {
            let pin: Pin = pin.clone();
            book.insert(tool.definition.name().to_string(), pin);
        }
    }
}

#[cfg(test)]
mod tests;
