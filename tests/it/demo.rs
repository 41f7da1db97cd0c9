//! The first five minutes: `awf demo` and `awf init` as a newcomer meets them.

use std::fs;

use crate::world::World;

/// The output with everything that differs from run to run replaced.
pub(crate) fn settled(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words = line.split(' ').map(|word| match word {
            word if word.len() == 26 && word.starts_with("01") => "RUN",
            word if word.contains("awf-demo-") => "SCRATCH",
            word => word,
        });
        lines.push(words.collect::<Vec<_>>().join(" "));
    }
    without_times(&lines.join("\n"))
}

/// `12 ms` and `1.2 s` become `TIME`.
fn without_times(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let mut at = 0;
    while at + 1 < words.len() {
        let unit = words[at + 1].split('\n').next().unwrap();
        if matches!(unit, "ms" | "s") && words[at].parse::<f64>().is_ok() {
            words[at] = "TIME";
        }
        at += 1;
    }
    words.join(" ").replace("TIME ms", "TIME").replace("TIME s", "TIME")
}

const DEMO: &str = "\
A scratch project in SCRATCH no key, no network, no agent.

demo  run RUN
  ..   collect  command
       | 2
  ok   collect  command  TIME
  ..   fix  agent  scripted:turns.yaml
       | I look for the file and read it.
       read     Glob   *.txt  TIME
       read     Read   notes.txt  TIME
       | I correct the word.
       write    Edit   notes.txt  TIME
       | I clean up the way some models do. This step may not.
       DENY     Bash   rm -rf notes.txt  TIME  ABOVE_CEILING
       write    Write  CHANGES.md  TIME
       read     Grep   receive  TIME
       | One word was corrected, and CHANGES.md says which.
  ok   fix  agent  TIME  6 calls, 1 denied
  ..   check  command
       | notes.txt:1
       | CHANGES.md:1
  ok   check  command  TIME
  --   One word was corrected, and CHANGES.md says which.
run RUN  success  TIME  6 calls, 1 denied  ~73 tokens in, ~45 out

The workflow read, edited and searched files through awf; the one call it may not make was refused.

awf activity list --run RUN   every call, with its intent
awf status RUN                every step
cat SCRATCH
awf init                       a first workflow of your own";

#[test]
fn the_demo_shows_what_awf_does() {
    let world = World::new();
    let scratch = world.beside("scratch");
    fs::create_dir(&scratch).unwrap();
    let output = world.command(["demo", "--no-icons"]).env("TMPDIR", &scratch).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    // Two calls of one turn run at once; either may be told first.
    let stdout = settled(&String::from_utf8(output.stdout).unwrap());
    let swapped = "       read     Read   notes.txt  TIME\n       read     Glob   *.txt  TIME";
    let ordered = "       read     Glob   *.txt  TIME\n       read     Read   notes.txt  TIME";
    assert_eq!(stdout.replace(swapped, ordered), DEMO);
    let records = world.activity();
    assert_eq!(records.len(), 6);
    assert_eq!(records.iter().filter(|record| record["status"] == "denied").count(), 1);
    let project = fs::read_dir(&scratch).unwrap().next().unwrap().unwrap().path();
    assert!(fs::read_to_string(project.join("notes.txt")).unwrap().contains("receive"));
    assert!(world.awf(["status"]).status.success());
}

#[test]
fn a_demo_without_a_home_leaves_nothing_behind() {
    let world = World::new();
    let scratch = world.beside("scratch");
    fs::create_dir(&scratch).unwrap();
    let mut command = world.command(["demo"]);
    for variable in ["AWF_HOME", "XDG_DATA_HOME", "HOME"] {
        command.env_remove(variable);
    }
    let output = command.env("TMPDIR", &scratch).output().unwrap();
    assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(1)));
    assert!(String::from_utf8_lossy(&output.stderr).contains("HOME is not set"));
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
}

#[test]
fn init_writes_a_workflow_that_runs_and_never_overwrites() {
    let world = World::new();
    let bin = world.beside("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("claude"), "#!/bin/sh\ntouch started\n").unwrap();
    let output = world
        .command(["init", "--ci"])
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(stdout.contains("Found claude; hello needs none."), "{stdout}");
    assert!(!world.root().join("started").exists(), "init starts nothing");
    for args in [&["validate", "--strict"][..], &["run", "hello", "-i", "who=Ann"]] {
        let output = world.awf(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let hello = world.root().join(".awf/workflows/hello.yaml");
    assert!(fs::read_to_string(&hello).unwrap().starts_with("# yaml-language-server: $schema="));
    fs::write(&hello, "mine").unwrap();
    let output = world.awf(["init", "--ci"]);
    assert!(output.status.success());
    assert_eq!(fs::read_to_string(&hello).unwrap(), "mine");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(!stdout.contains("wrote"), "{stdout}");
    let ci = fs::read_to_string(world.root().join(".github/workflows/awf.yml")).unwrap();
    assert!(ci.contains("awf validate --strict --format github"));
}
