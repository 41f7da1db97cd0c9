//! Notifications, by webhook and on the desktop.

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use awf_core::{OperationFailure, OperationProvider as _, OperationResult};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    server::{Reply, Server},
    stage::{call, included, run, value},
};

/// A program in place of `notify-send`.
struct Program {
    dir: TempDir,
}

impl Program {
    fn new(script: &str) -> Self {
        let program = Self { dir: TempDir::new().unwrap() };
        fs::write(program.path(), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(program.path(), fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("notify-send")
    }

    async fn send(&self, inputs: &Value) -> OperationResult {
        let out = self.dir.path().join("out");
        let variables = [("OUT", out.to_str().unwrap()), ("PATH", "/usr/bin:/bin")];
        let included = included(&variables, Some(self.path()));
        included.execute(call("notify.send", &inputs.to_string())).await.unwrap()
    }

    /// What it was given.
    fn given(&self) -> Vec<String> {
        let text = fs::read_to_string(self.dir.path().join("out")).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    }
}

async fn trouble(inputs: &Value) -> String {
    let result = run("notify.send", inputs).await.unwrap();
    assert!(!result.success, "{result:?}");
    result.error.unwrap()
}

#[tokio::test]
async fn a_webhook_gets_json_that_chat_services_read() {
    let rows = [
        (json!({"message": "a\n\"b\""}), json!({"message": "a\n\"b\"", "text": "a\n\"b\""})),
        (
            json!({"message": "b", "title": "A", "backend": "webhook"}),
            json!({"message": "b", "title": "A", "text": "A: b"}),
        ),
    ];
    for (mut inputs, sent) in rows {
        let server = Server::saying("200 OK", "", "ok").await;
        inputs["url"] = server.url("/services/x").into();
        inputs["headers"] = json!({"X-Token": "s3cret"});
        let result = run("notify.send", &inputs).await.unwrap();
        assert!(result.success && result.output == "ok", "{result:?}");
        assert_eq!(
            (value(&result, "backend"), value(&result, "status")),
            (json!("webhook"), json!(200))
        );
        let asked = &server.asked()[0];
        assert_eq!((asked.line(), asked.header("x-token")), ("POST /services/x", Some("s3cret")));
        assert_eq!(asked.header("content-type"), Some("application/json"));
        assert_eq!(serde_json::from_str::<Value>(&asked.body).unwrap(), sent);
    }
}

#[tokio::test]
async fn a_webhook_that_does_not_take_it_is_a_failure() {
    for status in ["304 Not Modified", "404 Not Found", "500 Internal Server Error"] {
        let server = Server::saying(status, "", "").await;
        let told = trouble(&json!({"message": "a", "url": server.url("/s3cret")})).await;
        assert_eq!(told, format!("the webhook answered {status}"));
    }
}

#[tokio::test]
async fn the_desktop_is_given_title_and_message_as_they_are() {
    let program = Program::new(r#"printf '%s\0' "$@" > "$OUT""#);
    let rows = [
        (json!({"message": "done"}), ["awf", "done"]),
        (json!({"message": "--help", "title": "-t", "backend": "desktop"}), ["-t", "--help"]),
        (
            json!({"message": "a\n$(reboot) `b` 'c' \"d\" \\ *", "title": ""}),
            ["awf", "a\n$(reboot) `b` 'c' \"d\" \\ *"],
        ),
    ];
    for (inputs, [title, message]) in rows {
        let result = program.send(&inputs).await;
        assert!(result.success, "{result:?}");
        assert_eq!(value(&result, "backend"), json!("desktop"));
        assert_eq!(program.given(), ["--app-name=awf", "--", title, message]);
    }
}

#[tokio::test]
async fn a_desktop_that_is_not_reached_is_told_of() {
    let program = Program::new("echo 'no bus' >&2; exit 3");
    let result = program.send(&json!({"message": "a"})).await;
    assert_eq!(result.error.unwrap(), "the desktop was not reached (exit code 3): no bus");
    let program = Program::new("exit 0");
    let result = program.send(&json!({"message": "a\u{0}b"})).await;
    assert!(result.error.unwrap().contains("NUL"));
}

#[tokio::test]
async fn a_program_that_is_missing_is_named_with_what_to_do() {
    // No `PATH`, no program.
    let dir = TempDir::new().unwrap();
    let included = included(&[("PATH", dir.path().to_str().unwrap())], None);
    let result = included.execute(call("notify.send", r#"{"message":"a"}"#)).await.unwrap();
    let advice = "install libnotify, or use `backend: webhook` with a `url`";
    assert_eq!(result.error.unwrap(), format!("`notify-send` is not there; {advice}"));
}

#[tokio::test]
async fn inputs_that_do_not_go_together_are_told() {
    let url = "http://127.0.0.1:1/";
    let rows = [
        (json!({}), "input `message` is missing"),
        (json!({"message": 5}), "input `message` must be a string"),
        (
            json!({"message": "a", "backend": "webhook"}),
            "input `url` is missing; `backend: webhook` sends to it",
        ),
        (
            json!({"message": "a", "backend": "desktop", "url": url}),
            "`backend: desktop` takes no `url`; leave it out, or use `backend: webhook`",
        ),
        (
            json!({"message": "a", "backend": "mail"}),
            "input `backend`: `mail` is none of webhook, desktop",
        ),
        (json!({"message": "a", "titel": "b"}), "no input `titel`; did you mean `title`?"),
    ];
    for (inputs, message) in rows {
        assert_eq!(trouble(&inputs).await, message);
    }
}

#[tokio::test]
async fn a_cancelled_notification_ends() {
    let server = Server::new(vec![Reply::SILENCE]).await;
    let included = included(&[], None);
    let call = call("notify.send", &json!({"message": "a", "url": server.url("/")}).to_string());
    let cancel = call.cancel.clone();
    let (outcome, ()) = tokio::join!(included.execute(call), async {
        server.reached.notified().await;
        cancel.cancel();
    });
    assert_eq!(outcome.unwrap_err(), OperationFailure::Cancelled);
}
