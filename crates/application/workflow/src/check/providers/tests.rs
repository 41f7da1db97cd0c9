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
    for known in [
        "claude",
        "gemini",
        "openai-compatible",
        "openai_compatible",
        "scripted:turns.yaml",
        "{{.env.AGENT}}",
    ] {
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
