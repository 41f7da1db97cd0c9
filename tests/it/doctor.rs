//! `awf doctor`: what it says of agents that keep to awf's tools, of those that do not, and where there are none. The real
//! agents are tried by `cargo xtask peers agents`.

use std::{
    fs::{self, File},
    os::unix::fs::{PermissionsExt as _, symlink},
    process::Output,
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};

use crate::world::World;

/// A machine with these programs and no other agent.
fn doctor(world: &World, programs: &[(&str, &str)], args: &[&str]) -> Output {
    let bin = world.beside("bin");
    fs::create_dir_all(&bin).unwrap();
    for (name, text) in programs {
        fs::write(bin.join(name), text).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = world.command([&["doctor"], args].concat());
    command
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .env("HOME", world.beside("user"));
    command.output().unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn agent<'r>(report: &'r Value, name: &str) -> &'r Value {
    let agents = report["agents"].as_array().unwrap();
    agents.iter().find(|agent| agent["agent"] == name).unwrap()
}

/// A program that answers as Codex does when it is asked, ignores what it is given, and does `work`.
fn codex(work: &str) -> String {
    format!(
        "#!/bin/sh\ncase \"$*\" in\n--version) echo codex-cli 9.9.9 ;;\n'debug models'*) echo '{{\"models\": []}}' ;;\n'mcp list'*) echo '[]' ;;\n*) {work} ;;\nesac\n"
    )
}

#[test]
fn with_nothing_installed_awf_itself_is_tried() {
    let world = World::new();
    let output = doctor(&world, &[], &["--json", "--strict"]);
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert_eq!(report["proxy"], json!({"works": true, "reason": null}));
    for name in ["claude", "codex", "gemini", "opencode"] {
        assert_eq!(agent(&report, name)["installed"], false);
    }
    let own = agent(&report, "openai_compatible");
    assert_eq!((&own["verdict"], &own["login"]), (&json!("proven"), &json!("API key")), "{own}");
    let text = doctor(&world, &[], &[]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("awf's own proxy") && text.contains("claude: not installed"), "{text}");
    assert!(text.contains("No agent program is installed here"), "{text}");
    // Its trials are not the user's activity.
    assert_eq!(world.activity(), [] as [Value; 0]);
}

#[test]
fn an_agent_that_goes_past_awf_is_leaking_and_remembered() {
    let world = World::new();
    let leaky = codex("touch LEAKED-shell; echo '{\"type\":\"turn.completed\",\"usage\":{}}'");
    let output = doctor(&world, &[("codex", &leaky)], &["--agent", "codex", "--json", "--strict"]);
    let report = report(&output);
    assert_eq!(output.status.code(), Some(6), "{report}");
    let found = agent(&report, "codex");
    assert_eq!(found["verdict"], "leaking", "{found}");
    assert_eq!(
        (&found["leaks"], &found["version"]),
        (&json!(["LEAKED-shell"]), &json!("codex-cli 9.9.9"))
    );
    let again = doctor(&world, &[], &["--agent", "codex", "--json"]);
    assert_eq!(again.status.code(), Some(0), "without --strict it only tells");
    let again = self::report(&again);
    assert_eq!(
        (&agent(&again, "codex")["cached"], &agent(&again, "codex")["verdict"]),
        (&json!(true), &json!("leaking"))
    );
    let kept = world.home().join("doctor.json");
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    // Another file of the same version is another agent.
    let other = doctor(&world, &[("codex", &codex("exit 3"))], &["--agent", "codex", "--json"]);
    let other = self::report(&other);
    let other = agent(&other, "codex");
    assert_eq!((&other["cached"], &other["verdict"]), (&json!(false), &json!("failed")), "{other}");
}

#[test]
fn an_agent_that_never_takes_its_tools_proves_nothing() {
    let world = World::new();
    let deaf = codex("echo '{\"type\":\"turn.completed\",\"usage\":{}}'");
    let output = doctor(&world, &[("codex", &deaf)], &["--agent", "codex", "--json", "--strict"]);
    assert_eq!(output.status.code(), Some(6));
    let report = report(&output);
    let reason = agent(&report, "codex")["reason"].as_str().unwrap();
    assert!(
        reason.contains("EXECUTION.PROXY.UNSEEN") || reason.contains("EXECUTION.AGENT"),
        "{reason}"
    );
}

