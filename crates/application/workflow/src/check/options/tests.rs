//! Options of agents, as the providers of the tests take them.

use awf_core::{Located, McpProxy, Tree, Workflow};
use serde_json::json;

use crate::built::{World, agent_with, name, span, text, told, tree, workflow};

fn asked(provider: &str, option: &str, value: Tree) -> Workflow {
    workflow([agent_with("s", |agent| {
        agent.provider = text(provider);
        agent.options = vec![(name(option), value)];
        agent.proxy = Some(McpProxy {
            enable: true,
            intercept_builtins: true,
            plugin_tools: Vec::new(),
            span: span(9),
        });
    })])
}

fn number() -> Tree {
    Tree::Plain(Located { value: json!(4), span: span(1) })
}

#[test]
fn an_option_is_one_the_provider_has() {
    assert_eq!(told(&asked("claude", "model", tree("opus"))), [""; 0]);
    assert_eq!(
        told(&asked("claude", "modle", tree("opus"))),
        [
            "UNKNOWN_FIELD 1-6 option `modle` is not known to provider `claude` | did you mean `model`?"
        ]
    );
    assert_eq!(
        told(&asked("claude", "xyzzy", tree("{{.env.A}}"))),
        [
            "UNKNOWN_FIELD 1-6 option `xyzzy` is not known to provider `claude` | use `model`, `shell`"
        ]
    );
}

#[test]
fn a_value_is_one_the_option_can_have() {
    let expected = "INVALID_VALUE 1-2 `model` must be a text | (usual)";
    assert_eq!(told(&asked("claude", "model", number())), [expected]);
    let listed = Tree::List(vec![tree("a")], span(1));
    assert_eq!(told(&asked("claude", "model", listed)), [expected]);
    // What the run will put in is not known.
    let listed = Tree::List(vec![tree("{{.env.A}}"), tree("a")], span(1));
    assert_eq!(told(&asked("claude", "model", listed)), [""; 0]);
}

#[test]
fn no_option_opens_tools_past_the_proxy() {
    let mut open = asked("claude", "shell", tree("on"));
    assert_eq!(
        told(&open),
        ["CONFLICTING_FIELDS 1-6 option `shell` gives provider `claude` tools of its own, and \
          `intercept_builtins: true` leaves it none | remove one of the two"]
    );
    let awf_core::StateKind::Agent(agent) = &mut open.states[0].kind else { panic!("an agent") };
    agent.proxy = None;
    assert_eq!(told(&open), [""; 0]);
}

#[test]
fn who_is_not_known_is_not_judged_and_who_plays_all_is() {
    assert_eq!(told(&asked("{{.env.AGENT}}", "modle", tree("x"))), [""; 0]);
    let wrong = asked("claude", "modle", tree("x"));
    let played = |by| World { provider: Some(by), ..World::default() }.told(&wrong);
    assert_eq!(played("scripted:turns.yaml"), [""; 0]);
    let found = played("gemini");
    assert!(found[0].contains("not known to provider `gemini`"), "{found:?}");
}

#[test]
fn options_of_a_script_have_no_effect() {
    let world = World { files: vec!["/p/turns.yaml"], ..World::default() };
    assert_eq!(
        world.told(&asked("scripted:turns.yaml", "model", tree("x"))),
        ["IGNORED_KEY 1-6 a scripted agent takes no options | (usual)"]
    );
}

#[test]
fn a_key_does_not_stand_in_a_file() {
    let expected = "INVALID_INPUT 1-5 `api_key` is secret, and its value stands here | use an input \
                    with `secret: true`, the variable `OPENAI_API_KEY`, or `agents.keys` of the \
                    user's configuration";
    for provider in ["openai_compatible", "{{.env.AGENT}}"] {
        assert_eq!(told(&asked(provider, "api_key", tree("sk-1"))), [expected]);
        for hidden in ["{{.env.OTHER_KEY}}", ""] {
            assert_eq!(told(&asked(provider, "api_key", tree(hidden))), [""; 0]);
        }
    }
}
