//! Read: lines, pages, cuts, and files that are no text.

use std::{fs::File, time::Instant};

use serde_json::json;

use crate::stage::{Stage, pieces};

#[tokio::test]
async fn lines_are_numbered_from_one() {
    let stage = Stage::new();
    stage.file("f", "first\n\n\tthird\nlast without newline");
    assert_eq!(stage.read("f").await, "1\tfirst\n2\t\n3\t\tthird\n4\tlast without newline\n");
}

#[tokio::test]
async fn an_absolute_path_inside_a_root_equals_a_relative_one() {
    let stage = Stage::new();
    stage.file("d/f", "x\n");
    crate::stage::put(&stage.outside("extra/g"), "y\n");
    let root = stage.root();
    let typed = [
        root.join("d/f").display().to_string(),
        format!("{}//d/./f", root.display()),
        format!("{}/d/../d/f", root.display()),
        "./d//f".to_owned(),
        "d/../d/f".to_owned(),
    ];
    for path in typed {
        assert_eq!(stage.read(&path).await, "1\tx\n", "{path}");
    }
    let extra = stage.outside("extra/g").display().to_string();
    assert_eq!(stage.read(&extra).await, "1\ty\n");
}

#[tokio::test]
async fn a_page_says_how_to_go_on() {
    let stage = Stage::new();
    stage.file("f", "a\nb\nc\nd\ne\n");
    let page =
        |offset: u32, limit: u32| json!({"file_path": "f", "offset": offset, "limit": limit});
    let rows = [
        (page(1, 2), "1\ta\n2\tb\n\n[more lines follow: continue with offset=3]"),
        (page(3, 2), "3\tc\n4\td\n\n[more lines follow: continue with offset=5]"),
        (page(5, 2), "5\te\n"),
        (page(4, 2), "4\td\n5\te\n"),
        (page(6, 1), "\n[offset 6 is past the end: the file has 5 lines]"),
        (
            page(2_147_483_647, 2_147_483_647),
            "\n[offset 2147483647 is past the end: the file has 5 lines]",
        ),
    ];
    for (arguments, expected) in rows {
        assert_eq!(stage.good("Read", arguments.clone()).await, expected, "{arguments}");
    }
}

#[tokio::test]
async fn two_thousand_lines_are_usual_and_a_limit_brings_more() {
    let stage = Stage::new();
    let lines = pieces(1..3001, |n| format!("line {n}\n"));
    stage.file("f", lines);
    let usual = stage.read("f").await;
    assert!(usual.contains("\n2000\tline 2000\n"));
    assert!(usual.ends_with("[more lines follow: continue with offset=2001]"));
    let all = stage.good("Read", json!({"file_path": "f", "limit": 5000})).await;
    assert!(all.ends_with("3000\tline 3000\n"));
}

#[tokio::test]
async fn an_answer_is_cut_at_100_kb_and_a_large_limit_lets_a_megabyte_through() {
    let stage = Stage::new();
    let line = "é".repeat(500);
    let text = format!("{line}\n").repeat(1000);
    stage.file("f", &text);
    let cut = stage.read("f").await;
    assert!(cut.len() < 100_200, "{}", cut.len());
    assert!(
        cut.contains("cut at 100 KB: continue with offset=100,"),
        "{}",
        &cut[cut.len() - 200..]
    );
    let whole = stage.good("Read", json!({"file_path": "f", "limit": 1_000_000})).await;
    let stripped: Vec<&str> = whole.lines().map(|line| line.split_once('\t').unwrap().1).collect();
    assert!(stripped.join("\n") + "\n" == text);
}

#[tokio::test]
async fn every_page_of_a_large_file_is_what_the_file_has() {
    let stage = Stage::new();
    let line = |n: usize| format!("{n}:{}", "x".repeat(n * 7 % 300));
    let text = pieces(1..20_001, |n| line(n) + "\n");
    assert!(text.len() > 2_500_000);
    stage.file("f", &text);
    for offset in [1, 2, 777, 9_999, 15_000, 19_998] {
        let arguments = json!({"file_path": "f", "offset": offset, "limit": 3});
        let expected = pieces(offset..offset + 3, |n| format!("{n}\t{}\n", line(n)));
        let page = stage.good("Read", arguments).await;
        assert!(page.starts_with(&expected), "{offset}: {page}");
    }
}

