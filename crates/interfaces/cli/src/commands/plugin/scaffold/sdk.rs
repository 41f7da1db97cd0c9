//! The plugin library, file by file: a plugin takes it along, so that it builds wherever there is Rust.

macro_rules! sdk {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../../../../standalone/plugin-sdk/", $path)))
    };
}

/// Every file of the library that a build needs, with its text. A test holds it against the folder.
pub(crate) const FILES: [(&str, &str); 34] = [
    sdk!("Cargo.toml"),
    sdk!("build.rs"),
    sdk!("proto/grpc_broker.proto"),
    sdk!("proto/grpc_controller.proto"),
    sdk!("proto/grpc_stdio.proto"),
    sdk!("proto/health.proto"),
    sdk!("proto/plugin.proto"),
    sdk!("src/call.rs"),
    sdk!("src/certificate.rs"),
    sdk!("src/environment.rs"),
    sdk!("src/environment/tests.rs"),
    sdk!("src/input.rs"),
    sdk!("src/lib.rs"),
    sdk!("src/log.rs"),
    sdk!("src/log/tests.rs"),
    sdk!("src/operation.rs"),
    sdk!("src/plugin.rs"),
    sdk!("src/plugin/tests.rs"),
    sdk!("src/reply.rs"),
    sdk!("src/server.rs"),
    sdk!("src/server/socket.rs"),
    sdk!("src/services.rs"),
    sdk!("src/services/lifecycle.rs"),
    sdk!("src/services/operations.rs"),
    sdk!("src/services/steps.rs"),
    sdk!("src/services/validators.rs"),
    sdk!("src/step_type.rs"),
    sdk!("src/tls.rs"),
    sdk!("src/validator.rs"),
    sdk!("src/values.rs"),
    sdk!("src/values/tests.rs"),
    sdk!("src/wire.rs"),
    sdk!("src/wire/handshake.rs"),
    sdk!("src/wire/handshake/tests.rs"),
];
