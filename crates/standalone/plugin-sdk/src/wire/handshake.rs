//! The line a plugin prints first: where it listens, and by which certificate it is known.

use std::{fmt, path::PathBuf};

use base64::{Engine as _, alphabet, engine::general_purpose};

use crate::wire::PROTOCOL_VERSION;

/// The version of the line's own form.
const CORE_VERSION: &str = "1";
/// Base64 as Go writes it, without padding; what another language pads is read as well.
const BASE64: general_purpose::GeneralPurpose = general_purpose::GeneralPurpose::new(
    &alphabet::STANDARD,
    general_purpose::NO_PAD
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
);

/// Where a plugin listens, and by which certificate it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handshake {
    /// Its socket.
    pub socket: PathBuf,
    /// Its certificate, as DER.
    pub certificate: Vec<u8>,
}

/// Why a line is no handshake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadHandshake {
    /// It has another form altogether.
    #[error("its first line is no handshake: `{0}`")]
    NoHandshake(String),
    /// It has a form of another time.
    #[error("it speaks version `{0}` of the handshake, awf speaks {CORE_VERSION}")]
    CoreVersion(String),
    /// Its services are not ours.
    #[error("it speaks version `{0}` of the plugin protocol, awf speaks {PROTOCOL_VERSION}")]
    AppVersion(String),
    /// It listens elsewhere than on a socket of this machine.
    #[error("it listens on `{0}`, awf takes a Unix socket")]
    Network(String),
    /// It speaks something else than gRPC.
    #[error("it speaks `{0}`, awf speaks grpc")]
    Protocol(String),
    /// It cannot prove who it is.
    #[error("it gives no certificate: it was built without AutoMTLS")]
    NoCertificate,
    /// What it gives as certificate is none.
    #[error("its certificate is not base64")]
    BadCertificate,
}

impl Handshake {
    /// Reads the line.
    pub fn parse(line: &str) -> Result<Self, BadHandshake> {
        let fields: Vec<&str> = line.trim().split('|').collect();
        let [core, app, network, address, rest @ ..] = fields.as_slice() else {
            return Err(BadHandshake::NoHandshake(cut(line)));
        };
        if core.is_empty() || core.bytes().any(|byte| !byte.is_ascii_digit()) {
            return Err(BadHandshake::NoHandshake(cut(line)));
        }
        if *core != CORE_VERSION {
            return Err(BadHandshake::CoreVersion(cut(core)));
        }
        if *app != PROTOCOL_VERSION.to_string() {
            return Err(BadHandshake::AppVersion(cut(app)));
        }
        if *network != "unix" {
            return Err(BadHandshake::Network(cut(network)));
        }
        match rest.first().copied().unwrap_or("netrpc") {
            "grpc" => {}
            other => return Err(BadHandshake::Protocol(cut(other))),
        }
        let certificate = rest.get(1).filter(|text| !text.is_empty());
        let certificate = certificate.ok_or(BadHandshake::NoCertificate)?;
        let certificate = BASE64.decode(certificate).map_err(|_| BadHandshake::BadCertificate)?;
        Ok(Self { socket: PathBuf::from(address), certificate })
    }
}

impl fmt::Display for Handshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let certificate = BASE64.encode(&self.certificate);
        let socket = self.socket.display();
        write!(f, "{CORE_VERSION}|{PROTOCOL_VERSION}|unix|{socket}|grpc|{certificate}")
    }
}

/// A stranger's words in a message: printable, and not for ever.
fn cut(text: &str) -> String {
    text.trim_end().chars().take(80).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests;
