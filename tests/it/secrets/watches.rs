//! `awf activity watch` in every format, from before the first call to after the last.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::PathBuf,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{processes::wait_until, secrets::Stage, workflow::Running, world::World};

/// Started watches.
pub(super) struct Watches {
    started: Vec<Watch>,
    /// The calls that were made until all of them watched.
    before: BTreeSet<String>,
}

struct Watch {
    format: &'static str,
    running: Running,
    told: PathBuf,
    said: PathBuf,
}

impl Watches {
    /// Starts them. Not all have a heading: calls are made until each has told of one.
    pub(super) fn begin(stage: &Stage) -> Self {
        let started = ["table", "json", "yaml"].map(|format| {
            let mut command = stage.awf(&["activity", "watch", "-o", format]);
            let file = |name: &str| stage.world.beside(&format!("watch-{format}.{name}"));
            let (told, said) = (file("out"), file("err"));
            command.stdout(File::create(&told).unwrap()).stderr(File::create(&said).unwrap());
            Watch { format, running: Running::start(command), told, said }
        });
        wait_until("a call that every watch tells of", || {
            stage.world.awf(["call", "tool-read", "Glob", "--args", r#"{"pattern":"*"}"#]);
            started.iter().all(|watch| watch.text().contains("Glob"))
        });
        Self { started: started.into(), before: ids(&stage.world) }
    }

    /// Ends them when they have told of everything, which is a sink.
    pub(super) fn end(self, stage: &mut Stage) {
        let wanted: Vec<String> = ids(&stage.world).difference(&self.before).cloned().collect();
        assert!(wanted.len() > 20, "{wanted:?}");
        for mut watch in self.started {
            wait_until(&format!("all calls in the watch as {}", watch.format), || {
                let text = watch.text();
                wanted.iter().all(|id| text.contains(id))
            });
            kill_process(Pid::from_child(&watch.running.0), Signal::INT).unwrap();
            assert_eq!(watch.running.0.wait().unwrap().code(), Some(0));
            stage.sink(&format!("a watch as {}", watch.format), watch.text());
            let said = fs::read_to_string(&watch.said).unwrap();
            if !said.is_empty() {
                stage.sink(&format!("stderr of a watch as {}", watch.format), said);
            }
        }
    }
}

impl Watch {
    fn text(&self) -> String {
        fs::read_to_string(&self.told).unwrap()
    }
}

fn ids(world: &World) -> BTreeSet<String> {
    world.activity().iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}
