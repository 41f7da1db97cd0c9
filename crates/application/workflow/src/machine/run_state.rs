//! All there is to know of a run.

use std::collections::BTreeMap;

use awf_core::{Effect, StepResult, TaskId};
use serde_json::{Map, Value, json};

use crate::machine::{
    frame::{At, Cycle, Ending, Frame, FrameId, FrameKind, Stage, Visit},
    results,
    stop::Stop,
    task::{Question, Task, TaskKind},
};

/// All there is to know of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RunState {
    pub(super) next_task: u64,
    pub(super) next_frame: u64,
    pub(super) tasks: BTreeMap<TaskId, Pending>,
    pub(super) frames: BTreeMap<FrameId, Frame>,
    /// By the frame of their workflow.
    pub(super) spaces: BTreeMap<FrameId, Space>,
    /// Results that are taken as given, by state of the root workflow.
    pub(super) presets: BTreeMap<String, Map<String, Value>>,
    /// Whether the root is one state alone.
    pub(super) root: FrameKind,
    /// How the root ended, and at which state.
    pub(super) near: Option<(Ending, String)>,
    pub(super) end: RunEnd,
    /// Set when the run was told to stop.
    pub(super) stop: Option<Stop>,
}

/// Whether a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// No.
    Open,
    /// The world was asked to write the end down.
    Told,
    /// It is written.
    Written,
}

/// What templates of one workflow see of its run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Space {
    /// `inputs`.
    pub(crate) inputs: Value,
    /// `states`.
    pub(crate) states: Value,
    /// `captured`.
    pub(crate) captured: Value,
    /// Sessions of agents, by state.
    pub(crate) sessions: BTreeMap<String, String>,
}

/// A task whose end is awaited.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pending {
    pub(super) task: Task,
    pub(super) owner: Owner,
    pub(super) standing: Standing,
}

/// Who waits for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// What the frame is at.
    Frame,
    /// The time of the frame's visit.
    Timer,
    /// The hooks after an interruption.
    Stop,
    /// Nobody any more.
    Nobody,
}

/// How a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Not asked for, because the run stops.
    Held,
    /// Asked for.
    Asked,
    /// Known to have begun.
    Begun,
    /// Asked to end soon.
    Cancelled,
    /// Ended by an interruption: nobody knows how far it came.
    Lost,
}

impl Pending {
    /// Whether the world still owes its end.
    pub(super) fn is_out(&self) -> bool {
        match self.standing {
            Standing::Asked | Standing::Begun | Standing::Cancelled => true,
            Standing::Held | Standing::Lost => false,
        }
    }

    /// Whether it may have changed the world.
    pub(super) fn may_have_acted(&self) -> bool {
        self.task.effect == Effect::Step
            && match self.standing {
                Standing::Begun | Standing::Cancelled | Standing::Lost => true,
                Standing::Held | Standing::Asked => false,
            }
    }
}

impl RunState {
    /// A run that has not begun. Inputs are given here, not by the first event: that one does not have the secrets.
    pub(crate) fn new(inputs: Map<String, Value>) -> Self {
        Self {
            next_task: 1,
            next_frame: 1,
            tasks: BTreeMap::new(),
            frames: BTreeMap::new(),
            spaces: BTreeMap::from([(FrameId::ROOT, Space::new(inputs))]),
            presets: BTreeMap::new(),
            root: FrameKind::Sequence,
            near: None,
            end: RunEnd::Open,
            stop: None,
        }
    }

    /// What the templates of a task see.
    pub(crate) fn space_of(&self, task: &Task) -> Option<&Space> {
        let space = self.frames.get(&task.frame).map_or(FrameId::ROOT, |frame| frame.space);
        self.spaces.get(&space)
    }

    /// `loop` for a task, if it is in one.
    pub(crate) fn loop_of(&self, task: &Task) -> Option<&Value> {
        match task.kind {
            // These belong to the loop's state, and speak of its iteration.
            TaskKind::Evaluate(Question::Condition | Question::Break) => {
                self.cycle(task.frame).map(|cycle| &cycle.view)
            }
            TaskKind::Step
            | TaskKind::Evaluate(_)
            | TaskKind::Wait(_)
            | TaskKind::Timer(_)
            | TaskKind::Hook(..) => self.enclosing_loop(task.frame),
        }
    }

