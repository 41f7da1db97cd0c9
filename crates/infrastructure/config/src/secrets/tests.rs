//! Which values of a file are never repeated.

use super::secrets_of_file;

const KEY: &str = "Cn4ry24q00123456789ab7Kx";

#[track_caller]
fn check(text: &str, wanted: &[&str]) {
    let mut found = secrets_of_file(text);
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, wanted, "{text}");
}

#[test]
fn variables_headers_and_addresses_hold_secrets() {
    check(&format!("env: {{PLACE: {KEY}, MODE: fast}}"), &[KEY]);
    check(&format!("a: [{{headers: {{X-Whoever: {KEY}, Accept: text/plain}}}}]"), &[KEY]);
    check("url: 'ftp://me:hunter22@host/x'", &["hunter22"]);
    check(&format!("url: 'http://host/s/{KEY}/mcp'"), &[KEY]);
    check("plugins: [{config: {login: {password: hunter22}}}]", &["hunter22"]);
    check("api_key: hunter22", &["hunter22"]);
}

#[test]
fn what_the_file_does_not_hold_is_no_secret_of_it() {
    check("env: {TOKEN: '{{.inputs.token}}', OTHER_TOKEN: '${TOKEN}'}", &[]);
    // Outside of settings a name or a hash may look like a key.
    check(&format!("name: {KEY}"), &[]);
}

#[test]
fn of_a_wrong_type_or_a_broken_file_the_secret_is_still_known() {
    check(&format!("headers: 'X-Thing: {KEY}'"), &[KEY, &format!("X-Thing: {KEY}")]);
    check(&format!("env: {{PLACE: {KEY}, N: [}}"), &[KEY]);
}

#[test]
fn what_a_message_leaves_of_a_secret_is_known_too() {
    let long = "x".repeat(80);
    let found = secrets_of_file(&format!("url: 'ftp://me:{long}@host/'"));
    assert_eq!(found, [long.as_str(), &long, &long[..63 - "ftp://me:".len()]]);
}
