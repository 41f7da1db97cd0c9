//! A step and one that goes on with its session, in both modes: what the model was offered, that its calls went through awf,
//! and what came of them.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{
    agent::Agent,
    crew::{Checks, checks_of},
    seen::{Seen, judge_additive, judge_intercepted},
    setup::MODEL,
    stage::Tools,
};

/// Whether awf is the only source of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Intercept,
    Additive,
}

/// The states of the workflow, and what they show.
const STEPS: [(&str, &str); 2] = [("first", "fresh"), ("second", "resumed")];

/// A call the model makes, and what it must see of it.
struct ExpectedCall {
    /// As awf offers it.
    name: &'static str,
    /// As its server calls it, which is how records, the log and spans name it.
    recorded: &'static str,
    arguments: Value,
    result: &'static str,
}

impl Mode {
    pub(super) const ALL: [Self; 2] = [Self::Intercept, Self::Additive];

    fn word(self) -> &'static str {
        match self {
            Self::Intercept => "intercept",
            Self::Additive => "additive",
        }
    }

    fn calls(self) -> Vec<ExpectedCall> {
        match self {
            Self::Intercept => vec![
                ExpectedCall {
                    name: "Read",
                    recorded: "Read",
                    arguments: json!({"file_path": "marker.txt"}),
                    result: "the marker is 7731",
                },
                ExpectedCall {
                    name: "Bash",
                    recorded: "Bash",
                    arguments: json!({"command": "echo sum $((40 + 2))"}),
                    result: "sum 42",
                },
            ],
            Self::Additive => vec![
                ExpectedCall {
                    name: "fixture_test_simple_text",
                    recorded: "test_simple_text",
                    arguments: json!({}),
                    result: "a simple text response for testing",
                },
                ExpectedCall {
                    name: "example_greet",
                    recorded: "greet",
                    arguments: json!({"name": "Ada"}),
                    result: "Good day, Ada.",
                },
            ],
        }
    }
}

pub(super) fn check(tools: &Tools<'_>, agent: Agent, mode: Mode) -> Checks {
    let name = format!("{} {}", agent.provider(), mode.word());
    checks_of(&name, || {
        let stage = tools.stage(&name.replace(' ', "-"))?;
        let seen = stage.run_workflow(&workflow(agent, mode), scenario(mode))?;
        let mut checks = vec![(format!("{name}: both answers, exit 0"), judge_end(&seen))];
        checks.push((format!("{name}: a line in the log for each call"), judge_log(&seen, mode)));
        for (index, (step, label)) in STEPS.into_iter().enumerate() {
            let part = Part { seen: &seen, agent, mode, step, index };
            for (what, outcome) in part.judge() {
                checks.push((format!("{name} {label}: {what}"), outcome));
            }
        }
        Ok(checks)
    })
}

fn workflow(agent: Agent, mode: Mode) -> String {
    let mut states = json!({"initial": "first"});
    for (index, (step, _)) in STEPS.into_iter().enumerate() {
        let mut state = json!({
            "type": "agent",
            "provider": agent.provider(),
            "prompt": "Go",
            "timeout": 120,
            "mcp_proxy": {"enable": true, "intercept_builtins": mode == Mode::Intercept},
            "on_success": STEPS.get(index + 1).map_or("done", |(next, _)| next),
        });
        if mode == Mode::Additive {
            state["tools"] = json!({"servers": ["fixture"]});
            state["mcp_proxy"]["plugin_tools"] =
                json!([{"plugin": "example", "expose": ["greet"]}]);
        }
        if index > 0 {
            state["conversation"] = json!({"continue_from": STEPS[index - 1].0});
        }
        if agent == Agent::Endpoint {
            state["options"] = json!({"base_url": format!("{MODEL}/v1"), "model": "scripted"});
        }
        states[step] = state;
    }
    let message = "{{.states.first.Output}} | {{.states.second.Output}}";
    states["done"] = json!({"type": "terminal", "message": message});
    // What is JSON is YAML.
    json!({"name": "w", "states": states}).to_string()
}

fn scenario(mode: Mode) -> Value {
    let mut turns = Vec::new();
    for (step, _) in STEPS {
        turns.extend(mode.calls().into_iter().map(|call| {
            json!({"calls": [{"wanted": {"offered": call.name}, "arguments": call.arguments}]})
        }));
        turns.push(json!({"text": answer(step)}));
    }
    json!({"turns": turns, "last": "nothing more to say"})
}

fn answer(step: &str) -> String {
    format!("the {step} answer")
}

fn judge_end(seen: &Seen) -> Result<()> {
    let end = seen.end()?;
    let wanted = STEPS.map(|(step, _)| answer(step)).join(" | ");
    let message = end["message"].as_str().unwrap_or_default().replace('\n', "");
    ensure!(message == wanted, "it says `{message}`, {}: {}", end["error"], seen.last_words());
    ensure!(seen.outcome.code == Some(0), "exit {:?}: {}", seen.outcome.code, seen.last_words());
    ensure!(seen.outcome.left.is_empty(), "left behind: {:?}", seen.outcome.left);
    Ok(())
}

