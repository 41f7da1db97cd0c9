//! The socket of a plugin: for its user alone, and gone when it is dropped.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use tempfile::{Builder, TempDir, TempPath};
use tokio::net::UnixListener;

/// A socket that is listened on.
pub(crate) struct Socket {
    listener: UnixListener,
    // Dropped in this order: the socket, then the folder that was made for it.
    path: TempPath,
    _folder: Option<TempDir>,
}

impl Socket {
    /// Listens in `folder`, or in a private one where there is none. Needs a runtime.
    pub(crate) fn bind(folder: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = folder else {
            let own = Builder::new().prefix("awf-plugin-").tempdir()?;
            let socket = Self::bind_in(own.path())?;
            return Ok(Self { _folder: Some(own), ..socket });
        };
        Self::bind_in(folder)
    }

    fn bind_in(folder: &Path) -> io::Result<Self> {
        let made = Builder::new().prefix("plugin-").suffix(".sock").make_in(folder, |path| {
            // The line that tells of it has no way to quote.
            let text = path.to_str().filter(|text| !text.contains(['|', '\n', '\r']));
            let path = text.ok_or_else(|| io::Error::other("its path cannot be told to a host"))?;
            UnixListener::bind(path)
        })?;
        let (listener, path) = made.into_parts();
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(Self { listener, path, _folder: None })
    }

    pub(crate) fn listener(&self) -> &UnixListener {
        &self.listener
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
