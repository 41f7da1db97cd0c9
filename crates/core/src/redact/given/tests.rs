//! What of a setting is a secret, and what is not.

use super::{GivenBy, secrets_in};

#[test]
fn what_is_secret_follows_from_name_look_and_place() {
    use GivenBy::{Environment, Header, Setting};
    let key = "Zq81kd02mmA7xw55";
    let rows: [(GivenBy, &str, &str, &[&str]); 19] = [
        (Environment, "GITHUB_TOKEN", "hunter22", &["hunter22"]),
        (Environment, "SESSION", key, &[]),
        (Environment, "DATABASE_URL", "postgres://me:pa%40ss@h/db", &["pa%40ss", "pa@ss"]),
        (Environment, "PATH", "/usr/bin:/bin", &[]),
        (Setting, "WORKSPACE", key, &[key]),
        (Setting, "NODE_ENV", "production-environment", &[]),
        (Setting, "MODEL", "claude-sonnet-4-20250514", &[]),
        (
            Setting,
            "TENANT",
            "550e8400-e29b-41d4-a716-446655440000",
            &["550e8400-e29b-41d4-a716-446655440000"],
        ),
        (Setting, "RELEASE", "mcp-server-git-2025.07.14", &[]),
        (Setting, "LOG_DIR", "/var/log/2026/11/17/server", &[]),
        (Setting, "API_KEY", "short-1", &["short-1"]),
        (Setting, "url", "https://h/mcp", &[]),
        (Setting, "url", "https://tok@h/mcp?key=abc&page=2", &["tok", "abc", "tok", "abc"]),
        (Setting, "url", "https://h/s/Zq81kd02mmA7xw55/mcp", &[key, key]),
        (Setting, "url", "https://h/?t=Zq81kd02mmA7xw55#a", &[key, key]),
        (Header, "X-Whatever", "hunter22", &["hunter22"]),
        (Header, "Authorization", "Bearer hunter22", &["hunter22", "Bearer hunter22"]),
        (Header, "accept", "application/json", &[]),
        (Header, "User-Agent", "awf/1", &[]),
    ];
    for (by, name, value, expected) in rows {
        assert_eq!(secrets_in(by, name, value), expected, "{by:?} {name} {value}");
    }
}
