//! Each way to misbehave does what its name says, and no more: `ok` works beside it.

use std::fs;

use awf_plugin_sdk::wire::{BadHandshake, Handshake};
use tonic::Code;

use crate::host::{HOSTILE, Host, Started, channel, command, signal};

async fn misbehaving(mode: &str) -> Host {
    Started::connect(HOSTILE, &[mode]).await
}

async fn is_sound(host: &Host) {
    assert_eq!(host.execute("ok", &[]).await.unwrap().output, "ok");
}

#[test]
fn a_first_line_is_wrong_in_its_own_way() {
    for (mode, wanted) in [
        ("stray-line", BadHandshake::NoHandshake("2026/01/01 12:00:00 starting up".to_owned())),
        ("wrong-core", BadHandshake::CoreVersion("2".to_owned())),
        ("wrong-app", BadHandshake::AppVersion("7".to_owned())),
        ("no-cert", BadHandshake::NoCertificate),
        ("wrong-cookie", BadHandshake::NoHandshake(String::new())),
        ("dies-at-start", BadHandshake::NoHandshake(String::new())),
    ] {
        let started = Started::new(HOSTILE, &[mode]);
        assert_eq!(Handshake::parse(&started.line).unwrap_err(), wanted, "{mode}");
    }
}

#[tokio::test]
async fn the_wrong_certificate_is_not_that_of_the_server() {
    let started = Started::new(HOSTILE, &["wrong-cert"]);
    let handshake = Handshake::parse(&started.line).unwrap();
    assert!(channel(&handshake, &started.credentials).await.is_err());
}

#[test]
fn it_dies_with_a_word() {
    for (mode, code, word) in [
        ("dies-at-start", 3, "cannot open the database"),
        ("wrong-cookie", 1, "not meant to be run by hand"),
        ("politely", 2, "`politely` is no way to misbehave"),
    ] {
        let output = command(HOSTILE, &[mode]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(word), "{mode}: {said}");
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(code), true));
    }
}

#[tokio::test]
async fn garbage_is_one_bad_answer() {
    let host = misbehaving("garbage").await;
    assert_eq!(host.execute("garbage", &[]).await.unwrap_err().code(), Code::Internal);
    is_sound(&host).await;
}

#[tokio::test]
async fn a_panic_is_one_failed_call() {
    let host = misbehaving("panic").await;
    let answer = host.execute("panic", &[]).await.unwrap();
    assert_eq!(answer.error, "the plugin panicked: the handler lost its head");
    is_sound(&host).await;
}

#[tokio::test]
async fn a_call_that_hangs_holds_up_no_other_and_no_end() {
    let host = misbehaving("hang").await;
    tokio::select! {
        answer = host.execute("hang", &[]) => panic!("{answer:?}"),
        () = async { is_sound(&host).await; is_sound(&host).await } => {}
    }
    host.shut_down().await;
}

#[tokio::test]
async fn a_crash_ends_the_call() {
    let mut host = misbehaving("crash").await;
    is_sound(&host).await;
    host.execute("crash", &[]).await.unwrap_err();
    assert_eq!(host.started.child.wait().unwrap().code(), None);
}

#[tokio::test]
async fn big_and_noisy_are_as_large_as_asked() {
    let host = misbehaving("big").await;
    let answer = host.execute("big", &[("bytes", "6000000")]).await.unwrap();
    assert_eq!(answer.output.len(), 6_000_000);
    is_sound(&host).await;
    let host = misbehaving("noisy").await;
    let answer = host.execute("noise", &[("bytes", "1000000")]).await.unwrap();
    assert_eq!(answer.output, "quiet again");
    is_sound(&host).await;
}

#[tokio::test]
async fn a_child_is_left_behind() {
    let host = misbehaving("leaves-child").await;
    let child = host.execute("child", &[]).await.unwrap().output;
    host.shut_down().await;
    let name = fs::read_to_string(format!("/proc/{child}/comm")).unwrap();
    assert!(["sleep\n", "setsid\n"].contains(&name.as_str()), "{name}");
    signal("KILL", &child);
}

#[test]
fn a_slow_start_is_sound_in_the_end() {
    let started = Started::new(HOSTILE, &["slow-start", "0"]);
    Handshake::parse(&started.line).unwrap();
}
