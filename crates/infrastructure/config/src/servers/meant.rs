//! What one server means, and what is wrong with it.

use awf_core::{Code, Diagnostic, Located, Severity, shown};

use crate::{
    reader::{Field, Findings, Mapping},
    servers::{
        Ownership, ServerSetting, ServerTransport, Switch, Whereabouts, name,
        typed::{EntryTyped, Protocol, ServerTyped, Unheeded},
    },
    yaml::Place,
};

/// The server of an entry. What is wrong with it is added to the findings, which are all about it.
pub(super) fn setting(
    entry: EntryTyped,
    place: &Whereabouts<'_>,
    findings: &mut Findings<'_>,
) -> Option<ServerSetting> {
    let EntryTyped { name, place: at, server, found } = entry;
    let ownership = place.ownership;
    findings.take(found.into_iter().map(|finding| match finding.code {
        Code::ConfigUnknownKey => ownership.graded(finding),
        _ => finding,
    }));
    if let Some(fault) = name::fault(&name) {
        findings.add(fault, at);
    }
    let server = server?;
    tell_other_name(&name, &server.name, findings);
    let switch = switch(&server, ownership, findings);
    let subject = format!("`{}`", shown(&name));
    let transport = findings.within(subject, at, |findings| {
        tell_unsupported(&server, ownership, findings);
        transport(server, ownership, findings)
    })?;
    let (origin, ground) = (place.origin.clone(), place.ground.map(ToOwned::to_owned));
    Some(ServerSetting { name, transport, switch, origin, ground, place: findings.span(at) })
}

impl Ownership {
    /// What has no effect is a mistake in awf's own files; in those of others it is only to be told.
    fn graded(self, finding: Diagnostic) -> Diagnostic {
        match self {
            Self::Own => finding,
            Self::Foreign => Diagnostic { severity: Severity::Warning, ..finding },
        }
    }
}

/// A mapping has the name before the colon, and need not say it again.
fn tell_other_name(name: &str, said: &Field<Located<String>>, findings: &mut Findings<'_>) {
    if let Field::Given(_, said) = said
        && said.value != name
    {
        let message = format!("the server `{}` calls itself `{}`", shown(name), shown(&said.value));
        let finding = Diagnostic::new(Code::ConfigConflict, message);
        findings.add_at(finding.hinting("remove `name`"), said.span.clone());
    }
}

/// What another program holds back until a person has looked at it is not used here either.
fn switch(server: &ServerTyped, ownership: Ownership, findings: &mut Findings<'_>) -> Switch {
    if let Field::Given(place, Unheeded(true)) = &server.quarantined {
        let message = "the server is quarantined by another program, so it is off";
        let finding = Diagnostic::new(Code::ConfigUnsupported, message)
            .hinting("look at it, then write `quarantined: false`");
        findings.add(ownership.graded(finding), *place);
        return Switch::Off;
    }
    match server.enabled {
        Field::Given(_, false) => Switch::Off,
        Field::Given(_, true) | Field::Absent | Field::Bad(_) => Switch::On,
    }
}

fn tell_unsupported(server: &ServerTyped, ownership: Ownership, findings: &mut Findings<'_>) {
    if let Some(place) = server.oauth.key() {
        let message = format!("{}: `oauth` is not supported by awf", findings.subject());
        let hint = "put a token into `headers`: `Authorization: Bearer ${TOKEN}`";
        findings.hint(Code::ConfigUnsupported, place, message, hint);
    }
    let quarantined = match &server.quarantined {
        Field::Given(_, Unheeded(true)) => None,
        other => other.key(),
    };
    let unheeded = [
        ("isolation", server.isolation.key()),
        ("quarantined", quarantined),
        ("trust_mode", server.trust_mode.key()),
    ];
    for (key, place) in unheeded.into_iter().filter_map(|(key, place)| Some((key, place?))) {
        let message = format!("{}: `{key}` is not supported by awf", findings.subject());
        let finding = Diagnostic::new(Code::ConfigUnsupported, message);
        findings.add(ownership.graded(finding), place);
    }
}

