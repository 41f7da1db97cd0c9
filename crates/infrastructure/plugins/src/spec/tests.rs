//! What a plugin sees of the environment.

use super::*;

#[test]
fn variables_of_another_host_are_not_handed_down() {
    let pair = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
    let spec = PluginSpec {
        name: "db".into(),
        command: vec!["db".into()],
        cwd: "/".into(),
        env: vec![
            pair("PATH", "/bin"),
            pair("AWF_PLUGIN", "other"),
            pair("PLUGIN_MULTIPLEX_GRPC", "true"),
            pair("PLUGIN_CLIENT_CERT", "theirs"),
            pair("MY_PLUGIN_KEY", "1"),
        ],
        config: Map::new(),
        checksum: None,
        timeout: Duration::from_secs(1),
        redactor: Redactor::default(),
    };
    let expected = [
        pair("PATH", "/bin"),
        pair("MY_PLUGIN_KEY", "1"),
        pair("AWF_PLUGIN", "awf-plugin-v1"),
        pair("PLUGIN_PROTOCOL_VERSIONS", "1"),
        pair("PLUGIN_MIN_PORT", "10000"),
        pair("PLUGIN_MAX_PORT", "25000"),
        pair("PLUGIN_CLIENT_CERT", "ours"),
        pair("PLUGIN_UNIX_SOCKET_DIR", "/s/a"),
    ];
    assert_eq!(spec.environment("ours".into(), "/s/a".into()), expected);
}