#[tokio::test]
async fn long_lines_are_cut_and_the_next_line_is_found() {
    let stage = Stage::new();
    let long = |c: &str, n: usize| c.repeat(n);
    stage.file("f", format!("{}\nb\n{}\nd\n", long("a", 2001), long("ß", 400_000)));
    let expected = format!(
        "1\t{} […line cut]\n2\tb\n3\t{} […line cut]\n4\td\n",
        long("a", 2000),
        long("ß", 2000)
    );
    assert!(stage.read("f").await == expected);
    assert_eq!(stage.good("Read", json!({"file_path": "f", "offset": 4})).await, "4\td\n");
    stage.file("g", long("z", 2000));
    assert_eq!(stage.read("g").await, format!("1\t{}\n", long("z", 2000)));
    stage.file("h", long("z", 100_000_000));
    let answer = stage.read("h").await;
    assert!(answer.starts_with("1\tzzz") && answer.contains("line 1 is longer than 64 MiB"));
}

#[tokio::test]
async fn what_is_no_utf8_text_is_named() {
    let stage = Stage::new();
    stage.file("empty", "");
    assert_eq!(stage.read("empty").await, "[the file is empty]");
    stage.file("crlf", "a\r\nb\r\n");
    assert_eq!(stage.read("crlf").await, "1\ta\n2\tb\n\n[lines end in CRLF]");
    stage.file("latin1", b"caf\xe9\n");
    assert_eq!(
        stage.read("latin1").await,
        "1\tcaf\u{FFFD}\n\n[bytes that are not UTF-8 are shown as U+FFFD]"
    );
    stage.file("long", [b"\xe9".as_slice(), &b"x".repeat(3000), b"\n"].concat());
    assert_eq!(
        stage.read("long").await,
        format!(
            "1\t\u{FFFD}{} […line cut]\n\n[bytes that are not UTF-8 are shown as U+FFFD]",
            "x".repeat(1999)
        )
    );
    let rows: [(&str, &[u8], &str); 4] = [
        ("bin", b"\x7fELF\x02\0\0\0", "`bin` is a binary file, 8 bytes"),
        ("le", b"\xff\xfea\0\n\0", "`le` is UTF-16 text (little-endian, by its BOM), 6 bytes"),
        ("be", b"\xfe\xff\0a\0\n", "`be` is UTF-16 text (big-endian, by its BOM), 6 bytes"),
        ("le2", b"\xff\xfe\x2d\x4e", "`le2` is UTF-16 text (little-endian, by its BOM), 4 bytes"),
    ];
    for (name, content, expected) in rows {
        stage.file(name, content);
        let answer = stage.bad("Read", json!({"file_path": name})).await;
        assert!(answer.starts_with(expected), "{answer}");
    }
}

#[tokio::test]
async fn a_sparse_file_of_ten_gibibytes_is_answered_at_once() {
    let stage = Stage::new();
    File::create(stage.path("zeros")).unwrap().set_len(10 << 30).unwrap();
    let text_first = stage.file("text", "hello\n");
    File::options().write(true).open(text_first).unwrap().set_len(10 << 30).unwrap();
    let started = Instant::now();
    assert!(stage.bad("Read", json!({"file_path": "zeros"})).await.contains("binary file"));
    // Text, then a hole: the NUL bytes are within the first 8 KB here too.
    assert!(stage.bad("Read", json!({"file_path": "text"})).await.contains("binary file"));
    let far = stage.file("far", "hello\n".repeat(2000) + "x");
    File::options().write(true).open(far).unwrap().set_len(10 << 30).unwrap();
    let page = stage.good("Read", json!({"file_path": "far", "offset": 2000, "limit": 2000})).await;
    assert!(page.contains("2000\thello\n2001\tx") && page.contains("longer than 64 MiB"));
    assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
}
