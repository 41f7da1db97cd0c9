//! Options before a run, of every provider.

use awf_core::{AgentKind, OptionFault, Reach};
use serde_json::{Value, json};

use super::check_option;

fn told(kind: AgentKind, reach: Reach, name: &str, value: Option<&Value>) -> String {
    match check_option(kind, reach, name, value) {
        Ok(()) => String::new(),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn every_agent_but_the_scripted_knows_its_options() {
    for kind in AgentKind::ALL {
        assert_eq!(told(kind, Reach::Exclusive, "model", Some(&"m".into())), "", "{kind:?}");
        assert_eq!(told(kind, Reach::Exclusive, "model", None), "", "{kind:?}");
        let fault = check_option(kind, Reach::Additive, "modell", None);
        match (kind, fault) {
            (AgentKind::Scripted, fault) => assert_eq!(fault, Ok(())),
            (_, Err(OptionFault::Unknown { provider, name, known })) => {
                assert!(provider == kind && name == "modell" && known.contains(&"model"));
            }
            (_, other) => panic!("{kind:?}: {other:?}"),
        }
    }
}

#[test]
fn a_value_is_judged_where_it_is_known() {
    for (kind, name, value, expected) in [
        (
            AgentKind::Claude,
            "max_turns",
            json!("many"),
            "option `max_turns` of provider `claude` must be a number above 0, not `many`",
        ),
        (
            AgentKind::OpenAiCompatible,
            "temperature",
            json!(3),
            "`temperature: 3` must be a number from 0 to 2",
        ),
        (AgentKind::OpenAiCompatible, "temperature", json!("0.5"), ""),
    ] {
        assert_eq!(told(kind, Reach::Additive, name, Some(&value)), expected);
        assert_eq!(told(kind, Reach::Additive, name, None), "");
    }
}

#[test]
fn what_opens_tools_is_refused_unless_it_may_be_off() {
    let skip = "dangerously_skip_permissions";
    for kind in [AgentKind::Claude, AgentKind::Codex, AgentKind::Gemini, AgentKind::OpenCode] {
        let expected = format!(
            "option `{skip}` gives provider `{}` tools of its own, and `intercept_builtins: true` leaves it none",
            kind.as_str()
        );
        assert_eq!(told(kind, Reach::Exclusive, skip, Some(&true.into())), expected);
        assert_eq!(told(kind, Reach::Exclusive, skip, Some(&false.into())), "");
        assert_eq!(told(kind, Reach::Exclusive, skip, None), "");
        assert_eq!(told(kind, Reach::Additive, skip, Some(&true.into())), "");
    }
    let whatever = told(AgentKind::Claude, Reach::Exclusive, "allowed_tools", None);
    assert!(whatever.contains("tools of its own"), "{whatever}");
}
