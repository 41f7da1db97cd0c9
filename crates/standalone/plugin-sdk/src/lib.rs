//! awf-plugin-sdk: plugins for awf, on the wire of go-plugin.

pub mod wire;
