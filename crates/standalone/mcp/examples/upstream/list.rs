//! The list of tools, in the pages that the script asks for.

use serde_json::value::RawValue;

use crate::{
    script::{Era, Pages},
    upstream::Upstream,
};

/// The page that `cursor` names, or none if lists are never answered.
pub(crate) fn page(upstream: &Upstream, cursor: Option<&str>) -> Option<String> {
    let stage = upstream.state.lock().unwrap().stage;
    let tools = &upstream.script.stages[stage].tools;
    let at: usize = cursor.and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
    let (shown, next): (&[Box<RawValue>], _) = match upstream.script.pages {
        Pages::One => (tools, None),
        Pages::Of(size) => {
            let end = tools.len().min(at + size);
            (&tools[at.min(end)..end], (end < tools.len()).then(|| end.to_string()))
        }
        Pages::Endless => (if at == 0 { tools } else { &[] }, Some((at + 1).to_string())),
        Pages::Stuck => (if at == 0 { tools } else { &[] }, Some("1".to_owned())),
        Pages::Silent => return None,
    };
    let tools: Vec<&str> = shown.iter().map(|tool| tool.get()).collect();
    let next = next.map(|next| format!(r#","nextCursor":"{next}""#)).unwrap_or_default();
    let modern = match upstream.script.era {
        Era::Legacy => "",
        Era::Modern => r#","resultType":"complete","ttlMs":0,"cacheScope":"private""#,
    };
    Some(format!(r#"{{"tools":[{}]{next}{modern}}}"#, tools.join(",")))
}
