//! Agents and their steps.

use awf_core::{AgentMode, McpProxy, PromptSource};

use crate::built::{World, agent_with, span, text, told, workflow};

fn of_provider(provider: &str, intercept_builtins: bool) -> Vec<String> {
    told(&workflow([agent_with("s", |agent| {
        agent.provider = text(provider);
        agent.proxy = Some(McpProxy {
            enable: true,
            intercept_builtins,
            plugin_tools: Vec::new(),
            span: span(9),
        });
    })]))
}

#[test]
fn a_provider_is_one_there_is() {
    for known in ["claude", "gemini", "openai-compatible", "openai_compatible", "{{.env.AGENT}}"] {
        assert_eq!(of_provider(known, true), [""; 0], "{known}");
    }
    assert_eq!(
        of_provider("cluade", true),
        ["UNKNOWN_PROVIDER 1-7 provider `cluade` is not known | did you mean `claude`?"]
    );
    assert_eq!(
        of_provider("custom", true),
        ["UNKNOWN_PROVIDER 1-7 provider `custom` is not known | (usual)"]
    );
}

#[test]
fn the_file_of_a_scripted_agent_is_in_the_project() {
    let told = |file: &'static str| {
        let ask = agent_with("s", |agent| agent.provider = text("scripted:turns.yaml"));
        World { files: vec![file], ..World::default() }.told(&workflow([ask]))
    };
    assert_eq!(told("/p/turns.yaml"), [""; 0]);
    assert_eq!(
        told("flows/turns.yaml"),
        [
            "MISSING_FILE 1-20 script `turns.yaml` of the agent does not exist | it was looked for at \
          `/p/turns.yaml`"
        ]
    );
}

#[test]
fn an_agent_that_may_keep_its_own_tools_is_worth_a_word() {
    for provider in ["codex", "opencode"] {
        let length = provider.len() + 1;
        assert_eq!(
            of_provider(provider, true),
            [format!(
                "UNSUPPORTED_PROVIDER 1-{length} `{provider}` may use its own tools beside the \
                 proxy's | (usual)"
            )]
        );
        let additive = of_provider(provider, false);
        assert!(additive.iter().all(|line| line.starts_with("EMPTY_PROXY")), "{additive:?}");
    }
}

#[test]
fn a_conversation_begins_with_words() {
    let step = agent_with("s", |agent| {
        agent.mode = AgentMode::Conversation;
        agent.prompt = PromptSource::File(text("ask.md"));
    });
    let world = World { files: vec!["/p/ask.md"], ..World::default() };
    assert_eq!(
        world.told(&workflow([step])),
        ["CONFLICTING_FIELDS 1-7 a conversation cannot begin with `prompt_file` | write the \
          beginning as `prompt`, or use `mode: single`"]
    );
}
