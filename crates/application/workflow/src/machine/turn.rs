//! One turn of the machine: what an event sets going, move by move, until nothing is left but to wait.
//!
//! Moves wait in a list and never call each other, so that no workflow, however it is knotted, exhausts the stack.

use std::{collections::VecDeque, time::SystemTime};

use awf_core::{Effect, RunBegan, StepResult, TaskId, TaskOutcome};

use crate::{
    machine::{
        frame::{At, Ending, Frame, FrameId, FrameKind},
        run_state::{Owner, Pending, RunEnd, RunState, Standing},
        task::{Command, HookPoint, Task, TaskKind},
    },
    program::{ChapterId, Program},
};

/// One turn.
pub(super) struct Turn<'p> {
    pub(super) program: &'p Program,
    pub(super) state: RunState,
    pub(super) commands: Vec<Command>,
    pub(super) agenda: VecDeque<Move>,
    /// When the event happened.
    pub(super) now: SystemTime,
    /// States visited in this turn.
    pub(super) visits: usize,
}

/// Something that follows at once.
#[derive(Debug)]
pub(super) enum Move {
    /// Begin a frame: its start hooks, then its first state.
    Open(FrameId, String),
    /// Visit a state.
    Enter(FrameId, String),
    /// Begin an attempt of the state being visited.
    Attempt(FrameId),
    /// An attempt is over.
    Attempted(FrameId, Box<StepResult>),
    /// The visit is over but for the way on.
    Route(FrameId),
    /// A way leads to this state.
    Goto(FrameId, String),
    /// No way is said.
    Next(FrameId),
    /// The frame is at its end: its hooks, then whoever waits for it.
    End(FrameId, Ending),
    /// The frame has ended.
    Leave(FrameId, Ending),
    /// Another iteration, if there is one.
    Iterate(FrameId),
    /// Branches that have room.
    Branch(FrameId),
    /// An attempt that was given up ends as soon as nothing is left beneath it.
    Settle(FrameId),
}

impl<'p> Turn<'p> {
    pub(super) fn new(program: &'p Program, state: RunState, now: SystemTime) -> Self {
        Self { program, state, commands: Vec::new(), agenda: VecDeque::new(), now, visits: 0 }
    }

    /// Makes every move there is, then looks whether the run is over.
    pub(super) fn conclude(mut self) -> (RunState, Vec<Command>) {
        while let Some(next) = self.agenda.pop_front() {
            self.make(next);
        }
        self.conclude_run();
        (self.state, self.commands)
    }

    pub(super) fn follow(&mut self, next: Move) {
        self.agenda.push_back(next);
    }

    fn make(&mut self, next: Move) {
        if self.is_moot(&next) {
            return;
        }
        match next {
            Move::Open(frame, first) => self.open(frame, first),
            Move::Enter(frame, state) => self.enter(frame, state),
            Move::Attempt(frame) => self.attempt(frame),
            Move::Attempted(frame, result) => self.attempted(frame, *result),
            Move::Route(frame) => self.route(frame),
            Move::Goto(frame, state) => self.go(frame, state),
            Move::Next(frame) => self.next(frame),
            Move::End(frame, ending) => self.end(frame, ending),
            Move::Leave(frame, ending) => self.leave(frame, ending),
            Move::Iterate(frame) => self.iterate(frame),
            Move::Branch(frame) => self.branch(frame),
            Move::Settle(frame) => self.settle(frame),
        }
    }

    /// A frame that a state above wants gone does nothing more but leave.
    fn is_moot(&self, next: &Move) -> bool {
        let frame = match next {
            Move::Leave(..) => return false,
            Move::Open(frame, _)
            | Move::Enter(frame, _)
            | Move::Attempt(frame)
            | Move::Attempted(frame, _)
            | Move::Route(frame)
            | Move::Goto(frame, _)
            | Move::Next(frame)
            | Move::End(frame, _)
            | Move::Iterate(frame)
            | Move::Branch(frame)
            | Move::Settle(frame) => frame,
        };
        self.state.frames.get(frame).is_some_and(|frame| frame.stopped)
    }

    pub(super) fn begin_run(&mut self, began: &RunBegan) {
        if !self.state.frames.is_empty() || self.state.end != RunEnd::Open {
            return;
        }
        if let Some(space) = self.state.spaces.get_mut(&FrameId::ROOT) {
            for (state, properties) in &began.presets {
                space.preset(state, properties);
            }
        }
        // The one state that is wanted is run, whatever is known of it.
        let given = began.presets.iter().filter(|(state, _)| Some(state) != began.only.as_ref());
        self.state.presets = given.cloned().collect();
        let first = match &began.only {
            Some(only) => {
                self.state.root = FrameKind::Single;
                only.clone()
            }
            None => self.program.root().initial.value.clone(),
        };
        self.put_root();
        self.follow(Move::Open(FrameId::ROOT, first));
    }

