//! Where an intercepted step is taken, and where not.

use std::{
    fs,
    os::{fd::AsRawFd as _, unix::fs::symlink},
    path::Path,
};

use awf_core::{AgentRequest, Reach};

use super::refuse_plugins;
use crate::cli::{
    errand::Errand,
    sample::{request, server},
};

fn is_refused(home: &Path, reach: Option<Reach>) -> bool {
    let dir = home.join("project/sub");
    fs::create_dir_all(&dir).unwrap();
    let (request, server) = (AgentRequest { dir, ..request() }, reach.map(server));
    let errand = Errand { request: &request, server: server.as_ref(), home: Some(home) };
    refuse_plugins(&errand).is_err()
}

#[test]
fn plugins_of_a_project_are_not_let_run() {
    for (path, text, refused) in [
        ("project/.opencode/plugin/x.js", "", true),
        ("project/sub/.opencode/plugins/x.ts", "", true),
        ("project/opencode.json", r#"{"plugin": ["./x.js"]}"#, true),
        ("project/sub/opencode.jsonc", r#"{"plugins": ["./x.js"]}"#, true),
        ("project/.opencode/opencode.json", r#"{"\u0070lugin": ["./x.js"]}"#, true),
        ("project/opencode.json", r#"{"mcp": {}}"#, false),
        ("project/.opencode/tool/x.js", "", false),
        (".opencode/plugin/x.js", "", false),
    ] {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        assert_eq!(is_refused(home.path(), Some(Reach::Exclusive)), refused, "{path}: {text}");
        assert!(
            !is_refused(home.path(), Some(Reach::Additive)),
            "{path}: its own tools are its own"
        );
        assert!(!is_refused(home.path(), None), "{path}");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("project")).unwrap();
    // Its writer says nothing and stays.
    let (reader, _writer) = std::io::pipe().unwrap();
    let pipe = format!("/proc/self/fd/{}", reader.as_raw_fd());
    symlink(pipe, home.path().join("project/opencode.json")).unwrap();
    assert!(is_refused(home.path(), Some(Reach::Exclusive)));
}
