//! An agent's state: the flat spelling and the `agent` block made one.

use awf_core::{
    AgentState, Code, Diagnostic, McpProxy, PromptSource, Skill, StepTools, Text, shown,
};

use crate::{
    reader::{Field, Findings},
    workflow::{
        meant::{
            kind::{Either, either},
            located, nothing,
        },
        typed::{AgentTyped, McpProxyTyped, PluginToolsTyped, SkillTyped, StateTyped, ToolsTyped},
    },
    yaml::Place,
};

/// The agent a state describes.
pub(super) fn agent(mut typed: StateTyped, findings: &mut Findings<'_>) -> AgentState {
    match typed.agent.take() {
        Field::Given(_, block) => take_block(block, &mut typed, findings),
        Field::Bad(place) => think_well(place, &mut typed),
        Field::Absent => {}
    }
    let provider = provider(typed.provider, findings);
    let prompt = either(("prompt", typed.prompt), ("prompt_file", typed.prompt_file), findings);
    let unreadable = matches!(typed.mcp_proxy, Field::Bad(_));
    let proxy = proxy(typed.mcp_proxy, findings);
    if let Some(place) = typed.tools.key()
        && !unreadable
        && !proxy.as_ref().is_some_and(|proxy| proxy.enable)
    {
        refuse_tools(place, findings);
    }
    AgentState {
        provider,
        prompt: prompt.map_or_else(
            || PromptSource::Inline(nothing(findings)),
            |prompt| match prompt {
                Either::One(text) => PromptSource::Inline(text),
                Either::Other(file) => PromptSource::File(file),
            },
        ),
        system_prompt: typed.system_prompt.given(),
        role: typed.role.given(),
        skills: typed.skills.given().unwrap_or_default().into_iter().filter_map(skill).collect(),
        mode: typed.mode.given().map(|mode| mode.0).unwrap_or_default(),
        continue_from: typed.conversation.given().and_then(|typed| typed.continue_from.given()),
        output_format: typed.output_format.given().map(|format| format.0).unwrap_or_default(),
        options: located(typed.options, findings),
        tools: tools(typed.tools, findings),
        proxy,
    }
}

/// Takes what the `agent` block says to where the flat spelling has it; both is one too many.
fn take_block(block: AgentTyped, typed: &mut StateTyped, findings: &mut Findings<'_>) {
    let misplaced = [
        ("mcp_proxy", block.mcp_proxy.key(), "put it beside the `agent` block, not inside"),
        ("tools", block.tools.key(), "put it beside the `agent` block, not inside"),
        ("model", block.model.key(), "write `options: {model: …}`"),
        ("max_tokens", block.max_tokens.key(), "write `options: {max_tokens: …}`"),
    ];
    for (key, place, hint) in misplaced {
        if let Some(place) = place {
            let message = format!("`{key}` is not a key of the `agent` block");
            findings.hint(Code::MisplacedField, place, message, hint);
        }
    }
    if let (Some(place), Field::Absent) = (block.mcp_proxy.key(), &typed.mcp_proxy) {
        typed.mcp_proxy = Field::Bad(place);
    }
    join("provider", &mut typed.provider, block.provider, findings);
    join("prompt", &mut typed.prompt, block.prompt, findings);
    join("prompt_file", &mut typed.prompt_file, block.prompt_file, findings);
    join("system_prompt", &mut typed.system_prompt, block.system_prompt, findings);
    join("role", &mut typed.role, block.role, findings);
    join("skills", &mut typed.skills, block.skills, findings);
    join("mode", &mut typed.mode, block.mode, findings);
    join("conversation", &mut typed.conversation, block.conversation, findings);
    join("output_format", &mut typed.output_format, block.output_format, findings);
    join("options", &mut typed.options, block.options, findings);
}

/// What an unreadable block was to say is not missing.
fn think_well(block: Place, typed: &mut StateTyped) {
    for field in [&mut typed.provider, &mut typed.prompt] {
        if matches!(field, Field::Absent) {
            *field = Field::Bad(block);
        }
    }
}

fn join<T>(key: &str, flat: &mut Field<T>, block: Field<T>, findings: &mut Findings<'_>) {
    match (flat.key(), block.key()) {
        (Some(beside), Some(inside)) => {
            let message = format!("`{key}` stands in the `agent` block and beside it");
            let hint = format!("keep one of them; the other is on line {}", beside.line);
            findings.hint(Code::ConflictingFields, inside, message, hint);
        }
        (None, Some(_)) => *flat = block,
        (Some(_) | None, None) => {}
    }
}

fn provider(field: Field<Text>, findings: &mut Findings<'_>) -> Text {
    let key = field.key();
    match (field.given(), key) {
        (Some(provider), _) => {
            refuse_provider(&provider, findings);
            provider
        }
        (None, None) => {
            findings.missing_or(
                "provider",
                "add `provider`: claude, gemini, codex, opencode, openai_compatible or scripted",
            );
            nothing(findings)
        }
        (None, Some(_)) => nothing(findings),
    }
}

/// Providers that exist elsewhere and not here, where the name stands in the file as it is.
fn refuse_provider(provider: &Text, findings: &mut Findings<'_>) {
    let hint = match provider.value.replace('-', "_").as_str() {
        "custom" => {
            "use `type: step` with the command line, or `provider: openai_compatible` with `options: {base_url: …}`"
        }
        "github_copilot" | "copilot" | "mistral_vibe" | "vibe" => {
            "use claude, gemini, codex, opencode, openai_compatible or scripted"
        }
        _ => return,
    };
    let message = format!("awf does not have the provider `{}`", shown(&provider.value));
    let finding = Diagnostic::new(Code::ParseUnsupported, message).hinting(hint);
    findings.add_at(finding, provider.span.clone());
}

fn skill(typed: SkillTyped) -> Option<Skill> {
    match typed {
        SkillTyped::Named(name) => Some(Skill::Named(name)),
        SkillTyped::At(at) => at.path.given().map(Skill::At),
    }
}

fn proxy(field: Field<McpProxyTyped>, findings: &Findings<'_>) -> Option<McpProxy> {
    let Field::Given(place, typed) = field else { return None };
    let plugin_tools = typed.plugin_tools.given().unwrap_or_default().into_iter();
    let plugin_tools = plugin_tools.filter_map(PluginToolsTyped::meant);
    Some(McpProxy {
        // Of a value that could not be read the better is thought, so that nothing follows from it.
        enable: !matches!(typed.enable, Field::Absent | Field::Given(_, false)),
        intercept_builtins: typed.intercept_builtins.given().unwrap_or(true),
        plugin_tools: plugin_tools.collect(),
        span: findings.span(place),
    })
}

fn tools(field: Field<ToolsTyped>, findings: &Findings<'_>) -> StepTools {
    let Field::Given(place, typed) = field else { return StepTools::default() };
    StepTools {
        surface: typed.surface.given().map(|surface| surface.0).unwrap_or_default(),
        servers: typed.servers.given().unwrap_or_default(),
        allow: typed.allow.given().map(|allow| allow.0),
        roots: typed.roots.given().unwrap_or_default(),
        span: Some(findings.span(place)),
    }
}

fn refuse_tools(place: Place, findings: &mut Findings<'_>) {
    let message = "`tools` has nothing to rule over: the state has no `mcp_proxy` that is enabled";
    let hint = "add `mcp_proxy: {enable: true}` beside it";
    findings.hint(Code::MisplacedField, place, message, hint);
}
