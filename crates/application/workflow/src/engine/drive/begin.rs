//! Beginning tasks: small ones are answered at once, the others go on beside the loop.

use std::{
    hash::{BuildHasher as _, RandomState},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, SystemTime},
};

use awf_core::{
    Code, GivenBy, Hook, RunEvent, State, StateKind, StepError, StepResult, StepStatus,
    TaskOutcome, Text, Workflow, secrets_in,
};
use futures_util::{FutureExt as _, future::BoxFuture};
use serde_json::Value;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use crate::{
    engine::{
        EngineError, Notice, agent,
        bench::{Bench, Job},
        custom,
        drive::Drive,
        evaluate, operation, redact,
        render::render,
        scope::View,
        shell, span,
    },
    machine::{self, Delay, HookPoint, Question, Task, TaskKind, hooks_at},
};

/// Whoever asked a run to stop waits for its last hooks.
const LAST_HOOK: Duration = Duration::from_secs(10);

impl Drive<'_> {
    /// Journals that a task begins, then begins it.
    pub(super) async fn begin(&mut self, task: Task) -> Result<(), EngineError> {
        let event = RunEvent::TaskBegan {
            task: task.id,
            step: task.step.clone(),
            attempt: task.attempt,
            effect: task.effect,
            at: SystemTime::now(),
        };
        self.happen(event).await?;
        match &task.kind {
            TaskKind::Evaluate(question) => {
                let outcome = self.evaluate(*question, &task);
                self.ended(task.id, outcome).await
            }
            TaskKind::Wait(delay) => {
                let limit = self.tell_retry(&task, delay);
                self.wait(task, limit);
                Ok(())
            }
            TaskKind::Timer(limit) => {
                let limit = *limit;
                self.wait(task, limit);
                Ok(())
            }
            TaskKind::Step => {
                self.learn_variables(&task);
                let cancel = CancellationToken::new();
                let span = span::step(&self.span, self.run, &task);
                let job = self.step(&task, cancel.clone(), &span);
                self.work(task, job, cancel, span);
                Ok(())
            }
            TaskKind::Hook(point, at) => {
                let program = self.program;
                let hooks = hooks_at(program, task.chapter, &task.state, *point);
                match hooks.get(*at) {
                    Some(Hook::Command(text)) => {
                        self.learn_variables(&task);
                        self.run_hook(task, text);
                        Ok(())
                    }
                    Some(Hook::Log(text)) => {
                        let outcome = self.log(&task, text);
                        self.ended(task.id, outcome).await
                    }
                    None => self.ended(task.id, TaskOutcome::Value(Value::Null)).await,
                }
            }
        }
    }

    /// What a state's own variables hold secret is never shown. One that cannot be rendered is told when it is needed.
    fn learn_variables(&mut self, task: &Task) {
        let state = self.program.state(task.chapter, &task.state);
        let own = state.iter().flat_map(|state| &state.env);
        let view = self.view(task);
        let given = own.filter_map(|(name, value)| Some((&name.value, render(value, &view).ok()?)));
        let secrets: Vec<String> =
            given.flat_map(|(name, value)| secrets_in(GivenBy::Setting, name, &value)).collect();
        drop(view);
        self.learn(&secrets);
    }

    /// Strikes these out of all that is kept and shown from now on, whoever shows it.
    fn learn(&mut self, secrets: &[String]) {
        if !secrets.is_empty() {
            (self.ports.learn)(secrets);
            self.redactor = Arc::new(self.redactor.as_ref().clone().knowing(secrets));
        }
    }

    fn view<'s>(&'s self, task: &Task) -> View<'s> {
        View::new(&self.setting, self.program, &self.state, task)
    }

    fn evaluate(&mut self, question: Question, task: &Task) -> TaskOutcome {
        let Some(state) = self.program.state(task.chapter, &task.state) else {
            return TaskOutcome::Value(Value::Null);
        };
        let (view, dir) = (self.view(task), &self.ports.dir);
        let outcome = evaluate::answer(question, state, self.program, &view, dir);
        drop(view);
        if let (StateKind::Call(call), TaskOutcome::Value(Value::Object(inputs))) =
            (&state.kind, &outcome)
            && let Some(called) = self.program.called(&call.workflow.value)
        {
            // What the called workflow holds secret is never shown either.
            let called = self.program.workflow(called);
            self.learn(&evaluate::secrets(called, inputs).collect::<Vec<_>>());
            let secret = called.inputs.iter().filter(|spec| spec.secret);
            let names = secret.map(|spec| spec.name.value.clone()).collect();
            self.secret_inputs.insert(task.id, names);
        }
        outcome
    }

    /// Says what a hook has to say. A message that cannot be rendered is a warning, and no more.
    fn log(&self, task: &Task, text: &Text) -> TaskOutcome {
        match render(text, &self.view(task)) {
            Ok(said) => {
                let text = self.redactor.text(&said).into_owned();
                let step = (!task.state.is_empty()).then(|| task.step.clone());
                (self.ports.notices)(Notice::Log { step, text });
                TaskOutcome::Value(Value::Null)
            }
            Err(error) => {
                let StepError { message, .. } = redact::error(&self.redactor, &error);
                (self.ports.notices)(Notice::Warning { code: Code::HookFailed, message });
                TaskOutcome::Failed(error)
            }
        }
    }

    fn run_hook(&mut self, task: Task, text: &Text) {
        let cancel = CancellationToken::new();
        let span = self.span.clone();
        let state = self.program.state(task.chapter, &task.state);
        let bench = self.bench(&task, state, cancel.clone(), &span);
        let job = shell::hook(&bench, text, time_of(&task.kind));
        self.work(task, job, cancel, span);
    }

    /// Prepares a step, with the values there are now.
    fn step(&self, task: &Task, cancel: CancellationToken, span: &Span) -> Result<Job, StepError> {
        let Some(state) = self.program.state(task.chapter, &task.state) else {
            let message = format!("there is no state `{}`", task.state);
            return Err(StepError { code: Code::MissingState, message });
        };
        let bench = self.bench(task, Some(state), cancel, span);
        let job = match &state.kind {
            StateKind::Command(source) => shell::step(&bench, source),
            StateKind::Agent(agent) => {
                agent::step(&bench, agent).map(|job| job.keeping(&state.capture))
            }
            StateKind::Operation(operation) => {
                operation::step(&bench, operation).map(|job| job.keeping(&state.capture))
            }
            StateKind::Custom(custom) => {
                custom::step(&bench, custom).map(|job| job.keeping(&state.capture))
            }
            StateKind::Parallel(_)
            | StateKind::Loop(_)
            | StateKind::Call(_)
            | StateKind::Terminal(_) => Err(StepError {
                code: Code::InternalUnmapped,
                message: format!("a {} state is no task", state.kind.as_str()),
            }),
        };
        (self.ports.notices)(Notice::StepBegan {
            step: task.step.clone(),
            kind: state.kind.as_str(),
            attempt: task.attempt,
            provider: job.as_ref().ok().and_then(|job| job.provider.clone()),
        });
        job
    }

    fn bench<'s>(
        &'s self,
        task: &'s Task,
        state: Option<&'s State>,
        cancel: CancellationToken,
        span: &Span,
    ) -> Bench<'s> {
        let workflow: &Workflow = self.program.workflow(task.chapter);
        Bench {
            ports: self.ports,
            run: self.run,
            task,
            state,
            file: &workflow.file,
            view: self.view(task),
            provider: self.provider.as_deref(),
            redactor: self.redactor.clone(),
            trace: (self.ports.trace.current)(span),
            turns: self.turns.0.clone(),
            cancel,
        }
    }

    /// Lets a step go on beside the loop. One that cannot be prepared has failed, as one that panics has.
    fn work(
        &mut self,
        task: Task,
        job: Result<Job, StepError>,
        cancel: CancellationToken,
        span: Span,
    ) {
        let work: BoxFuture<'static, StepResult> = match job {
            Ok(job) => job.work,
            Err(error) => async { machine::failed(error) }.boxed(),
        };
        let id = task.id;
        // Hooks have no span of their own, and the run's is not theirs to judge.
        let own = (task.kind == TaskKind::Step).then(|| span.clone());
        let guarded = AssertUnwindSafe(work).catch_unwind().map(move |ended| {
            let result = ended.unwrap_or_else(|_| machine::failed(panicked()));
            if let Some(own) = own {
                let good = result.status == StepStatus::Completed;
                own.record("otel.status_code", if good { "OK" } else { "ERROR" });
            }
            (id, TaskOutcome::Step(Box::new(result)))
        });
        self.out.insert(id, (task, cancel));
        self.running.push(guarded.instrument(span).boxed());
    }

    fn wait(&mut self, task: Task, limit: Duration) {
        let cancel = CancellationToken::new();
        let (id, woken) = (task.id, cancel.clone());
        self.out.insert(id, (task, cancel));
        let wait = async move {
            tokio::select! {
                () = sleep(limit) => (),
                () = woken.cancelled() => (),
            }
            (id, TaskOutcome::Elapsed)
        };
        self.running.push(wait.boxed());
    }

    /// How long the wait is, now that it begins.
    fn tell_retry(&self, task: &Task, delay: &Delay) -> Duration {
        let wait = jittered(delay.base, delay.jitter);
        let error = delay.error.as_ref().map(|error| redact::error(&self.redactor, error));
        (self.ports.notices)(Notice::Retrying {
            step: task.step.clone(),
            attempt: task.attempt + 1,
            delay: wait,
            error,
        });
        wait
    }
}

/// Longer or shorter by a random part of itself.
fn jittered(base: Duration, jitter: f64) -> Duration {
    let dice = RandomState::new().hash_one(());
    let share = f64::from(u32::try_from(dice >> 32).unwrap_or_default()) / f64::from(u32::MAX);
    let factor = 1.0 + jitter.clamp(0.0, 1.0) * (share * 2.0 - 1.0);
    Duration::try_from_secs_f64(base.as_secs_f64() * factor).unwrap_or(base)
}

fn panicked() -> StepError {
    let message = "awf broke while it took this step".to_owned();
    StepError { code: Code::InternalUnmapped, message }
}

#[cfg(test)]
mod tests;

/// How long a hook may take.
fn time_of(kind: &TaskKind) -> Option<Duration> {
    matches!(kind, TaskKind::Hook(HookPoint::Cancel, _)).then_some(LAST_HOOK)
}
