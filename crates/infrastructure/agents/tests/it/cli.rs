//! Programs from outside: a shell script plays the program, everything else is real.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use awf_agents::{CliAgent, CliSettings, Installed, Ledger};
use awf_core::{
    AgentFailure, AgentKind, AgentMode, AgentNews, AgentOutcome, AgentProvider as _, AgentRequest,
    AgentWatcher, Isolation, OutputFormat, Reach, StdioAccess, ToolAccess, Usage,
};
use awf_process::{Grace, Guard, GuardCommand};
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::stage::peer;

const ANSWER: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"done"}"#;

/// A directory with a `claude` that is a script.
struct Play {
    dir: TempDir,
    news: Arc<Mutex<Vec<AgentNews>>>,
    told: Arc<Notify>,
    cancel: CancellationToken,
    guard: Guard,
    asked: Arc<Mutex<Vec<Installed>>>,
}

impl Play {
    fn new(script: &str) -> Self {
        let dir = TempDir::new().unwrap();
        for name in ["bin", "scratch", "work"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        let program = dir.path().join("bin/claude");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let guard = Guard::new(GuardCommand { program: peer(), args: vec!["guard".into()] });
        let (news, told) = (Arc::default(), Arc::default());
        Self { dir, news, told, cancel: CancellationToken::new(), guard, asked: Arc::default() }
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at("work").join(name)).unwrap()
    }

    fn agent(&self) -> CliAgent {
        let asked = self.asked.clone();
        let settings = CliSettings {
            guard: self.guard.clone(),
            scratch: self.at("scratch"),
            home: Some(self.at("home")),
            keys: vec![("ANTHROPIC_API_KEY".into(), "sk-1".into())],
            proofs: Some(Arc::new(move |_, installed| {
                asked.lock().unwrap().push(installed.clone());
                Isolation::Leaking("Bash".into())
            })),
            ledger: Ledger::default(),
        };
        CliAgent::new(AgentKind::Claude, settings).unwrap()
    }

    fn request(&self) -> AgentRequest {
        let path = format!("{}:/usr/bin:/bin", self.at("bin").display());
        AgentRequest {
            run: "01RUN".into(),
            step: "fix".into(),
            prompt: "PROMPT-CANARY".into(),
            system_prompt: Some("SYSTEM-CANARY".into()),
            mode: AgentMode::Single,
            output_format: OutputFormat::Raw,
            session: None,
            options: serde_json::Map::new(),
            dir: self.at("work"),
            env: vec![("PATH".into(), path.into()), ("OWN".into(), "1".into())],
            trace: None,
        }
    }

    async fn run(&self) -> Result<AgentOutcome, AgentFailure> {
        self.run_as(self.request()).await
    }

    async fn run_as(&self, request: AgentRequest) -> Result<AgentOutcome, AgentFailure> {
        let (news, told) = (self.news.clone(), self.told.clone());
        let watcher: AgentWatcher = Arc::new(move |piece| {
            news.lock().unwrap().push(piece);
            told.notify_one();
        });
        let access = ToolAccess::Stdio(StdioAccess {
            command: peer(),
            args: vec!["serve".into()],
            env: Vec::new(),
            reach: Reach::Exclusive,
        });
        let outcome = self.agent().run(request, access, watcher, self.cancel.clone()).await;
        // All it had is gone with it.
        assert_eq!(fs::read_dir(self.at("scratch")).unwrap().count(), 0);
        outcome
    }

    async fn close(self) {
        self.guard.stop(Grace::NONE).await.unwrap();
    }
}

