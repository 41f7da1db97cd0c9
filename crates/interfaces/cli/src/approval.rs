//! A person's word for servers that only a project names: who clones a project does not start its programs unasked.

use awf_config::{ServerSetting, ServerTransport};
use awf_core::{Code, State, StateKind, is_sensitive, shown};

use crate::{
    prompt,
    report::{CommandError, say},
    wiring::Upstreams,
};

/// Asks for every server that these states want and nobody approved. Where nobody is there to ask, the run does not begin.
pub(crate) async fn before_run<'s>(
    states: impl Iterator<Item = &'s State>,
    upstreams: &Upstreams,
) -> Result<(), CommandError> {
    let mut wanted: Vec<&str> = states.flat_map(servers).collect();
    wanted.sort_unstable();
    wanted.dedup();
    for name in wanted {
        // One that is not configured at all is told when its step begins: it may never.
        let Ok(setting) = upstreams.setting(name) else { continue };
        if upstreams.is_approved(setting) {
            continue;
        }
        if !prompt::somebody_is_there() {
            upstreams.server(name)?;
        }
        say(&described(setting));
        if !prompt::confirm("May it be started, now and from now on?").await? {
            upstreams.server(name)?;
        }
        approve(setting, upstreams)?;
    }
    Ok(())
}

/// Puts the person's word on record.
pub(crate) fn approve(setting: &ServerSetting, upstreams: &Upstreams) -> Result<(), CommandError> {
    let project = setting.ground.as_deref();
    let approved = upstreams.approvals().approve(&setting.name, &setting.fingerprint(), project);
    approved.map_err(|error| CommandError::of(Code::IoWriteFailed, error.to_string()))
}

/// The whole of what would be started or asked, nothing cut; only what its name says is a secret is not shown.
pub(crate) fn described(setting: &ServerSetting) -> String {
    let file = setting.origin.file();
    let mut lines = vec![format!(
        "server `{}`, named in {}",
        shown(&setting.name),
        shown(&file.display().to_string())
    )];
    match &setting.transport {
        ServerTransport::Stdio { command, args, env, cwd } => {
            let words = [command].into_iter().chain(args);
            let words: Vec<String> = words.map(|word| whole(&format!("{word:?}"))).collect();
            lines.push(format!("  starts  {}", words.join(" ")));
            lines.extend(cwd.iter().map(|cwd| format!("  in      {}", whole(cwd))));
            lines
                .extend(env.iter().map(|(name, value)| format!("  with    {}", pair(name, value))));
        }
        ServerTransport::Http { url, headers } => {
            lines.push(format!("  asks    {}", whole(url)));
            let shown =
                headers.iter().map(|(name, value)| format!("  with    {}", pair(name, value)));
            lines.extend(shown);
        }
    }
    lines.join("\n")
}

/// A variable or header, without its value where that is a secret.
pub(crate) fn pair(name: &str, value: &str) -> String {
    let value = if is_sensitive(name) && !value.starts_with("${") { "***" } else { value };
    format!("{}={}", whole(name), whole(value))
}

/// Printable, and not cut: what is left out of sight is what matters.
pub(crate) fn whole(text: &str) -> String {
    text.chars()
        .flat_map(|c| -> Box<dyn Iterator<Item = char>> {
            if c.is_control() || !c.is_ascii() && !c.is_alphanumeric() {
                Box::new(c.escape_unicode())
            } else {
                Box::new(std::iter::once(c))
            }
        })
        .collect()
}

fn servers(state: &State) -> Vec<&str> {
    match &state.kind {
        StateKind::Agent(agent) => {
            agent.tools.servers.iter().map(|server| server.value.as_str()).collect()
        }
        StateKind::Command(_)
        | StateKind::Parallel(_)
        | StateKind::Loop(_)
        | StateKind::Operation(_)
        | StateKind::Call(_)
        | StateKind::Custom(_)
        | StateKind::Terminal(_) => Vec::new(),
    }
}