fn judge_log(seen: &Seen, mode: Mode) -> Result<()> {
    for call in mode.calls() {
        let told = |line: &&str| line.contains("tool call") && line.contains(call.recorded);
        let lines = seen.stderr.lines().filter(told).count();
        ensure!(lines == STEPS.len(), "{lines} lines for {}: {}", call.name, seen.last_words());
    }
    Ok(())
}

/// One step of a run.
struct Part<'a> {
    seen: &'a Seen,
    agent: Agent,
    mode: Mode,
    step: &'static str,
    index: usize,
}

impl Part<'_> {
    fn judge(&self) -> [(&'static str, Result<()>); 5] {
        let offered = match self.mode {
            Mode::Intercept => "the model is offered awf's tools only",
            Mode::Additive => "the model is offered its own tools, a server's and a plugin's",
        };
        [
            (offered, self.judge_offer()),
            ("the results are back at the model", self.judge_results()),
            ("each call is recorded with run and step", self.judge_records()),
            (
                "each call is a span, child of the step's, and so is the agent's turn",
                self.judge_spans(),
            ),
            ("tokens are counted", self.judge_tokens()),
        ]
    }

    /// The turns of this step: its calls and its answer.
    fn turns(&self) -> Result<std::ops::Range<u64>> {
        let turns = self.mode.calls().len() + 1;
        let (start, end) = (self.index * turns, (self.index + 1) * turns);
        Ok(start.try_into()?..end.try_into()?)
    }

    fn judge_offer(&self) -> Result<()> {
        let offered = self.seen.offered(self.turns()?);
        self.seen.judge_asked()?;
        match self.mode {
            Mode::Intercept => judge_intercepted(self.agent, &offered),
            Mode::Additive => {
                let mut wanted = self.mode.calls().into_iter().map(|call| call.name);
                wanted.try_for_each(|name| judge_additive(self.agent, &offered, name))
            }
        }
    }

    /// The last request of the step holds the results of all calls so far: also of the session it goes on with.
    fn judge_results(&self) -> Result<()> {
        let last = self.turns()?.end - 1;
        let request = self.seen.requests.iter().find(|request| request["turn"] == last);
        let results =
            &request.with_context(|| format!("the model was not asked a turn {last}"))?["results"];
        for call in self.mode.calls() {
            let texts = results
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|result| result["text"].as_str());
            let count = texts.filter(|text| text.contains(call.result)).count();
            // Gemini tells some twice when it goes on with a session.
            ensure!(count > self.index, "{count} results of {}: {results}", call.name);
        }
        Ok(())
    }

    fn judge_records(&self) -> Result<()> {
        let run = &self.seen.end()?["run"];
        for call in self.mode.calls() {
            let ours = |record: &&Value| {
                record["run_id"] == *run
                    && record["step"] == self.step
                    && record["tool_name"] == call.recorded
            };
            let records: Vec<_> = self.seen.records.iter().filter(ours).collect();
            let [record] = records.as_slice() else {
                anyhow::bail!("{} records of {}: {:?}", records.len(), call.name, self.seen.records)
            };
            ensure!(record["status"] == "success", "{record}");
        }
        Ok(())
    }

    fn judge_spans(&self) -> Result<()> {
        for call in self.mode.calls() {
            let name = format!("tool.call.{}", call.recorded);
            self.judge_span(&name)?;
        }
        self.judge_span(&format!("agent.{}", self.agent.provider()))
    }

    /// One of that name is a child of the step's span.
    fn judge_span(&self, name: &str) -> Result<()> {
        let spans = &self.seen.spans;
        let step = spans.iter().find(|span| span.name == format!("step.{}", self.step));
        let step = step.with_context(|| format!("no span of step `{}`", self.step))?;
        let children = spans.iter().filter(|span| span.name == name && span.parent == step.id);
        let names: Vec<_> = spans.iter().map(|span| &span.name).collect();
        ensure!(children.count() == 1, "not one span `{name}` among {names:?}");
        Ok(())
    }

    /// Each answer costs; an agent may ask more than the script needs.
    fn judge_tokens(&self) -> Result<()> {
        let ended = |event: &&Value| event["event"] == "step_ended" && event["step"] == self.step;
        let event = self.seen.events.iter().find(ended).context("the step did not end")?;
        let answers = u64::try_from(self.mode.calls().len() + 1)?;
        for (key, least) in [("input_tokens", 100 * answers), ("output_tokens", 10 * answers)] {
            let count = event[key].as_u64().with_context(|| format!("no `{key}` in {event}"))?;
            ensure!(count >= least, "`{key}` is {count}, at least {least} were used");
        }
        Ok(())
    }
}
