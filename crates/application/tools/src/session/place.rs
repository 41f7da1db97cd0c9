//! Where a session lives on disk: a private directory with its socket and the file that names it.

use std::{
    fs::{self, OpenOptions, Permissions},
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::PathBuf,
};

use serde_json::json;
use tokio::net::UnixListener;

use crate::{
    private_dir::PrivateDir,
    session::{PlaceError, SessionRequest},
};

const SOCKET: &str = "sock";

/// The directory of one session. Dropping it removes it.
pub(super) struct Place {
    dir: PrivateDir,
}

impl Place {
    /// Makes a directory beneath the first of `dirs` that will do, with a socket that listens and a file that names it.
    pub(super) fn make(
        dirs: &[PathBuf],
        request: &SessionRequest,
    ) -> Result<(Self, UnixListener), PlaceError> {
        let mut tried = Vec::new();
        // A directory may be there and take no socket.
        for base in dirs {
            let made = PrivateDir::make(std::slice::from_ref(base), SOCKET.len());
            let made = made.and_then(|dir| {
                let at = dir.path().to_owned();
                let furnished = Self { dir }.furnish(request);
                furnished.map_err(|error| PlaceError { tried: vec![(at, error)] })
            });
            match made {
                Ok(made) => return Ok(made),
                Err(error) => tried.extend(error.tried),
            }
        }
        Err(PlaceError { tried })
    }

    /// The file that names the socket.
    pub(super) fn config(&self) -> PathBuf {
        self.dir.path().join("config.json")
    }

    fn furnish(self, request: &SessionRequest) -> io::Result<(Self, UnixListener)> {
        let socket = self.dir.path().join(SOCKET);
        let listener = UnixListener::bind(&socket)?;
        fs::set_permissions(&socket, Permissions::from_mode(0o600))?;
        let config = json!({"socket": socket, "run": request.run, "step": request.step});
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(self.config());
        writeln!(file?, "{config:#}")?;
        Ok((self, listener))
    }
}
