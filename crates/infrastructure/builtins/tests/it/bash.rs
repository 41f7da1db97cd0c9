//! Bash: what a command's answer says.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::stage::{Answer, Stage};

#[tokio::test]
async fn output_and_exit_code_are_kept() {
    let stage = Stage::new();
    let rows = [
        ("echo hi", "hi\n", false),
        ("true", "[no output]", false),
        ("echo out; echo err >&2", "out\n[stderr]\nerr\n", false),
        ("printf out; printf err >&2; exit 3", "out\n[stderr]\nerr\n[exit code 3]", true),
        ("false", "[exit code 1]", true),
        ("no_such_command_at_all 2>/dev/null", "[exit code 127]", true),
        ("kill -9 $$", "[ended by signal 9]", true),
        ("printf '\\033[1m\\x00\\xff'", "\u{1b}[1m\0\u{FFFD}", false),
        ("x='a  b'; echo \"$x\" '$(id)' -n", "a  b $(id) -n\n", false),
        ("[[ a == a ]] && echo bash", "bash\n", false),
    ];
    for (command, text, is_error) in rows {
        let answer = stage.call("Bash", json!({"command": command})).await;
        assert_eq!(answer, Answer { text: text.to_owned(), is_error }, "{command}");
    }
}

#[tokio::test]
async fn standard_input_is_empty_and_the_environment_is_the_one_given() {
    let stage = Stage::new();
    let command = json!({"command": "cat; read x; echo read=$?; env | grep -v -e ^PWD -e ^SHLVL -e ^_= -e ^AWF_SPAWN"});
    assert_eq!(stage.good("Bash", command).await, "read=1\nPATH=/usr/bin:/bin\n");
}

#[tokio::test]
async fn a_command_runs_in_the_root_or_in_a_directory_beneath_a_root() {
    let stage = Stage::new();
    stage.file("sub/f", "");
    stage.link("out", "../b");
    let root = stage.root().canonicalize().unwrap();
    let extra = stage.outside("extra").canonicalize().unwrap();
    let rows = [
        (json!({"command": "pwd"}), root.clone()),
        (json!({"command": "pwd", "cwd": "sub"}), root.join("sub")),
        (json!({"command": "pwd", "cwd": root.join("sub").to_str().unwrap()}), root.join("sub")),
        (json!({"command": "pwd", "cwd": extra.to_str().unwrap()}), extra),
    ];
    for (arguments, expected) in rows {
        let answer = stage.good("Bash", arguments).await;
        assert_eq!(answer, format!("{}\n", expected.display()));
    }
    for (cwd, expected) in
        [("..", "outside"), ("/", "outside"), ("out", "outside"), ("gone", "not exist")]
    {
        let answer = stage.bad("Bash", json!({"command": "pwd", "cwd": cwd})).await;
        assert!(answer.contains(expected), "{cwd}: {answer}");
    }
}

#[tokio::test]
async fn a_timeout_says_so_keeps_the_output_and_kills_everything() {
    let stage = Stage::new();
    let command = "trap '' TERM; echo before; (trap '' TERM; sleep 300) & sleep 300; echo after";
    let started = Instant::now();
    let answer = stage.bad("Bash", json!({"command": command, "timeout": 300})).await;
    assert_eq!(
        answer,
        "before\n[timed out after 300 ms; the command and everything it started were killed]"
    );
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[tokio::test]
async fn endless_output_is_cut_in_the_middle() {
    let stage = Stage::new();
    let command = "echo first; yes é | head -c 300000000; echo; echo last";
    let answer = stage.good("Bash", json!({"command": command})).await;
    assert!(answer.starts_with("first\né\n") && answer.ends_with("\nlast\n"), "{}", answer.len());
    assert!(answer.len() < 100_000);
    let cut = answer.lines().find(|line| line.starts_with("[… ")).unwrap();
    let dropped: u64 = cut.split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(dropped, 300_000_000 + 6 + 1 + 5 - 64_000);
    assert!(!answer.contains('\u{FFFD}'));
}

#[tokio::test]
async fn a_command_too_long_for_the_system_is_the_callers_fault() {
    let stage = Stage::new();
    let answer = stage.bad("Bash", json!({"command": "#".repeat(200_000)})).await;
    assert!(answer.contains("`command`") && answer.contains("too large"), "{answer}");
}
