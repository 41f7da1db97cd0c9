//! A call's start as it stands in the journal.

use std::borrow::Cow;

use awf_core::{
    ActivityId, CallStarted, CallSurface, Captured, ClientIdentity, Declaration, Operation, Origin,
    Outcome, RefusalCode, Sensitivity, Variant, Warning, WarningCode,
};
use serde::{Deserialize, Serialize};

use crate::wire::{Kept, Unreadable, nanos, time, word};

/// Stands for a warning whose word this version does not know; its message is kept.
const UNKNOWN_WARNING: &str = "UNKNOWN_WARNING";

#[derive(Serialize, Deserialize)]
pub(crate) struct Started<'a> {
    id: Cow<'a, str>,
    at: i64,
    request_id: Cow<'a, str>,
    source: Cow<'a, str>,
    server: Cow<'a, str>,
    tool: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<Intent<'a>>,
    outcome: Decided<'a>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warned<'a>>,
    #[serde(borrow)]
    arguments: Kept<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_id: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<Client<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Intent<'a> {
    operation: Cow<'a, str>,
    origin: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Decided<'a> {
    Allow,
    Warn,
    Deny(Cow<'a, str>),
}

#[derive(Serialize, Deserialize)]
struct Warned<'a> {
    code: Cow<'a, str>,
    message: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct Client<'a> {
    name: Cow<'a, str>,
    version: Cow<'a, str>,
}

impl<'a> From<&'a CallStarted> for Started<'a> {
    fn from(started: &'a CallStarted) -> Self {
        let optional = |text: &'a Option<String>| text.as_deref().map(Cow::Borrowed);
        Self {
            id: Cow::Owned(started.id.to_string()),
            at: nanos(started.at),
            request_id: (&started.request_id).into(),
            source: started.surface.as_str().into(),
            server: (&started.server).into(),
            tool: (&started.tool).into(),
            variant: started.variant.map(|variant| variant.as_str().into()),
            intent: started.intent.as_ref().map(Intent::from),
            outcome: match started.outcome {
                Outcome::Allow => Decided::Allow,
                Outcome::Warn => Decided::Warn,
                Outcome::Deny(code) => Decided::Deny(code.as_str().into()),
            },
            warnings: started.warnings.iter().map(Warned::from).collect(),
            arguments: Kept::from(&started.arguments),
            run: optional(&started.run),
            step: optional(&started.step),
            session: optional(&started.session),
            trace_id: optional(&started.trace_id),
            client: started.client.as_ref().map(Client::from),
        }
    }
}

impl<'a> From<&'a Declaration> for Intent<'a> {
    fn from(intent: &'a Declaration) -> Self {
        Self {
            operation: intent.operation.as_str().into(),
            origin: intent.origin.as_str().into(),
            sensitivity: intent.sensitivity.map(|level| level.as_str().into()),
            reason: intent.reason.as_deref().map(Cow::Borrowed),
        }
    }
}

impl<'a> From<&'a Warning> for Warned<'a> {
    fn from(warning: &'a Warning) -> Self {
        Self { code: warning.code.into(), message: (&warning.message).into() }
    }
}

impl<'a> From<&'a ClientIdentity> for Client<'a> {
    fn from(client: &'a ClientIdentity) -> Self {
        Self { name: (&client.name).into(), version: (&client.version).into() }
    }
}

impl TryFrom<Started<'_>> for CallStarted {
    type Error = Unreadable;

    fn try_from(started: Started<'_>) -> Result<Self, Unreadable> {
        let variant = |name: Cow<'_, str>| word("variant", &name, Variant::parse);
        let surface =
            |name: &str| CallSurface::ALL.into_iter().find(|surface| surface.as_str() == name);
        Ok(Self {
            id: word("activity id", &started.id, ActivityId::parse)?,
            at: time(started.at),
            request_id: started.request_id.into_owned(),
            surface: word("source", &started.source, surface)?,
            server: started.server.into_owned(),
            tool: started.tool.into_owned(),
            variant: started.variant.map(variant).transpose()?,
            intent: started.intent.map(Declaration::try_from).transpose()?,
            outcome: match started.outcome {
                Decided::Allow => Outcome::Allow,
                Decided::Warn => Outcome::Warn,
                Decided::Deny(code) => {
                    Outcome::Deny(word("refusal code", &code, RefusalCode::parse)?)
                }
            },
            warnings: started.warnings.into_iter().map(Warning::from).collect(),
            arguments: Captured::try_from(started.arguments)?,
            run: started.run.map(Cow::into_owned),
            step: started.step.map(Cow::into_owned),
            session: started.session.map(Cow::into_owned),
            trace_id: started.trace_id.map(Cow::into_owned),
            client: started.client.map(ClientIdentity::from),
        })
    }
}

impl TryFrom<Intent<'_>> for Declaration {
    type Error = Unreadable;

    fn try_from(intent: Intent<'_>) -> Result<Self, Unreadable> {
        let origin = |name: &str| Origin::ALL.into_iter().find(|origin| origin.as_str() == name);
        let level = |name: Cow<'_, str>| word("sensitivity", &name, Sensitivity::parse);
        Ok(Self {
            operation: word("operation", &intent.operation, Operation::parse)?,
            origin: word("origin", &intent.origin, origin)?,
            sensitivity: intent.sensitivity.map(level).transpose()?,
            reason: intent.reason.map(Cow::into_owned),
        })
    }
}

impl From<Warned<'_>> for Warning {
    fn from(warned: Warned<'_>) -> Self {
        let code = WarningCode::parse(&warned.code).map_or(UNKNOWN_WARNING, WarningCode::as_str);
        Self { code, message: warned.message.into_owned() }
    }
}

impl From<Client<'_>> for ClientIdentity {
    fn from(client: Client<'_>) -> Self {
        Self { name: client.name.into_owned(), version: client.version.into_owned() }
    }
}
