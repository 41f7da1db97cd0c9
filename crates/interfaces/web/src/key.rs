//! The key: 64 hex digits in a file that only its owner can read. Never shown, never logged.

use std::{
    fmt, fs,
    hint::black_box,
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use rustix::rand::{GetRandomFlags, getrandom};

/// Hex digits of a key: 256 bits.
const DIGITS: usize = 64;

/// What a client must know.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file could not be read.
    #[error("cannot read the API key at `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file could not be written.
    #[error("cannot write the API key at `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others can read or write the file.
    #[error("the API key at `{}` is open to others (mode {mode:04o}): remove it, and a new one is made", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The file is something else.
    #[error("`{}` holds no API key of 64 hex digits: remove it, and a new one is made", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
    },
}

impl ApiKey {
    /// Reads the key, or makes one where there is none yet. Of two that make one at once, both get the same.
    pub fn load_or_create(path: &Path) -> Result<Self, KeyError> {
        match Self::load(path) {
            Err(KeyError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            other => return other,
        }
        match Self::create(path) {
            Ok(key) => Ok(key),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::load(path),
            Err(source) => Err(KeyError::Write { path: path.to_owned(), source }),
        }
    }

    /// Reads 64 hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        let valid = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The key itself, for those who must send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether `offered` is the key.
    pub(crate) fn admits(&self, offered: &[u8]) -> bool {
        alike(self.0.as_bytes(), offered)
    }

    /// The text without the key, also where a message was cut in the middle of it.
    pub(crate) fn struck_from(&self, text: String) -> String {
        let mut beginnings = (8..=DIGITS).rev().filter_map(|length| self.0.get(..length));
        if !beginnings.clone().next_back().is_some_and(|shortest| text.contains(shortest)) {
            return text;
        }
        beginnings.by_ref().fold(text, |text, part| text.replace(part, "[redacted]"))
    }

    /// Reads the key where there must be one.
    pub fn load(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::Read { path: path.to_owned(), source };
        // A FIFO or a link in its place must neither hold us nor lead us on.
        let flags = rustix_flags();
        let mut file =
            fs::OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if !about.is_file() {
            return Err(KeyError::Malformed { path: path.to_owned() });
        }
        let mode = about.mode() & 0o7777;
        if mode & 0o077 != 0 {
            return Err(KeyError::Exposed { path: path.to_owned(), mode });
        }
        let mut text = String::new();
        (&mut file).take(1024).read_to_string(&mut text).map_err(failed)?;
        Self::parse(text.trim_end()).ok_or_else(|| KeyError::Malformed { path: path.to_owned() })
    }

    fn create(path: &Path) -> io::Result<Self> {
        let parent = path.parent().unwrap_or(Path::new("."));
        fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
        let key = Self(random_hex()?);
        // Made under another name, 0600 from the start, so that nobody ever reads half a key.
        let mut file = tempfile::NamedTempFile::new_in(parent)?;
        writeln!(file, "{}", key.0)?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map_err(|refused| refused.error)?;
        Ok(key)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

/// 256 bits of the system's randomness, as hex digits.
pub(crate) fn random_hex() -> io::Result<String> {
    let bytes: [u8; DIGITS / 2] = random()?;
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    Ok(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect())
}

/// Bytes of the system's randomness.
pub(crate) fn random<const LENGTH: usize>() -> io::Result<[u8; LENGTH]> {
    let mut bytes = [0_u8; LENGTH];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        filled += getrandom(rest, GetRandomFlags::empty())?;
    }
    Ok(bytes)
}

/// Whether two secrets are the same. Takes as long for a near miss as for a far one.
pub(crate) fn alike(known: &[u8], offered: &[u8]) -> bool {
    let different = known.iter().zip(offered).fold(0, |seen, (a, b)| black_box(seen | (a ^ b)));
    offered.len() == known.len() && different == 0
}

fn rustix_flags() -> i32 {
    use rustix::fs::OFlags;
    (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits().cast_signed()
}

#[cfg(test)]
mod tests;
