//! What the user reads, and which code goes with it.

use super::*;

/// An error, what it is to the port, and its words.
type Row = (PluginError, fn(String) -> OperationFailure, &'static str);

fn check(rows: impl IntoIterator<Item = Row>) {
    for (error, kind, words) in rows {
        assert_eq!(error.to_string(), words);
        assert_eq!(OperationFailure::from(error), kind(words.to_owned()));
    }
}

fn plugin() -> String {
    "db".to_owned()
}

fn said() -> String {
    "; it said: no host".to_owned()
}

#[test]
fn each_failed_start_has_its_words_and_its_kind() {
    let altered = PluginError::Altered {
        plugin: plugin(),
        program: "/p/db".into(),
        expected: "sha256:aa".into(),
        actual: "sha256:bb".into(),
    };
    let rows: [Row; 6] = [
        (
            altered,
            OperationFailure::Altered,
            "plugin `db` was not started: `/p/db` has the checksum `sha256:bb`, not `sha256:aa`, \
             which was vouched for; if the new program is wanted, run `awf plugin lock db`, or correct its `checksum`",
        ),
        (
            PluginError::NotFound { plugin: plugin(), program: "dbx".into() },
            OperationFailure::NotStarted,
            "plugin `db`: there is no program `dbx`; give its path, or put it in the `PATH`",
        ),
        (
            PluginError::Exited { plugin: plugin(), exit: Some(Exit::Code(3)), said: said() },
            OperationFailure::NotStarted,
            "plugin `db` exited with code 3 before its handshake; it said: no host",
        ),
        (
            PluginError::Cookie {
                plugin: plugin(),
                exit: Some(Exit::Code(1)),
                said: String::new(),
            },
            OperationFailure::Handshake,
            "plugin `db` did not accept awf's magic cookie `AWF_PLUGIN`: it exited with code 1; was \
             it built for another program than awf?",
        ),
        (
            PluginError::Handshake {
                plugin: plugin(),
                source: BadHandshake::NoHandshake("hello".into()),
                said: String::new(),
            },
            OperationFailure::Handshake,
            "plugin `db`: its first line is no handshake: `hello`; nothing may be printed before \
             the handshake, log to standard error instead",
        ),
        (
            PluginError::Silent { plugin: plugin(), limit: Duration::from_secs(15), said: said() },
            OperationFailure::Handshake,
            "plugin `db` gave no handshake within 15 s; it said: no host",
        ),
    ];
    check(rows);
}

#[test]
fn each_failed_call_has_its_words_and_its_kind() {
    let rows: [Row; 3] = [
        (
            PluginError::Died {
                plugin: plugin(),
                call: "query".into(),
                exit: Some(Exit::Signal(9)),
                said: said(),
            },
            OperationFailure::Unavailable,
            "plugin `db` died in `query`: it was ended by signal 9; it said: no host",
        ),
        (
            PluginError::Deadline {
                plugin: plugin(),
                call: "query".into(),
                limit: Duration::from_millis(1500),
            },
            OperationFailure::Unavailable,
            "plugin `db` did not answer `query` within 1.5 s; a longer `timeout` can be declared",
        ),
        (
            PluginError::TooLarge { plugin: plugin(), call: "query".into() },
            OperationFailure::Unavailable,
            "plugin `db` answered `query` with more than 16 MiB; let it write to a file and answer \
             with the path",
        ),
    ];
    check(rows);
}

#[test]
fn what_is_not_there_is_named_as_it_was_asked_for() {
    let unknown = PluginError::UnknownPlugin { plugin: "db".into() };
    assert_eq!(OperationFailure::from(unknown), OperationFailure::Unknown("db".into()));
    let unknown = PluginError::UnknownOperation { plugin: "db".into(), name: "x".into() };
    assert_eq!(OperationFailure::from(unknown), OperationFailure::Unknown("db.x".into()));
}
