//! One thread's share of a search.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use grep_searcher::{BinaryDetection, Searcher};
use ignore::DirEntry;

use super::{
    engine::Engine,
    hits::{FileHits, Hits},
    sink::Collector,
};
use crate::{
    blocking::Stop,
    files::{OpenFile, Root, Roots, open_found},
    shown,
    tree::{self, Worker},
};

/// A file named by the caller is searched beyond its first NUL byte, as ripgrep does it; but a sparse file of any size
/// must not hold up the answer.
const CONVERTED_BYTES: u64 = 256 * 1024 * 1024;

/// Searches files, one after the other.
pub(super) struct Search<'a> {
    engine: &'a Engine,
    roots: &'a Roots,
    root: &'a Root,
    stop: &'a Stop,
    searcher: Searcher,
    hits: Hits,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        roots: &'a Roots,
        root: &'a Root,
        stop: &'a Stop,
    ) -> Self {
        Self {
            engine,
            roots,
            root,
            stop,
            searcher: engine.searcher(BinaryDetection::quit(0)),
            hits: Hits::new(engine.answer_bytes),
        }
    }

    /// Searches the one file the caller named.
    pub(super) fn only(mut self, path: &Path, open: OpenFile) -> Self {
        if open.size() <= CONVERTED_BYTES {
            self.searcher.set_binary_detection(BinaryDetection::convert(0));
        }
        self.search(path, open.file);
        self
    }

    pub(super) fn into_hits(self) -> Hits {
        self.hits
    }

    fn search(&mut self, path: &Path, file: File) {
        let bound = self.engine.most_bytes;
        if bound < u64::MAX && file.metadata().is_ok_and(|file| file.len() > bound) {
            let error = io::Error::other("too large for a multi-line search");
            self.hits.trouble.while_reading(path, &error);
            return;
        }
        let mut text = String::new();
        let name = || shown::name(self.roots.show(self.root, path).as_os_str());
        let mut collector = Collector::new(self.engine, &name, &mut text);
        let reader = UntilStopped { file, stop: self.stop };
        let searched = self.searcher.search_reader(&self.engine.matcher, reader, &mut collector);
        let matches = collector.matches();
        if let Err(error) = searched {
            self.hits.trouble.while_reading(path, &error);
        }
        if matches > 0 {
            self.hits.matches += matches;
            self.hits.files.push(FileHits { path: path.to_owned(), text });
        }
    }
}

impl Worker for Search<'_> {
    fn file(&mut self, entry: &DirEntry) {
        let path = tree::beneath(self.root, entry.path());
        match open_found(self.root, path) {
            Ok(handle) => self.search(path, File::from(handle)),
            Err(errno) => self.hits.trouble.with_file(path, errno),
        }
    }

    fn unreadable(&mut self, error: &ignore::Error) {
        self.hits.trouble.in_walk(error);
    }
}

/// A file that ends in an error once nobody waits for the search.
struct UntilStopped<'s> {
    file: File,
    stop: &'s Stop,
}

impl Read for UntilStopped<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.requested() {
            return Err(io::Error::other("the search was stopped"));
        }
        self.file.read(buffer)
    }
}
