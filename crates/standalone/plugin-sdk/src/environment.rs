//! What a host says before a plugin speaks: variables of the environment, and whether they are those of a host at all.

use std::{env, path::PathBuf};

use rustls::pki_types::{CertificateDer, pem::PemObject as _};

use crate::wire;

/// What a plugin was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Environment {
    /// Whether a host of ours started it.
    pub(crate) cookie: Option<String>,
    /// The versions of the protocol the host speaks, between commas.
    pub(crate) versions: Option<String>,
    /// The certificate of the host, as PEM.
    pub(crate) client_certificate: Option<String>,
    /// Where the socket shall be.
    pub(crate) socket_dir: Option<PathBuf>,
}

/// Why a plugin serves nobody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unwelcome {
    /// A person started it.
    #[error(
        "this program is a plugin for awf and does nothing by itself\n\
         hint: give its path in `.awf/plugins.yaml`, then run `awf plugin list --operations`"
    )]
    ByHand,
    /// The host is of another time.
    #[error(
        "the host speaks version `{0}` of the plugin protocol, this plugin speaks {version}\n\
         hint: use a host and a plugin of the same time",
        version = wire::PROTOCOL_VERSION
    )]
    Versions(String),
    /// The host wants to speak in the clear.
    #[error(
        "the host gives no certificate, and this plugin speaks to nobody in the clear\n\
         hint: switch AutoMTLS on in the host; awf always does"
    )]
    NoCertificate,
    /// What the host gives as certificate is none.
    #[error("`{name}` holds no certificate: it must be PEM", name = wire::CLIENT_CERT)]
    BadCertificate,
}

impl Environment {
    /// Reads the variables of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "this crate is the outermost layer of a plugin's process"
    )]
    pub(crate) fn read() -> Self {
        Self {
            cookie: env::var(wire::COOKIE.0).ok(),
            versions: env::var(wire::PROTOCOL_VERSIONS).ok(),
            client_certificate: env::var(wire::CLIENT_CERT).ok().filter(|pem| !pem.is_empty()),
            socket_dir: env::var_os(wire::UNIX_SOCKET_DIR)
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from),
        }
    }

    /// The certificate of a host that may be served.
    pub(crate) fn welcome(&self) -> Result<CertificateDer<'static>, Unwelcome> {
        if self.cookie.as_deref() != Some(wire::COOKIE.1) {
            return Err(Unwelcome::ByHand);
        }
        let versions = self.versions.as_deref().unwrap_or_default();
        let ours = wire::PROTOCOL_VERSION.to_string();
        if !versions.split(',').any(|version| version.trim() == ours) {
            return Err(Unwelcome::Versions(versions.to_owned()));
        }
        let pem = self.client_certificate.as_deref().ok_or(Unwelcome::NoCertificate)?;
        CertificateDer::from_pem_slice(pem.as_bytes()).map_err(|_| Unwelcome::BadCertificate)
    }
}

#[cfg(test)]
mod tests;
