//! Where a login leads to: back to where one was, and never away.

use super::{local, path};

#[test]
fn a_login_leads_back_and_never_away() {
    for (wanted, login) in [
        ("/", "/login"),
        ("/activity", "/login?next=/activity"),
        (
            "/activity?tool=a%26b&status=error",
            "/login?next=/activity%3Ftool%3Da%2526b%26status%3Derror",
        ),
        ("//elsewhere.example/", "/login"),
    ] {
        assert_eq!(path(&wanted.parse().unwrap()), login);
    }
    for away in
        ["", "//host", "/\\host", "https://host", "javascript:x", "/a\\b", "/a\nb", "a", "/.//host"]
    {
        assert_eq!(local(away), None, "{away:?}");
    }
    assert_eq!(local("/"), Some("/"));
}
