//! awf-config: files a person writes, parsed with their places. As typed first, then as meant; never half of one.
//!
//! The only crate that knows YAML. It starts nothing and decides nothing: it says what a file means, or what is wrong
//! with it and where.

mod parse;
mod serve;

pub use serve::{ActivitySetting, ServeConfig, load_serve_config};
