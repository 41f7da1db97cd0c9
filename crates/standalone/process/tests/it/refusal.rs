//! Commands that cannot be started say so, and say what.

use std::error::Error;

use awf_process::{CommandSpec, Grace, Guard, GuardCommand, SpawnError};

use crate::stage::{Mark, NO_STREAMS, PATIENCE, guard, limits, run, still_works, text, within};

async fn refused(spec: CommandSpec) -> SpawnError {
    let guard = guard();
    let error = within(guard.spawn(spec, NO_STREAMS())).await.expect_err("it started");
    within(guard.stop(Grace::NONE)).await.unwrap();
    error
}

fn words(error: &SpawnError) -> String {
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}

#[tokio::test]
async fn a_missing_program_is_named() {
    let spec = CommandSpec { program: "no-such-program".into(), ..Mark::new().sh("true") };
    let error = refused(spec).await;
    assert_eq!(
        words(&error),
        "cannot start `no-such-program`: No such file or directory (os error 2)"
    );
}

#[tokio::test]
async fn a_file_that_is_no_program_is_named() {
    let spec = CommandSpec { program: "/etc/passwd".into(), ..Mark::new().sh("true") };
    let error = refused(spec).await;
    assert_eq!(words(&error), "cannot start `/etc/passwd`: Permission denied (os error 13)");
}

#[tokio::test]
async fn a_bad_working_directory_is_named() {
    let rows = [
        ("/no/such/directory", "No such file or directory (os error 2)"),
        ("/etc/passwd", "Not a directory (os error 20)"),
    ];
    for (cwd, reason) in rows {
        let error = refused(CommandSpec { cwd: cwd.into(), ..Mark::new().sh("true") }).await;
        assert_eq!(words(&error), format!("cannot use `{cwd}` as working directory: {reason}"));
    }
}

#[tokio::test]
async fn a_relative_working_directory_is_refused() {
    let error = refused(CommandSpec { cwd: "somewhere".into(), ..Mark::new().sh("true") }).await;
    assert_eq!(
        words(&error),
        "cannot start `/bin/sh`: the working directory is not an absolute path"
    );
}

#[tokio::test]
async fn a_large_command_line_works_and_too_large_a_one_is_explained() {
    let guard = guard();
    let script = |length: usize| format!("echo ${{#LONG}}; : {}", "x".repeat(length));
    let mut spec = Mark::new().sh(&script(120_000));
    spec.env.push(("LONG".into(), "y".repeat(120_000).into()));
    spec.args.extend((0..10).map(|_| "z".repeat(100_000).into()));
    let finished = run(&guard, spec, limits(PATIENCE)).await.unwrap();
    assert_eq!(text(&finished.stdout), "120000\n");

    // Over the bound of one string, of one command line, and of what is sent to the guard at all.
    let one_string = Mark::new().sh(&script(200_000));
    let mut many = Mark::new().sh("true");
    many.args.extend((0..70).map(|_| "z".repeat(100_000).into()));
    let huge = Mark::new().sh(&script(9 << 20));
    for spec in [one_string, many, huge] {
        let longest = spec.args.iter().map(|arg| arg.len()).max().unwrap();
        let error = within(guard.spawn(spec, NO_STREAMS())).await.expect_err("it started");
        assert!(
            matches!(error, SpawnError::TooLarge { longest: said, .. } if said == longest),
            "{error}"
        );
    }
    // The guard is still well.
    still_works(&guard).await;
    within(guard.stop(Grace::NONE)).await.unwrap();
}

#[tokio::test]
async fn a_guard_that_cannot_start_or_is_none_is_named() {
    let rows = [
        ("/no/such/guard", "", "No such file or directory (os error 2)"),
        ("/bin/sh", "exit", "what was started did not answer as a guard"),
        ("/bin/sh", "exec <&-; exec sleep 300", "what was started did not answer as a guard"),
        // Its input is the socket, so it can answer, wrongly.
        (
            "/bin/sh",
            "printf wrong >&0; exec sleep 300",
            "what was started did not answer as a guard",
        ),
    ];
    for (program, script, reason) in rows {
        let args = vec!["-c".into(), script.into()];
        not_a_guard(GuardCommand { program: program.into(), args }, reason).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_guard_that_says_nothing_is_given_up() {
    let silent = GuardCommand { program: "/bin/cat".into(), args: Vec::new() };
    not_a_guard(silent, "what was started did not answer as a guard").await;
}

async fn not_a_guard(command: GuardCommand, reason: &str) {
    let program = command.program.display().to_string();
    let guard = Guard::new(command);
    let error = guard.spawn(Mark::new().sh("true"), NO_STREAMS()).await.expect_err("it started");
    assert_eq!(words(&error), format!("cannot start the process guard `{program}`: {reason}"));
    guard.stop(Grace::NONE).await.unwrap();
}
