//! Turns the protocol files into Rust, without `protoc`.

use std::{error::Error, path::Path};

const FILES: [&str; 5] = [
    "plugin.proto",
    "grpc_broker.proto",
    "grpc_controller.proto",
    "grpc_stdio.proto",
    "health.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("proto");
    for file in FILES {
        println!("cargo::rerun-if-changed={}", folder.join(file).display());
    }
    let descriptors = protox::compile(FILES, [folder])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
