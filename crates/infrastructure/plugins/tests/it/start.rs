//! The start of a plugin: how it is met, and why another is not.

use std::{fs, time::Duration};

use awf_core::{OperationFailure, OperationProvider as _, StepType};
use awf_plugins::{PluginInfo, fingerprint};

use crate::stage::{Stage, call, peer, spec};

#[tokio::test]
async fn a_plugin_says_what_it_is_and_has() {
    let stage = Stage::new("good");
    let inventory = stage.plugins.inventory("peer").await.unwrap();
    let info = PluginInfo {
        name: "peer".into(),
        version: "1.2.3".into(),
        description: "for tests".into(),
    };
    assert_eq!(inventory.info, info);
    let names: Vec<&str> = inventory.operations.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names[..3], ["echo", "pid", "environment"]);
    let step_type = |name: &str| StepType { name: name.into(), description: "d".into() };
    assert_eq!(inventory.step_types, [step_type("query"), step_type("qualified")]);
    stage.plugins.close().await;
}

#[tokio::test]
async fn it_sees_its_environment_and_the_variables_of_the_wire() {
    let stage = Stage::new("good");
    let seen = stage.execute("environment", "{}").await.unwrap().data;
    let mut names: Vec<&str> = seen.iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    let expected = [
        "AWF_PLUGIN",
        "AWF_SPAWN",
        "PATH",
        "PLUGIN_CLIENT_CERT",
        "PLUGIN_MAX_PORT",
        "PLUGIN_MIN_PORT",
        "PLUGIN_PROTOCOL_VERSIONS",
        "PLUGIN_UNIX_SOCKET_DIR",
    ];
    assert_eq!(names, expected);
    assert_eq!(seen.get("AWF_PLUGIN").unwrap().get(), "\"awf-plugin-v1\"");
    stage.plugins.close().await;
}

#[tokio::test]
async fn each_failure_to_start_has_its_own_words() {
    let rows = [
        ("stray", "its first line is no handshake: `starting up`"),
        ("core", "it speaks version `2` of the handshake"),
        ("leave", "exited with code 3 before its handshake; it said: no such host"),
        ("stranger", "did not accept awf's magic cookie `AWF_PLUGIN`"),
        ("impostor", "the certificate on its socket is not the one of its handshake"),
        ("sick", "says it is not healthy (`NOT_SERVING`)"),
    ];
    for (manner, words) in rows {
        let stage = Stage::new(manner);
        let refusal = stage.refusal().await;
        assert!(refusal.starts_with("plugin `peer`") && refusal.contains(words), "{refusal}");
        stage.plugins.close().await;
        assert_eq!(stage.folders(), 0, "{manner}");
    }
}

#[tokio::test]
async fn one_that_says_nothing_is_waited_for_only_so_long() {
    let stage = Stage::new("silent").patient_for(Duration::from_millis(200));
    assert_eq!(stage.refusal().await, "plugin `peer` gave no handshake within 0.2 s");
    stage.plugins.close().await;
}

#[tokio::test]
async fn one_that_refuses_its_configuration_is_not_used() {
    let mut spec = spec("good");
    spec.config.insert("refuse".into(), "no `dsn`".into());
    let stage = Stage::with(spec);
    let refusal = stage.refusal().await;
    assert_eq!(refusal, "plugin `peer` refused its configuration: \"no `dsn`\"");
    stage.plugins.close().await;
}

#[tokio::test]
async fn a_program_is_compared_before_it_is_started() {
    let mut spec = spec("good");
    spec.checksum = Some(fingerprint(&peer()).unwrap());
    let stage = Stage::with(spec.clone());
    stage.pid().await;
    stage.plugins.close().await;

    let folder = tempfile::tempdir().unwrap();
    let (trap, mark) = (folder.path().join("trap"), folder.path().join("mark"));
    fs::write(&trap, format!("#!/bin/sh\n: > {}\n", mark.display())).unwrap();
    fs::set_permissions(&trap, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    spec.command = vec![trap.into()];
    let stage = Stage::with(spec);
    let failure = stage.execute("pid", "{}").await.unwrap_err();
    assert!(matches!(failure, OperationFailure::Altered(_)), "{failure:?}");
    assert!(!mark.exists());
    stage.plugins.close().await;
}

#[tokio::test]
async fn what_is_not_there_cannot_be_started() {
    let mut spec = spec("good");
    spec.command = vec!["awf-plugin-none".into()];
    let stage = Stage::with(spec);
    let words = "plugin `peer`: there is no program `awf-plugin-none`; give its path, or put it in \
                 the `PATH`";
    assert_eq!(stage.refusal().await, words);
    let mut other = call("echo", "{}");
    other.plugin = "other".into();
    let unknown = OperationFailure::Unknown("other".into());
    assert_eq!(stage.plugins.execute(other).await, Err(unknown));
}
