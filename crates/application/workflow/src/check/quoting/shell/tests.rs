//! Where insertions stand: each `@` is one.

use crate::check::quoting::shell::{Place, Shell};

/// Where each `@` of a text stands; nothing where it is outside of quotes.
fn places(text: &str) -> Vec<&'static str> {
    let mut shell = Shell::default();
    let mut parts: Vec<&str> = text.split('@').collect();
    parts.pop();
    let place = |part: &str| {
        shell.read(part);
        let place = shell.place();
        shell.insert();
        match place {
            Place::Open => "",
            Place::Unsafe(place) => place,
        }
    };
    parts.into_iter().map(place).collect()
}

#[test]
fn outside_of_quotes_a_word_is_a_word() {
    for text in [
        "echo @",
        "--name=@",
        "@",
        "echo \"a\" 'b' @",
        "echo 'a\"b' @ \"it's\" @",
        "echo \\\" @ \\' @",
        "echo \"a\\\"b\" @",
        "echo \"$(cat @)\" @",
        "x=$(echo \"a\" @) @",
        "(cd @ && ls) @",
        "echo `date` @ \"`date`\" @",
        "echo a#'b' @ $# ${#x} @",
        "# it's\necho @",
        "x=$((1 << 2)) ; echo @",
        "((x<<2)); echo @",
        "cat <<<word\necho @",
        "cat <<E\nit's \"\nE\necho @",
        "cat <<'E' <<-\"F G\"\na\nE\n\t\tF G\necho @",
        "x=$(cat <<E\n)\"\nE\n) @",
        "echo $'it\\'s' @",
        "f() { echo @; }",
        "case a in b) echo @;; esac",
        "echo a\\\nb @",
    ] {
        assert!(places(text).iter().all(|place| place.is_empty()), "{text} {:?}", places(text));
    }
}

#[test]
fn within_quotes_and_the_like_it_is_not() {
    for (text, place) in [
        ("echo \"hi @", "in double quotes"),
        ("echo \"$(date) @", "in double quotes"),
        ("echo \"$(echo \"@", "in double quotes"),
        ("echo \"${x:-@", "in double quotes"),
        ("echo 'hi @", "in single quotes"),
        ("echo 'a\\' 'b @", "in single quotes"),
        ("echo $'a\\'b @", "in single quotes"),
        ("echo `cat @", "in backticks"),
        ("echo \"`cat @", "in backticks"),
        ("echo `cat $(echo @", "in backticks"),
        ("echo $((1 + @", "in arithmetic"),
        ("echo hi # @", "in a comment"),
        ("cat <<E\nhi @", "in a here-document"),
        ("cat <<'E'\nhi\n E\n@", "in a here-document"),
        ("cat <<-E | tr a b\n\thi\n@", "in a here-document"),
        ("echo \\@", "behind a backslash"),
        ("echo $@", "behind a dollar sign"),
    ] {
        assert_eq!(places(text), [place], "{text}");
    }
    assert_eq!(places("cat <<E\n@E\n@\nE\n@"), ["in a here-document", "in a here-document", ""]);
}

#[test]
fn what_is_too_deep_is_not_followed() {
    assert_eq!(places(&format!("{}\"@", "( ".repeat(100))), [""]);
}
