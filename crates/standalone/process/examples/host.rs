//! A host for the tests: `host guard` is its guard, `host hold <directory> <command>` runs a shell command
//! under a guard and says `ready` on standard output, then waits to be killed.

use std::{
    env,
    io::{self, Read, Write},
    process::ExitCode,
};

use awf_process::{CommandSpec, Guard, GuardCommand, Stream, Streams};

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1);
    let mode = args.next().unwrap_or_default();
    if mode == "guard" {
        return awf_process::guard_main();
    }
    let (Some(cwd), Some(command)) = (args.next(), args.next()) else { return ExitCode::FAILURE };
    let spec = CommandSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), command],
        env: env::vars_os().collect(),
        cwd: cwd.into(),
    };
    match hold(spec) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn hold(spec: CommandSpec) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let guard = Guard::new(GuardCommand {
            program: "/proc/self/exe".into(),
            args: vec!["guard".into()],
        });
        let streams = Streams { stdin: Stream::Null, stdout: Stream::Null, stderr: Stream::Null };
        let child = guard.spawn(spec, streams).await.map_err(io::Error::other)?;
        writeln!(io::stdout(), "ready {}", child.pid())?;
        // Returns when the test closes its end, should it ever do so instead of killing.
        io::stdin().read_to_end(&mut Vec::new())?;
        drop(child);
        drop(guard);
        Ok(())
    })
}
