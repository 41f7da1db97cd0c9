//! The real tree is tidy; bad trees are caught, each fault by its own row.

use std::fmt::Write;

use super::{check, codes};
use crate::tree::TextFile;

fn file(path: &str, text: impl Into<String>) -> TextFile {
    TextFile { path: path.to_owned(), text: text.into() }
}

/// The faults of a tree of one file.
#[track_caller]
fn expect(path: &str, text: impl Into<String>, wanted: &[&str]) {
    let found = check(&[file(path, text)]).unwrap();
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, wanted);
}

fn lines(count: usize) -> String {
    (1..count).fold("//! Doc.\n".to_owned(), |mut text, number| {
        writeln!(text, "// {number}").unwrap();
        text
    })
}

fn function(lines: usize) -> String {
    format!("//! Doc.\nfn long() {{\n{}}}\n", "    work();\n".repeat(lines - 2))
}

#[test]
fn the_tree_is_tidy() {
    super::run().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_file_has_at_most_500_lines() {
    expect("a/src/b.rs", lines(500), &[]);
    expect("a/src/b.rs", lines(501), &["a/src/b.rs: 501 lines, more than 500: cut it by noun"]);
}

#[test]
fn a_function_has_at_most_80_lines() {
    expect("a/src/b.rs", function(80), &[]);
    expect(
        "a/src/b.rs",
        function(81),
        &["a/src/b.rs:2: `long` has 81 lines, more than 80: cut it by what it does"],
    );
}

#[test]
fn a_file_opens_with_its_doc() {
    let wanted = "a/src/b.rs: open with a `//!` doc that says what this file is";
    expect("a/src/b.rs", "use a::b;\n//! Doc.\n", &[wanted]);
    expect("a/src/b.rs", "", &[wanted]);
    expect("a/build.sh", "", &[]);
}

#[test]
fn a_file_is_named_after_what_it_holds() {
    for name in ["util", "utils", "misc", "common", "helper", "helpers", "types", "cli_util"] {
        let wanted =
            format!("a/src/{name}.rs: `{name}` names no thing: call it after what it holds");
        expect(&format!("a/src/{name}.rs"), "//! Doc.", &[&wanted]);
    }
    expect(
        "tests/common/b.rs",
        "//! Doc.",
        &["tests/common/b.rs: `common` names no thing: call it after what it holds"],
    );
    expect("a/src/common_prefix.rs", "//! Doc.", &[]);
    let wanted = "a/src/b/mod.rs: no mod.rs: name the file after its module, beside the folder";
    expect("a/src/b/mod.rs", "//! Doc.", &[wanted]);
}

#[test]
fn forbidden_code_is_found_where_it_is_code() {
    let rows = [
        ("#[ignore]", "`#[ignore`: a test that does not run proves nothing: mend it or delete it"),
        (
            "#[ignore = \"slow\"]",
            "`#[ignore`: a test that does not run proves nothing: mend it or delete it",
        ),
        ("#[should_panic]", "`#[should_panic`: assert on the value, not on a panic"),
        (
            "#[allow(dead_code)]",
            "`#[allow`: use `#[expect(…, reason = \"…\")]` on the smallest item",
        ),
        (
            "#![allow(dead_code)]",
            "`#![allow`: use `#[expect(…, reason = \"…\")]` on the smallest item",
        ),
        ("todo!()", "`todo!`: finish it, or leave it out until it has content"),
        ("unimplemented!()", "`unimplemented!`: finish it, or leave it out until it has content"),
    ];
    for (code, wanted) in rows {
        expect(
            "a/src/b.rs",
            format!("//! Doc.\n\n{code}\n"),
            &[&format!("a/src/b.rs:3: {wanted}")],
        );
        expect("a/src/b.rs", format!("//! Doc.\n// {code}\nconst A: &str = r#\"{code}\"#;\n"), &[]);
    }
}

#[test]
fn unit_tests_have_their_own_file() {
    expect("a/src/b.rs", "//! Doc.\n#[cfg(test)]\nmod tests;\nstruct A {}\n", &[]);
    expect("a/src/b.rs", "//! Doc.\n#[cfg(test)]\nuse a::{b, c};\n", &[]);
    expect(
        "a/src/b.rs",
        "//! Doc.\n\n#[cfg(test)]\nmod tests { use b; }\n",
        &[
            "a/src/b.rs:3: unit tests live in a file of their own: `#[cfg(test)] mod tests;` at the foot",
        ],
    );
}

#[test]
fn a_member_inherits_lints_and_versions() {
    let sound = "[lints]\nworkspace = true\n[dependencies]\na.workspace = true\nb = { workspace = true, features = [\"c\"] }\n";
    expect("crates/a/Cargo.toml", sound, &[]);
    expect(
        "crates/a/Cargo.toml",
        "[package]\nname = \"a\"\n",
        &["crates/a/Cargo.toml: add `[lints]` with `workspace = true`"],
    );
    expect(
        "crates/a/Cargo.toml",
        sound.to_owned() + "[features]\nd = []\n",
        &["crates/a/Cargo.toml: no features in internal crates: choose at run time"],
    );
    for table in ["dev-dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"] {
        for dependency in ["x = \"1\"", "x = { version = \"1\" }", "x = { path = \"../x\" }"] {
            expect(
                "crates/a/Cargo.toml",
                format!("{sound}[{table}]\n{dependency}\n"),
                &[
                    "crates/a/Cargo.toml: `x` has its version here: put it in [workspace.dependencies] and write \
                    `x.workspace = true`",
                ],
            );
        }
    }
}

#[test]
fn the_tree_names_no_single_machine() {
    let folder = ["/wor", "k/"].concat();
    let wanted = format!("docs/a.md:2: `{folder}…` is a place on one machine: use a relative path");
    expect("docs/a.md", format!("One.\nSee `{folder}main`.\n"), &[&wanted]);
    expect("docs/a.md", format!("See target{folder}a and https://x.org{folder}b.\n"), &[]);
}

#[test]
fn packages_come_from_the_public_registries() {
    let crates = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    expect("Cargo.lock", crates, &[]);
    expect(
        "Cargo.lock",
        "source = \"registry+https://mirror.example/index\"\n",
        &[
            "Cargo.lock:1: packages come from `registry+https://github.com/rust-lang/crates.io-index` only: \
            regenerate the lock file",
        ],
    );
    expect(
        "tests/peers/package-lock.json",
        "  \"resolved\": \"http://mirror.example/a.tgz\",\n",
        &[
            "tests/peers/package-lock.json:1: packages come from `https://registry.npmjs.org/` only: \
            regenerate the lock file",
        ],
    );
    let setting = ["replace", "-with"].concat();
    let wanted = format!(
        ".cargo/config.toml:1: `{setting}` ties the build to one mirror: keep it out of the repository"
    );
    expect(".cargo/config.toml", format!("{setting} = \"m\"\n"), &[&wanted]);
}

/// Core with one code of each kind, a test that names another, and what `pages` say of them.
fn codes_with(pages: &[(&str, &str)]) -> Vec<String> {
    let mut files = vec![
        file("crates/core/src/diagnostic.rs", "//! Doc.\nconst A: &str = \"USER.MCP_PROXY.A\";\n"),
        file("crates/core/src/intent/refusal.rs", "//! Doc.\nconst B: &str = \"BAD_B\";\n"),
        file("crates/core/src/intent/tests.rs", "//! Doc.\nconst C: &str = \"BAD_C\";\n"),
    ];
    files.extend(pages.iter().map(|(path, text)| file(path, *text)));
    codes::check(&files).iter().map(ToString::to_string).collect()
}

const CODES_INDEX: (&str, &str) =
    ("docs/codes.md", "[a](codes/user-mcp-proxy.md) [b](codes/refusals.md)\n");
const FAMILY_PAGE: (&str, &str) = (
    "docs/codes/user-mcp-proxy.md",
    "# `USER.MCP_PROXY`\n| `USER.MCP_PROXY.A` | a |\n`NO_COLOR`\n",
);
const REFUSALS_PAGE: (&str, &str) = ("docs/codes/refusals.md", "| `BAD_B` | b |\n");

#[test]
fn codes_explained_on_the_page_of_their_family_are_fine() {
    assert_eq!(codes_with(&[CODES_INDEX, FAMILY_PAGE, REFUSALS_PAGE]), [""; 0]);
}

#[test]
fn codes_that_no_page_explains_are_found() {
    let found = codes_with(&[CODES_INDEX]);
    let wanted = [
        "docs/codes/refusals.md: explain the code `BAD_B` here",
        "docs/codes/user-mcp-proxy.md: explain the code `USER.MCP_PROXY.A` here",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn codes_explained_where_they_do_not_belong_are_found() {
    let other =
        ("docs/codes/user-input.md", "| `USER.MCP_PROXY.A` | a |\n| `USER.INPUT.GONE` | x |\n");
    let index = ("docs/codes.md", "(codes/user-mcp-proxy.md) (codes/user-input.md)\n");
    let found = codes_with(&[index, FAMILY_PAGE, REFUSALS_PAGE, other]);
    let wanted = [
        "docs/codes.md: link the page `docs/codes/refusals.md` here",
        "docs/codes/user-input.md: the code `USER.MCP_PROXY.A` belongs into docs/codes/user-mcp-proxy.md",
        "docs/codes/user-input.md: core has no code `USER.INPUT.GONE`: delete its entry",
    ];
    assert_eq!(found, wanted);
}
