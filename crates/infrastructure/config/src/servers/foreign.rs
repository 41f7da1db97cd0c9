//! `.mcp.json` and `mcp_config.json`: files that other programs read too, and that hold more than awf asks for.

use awf_core::{Code, Diagnostic, Severity, shown};
use serde_json::{Value, json};

use crate::{
    policy::IntentTyped,
    reader::{Entries, Field, Findings, Presence, Shape},
    schema::Definitions,
    servers::ServersTyped,
    yaml::Node,
};

const SERVERS: &str = "mcpServers";
const INTENT: &str = "intent_declaration";
/// Keys of others that one warning names.
const MOST_NAMED: usize = 8;

/// What awf reads of such a file.
#[derive(Clone, Debug)]
pub(crate) struct ForeignTyped {
    pub(crate) servers: Field<ServersTyped>,
    pub(crate) intent_declaration: Field<IntentTyped>,
}

impl Shape for ForeignTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let entries = Entries::of(node, findings)?;
        tell_others(&entries, findings);
        Some(Self {
            servers: entries.field(SERVERS, Presence::Optional, findings),
            intent_declaration: entries.field(INTENT, Presence::Optional, findings),
        })
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "object" })
    }
}

/// One warning for all that belongs to other programs: whoever believes that it binds awf too is told.
fn tell_others(entries: &Entries<'_>, findings: &mut Findings<'_>) {
    let mut others = entries.all().filter(|(key, ..)| ![SERVERS, INTENT].contains(key));
    let Some((first, place, _)) = others.next() else { return };
    let others: Vec<&str> = others.map(|(key, ..)| key).collect();
    let named = others.iter().take(MOST_NAMED - 1);
    let named: Vec<String> =
        [&first].into_iter().chain(named).map(|key| format!("`{}`", shown(key))).collect();
    let more = others.len().saturating_sub(MOST_NAMED - 1);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let message = format!("awf does not read {}{more} of this file", named.join(", "));
    let finding = Diagnostic::new(Code::ConfigUnknownKey, message)
        .hinting("what awf is to follow goes into its own `config.yaml`");
    findings.add(Diagnostic { severity: Severity::Warning, ..finding }, place);
}
