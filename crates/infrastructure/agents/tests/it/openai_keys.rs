//! Keys go where they are bound to and are seen nowhere else. Every run of these tests looks for the canary in all that comes
//! out of the agent.

use awf_agents::ApiKey;
use awf_core::AgentFailure;
use serde_json::json;

use crate::{
    asking::{Asking, CANARY},
    model::{Model, calls, delta, event, events, finish, says, status, stream},
};

/// The keys a server was sent, by request.
fn keys(model: &Model) -> Vec<Option<String>> {
    let key = |head: &str| {
        let value = head.lines().find_map(|line| line.strip_prefix("authorization: Bearer "));
        value.map(str::to_owned)
    };
    model.asked().iter().map(|asked| key(&asked.head)).collect()
}

#[tokio::test]
async fn the_key_goes_with_every_request_to_its_own_origin() {
    let asking = Asking::new(vec![calls(&[("count", "{}")]), says("ok")]).await;
    asking.run().await.unwrap();
    assert_eq!(keys(&asking.model), [Some(CANARY.to_owned()), Some(CANARY.to_owned())]);
}

#[tokio::test]
async fn another_origin_gets_a_key_by_a_grant_or_by_the_step_only() {
    let rows = [
        (None, None, None),
        (Some("sk-granted"), None, Some("sk-granted")),
        (Some("sk-granted"), Some("sk-own"), Some("sk-own")),
    ];
    for (granted, own, sent) in rows {
        let other = Model::new(vec![says("ok")]).await;
        let mut asking =
            Asking::new(vec![]).await.with(json!({"base_url": other.base_url, "api_key": own}));
        let origin = other.base_url.trim_end_matches("/v1").to_owned();
        asking.settings.grants.extend(granted.map(|key| (origin, ApiKey::new(key).unwrap())));
        asking.run().await.unwrap();
        assert_eq!(keys(&other), [sent.map(str::to_owned)]);
    }
}

#[tokio::test]
async fn who_is_refused_for_want_of_a_key_is_told_how_to_give_one() {
    for code in [401, 403] {
        let other =
            Model::new(vec![status(code, "", r#"{"error":{"message":"who are you"}}"#)]).await;
        let asking = Asking::new(vec![]).await.with(json!({"base_url": other.base_url}));
        let message = asking.plain(&asking.failure().await);
        let origin = other.base_url.trim_end_matches("/v1");
        let home = asking.model.base_url.trim_end_matches("/v1");
        let expected = format!(
            "; who are you; no key was sent: OPENAI_API_KEY goes to `{home}` only; grant `{origin}` a key under `agents.keys` of the user's `config.yaml`, or give the step an `api_key`"
        );
        assert!(message.ends_with(&expected), "{message}");
    }
    let mut asking = Asking::new(vec![status(401, "", "")]).await;
    asking.settings.key = None;
    let expected = "`MODEL/chat/completions` answered 401 Unauthorized; no key was sent: set OPENAI_API_KEY, or give the step an `api_key`";
    assert_eq!(asking.plain(&asking.failure().await), expected);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for code in [301, 302, 307, 308] {
        let other = Model::new(vec![says("trap")]).await;
        let to = format!("{}/x?token={CANARY}", other.base_url).replace("http://", "http://me:pw@");
        let asking = Asking::new(vec![status(code, &format!("location: {to}\r\n"), "")]).await;
        let message = asking.plain(&asking.failure().await);
        let place = format!("{}/x", other.base_url);
        let expected = format!(
            "`MODEL/chat/completions` leads elsewhere, to `{place}`, which is not followed; if that is right, name it in `base_url`"
        );
        assert_eq!(message, expected);
        assert_eq!((other.asked().len(), asking.model.asked().len()), (0, 1));
    }
}

#[tokio::test]
async fn no_key_travels_in_the_clear() {
    let asking = Asking::new(vec![]).await;
    let asking = asking.with(json!({"base_url": "http://models.invalid/v1", "api_key": CANARY}));
    let expected = "no key is sent in the clear to `http://models.invalid`; use https";
    assert_eq!(asking.run().await, Err(AgentFailure::Unusable(expected.into())));
    let asking = Asking::new(vec![]).await.with(json!({"api_key": "sk-\u{1}-bad"}));
    assert_eq!(asking.failure().await, "the key holds characters that no header can carry");
}

#[tokio::test(start_paused = true)]
async fn what_a_server_sends_back_is_without_the_key() {
    let said = delta(&json!({"content": format!("your key is {CANARY}\n")}));
    let echo = format!("{{\"error\":{{\"message\":\"bad key {CANARY}\"}}}}");
    let rows = [
        status(401, "", &echo),
        status(500, "", &echo),
        status(400, "", &format!("stream_options {CANARY}")),
        status(200, &format!("content-type: text/{CANARY}\r\n"), ""),
        status(
            200,
            &format!("content-type: text/event-stream\r\ncontent-encoding: {CANARY}\r\n"),
            "",
        ),
        status(302, &format!("location: /{CANARY}\r\n"), ""),
        stream(events(&[serde_json::from_str(&echo).unwrap()])),
        stream(format!("data: {{{CANARY}\n\n")),
        stream(event(&said)),
        stream(events(&[
            delta(&json!({"tool_calls": [{"function": {"name": CANARY}}]})),
            finish("stop"),
        ])),
        stream(events(&[said, finish("tool_calls")])),
    ];
    for reply in rows {
        let asking =
            Asking::new(vec![reply; 3]).await.with(json!({"max_retries": 1, "max_turns": 2}));
        // The canary is looked for there.
        asking.run().await.unwrap_err();
    }
    let said = [delta(&json!({"content": format!("{CANARY} it is")})), finish("stop")];
    let asking = Asking::new(vec![stream(events(&said))]).await;
    assert_eq!(asking.run().await.unwrap().text, "[REDACTED] it is");
}

#[tokio::test]
async fn a_proxy_is_taken_but_never_to_this_machine() {
    let proxy = Model::new(vec![says("by the proxy")]).await;
    let mut asking = Asking::new(vec![says("directly")]).await;
    asking.settings.proxies.http = Some(proxy.base_url.clone());
    assert_eq!(asking.run().await.unwrap().text, "directly");
    let asking = asking.with(json!({"base_url": "http://models.invalid/v1"}));
    assert_eq!(asking.run().await.unwrap().text, "by the proxy");
    let head = &proxy.asked()[0].head;
    let line = "POST http://models.invalid/v1/chat/completions HTTP/1.1\r\n";
    assert!(head.starts_with(line) && !head.contains("authorization"), "{head}");
}
