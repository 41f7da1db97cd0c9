//! kill -9 at random points, under load from eight processes of all kinds: what was answered is on record, once.

use std::{collections::HashMap, thread, time::Duration};

use serde_json::{Value, json};

use crate::{
    journal::{
        crew::{Crew, PROCESSES, Seen},
        verify,
    },
    random::Random,
    world::World,
};

/// Kills in one log.
const POINTS: usize = 25;

/// The status under each name, as `awf activity export` gives them. A name that stands there twice is a failure.
fn exported(world: &World) -> HashMap<String, String> {
    let output = world.awf(["activity", "export"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut statuses = HashMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let name = word(&record["arguments"]["file_path"]);
        let twice = statuses.insert(name, word(&record["status"]));
        assert_eq!(twice, None, "a call is on record twice: {record}");
    }
    statuses
}

/// Kills one of eight at each point; gives what became of every call, as its caller saw it.
fn kill_at_points(world: &World, random: &mut Random) -> HashMap<String, Seen> {
    let config = world.config(json!({}));
    let crew = Crew::new(world, &config);
    thread::scope(|scope| {
        let _over = crew.until_dropped();
        for place in 0..PROCESSES {
            let crew = &crew;
            scope.spawn(move || crew.work(place));
        }
        for _ in 0..POINTS {
            // The point itself: anywhere in what eight processes do meanwhile.
            thread::sleep(Duration::from_micros(random.below(80_000)));
            crew.kill_one(random);
        }
    });
    crew.calls()
}

/// What a round came to.
#[derive(Debug, Default)]
struct Count {
    /// By kind: over stdin, over HTTP, from the shell.
    answered: HashMap<char, usize>,
    interrupted: usize,
}

fn check(world: &World, calls: &HashMap<String, Seen>, count: &mut Count) {
    let mut statuses = exported(world);
    for (name, seen) in calls {
        match (seen, statuses.remove(name).as_deref()) {
            (Seen::Answered, Some("error")) => {
                *count.answered.entry(name.chars().next().unwrap()).or_default() += 1;
            }
            (Seen::Asked, Some("interrupted")) => count.interrupted += 1,
            // It died before the start was written, or between the end and the answer.
            (Seen::Asked, None | Some("error")) => {}
            (seen, status) => panic!("{name} is {seen:?} and on record as {status:?}"),
        }
    }
    assert_eq!(statuses, HashMap::new(), "nobody asked for these");
    let (code, said) = verify(world);
    assert_eq!(code, Some(0), "{said}");
    let next = world.awf(["call", "tool-read", "Read", "--args", r#"{"file_path": "next"}"#]);
    assert_eq!(next.status.code(), Some(3), "the next one cannot write");
    assert_eq!(exported(world)["next"], "error");
}

#[test]
fn whoever_of_eight_is_killed_all_that_was_answered_is_on_record_once() {
    let mut random = Random::from_time();
    let mut count = Count::default();
    let rounds = crate::trials(2, 20);
    for _ in 0..rounds {
        let world = World::new();
        let calls = kill_at_points(&world, &mut random);
        check(&world, &calls, &mut count);
    }
    let points = rounds * POINTS;
    println!("{points} kills: {count:?}");
    let answered: usize = count.answered.values().sum();
    assert!(count.answered.len() == 3 && answered > 10 * points, "too light a load: {count:?}");
    assert!(count.interrupted > 0, "nobody was hit at work: {count:?}");
}
