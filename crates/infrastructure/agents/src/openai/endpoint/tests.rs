//! Places and keys.

use super::{Endpoint, Nearness};
use crate::openai::{ApiKey, OpenAiSettings, ProxyVariables};

fn settings() -> OpenAiSettings {
    OpenAiSettings {
        default_base_url: "https://api.example.com/v1".into(),
        model: None,
        key: ApiKey::new("sk-home"),
        grants: vec![
            ("https://openrouter.example".into(), ApiKey::new("sk-granted").unwrap()),
            ("http://plain.example".into(), ApiKey::new("sk-plain").unwrap()),
        ],
        proxies: ProxyVariables::default(),
        sessions: "/nowhere".into(),
    }
}

#[test]
fn a_key_goes_to_the_place_it_is_bound_to() {
    let rows = [
        (None, None, "https://api.example.com/v1/chat/completions", Some("sk-home")),
        (
            Some("https://API.example.com:443/other/"),
            None,
            "https://api.example.com/other/chat/completions",
            Some("sk-home"),
        ),
        (
            Some("https://api.example.com:8443/v1"),
            None,
            "https://api.example.com:8443/v1/chat/completions",
            None,
        ),
        (
            Some("http://api.example.com/v1"),
            None,
            "http://api.example.com/v1/chat/completions",
            None,
        ),
        (
            Some("https://api.example.com.evil.example/v1"),
            None,
            "https://api.example.com.evil.example/v1/chat/completions",
            None,
        ),
        (
            Some("https://openrouter.example/api/v1"),
            None,
            "https://openrouter.example/api/v1/chat/completions",
            Some("sk-granted"),
        ),
        (
            Some("https://x.openrouter.example/"),
            None,
            "https://x.openrouter.example/chat/completions",
            None,
        ),
        (
            Some("https://evil.example"),
            Some("sk-own"),
            "https://evil.example/chat/completions",
            Some("sk-own"),
        ),
        (
            Some("http://127.0.0.1:11434/v1?api-version=1#x"),
            Some("sk-own"),
            "http://127.0.0.1:11434/v1/chat/completions?api-version=1#x",
            Some("sk-own"),
        ),
        (None, Some("sk-own"), "https://api.example.com/v1/chat/completions", Some("sk-own")),
    ];
    for (base, own, url, key) in rows {
        let endpoint = Endpoint::find(&settings(), base, own.and_then(ApiKey::new)).unwrap();
        assert_eq!(endpoint.url.as_str(), url);
        assert_eq!(endpoint.key, key.and_then(ApiKey::new), "{url}");
    }
}

#[test]
fn places_on_this_machine_are_known() {
    let rows = [
        ("http://localhost:1/v1", Nearness::Loopback),
        ("http://127.8.8.8/", Nearness::Loopback),
        ("http://[::1]:8080", Nearness::Loopback),
        ("http://10.0.0.1", Nearness::Elsewhere),
        ("http://localhost.example", Nearness::Elsewhere),
        ("http://127.0.0.1.example", Nearness::Elsewhere),
    ];
    for (base, nearness) in rows {
        let endpoint = Endpoint::find(&settings(), Some(base), None).unwrap();
        assert_eq!(endpoint.nearness, nearness, "{base}");
    }
}

#[test]
fn what_cannot_be_used_is_told_without_secrets() {
    let rows = [
        ("example.com/v1", "`base_url: example.com/v1` is no URL: relative URL without a base"),
        (
            "file:///etc/passwd",
            "`base_url: file:///etc/passwd` must begin with `https://` or `http://`",
        ),
        ("https://", "`base_url: https://` is no URL: empty host"),
        (
            "https://me:pw@example.com",
            "`base_url: …@example.com` must not hold a user or a password; `api_key` is for keys",
        ),
        (
            "http://plain.example/v1",
            "no key is sent in the clear to `http://plain.example`; use https",
        ),
        ("ftp://x/?key=sk-1", "`base_url: ftp://x/` must begin with `https://` or `http://`"),
    ];
    for (base, message) in rows {
        let failure = Endpoint::find(&settings(), Some(base), None).unwrap_err();
        assert_eq!(failure.to_string(), message);
    }
}