    /// How the frame of a task ended and in which state, when the task is a hook after that.
    pub(crate) fn ending_of(&self, task: &Task) -> Option<(&Ending, &str)> {
        let frame = self.frames.get(&task.frame)?;
        match &frame.at {
            At::Closing(ending, _) => Some((ending, &frame.last)),
            At::Opening(_) | At::Visiting(_) => None,
        }
    }

    /// The state the root is at, or was at last.
    pub(crate) fn current(&self) -> &str {
        self.frames.get(&FrameId::ROOT).map_or("", |root| &root.last)
    }

    /// The loop a frame is in, as templates see it.
    pub(super) fn enclosing_loop(&self, frame: FrameId) -> Option<&Value> {
        let mut at = frame;
        loop {
            let frame = self.frames.get(&at)?;
            match frame.kind {
                // A called workflow does not see its caller.
                FrameKind::Sequence => return None,
                FrameKind::Body => return self.cycle(frame.parent?).map(|cycle| &cycle.view),
                FrameKind::Single => at = frame.parent?,
            }
        }
    }

    pub(super) fn visit(&self, frame: FrameId) -> Option<&Visit> {
        match &self.frames.get(&frame)?.at {
            At::Visiting(visit) => Some(visit),
            At::Opening(_) | At::Closing(..) => None,
        }
    }

    pub(super) fn visit_mut(&mut self, frame: FrameId) -> Option<&mut Visit> {
        match &mut self.frames.get_mut(&frame)?.at {
            At::Visiting(visit) => Some(visit),
            At::Opening(_) | At::Closing(..) => None,
        }
    }

    pub(super) fn cycle(&self, frame: FrameId) -> Option<&Cycle> {
        match &self.visit(frame)?.stage {
            Stage::Loop(cycle) => Some(cycle),
            _ => None,
        }
    }

    pub(super) fn cycle_mut(&mut self, frame: FrameId) -> Option<&mut Cycle> {
        match &mut self.visit_mut(frame)?.stage {
            Stage::Loop(cycle) => Some(cycle),
            _ => None,
        }
    }

    pub(super) fn has_children(&self, frame: FrameId) -> bool {
        self.frames.values().any(|child| child.parent == Some(frame))
    }

    /// Whether the frame, apart from a timer, waits for the world.
    pub(super) fn is_waiting(&self, frame: FrameId) -> bool {
        self.tasks
            .values()
            .any(|pending| pending.owner == Owner::Frame && pending.task.frame == frame)
    }

    pub(super) fn mark_begun(&mut self, task: TaskId) {
        if let Some(pending) = self.tasks.get_mut(&task)
            && pending.standing == Standing::Asked
        {
            pending.standing = Standing::Begun;
        }
    }

    pub(super) fn finish(&mut self) {
        self.end = RunEnd::Written;
    }

    /// Keeps what a state gave; what an earlier visit gave is forgotten.
    pub(super) fn keep(&mut self, frame: FrameId, state: &str, result: &StepResult) {
        let Some(space) = self.frames.get(&frame).map(|frame| frame.space) else { return };
        if let Some(space) = self.spaces.get_mut(&space) {
            space.keep(state, result);
        }
    }
}

impl Space {
    pub(super) fn new(inputs: Map<String, Value>) -> Self {
        Self {
            inputs: Value::Object(inputs),
            states: json!({}),
            captured: json!({}),
            sessions: BTreeMap::new(),
        }
    }

    pub(super) fn preset(&mut self, state: &str, properties: &Map<String, Value>) {
        if let Value::Object(states) = &mut self.states {
            states.insert(state.to_owned(), Value::Object(properties.clone()));
        }
    }

    fn keep(&mut self, state: &str, result: &StepResult) {
        if let Value::Object(states) = &mut self.states {
            states.insert(state.to_owned(), results::view(result));
        }
        if let Value::Object(captured) = &mut self.captured {
            for (name, text) in &result.captured {
                captured.insert(name.clone(), Value::from(text.as_str()));
            }
        }
        match &result.session {
            Some(session) => self.sessions.insert(state.to_owned(), session.clone()),
            None => self.sessions.remove(state),
        };
    }
}