fn transport(
    server: ServerTyped,
    ownership: Ownership,
    findings: &mut Findings<'_>,
) -> Option<ServerTransport> {
    let said = [server.kind, server.protocol];
    let program = ["args", "env", "cwd", "working_dir"].into_iter().zip([
        server.args.key(),
        server.env.key(),
        server.cwd.key(),
        server.working_dir.key(),
    ]);
    match (server.command, server.url) {
        (Field::Given(_, command), Field::Absent) => {
            let headers = [("headers", server.headers.key())];
            tell_idle(headers, "command", ownership, findings);
            agree(&said, Protocol::Stdio, "command", findings);
            judge_text(&command, findings);
            let args = server.args.given().unwrap_or_default();
            let cwd = server.cwd.given().or(server.working_dir.given());
            let env = pairs(server.env, findings, env_fault);
            let texts = args.iter().chain(&cwd).any(|text| text.contains('\0'));
            if texts {
                findings.invalid(findings.subject_place(), "a text holds a NUL character");
            }
            Some(ServerTransport::Stdio { command: command.value, args, env, cwd })
        }
        (Field::Absent, Field::Given(_, url)) => {
            tell_idle(program, "url", ownership, findings);
            agree(&said, Protocol::Http, "url", findings);
            judge_url(&url, findings);
            let headers = pairs(server.headers, findings, header_fault);
            Some(ServerTransport::Http { url: url.value, headers })
        }
        (Field::Given(..) | Field::Bad(_), Field::Given(place, _) | Field::Bad(place)) => {
            let message = format!("{} has both `command` and `url`", findings.subject());
            findings.say(Code::ConfigConflict, place, message);
            None
        }
        (Field::Absent, Field::Absent) => {
            findings.missing_or("command", "add `command`, or `url` for a server behind HTTP");
            None
        }
        // Told when it was read.
        (Field::Bad(_), Field::Absent) | (Field::Absent, Field::Bad(_)) => None,
    }
}

/// Keys that belong to the other way of reaching a server.
fn tell_idle(
    keys: impl IntoIterator<Item = (&'static str, Option<Place>)>,
    beside: &str,
    ownership: Ownership,
    findings: &mut Findings<'_>,
) {
    for (key, place) in keys.into_iter().filter_map(|(key, place)| Some((key, place?))) {
        let message = format!("`{key}` has no effect beside `{beside}`");
        let finding = Diagnostic::new(Code::ConfigConflict, message);
        findings.add(ownership.graded(finding), place);
    }
}

/// What the file says of the protocol must be what its keys say.
fn agree(said: &[Field<Protocol>], meant: Protocol, key: &str, findings: &mut Findings<'_>) {
    for field in said {
        if let Field::Given(place, protocol) = field
            && ![Protocol::Auto, meant].contains(protocol)
        {
            let message = format!("{} has `{key}`, which is another protocol", findings.subject());
            findings.say(Code::ConfigConflict, *place, message);
        }
    }
}

fn judge_text(text: &Located<String>, findings: &mut Findings<'_>) {
    if text.value.is_empty() || text.value.contains('\0') {
        let message = "`command` must be a program";
        findings.add_at(Diagnostic::new(Code::ConfigInvalid, message), text.span.clone());
    }
}

fn judge_url(url: &Located<String>, findings: &mut Findings<'_>) {
    let text = &url.value;
    if !is_address(text) {
        let message =
            format!("`url` must be an address such as `https://host/mcp`, not `{}`", shown(text));
        findings.add_at(Diagnostic::new(Code::ConfigInvalid, message), url.span.clone());
    }
}

/// An address of HTTP, or a variable that will be one.
pub(super) fn is_address(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let named = host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', '?', '#']));
    let clean = !text.contains(|c: char| c.is_whitespace() || c.is_control());
    clean && (named || text.starts_with("${"))
}

/// Names and values, each judged.
fn pairs(
    field: Field<Mapping<String>>,
    findings: &mut Findings<'_>,
    fault: impl Fn(&str, &str) -> Option<&'static str>,
) -> Vec<(String, String)> {
    let pairs = field.given().map(|pairs| pairs.0).unwrap_or_default();
    pairs
        .into_iter()
        .map(|(name, place, value)| {
            if let Some(why) = fault(&name, &value) {
                findings.invalid(place, format!("`{}` {why}", shown(&name)));
            }
            (name, value)
        })
        .collect()
}

pub(super) fn env_fault(name: &str, value: &str) -> Option<&'static str> {
    if name.is_empty() || name.contains(['=', '\0']) {
        return Some("is no name of a variable");
    }
    value.contains('\0').then_some("holds a NUL character")
}

pub(super) fn header_fault(name: &str, value: &str) -> Option<&'static str> {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(token) {
        return Some("is no name of a header");
    }
    value.contains(char::is_control).then_some("holds a control character")
}
