//! What both sides of the wire agree on: the variables a plugin is started with, the line it answers with, and the
//! services it then has.

mod handshake;

pub use handshake::{BadHandshake, Handshake};

/// The variable that tells a plugin it was started by a host, and its value.
pub const COOKIE: (&str, &str) = ("AWF_PLUGIN", "awf-plugin-v1");
/// Names the versions of the protocol that the host speaks, between commas.
pub const PROTOCOL_VERSIONS: &str = "PLUGIN_PROTOCOL_VERSIONS";
/// Holds the certificate of the host, as PEM.
pub const CLIENT_CERT: &str = "PLUGIN_CLIENT_CERT";
/// Where the plugin may put its socket.
pub const UNIX_SOCKET_DIR: &str = "PLUGIN_UNIX_SOCKET_DIR";
/// The first port a plugin may listen on, where it cannot have a socket.
pub const MIN_PORT: (&str, &str) = ("PLUGIN_MIN_PORT", "10000");
/// The last one.
pub const MAX_PORT: (&str, &str) = ("PLUGIN_MAX_PORT", "25000");
/// The version of the protocol spoken here.
pub const PROTOCOL_VERSION: u32 = 1;
/// What health is asked of.
pub const HEALTH_SERVICE: &str = "plugin";
/// The name on both certificates.
pub const SERVER_NAME: &str = "localhost";
/// The number under which a host offers its own services.
pub const HOST_SERVICE: u32 = 1;

/// `plugin.v1`: what a host asks of a plugin.
#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "generated from proto/plugin.proto"
)]
pub mod v1 {
    tonic::include_proto!("plugin.v1");
}

/// `plugin`: what go-plugin brings along.
#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "generated from proto/grpc_*.proto"
)]
pub mod host {
    tonic::include_proto!("plugin");
}

/// `grpc.health.v1`.
#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "generated from proto/health.proto"
)]
pub mod health {
    tonic::include_proto!("grpc.health.v1");
}
