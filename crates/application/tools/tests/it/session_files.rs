//! What a session leaves on disk while it lives, and that nothing is left when it does not.

use std::{
    fs::{self, File, Permissions},
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use awf_core::Code;
use awf_tools::{ProxySettings, ToolProxyService};
use serde_json::{Value, json};

use crate::session_stage::{Stage, base_in, config_of, private_dir, socket_in};

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn nobody_else_may_enter() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    let config = config_of(&session);
    let (dir, socket) = (config.parent().unwrap(), socket_in(&config));
    assert_eq!((mode(dir.parent().unwrap()), mode(dir)), (0o700, 0o700));
    assert_eq!((mode(&config), mode(&socket)), (0o600, 0o600));
    let written: Value = serde_json::from_slice(&fs::read(&config).unwrap()).unwrap();
    assert_eq!(written, json!({"socket": socket, "run": "01RUN", "step": "fix"}));
}

#[tokio::test]
async fn what_dead_runs_left_is_swept_and_what_lives_is_not() {
    let stage = Stage::new();
    let living = stage.service().open(stage.request("fix")).await.unwrap();
    let dir = stage.runtime_dir();
    for left in ["s-dead", "new-old", "new-young", "notes"] {
        private_dir(&dir.join(left));
        fs::write(dir.join(left).join("config.json"), "{}").unwrap();
    }
    let old = SystemTime::now() - Duration::from_mins(2);
    File::open(dir.join("new-old")).unwrap().set_modified(old).unwrap();
    let elsewhere = stage.scratch.path().join("elsewhere");
    private_dir(&elsewhere);
    symlink(&elsewhere, dir.join("s-link")).unwrap();
    drop(stage.service());
    let mut left = stage.left();
    left.retain(|name| !config_of(&living).to_str().unwrap().contains(name.as_str()));
    left.sort();
    assert_eq!(left, ["new-young", "notes", "s-link"]);
    assert!(config_of(&living).exists(), "a living session was swept");
}

#[tokio::test]
async fn a_place_that_will_not_do_is_passed_over_and_named() {
    let stage = Stage::new();
    let base = stage.scratch.path();
    let (long, open, file) = (base.join("x".repeat(90)), base.join("open"), base.join("file"));
    fs::create_dir(&long).unwrap();
    private_dir(&base_in(&open));
    fs::set_permissions(base_in(&open), Permissions::from_mode(0o750)).unwrap();
    fs::write(&file, "").unwrap();
    let bad = vec![long.clone(), open.clone(), file, base.join("missing")];
    let with =
        |runtime_dirs| ToolProxyService::new(ProxySettings { runtime_dirs, ..stage.settings() });

    let error = with(bad.clone()).open(stage.request("fix")).await.err().unwrap();
    assert_eq!(error.code(), Code::ProxyUnavailable);
    let text = error.to_string();
    for part in ["100 fit", "other users may enter it", "Not a directory", "No such file"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let all = bad.into_iter().chain([base.into()]).collect();
    let session = with(all).open(stage.request("fix")).await.unwrap();
    assert!(config_of(&session).starts_with(stage.runtime_dir()));
    assert!(!base_in(&long).exists(), "something was left");
    assert_eq!(fs::read_dir(base_in(&open)).unwrap().count(), 0);
}

/// Sessions of one user share a directory that the last one removes: opening and closing must not get in each other's way.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sessions_that_come_and_go_do_not_disturb_each_other() {
    let stage = Arc::new(Stage::new());
    let comers = (0..4).map(|_| {
        let stage = stage.clone();
        tokio::spawn(async move {
            let service = stage.service();
            for _ in 0..50 {
                service.open(stage.request("fix")).await.unwrap().close().await;
            }
        })
    });
    for comer in comers.collect::<Vec<_>>() {
        comer.await.unwrap();
    }
    assert!(!stage.runtime_dir().exists(), "{:?}", stage.left());
}
