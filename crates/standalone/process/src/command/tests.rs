//! Which commands are refused unstarted, and how a marker is recognised.

use crate::{
    command::{CommandSpec, Marker},
    error::SpawnError,
};

fn spec() -> CommandSpec {
    CommandSpec {
        program: "sh".into(),
        args: vec!["-c".into(), "true".into()],
        env: vec![("PATH".into(), "/bin".into())],
        cwd: "/".into(),
    }
}

fn problem(spec: &CommandSpec) -> Option<&'static str> {
    match spec.check() {
        Ok(()) => None,
        Err(SpawnError::Invalid { problem, .. }) => Some(problem),
        Err(other) => panic!("unexpected {other}"),
    }
}

#[test]
fn a_plain_command_passes() {
    assert_eq!(problem(&spec()), None);
}

#[test]
fn what_no_system_accepts_is_refused() {
    let nul = "contains a NUL byte";
    let name = "name is empty or contains `=`";
    let rows: [(CommandSpec, &str); 6] = [
        (CommandSpec { program: "s\0h".into(), ..spec() }, nul),
        (CommandSpec { args: vec!["a\0b".into()], ..spec() }, nul),
        (CommandSpec { env: vec![("A".into(), "\0".into())], ..spec() }, nul),
        (CommandSpec { env: vec![("A=B".into(), "c".into())], ..spec() }, name),
        (CommandSpec { env: vec![("".into(), "c".into())], ..spec() }, name),
        (CommandSpec { cwd: "relative".into(), ..spec() }, "not an absolute path"),
    ];
    for (spec, expected) in rows {
        let problem = problem(&spec).unwrap_or_else(|| panic!("{spec:?} passed"));
        assert!(problem.contains(expected), "{spec:?}: {problem}");
    }
}

#[test]
fn too_large_counts_every_string() {
    let SpawnError::TooLarge { total, longest, .. } = spec().too_large() else {
        panic!("wrong kind")
    };
    // sh, /, -c, true, PATH, /bin
    assert_eq!((total, longest), (17, 4));
}

#[test]
fn a_marker_is_found_whole_and_under_its_own_name_only() {
    let marker = Marker::new(0xab, 7);
    let entry = format!("AWF_SPAWN={}", marker.value().display());
    assert_eq!(entry, "AWF_SPAWN=00000000000000ab.7");
    let rows = [
        (format!("A=b\0{entry}\0C=d\0"), true),
        (entry.clone(), true),
        (format!("{entry}7\0"), false),
        (format!("X{entry}\0"), false),
        ("AWF_SPAWN=\0".to_owned(), false),
        (String::new(), false),
    ];
    for (environ, expected) in rows {
        assert_eq!(marker.is_in(environ.as_bytes()), expected, "{environ:?}");
    }
}