/// Sends the file that the prompt names to its model, as if the prompt had held it.
const EXPANDING: &str = r#"#!/bin/bash
[ "$1" = --version ] && echo 9.9.9 && exit
at=${ANTHROPIC_BASE_URL#http://}; exec 3<>/dev/tcp/${at%:*}/${at#*:}
body="{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"$(cat mentioned.txt)\"}]}"
printf 'POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' ${#body} "$body" >&3
cat <&3 > /dev/null
"#;

#[test]
fn a_file_read_without_a_tool_is_a_leak() {
    let world = World::new();
    let output = doctor(&world, &[("claude", EXPANDING)], &["--agent", "claude", "--json"]);
    let report = report(&output);
    let found = agent(&report, "claude");
    assert_eq!(found["leaks"], json!(["read mentioned.txt by itself"]), "{found}");
    assert_eq!(found["verdict"], "leaking");
}

#[test]
fn one_that_was_asked_for_must_be_there() {
    let world = World::new();
    let output = doctor(&world, &[], &["--agent", "claude", "--strict"]);
    assert_eq!(output.status.code(), Some(6));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("claude: not installed") && text.contains("It is not installed here"),
        "{text}"
    );
}

#[test]
fn what_a_killed_doctor_left_goes_with_the_next_one() {
    let world = World::new();
    let temp = world.beside("tmp");
    let hour = SystemTime::now() - Duration::from_hours(1);
    let made = |name: &str| {
        fs::create_dir_all(temp.join(name)).unwrap();
        fs::write(temp.join(name).join("file"), "").unwrap();
        let dir = File::open(temp.join(name)).unwrap();
        dir.set_modified(hour).unwrap();
        dir
    };
    made("awf-doctor-left");
    made("other");
    made("elsewhere");
    symlink(temp.join("elsewhere"), temp.join("awf-doctor-link")).unwrap();
    let used = made("awf-doctor-used");
    used.try_lock().unwrap();
    let mut command = world.command(["doctor", "--agent", "openai_compatible"]);
    assert!(command.env("TMPDIR", &temp).output().unwrap().status.success());
    let mut left: Vec<_> =
        fs::read_dir(&temp).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["awf-doctor-link", "awf-doctor-used", "elsewhere", "other"]);
    assert!(temp.join("elsewhere/file").exists());
}

#[test]
fn the_users_own_settings_of_agents_stay_out_of_a_trial() {
    let world = World::new();
    let seen = world.beside("seen");
    let told = format!("#!/bin/sh\nenv >> {}\necho 9.9.9\n", seen.display());
    let bin = world.beside("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("opencode"), told).unwrap();
    fs::set_permissions(bin.join("opencode"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = world.command(["doctor", "--agent", "opencode"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    for name in [
        "OPENROUTER_API_KEY",
        "OPENCODE_CONFIG_CONTENT",
        "CLAUDE_CODE_USE_FOUNDRY",
        "GOOGLE_GENAI_USE_VERTEXAI",
    ] {
        command.env(name, "of-the-user");
    }
    command.output().unwrap();
    let seen = fs::read_to_string(seen).unwrap();
    assert!(seen.contains("HOME=") && !seen.contains("of-the-user"), "{seen}");
}

#[test]
fn an_unknown_agent_is_named_with_the_nearest() {
    let output = doctor(&World::new(), &[], &["--agent", "cluade"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `claude`?"));
}

#[test]
fn a_home_that_others_can_read_is_told() {
    let world = World::new();
    fs::create_dir_all(world.home()).unwrap();
    let looked = |mode| {
        fs::set_permissions(world.home(), fs::Permissions::from_mode(mode)).unwrap();
        let text = doctor(&world, &[], &["--agent", "codex"]).stdout;
        let report = report(&doctor(&world, &[], &["--agent", "codex", "--json"]));
        (String::from_utf8(text).unwrap(), report["home"]["warning"].clone())
    };
    let (text, warning) = looked(0o700);
    assert!(!text.contains("OPEN") && warning.is_null(), "{text}");
    let (text, warning) = looked(0o750);
    let home = world.home();
    let told =
        format!("`{0}` is open to other users (mode 0750): run `chmod 700 {0}`", home.display());
    assert!(text.contains("OPEN") && text.contains(&told), "{text}");
    assert_eq!(warning, told);
}