fn message(outcome: Result<AgentOutcome, AgentFailure>) -> (String, Option<i32>) {
    match outcome {
        Err(AgentFailure::Failed { message, exit_code, .. }) => (message, exit_code),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_prompt_comes_on_standard_input_and_private_things_are_private() {
    let play = Play::new(&format!(
        "cat > stdin; echo \"$*\" > argv; tr '\\0' '\\n' < /proc/$$/environ > environ
while [ \"$1\" != --mcp-config ]; do shift; done; desk=$(dirname \"$2\")
stat -c '%a %n' \"$desk\" \"$desk\"/* | sed \"s#$desk##\" | sort > modes; cat \"$desk/system-prompt\" > system
echo '{ANSWER}'"
    ));
    let outcome = play.run().await.unwrap();
    let session = Some("s".to_owned());
    let usage = Usage::default();
    assert_eq!(outcome, AgentOutcome { text: "done".into(), session, usage, model: None });
    assert_eq!(play.read("stdin"), "PROMPT-CANARY");
    assert_eq!(play.read("system"), "SYSTEM-CANARY");
    assert!(!play.read("argv").contains("CANARY"), "{}", play.read("argv"));
    assert_eq!(play.read("modes"), "600 /mcp.json\n600 /prompt\n600 /system-prompt\n700 \n");
    let environ = play.read("environ");
    for line in ["OWN=1", "ANTHROPIC_API_KEY=sk-1", "ENABLE_TOOL_SEARCH=false"] {
        assert!(environ.lines().any(|set| set == line), "{line} in {environ}");
    }
    play.close().await;
}

#[tokio::test]
async fn an_end_that_is_no_answer_is_a_failure() {
    for (script, wanted, code) in [
        ("echo no key >&2", "`claude` ended without an answer: no key", None),
        (
            "echo junk; echo bad flag >&2; exit 2",
            "`claude` ended with exit code 2: bad flag",
            Some(2),
        ),
        ("kill -9 $$", "`claude` was ended by signal 9", Some(137)),
    ] {
        let play = Play::new(script);
        assert_eq!(message(play.run().await), (wanted.to_owned(), code));
        play.close().await;
    }
    let play = Play::new(&format!("echo '{ANSWER}'; echo late >&2; exit 3"));
    let wanted = "`claude` ended with exit code 3: late".to_owned();
    assert_eq!(message(play.run().await), (wanted, Some(3)));
    assert_eq!(*play.news.lock().unwrap(), [AgentNews::Complaint("late".into())]);
    play.close().await;
}

#[tokio::test]
async fn output_of_any_kind_is_borne() {
    let play = Play::new(&format!(
        "head -c 20000000 /dev/zero | tr '\\0' x; echo; printf 'a\\0b\\377\\n\\n'; head -c 300000 /dev/zero >&2; printf '%s' '{ANSWER}'"
    ));
    assert_eq!(play.run().await.unwrap().text, "done");
    play.close().await;
}

#[tokio::test]
async fn what_it_leaves_behind_is_ended_with_it() {
    let play = Play::new(&format!(
        "(trap '' TERM HUP; sleep 300) & setsid sleep 300 & echo $! > left; echo '{ANSWER}'"
    ));
    let began = Instant::now();
    assert_eq!(play.run().await.unwrap().text, "done");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let left = Path::new("/proc").join(play.read("left").trim());
    assert!(!left.exists());
    play.close().await;
}

#[tokio::test]
async fn a_cancelled_program_is_cancelled_whatever_its_code() {
    let text = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}"#;
    for trap in ["trap 'exit 0' TERM", "trap '' TERM"] {
        let play = Play::new(&format!(
            "{trap}; echo $$ > pid; echo '{text}'; while :; do sleep 300 & wait; done"
        ));
        let waiting = async {
            play.told.notified().await;
            play.cancel.cancel();
            Instant::now()
        };
        let (outcome, cancelled) = tokio::join!(play.run(), waiting);
        assert_eq!(outcome, Err(AgentFailure::Cancelled));
        assert!(cancelled.elapsed() < play.agent().patience(), "{:?}", cancelled.elapsed());
        assert!(!Path::new("/proc").join(play.read("pid").trim()).exists());
        play.close().await;
    }
}

#[tokio::test]
async fn what_cannot_be_started_says_so() {
    let play = Play::new("exit 0");
    let request = AgentRequest { env: vec![("PATH".into(), "/nowhere".into())], ..play.request() };
    let missing = AgentFailure::Missing { provider: "claude".into(), program: "claude".into() };
    assert_eq!(play.run_as(request).await, Err(missing));
    let request = AgentRequest { session: Some("--help".into()), ..play.request() };
    assert!(matches!(play.run_as(request).await, Err(AgentFailure::Unusable(_))));
    play.cancel.cancel();
    assert_eq!(play.run().await, Err(AgentFailure::Cancelled));
    play.close().await;
}

#[tokio::test]
async fn isolation_is_asked_of_the_very_program_once() {
    let play = Play::new("echo run >> \"$0.asked\"; echo '1.2.3 (Claude Code)'; echo more");
    let agent = play.agent();
    for _ in 0..2 {
        assert_eq!(agent.isolation(&play.request()).await, Isolation::Leaking("Bash".into()));
    }
    let asked = play.asked.lock().unwrap().clone();
    let program = play.at("bin/claude").canonicalize().unwrap();
    assert_eq!((asked.len(), &asked[0]), (2, &asked[1]));
    assert_eq!((&asked[0].program, asked[0].version.as_str()), (&program, "1.2.3 (Claude Code)"));
    assert_eq!((asked[0].kind, asked[0].sha256.len()), (AgentKind::Claude, 64));
    assert_eq!(fs::read_to_string(play.at("bin/claude.asked")).unwrap(), "run\n");
    let broken = Play::new("exit 1");
    assert_eq!(broken.agent().isolation(&broken.request()).await, Isolation::Unproven);
    broken.close().await;
    play.close().await;
}
