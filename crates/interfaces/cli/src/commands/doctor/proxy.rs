//! awf's own proxy, tried with a scripted agent that takes the way every agent takes: it starts `awf mcp-serve` from the
//! file it is given, and calls Read and Bash.

use std::io;

use awf_core::Code;

use crate::{
    commands::doctor::{
        trial::{Bench, scripted},
        ward::{MARKER, NOWHERE, Ward, put},
    },
    report::CommandError,
};

/// Nothing when it works; else what is wrong.
pub(super) async fn check(bench: Bench<'_>) -> Result<Option<String>, CommandError> {
    let failed = |error: io::Error| {
        CommandError::of(Code::IoWriteFailed, format!("cannot set up a trial: {error}"))
    };
    let ward = Ward::open(bench.environment).map_err(failed)?;
    let turns = format!(
        "turns:\n  - {{call: Read, arguments: {{file_path: marker.txt}}, expect: {{contains: {MARKER}}}}}\n  \
         - {{call: Bash, arguments: {{command: echo $((40+2))}}, expect: {{contains: '42'}}}}\n  - {{say: done}}\n"
    );
    put(&ward.project().join("turns.yaml"), &turns).map_err(failed)?;
    scripted(&ward.environment(bench.environment, NOWHERE), bench).await
}
