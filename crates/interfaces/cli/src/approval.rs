//! A person's word for servers that only a project names: who clones a project does not start its programs unasked.

use awf_config::{ServerSetting, ServerTransport};
use awf_core::{Code, State, StateKind, shown};

use crate::{
    prompt,
    report::{CommandError, say},
    secrets,
    table::written_out,
    variables::masked,
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
    // One that is not configured at all is told when its step begins: it may never.
    let settings = wanted.into_iter().filter_map(|name| upstreams.setting(name).ok());
    let waiting: Vec<_> = settings.filter(|setting| !upstreams.is_approved(setting)).collect();
    if !prompt::somebody_is_there() {
        return refused(&waiting, upstreams);
    }
    for setting in waiting {
        say(&described(setting));
        if !prompt::confirm("May it be started, now and from now on?").await? {
            return refused(&[setting], upstreams);
        }
        approve(setting, upstreams)?;
    }
    Ok(())
}

/// All that nobody approved, each with what to do.
fn refused(waiting: &[&ServerSetting], upstreams: &Upstreams) -> Result<(), CommandError> {
    let mut found = Vec::new();
    for setting in waiting {
        if let Err(why) = upstreams.server(&setting.name) {
            found.extend(CommandError::from(why).into_findings());
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.into()) }
}

/// Puts the person's word on record.
pub(crate) fn approve(setting: &ServerSetting, upstreams: &Upstreams) -> Result<(), CommandError> {
    let project = setting.ground.as_deref();
    let approved = upstreams.approvals().approve(&setting.name, &setting.fingerprint(), project);
    approved.map_err(|error| CommandError::of(Code::IoWriteFailed, error.to_string()))
}

/// The whole of what would be started or asked, nothing cut; only a secret that is written out is not shown.
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

/// A variable or header, without what is a secret in its value.
pub(crate) fn pair(name: &str, value: &str) -> String {
    format!("{}={}", whole(name), whole(&secrets::told(&masked(name, value))))
}

/// Printable, and not cut: what is left out of sight is what matters. A letter of another script may look like one of ours,
/// and a program or an address is what its letters are.
pub(crate) fn whole(text: &str) -> String {
    written_out(text, |c| c.is_control() || !c.is_ascii())
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