    pub(super) fn put_root(&mut self) {
        let root = Frame {
            parent: None,
            kind: self.state.root,
            chapter: ChapterId::ROOT,
            space: FrameId::ROOT,
            path: String::new(),
            depth: 0,
            visits: 0,
            last: String::new(),
            stopped: false,
            at: At::Opening(0),
        };
        self.state.frames.insert(FrameId::ROOT, root);
    }

    /// Asks the world for something; when the run stops, it is only written down.
    pub(super) fn begin(&mut self, frame: FrameId, kind: TaskKind) -> TaskId {
        let owner = match kind {
            TaskKind::Timer(_) => Owner::Timer,
            TaskKind::Step | TaskKind::Evaluate(_) | TaskKind::Wait(_) | TaskKind::Hook(..) => {
                Owner::Frame
            }
        };
        let task = self.task(frame, kind);
        self.ask(task, owner)
    }

    /// Asks under a new id.
    pub(super) fn ask(&mut self, mut task: Task, owner: Owner) -> TaskId {
        task.id = TaskId(self.state.next_task);
        self.state.next_task += 1;
        let id = task.id;
        let standing = if self.state.stop.is_some() && owner != Owner::Stop {
            Standing::Held
        } else {
            self.commands.push(Command::Begin(task.clone()));
            Standing::Asked
        };
        self.state.tasks.insert(id, Pending { task, owner, standing });
        id
    }

    pub(super) fn task(&self, frame: FrameId, kind: TaskKind) -> Task {
        let found = self.state.frames.get(&frame);
        let visit = self.state.visit(frame);
        let state = visit.map(|visit| visit.state.clone()).unwrap_or_default();
        let mut task = Task {
            id: TaskId(0),
            frame,
            chapter: found.map_or(ChapterId::ROOT, |frame| frame.chapter),
            step: step_name(found.map_or("", |frame| &frame.path), &state, &kind),
            state,
            attempt: visit.map_or(1, |visit| visit.attempt),
            kind,
            effect: Effect::None,
        };
        task.effect = self.effect(&task);
        task
    }

    /// Tells the world that a task is no longer wanted.
    pub(super) fn cancel(&mut self, id: TaskId) {
        let Some(pending) = self.state.tasks.get_mut(&id) else { return };
        match pending.standing {
            Standing::Asked | Standing::Begun => {
                pending.standing = Standing::Cancelled;
                self.commands.push(Command::Cancel(id));
            }
            Standing::Held | Standing::Lost => {
                self.state.tasks.remove(&id);
            }
            Standing::Cancelled => (),
        }
    }

    pub(super) fn end_task(&mut self, id: TaskId, outcome: &TaskOutcome) {
        if !self.state.tasks.get(&id).is_some_and(Pending::is_out) || self.lose(id, outcome) {
            return;
        }
        let Some(pending) = self.state.tasks.remove(&id) else { return };
        let frame = pending.task.frame;
        match pending.owner {
            Owner::Nobody | Owner::Stop => (),
            Owner::Timer => self.time_is_up(frame, pending.standing),
            Owner::Frame => self.answer(frame, &pending.task, outcome),
        }
    }

    /// What the frame has waited for.
    fn answer(&mut self, frame: FrameId, task: &Task, outcome: &TaskOutcome) {
        let Some(found) = self.state.frames.get(&frame) else { return };
        if found.stopped {
            if let (TaskKind::Step, TaskOutcome::Step(result)) = (&task.kind, outcome) {
                self.state.keep(frame, &task.state, result);
            }
            return self.follow(Move::Leave(frame, Ending::Cancelled));
        }
        match found.at {
            At::Opening(_) => self.opened(frame, outcome),
            At::Closing(..) => self.closed(frame),
            At::Visiting(_) => self.visited(frame, outcome),
        }
    }
}

/// What readers call a task: its state with the frames it is in, and what it is when it is not the state's own work.
fn step_name(path: &str, state: &str, kind: &TaskKind) -> String {
    let point = match kind {
        TaskKind::Hook(point, _) => point,
        TaskKind::Step | TaskKind::Evaluate(_) | TaskKind::Wait(_) | TaskKind::Timer(_) => {
            return format!("{path}{state}");
        }
    };
    let owner = match point {
        HookPoint::Pre | HookPoint::Post => state,
        HookPoint::Start | HookPoint::End | HookPoint::Error | HookPoint::Cancel => "workflow",
    };
    format!("{path}{owner}:{}", point.as_str())
}
