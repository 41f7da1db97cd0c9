//! Hooks: what is done around workflows and states, one task each.

use awf_core::{Code, Effect, Hook, StepError, TaskOutcome};

use crate::{
    machine::{
        frame::{At, Ending, Failure, FrameId, FrameKind},
        task::{HookPoint, Task, TaskKind},
        turn::{Move, Turn},
        went_badly,
    },
    program::{ChapterId, Program},
};

/// The hooks at a point; `state` counts only for those around states.
pub(crate) fn hooks_at<'p>(
    program: &'p Program,
    chapter: ChapterId,
    state: &str,
    point: HookPoint,
) -> &'p [Hook] {
    let workflow = &program.workflow(chapter).hooks;
    let of_state = || program.state(chapter, state).map(|state| &state.hooks);
    match point {
        HookPoint::Start => &workflow.start,
        HookPoint::End => &workflow.end,
        HookPoint::Error => &workflow.error,
        HookPoint::Cancel => &workflow.cancel,
        HookPoint::Pre => of_state().map_or(&[], |hooks| &hooks.pre),
        HookPoint::Post => of_state().map_or(&[], |hooks| &hooks.post),
    }
}

impl Turn<'_> {
    /// Whether a task changes the world.
    pub(super) fn effect(&self, task: &Task) -> Effect {
        match task.kind {
            TaskKind::Step => Effect::Step,
            TaskKind::Evaluate(_) | TaskKind::Wait(_) | TaskKind::Timer(_) => Effect::None,
            TaskKind::Hook(point, at) => {
                match hooks_at(self.program, task.chapter, &task.state, point).get(at) {
                    Some(Hook::Command(_)) => Effect::Step,
                    Some(Hook::Log(_)) | None => Effect::None,
                }
            }
        }
    }

    /// Begins the hook of a number, if there is one.
    pub(super) fn hook(&mut self, frame: FrameId, point: HookPoint, at: usize) -> Began {
        let chapter = self.state.frames.get(&frame).map_or(ChapterId::ROOT, |frame| frame.chapter);
        let state = self.state.visit(frame).map(|visit| visit.state.clone()).unwrap_or_default();
        if hooks_at(self.program, chapter, &state, point).len() <= at {
            return Began::No;
        }
        self.begin(frame, TaskKind::Hook(point, at));
        Began::Yes
    }

    /// A frame begins: the start hooks of a workflow, then its first state.
    pub(super) fn open(&mut self, frame: FrameId, first: String) {
        self.open_from(frame, first, 0);
    }

    fn open_from(&mut self, frame: FrameId, first: String, at: usize) {
        let Some(found) = self.state.frames.get_mut(&frame) else { return };
        found.at = At::Opening(at);
        let opens = found.kind == FrameKind::Sequence;
        if !opens || self.hook(frame, HookPoint::Start, at) == Began::No {
            self.follow(Move::Enter(frame, first));
        }
    }

    /// A start hook ended. When it failed, nothing is begun.
    pub(super) fn opened(&mut self, frame: FrameId, outcome: &TaskOutcome) {
        let Some(found) = self.state.frames.get(&frame) else { return };
        let At::Opening(at) = found.at else { return };
        if let Some(error) = went_badly(outcome) {
            let message = format!("a `workflow_start` hook failed: {}", error.message);
            let error = StepError { code: Code::HookFailed, message };
            let failure = Failure { error, exit_code: 1, step: String::new() };
            return self.follow(Move::End(frame, Ending::Failed(failure)));
        }
        let first = self.program.workflow(found.chapter).initial.value.clone();
        self.open_from(frame, first, at + 1);
    }

    /// A frame is at its end. Only workflows have hooks then, and only when they were not cut off.
    pub(super) fn end(&mut self, frame: FrameId, ending: Ending) {
        self.stop_watching(frame);
        self.close_from(frame, ending, 0);
    }

    fn close_from(&mut self, frame: FrameId, ending: Ending, at: usize) {
        let Some(found) = self.state.frames.get_mut(&frame) else { return };
        let point = match (found.kind, closing_point(&ending)) {
            (FrameKind::Sequence, Some(point)) => point,
            (FrameKind::Sequence, None) | (FrameKind::Body | FrameKind::Single, _) => {
                return self.follow(Move::Leave(frame, ending));
            }
        };
        if hooks_at(self.program, found.chapter, "", point).len() <= at {
            return self.follow(Move::Leave(frame, ending));
        }
        found.at = At::Closing(ending, at);
        self.begin(frame, TaskKind::Hook(point, at));
    }

    /// An end or error hook ended. However it did, the end stays what it was.
    pub(super) fn closed(&mut self, frame: FrameId) {
        let Some(found) = self.state.frames.get(&frame) else { return };
        if let At::Closing(ending, at) = &found.at {
            let (ending, at) = (ending.clone(), *at);
            self.close_from(frame, ending, at + 1);
        }
    }
}

/// Whether a task was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Began {
    Yes,
    No,
}

fn closing_point(ending: &Ending) -> Option<HookPoint> {
    match ending {
        Ending::Done | Ending::Terminal { success: true, .. } => Some(HookPoint::End),
        Ending::Terminal { success: false, .. } | Ending::Failed(_) => Some(HookPoint::Error),
        Ending::Left(_) | Ending::Cancelled => None,
    }
}
