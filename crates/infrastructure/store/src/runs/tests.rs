//! Journals of runs: taken, written, torn, damaged, listed.

use std::{
    fs::{self, OpenOptions},
    io::{Seek as _, SeekFrom, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use awf_core::{
    Loss, ResumeFrom, RunEvent, RunId, RunJournal as _, RunJournalError, RunStatus, RunSummary,
    TaskOutcome,
};
use tempfile::TempDir;

use super::{
    RunStore,
    sample::{at, began, finished, short_run, task_began},
    wire,
};

fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn journal(home: &Path, run: RunId) -> PathBuf {
    home.join(format!("runs/{run}.jsonl"))
}

/// Writes a journal as a process does that dies afterwards.
async fn written(home: &Path, events: &[RunEvent]) -> RunId {
    let (store, run) = (RunStore::open(home), RunId::generate());
    for event in events {
        store.append(run, event).await.unwrap();
    }
    run
}

fn failure<T: std::fmt::Debug>(answer: Result<T, RunJournalError>) -> String {
    answer.unwrap_err().to_string()
}

#[tokio::test]
async fn events_come_back_in_order() {
    let home = home();
    let run = RunId::generate();
    let store = RunStore::open(home.path());
    for event in short_run(run) {
        store.append(run, &event).await.unwrap();
    }
    assert_eq!(store.load(run).await.unwrap(), short_run(run));
    assert_eq!(RunStore::open(home.path()).load(run).await.unwrap(), short_run(run));
}

#[tokio::test]
async fn files_are_closed_to_others() {
    let home = home();
    let run = written(&home.path().join("deep/home"), &short_run(RunId::generate())).await;
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(journal(&home.path().join("deep/home"), run)), 0o600);
    assert_eq!(mode(home.path().join("deep/home/runs")), 0o700);
    assert_eq!(mode(home.path().join("deep/home")), 0o700);
}

#[tokio::test]
async fn opening_loading_and_listing_make_nothing() {
    let home = home();
    let store = RunStore::open(home.path());
    let run = RunId::generate();
    assert_eq!(store.list().await.unwrap(), []);
    assert_eq!(failure(store.load(run).await), format!("no run `{run}`"));
    assert_eq!(failure(store.append(run, &task_began(1)).await), format!("no run `{run}`"));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_run_begins_once() {
    let home = home();
    let run = written(home.path(), &[began(RunId::generate())]).await;
    let again = RunStore::open(home.path()).append(run, &began(run)).await;
    assert!(failure(again).contains("exists"), "a second beginning was written");
}

#[tokio::test]
async fn a_run_is_taken_as_it_was_read_or_not_at_all() {
    let home = home();
    let run = written(home.path(), &[began(RunId::generate()), task_began(1)]).await;
    let (one, other) = (RunStore::open(home.path()), RunStore::open(home.path()));
    let active = format!("run `{run}` is under way in another process");
    one.take(run, 2).await.unwrap();
    assert_eq!(failure(other.take(run, 2).await), active);
    one.append(run, &task_began(2)).await.unwrap();
    one.release(run).await;
    assert_eq!(failure(other.take(run, 2).await), active);
    other.take(run, 3).await.unwrap();
    assert_eq!(failure(other.take(RunId::generate(), 0).await).get(..6), Some("no run"));
}

#[tokio::test]
async fn a_run_belongs_to_one_process_until_it_is_released() {
    let home = home();
    let run = RunId::generate();
    let (one, other) = (RunStore::open(home.path()), RunStore::open(home.path()));
    one.append(run, &began(run)).await.unwrap();
    let active = format!("run `{run}` is under way in another process");
    assert_eq!(failure(other.append(run, &task_began(1)).await), active);
    assert_eq!(other.load(run).await.unwrap(), [began(run)]);
    assert_eq!(other.list().await.unwrap()[0].status, RunStatus::Running);

    one.release(run).await;
    assert_eq!(other.list().await.unwrap()[0].status, RunStatus::Interrupted);
    other.append(run, &task_began(1)).await.unwrap();
    assert_eq!(failure(one.append(run, &task_began(2)).await), active);
    drop(other);
    one.append(run, &task_began(2)).await.unwrap();
    assert_eq!(one.load(run).await.unwrap(), [began(run), task_began(1), task_began(2)]);
}

#[tokio::test]
async fn a_journal_cut_anywhere_is_a_prefix_and_can_be_gone_on_with() {
    let home = home();
    let events = short_run(RunId::generate());
    let run = written(home.path(), &events).await;
    let path = journal(home.path(), run);
    let whole = fs::read(&path).unwrap();
    let store = RunStore::open(home.path());
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let left = whole[..cut].split(|byte| *byte == b'\n').count() - 1;
        let resumed = RunEvent::Resumed { from: ResumeFrom::Here, at: at(90) };
        assert_eq!(store.list().await.unwrap().len(), left.min(1));
        if left == 0 {
            let none = format!("no run `{run}`");
            assert_eq!(failure(store.load(run).await), none);
            assert_eq!(failure(store.append(run, &resumed).await), none);
            continue;
        }
        assert_eq!(store.load(run).await.unwrap(), events[..left]);
        store.append(run, &resumed).await.unwrap();
        store.release(run).await;
        assert_eq!(store.load(run).await.unwrap(), [&events[..left], &[resumed]].concat());
    }
}

#[tokio::test]
async fn damage_is_told_by_its_line() {
    let home = home();
    let run = written(home.path(), &short_run(RunId::generate())).await;
    let path = journal(home.path(), run);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let store = RunStore::open(home.path());
    let said = |line, what| format!("the journal of run `{run}` is damaged at line {line}: {what}");
    for (text, complaint) in [
        (
            whole.replace("task_ended", "task_paused"),
            said(3, "written by a newer awf: event `task_paused` is not known to this one"),
        ),
        (
            [lines[0], lines[2], lines[1], lines[3], ""].join("\n"),
            said(2, "event 3 stands where event 2 belongs"),
        ),
        (
            whole.replacen('{', "", 1),
            said(
                1,
                "not an event of a run: invalid type: string \"v\", expected struct Version at line 1 column 3",
            ),
        ),
    ] {
        fs::write(&path, text).unwrap();
        assert_eq!(failure(store.load(run).await), complaint);
    }
    let unordered = [lines[0], lines[2], ""].join("\n");
    fs::write(&path, &unordered).unwrap();
    let complaint = said(2, "event 3 stands where event 2 belongs");
    assert_eq!(failure(store.append(run, &task_began(9)).await), complaint);
    assert_eq!(fs::read_to_string(&path).unwrap(), unordered);
}

#[tokio::test]
async fn a_list_tells_how_each_run_stands() {
    let home = home();
    let store = RunStore::open(home.path());
    let mut expected = Vec::new();
    for status in [RunStatus::Success, RunStatus::Failed, RunStatus::Cancelled] {
        let id = written(home.path(), &[began(RunId::generate()), finished(status)]).await;
        expected.push(summary(id, status, Some(3)));
    }
    let id = written(home.path(), &[began(RunId::generate()), task_began(1)]).await;
    expected.push(summary(id, RunStatus::Interrupted, None));
    let resumed = RunEvent::Resumed { from: ResumeFrom::Again, at: at(70) };
    let id = written(home.path(), &[&short_run(RunId::generate())[..], &[resumed]].concat()).await;
    expected.push(summary(id, RunStatus::Interrupted, None));
    let id = RunId::generate();
    store.append(id, &began(id)).await.unwrap();
    expected.push(summary(id, RunStatus::Running, None));
    expected.sort_unstable_by_key(|summary| std::cmp::Reverse(summary.id));
    assert_eq!(store.list().await.unwrap(), expected);
}

fn summary(id: RunId, status: RunStatus, exit_code: Option<u8>) -> RunSummary {
    let (workflow, ended) = ("release".to_owned(), exit_code.map(|_| at(60)));
    RunSummary { id, workflow, status, began: at(0), ended, exit_code }
}

#[tokio::test]
async fn a_damaged_journal_is_listed_as_far_as_it_can_be_read() {
    let home = home();
    let folder = home.path().join("runs");
    fs::create_dir(&folder).unwrap();
    let run = RunId::parse("01M7H990HYH39786EHFDZ2RNG7").unwrap();
    fs::write(journal(home.path(), run), "rubbish\n").unwrap();
    fs::write(folder.join("01m7h990hyh39786ehfdz2rng7.jsonl"), "rubbish\n").unwrap();
    fs::write(folder.join("notes.txt"), "rubbish\n").unwrap();
    fs::create_dir(journal(home.path(), RunId::generate())).unwrap();
    let began = ulid::Ulid::from_string(&run.to_string()).unwrap().datetime();
    let (workflow, status) = ("?".to_owned(), RunStatus::Interrupted);
    let listed = RunSummary { id: run, workflow, status, began, ended: None, exit_code: None };
    assert_eq!(RunStore::open(home.path()).list().await.unwrap(), [listed]);
}

/// Whoever read all of this hole would never come back.
#[tokio::test]
async fn a_list_reads_only_the_head_and_the_tail() {
    let home = home();
    let run = written(home.path(), &[began(RunId::generate())]).await;
    let mut file = OpenOptions::new().write(true).open(journal(home.path(), run)).unwrap();
    let store = RunStore::open(home.path());
    file.seek(SeekFrom::Start(1 << 40)).unwrap();
    file.write_all(b"\n").unwrap();
    let end = finished(RunStatus::Success);
    file.write_all(&wire::write_line(9, &end).unwrap()).unwrap();
    assert_eq!(store.list().await.unwrap(), [summary(run, RunStatus::Success, Some(3))]);

    file.set_len(1 << 40).unwrap();
    assert_eq!(store.list().await.unwrap(), [summary(run, RunStatus::Interrupted, None)]);
}

#[tokio::test]
async fn an_outline_has_no_output_and_reaches_up_to_the_damage() {
    let home = home();
    let run = written(home.path(), &short_run(RunId::generate())).await;
    let store = RunStore::open(home.path());
    let outline = store.outline(run).await.unwrap();
    assert_eq!((outline.events.len(), &outline.loss), (4, &None));
    let RunEvent::TaskEnded { outcome: TaskOutcome::Step(result), .. } = &outline.events[2] else {
        panic!()
    };
    assert_eq!((result.output.as_str(), result.calls.denied), ("", 1));
    assert_eq!(store.summary(run).await.unwrap().status, RunStatus::Failed);

    let text = fs::read_to_string(journal(home.path(), run)).unwrap();
    for (line, spoilt, message) in [
        (3, text.replace("task_ended", "task_paused"), "written by a newer awf"),
        (2, text.replace("\"attempt\":1", "\"attempt\":"), "not an event of a run"),
        (4, text.replace("\"seq\":4", "\"seq\":9"), "event 9 stands where event 4 belongs"),
    ] {
        fs::write(journal(home.path(), run), spoilt).unwrap();
        let outline = store.outline(run).await.unwrap();
        assert_eq!(outline.events.len(), line - 1);
        let Some(Loss::Damaged { line: at, message: told }) = outline.loss else { panic!() };
        assert!(at == line && told.starts_with(message), "{at}: {told}");
    }
    fs::write(journal(home.path(), run), text.replace("\"v\":1", "\"v\":2")).unwrap();
    assert!(failure(store.outline(run).await).contains("written by a newer awf: format `2`"));
    let nobody = RunId::generate();
    assert_eq!(failure(store.outline(nobody).await), format!("no run `{nobody}`"));
    assert_eq!(failure(store.summary(nobody).await), format!("no run `{nobody}`"));
}
