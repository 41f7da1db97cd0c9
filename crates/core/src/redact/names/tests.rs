//! Which names say that their value is secret.

use super::{ENDINGS, LAST_LETTERS, WHOLE, is_sensitive, words};

#[test]
fn a_name_is_read_word_by_word() {
    let rows: [(&str, &[&str]); 9] = [
        ("api_key", &["api", "key"]),
        ("apiKey", &["api", "Key"]),
        ("APIKey", &["API", "Key"]),
        ("X-Api-Key", &["X", "Api", "Key"]),
        ("GITHUB_TOKEN", &["GITHUB", "TOKEN"]),
        ("--db.password2", &["db", "password2"]),
        ("überGeheim", &["über", "Geheim"]),
        ("__", &[]),
        ("", &[]),
    ];
    for (name, expected) in rows {
        assert_eq!(words(name).collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn names_of_secrets_are_recognised_in_every_spelling() {
    for name in [
        "password",
        "Password",
        "PASSWORD",
        "PGPASSWORD",
        "userPassword",
        "password2",
        "db_passwd",
        "passphrase",
        "pwd",
        "secret",
        "client_secret",
        "clientSecret",
        "ClientSecret",
        "secrets",
        "AWS_SECRET_ACCESS_KEY",
        "secret_value",
        "token",
        "access_token",
        "accessToken",
        "authtoken",
        "npm_authToken",
        "X-Auth-Token",
        "GITHUB_TOKEN_2",
        "api_key",
        "apikey",
        "apiKey",
        "APIKey",
        "APIKEY",
        "api-key",
        "X-API-Key",
        "OPENAI_API_KEY",
        "api.key",
        "authorization",
        "Authorization",
        "Proxy-Authorization",
        "cookie",
        "Set-Cookie",
        "cookies",
        "private_key",
        "privateKey",
        "access_key_id",
        "signing-key",
        "encryptionKey",
        "credential",
        "credentials",
        "DB_PASS",
        "smtp_pass",
        "token_count_token",
    ] {
        assert!(is_sensitive(name), "{name}");
    }
}

#[test]
fn names_that_only_look_alike_are_left_alone() {
    for name in [
        "",
        "max_tokens",
        "maxTokens",
        "tokens",
        "token_count",
        "tokenCount",
        "tokenizer",
        "token_limit",
        "token_type",
        "keyboard",
        "key",
        "keys",
        "primary_key",
        "publicKey",
        "secretary",
        "secret_name",
        "password_policy",
        "passage",
        "pass",
        "first_pass",
        "cookie_policy",
        "cookiecutter",
        "authorization_url",
        "author",
        "monkey",
        "api",
        "cookie_name",
        "file_path",
        "command",
        "kеy",
        "private_key_path",
        "apikeys_count",
    ] {
        assert!(!is_sensitive(name), "{name}");
    }
}

#[test]
fn every_word_that_names_a_secret_ends_in_the_letters_that_are_looked_for() {
    let words = ENDINGS.iter().chain(&WHOLE).chain(&["key", "pass"]);
    for word in words {
        let last = word.as_bytes().last_chunk::<2>().unwrap();
        assert!(LAST_LETTERS.contains(&last), "{word}");
    }
}
