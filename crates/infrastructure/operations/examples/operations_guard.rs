//! The guard process for the tests of this crate: a host would execute its own binary again instead.

use std::process::ExitCode;

fn main() -> ExitCode {
    awf_process::guard_main()
}
