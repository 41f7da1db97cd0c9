//! What is found out about a call before anything happens, in the one fixed order: the name's form, the statement, the
//! tool as it is now, the tool's annotations, whether a person stands behind it, the arguments.

use std::{borrow::Cow, sync::Arc, time::Instant};

use awf_core::{
    CallIntent, Decision, Declaration, Refusal, RefusalCode, ToolAddress, ToolCall, ToolDefinition,
    ToolFailure, ToolSet, ToolSource, Warning, WarningCode, shown,
};

use crate::{
    arguments::{self, Checked, WrongArguments},
    router::{ToolRouter, catalogue::Live, label::Label},
};

/// What was found out about a call before anything happens.
pub(super) struct Judged {
    pub(super) begun: Instant,
    pub(super) label: Label,
    pub(super) tool: Option<Arc<ToolDefinition>>,
    pub(super) declaration: Option<Declaration>,
    pub(super) warnings: Vec<Warning>,
    pub(super) refusal: Option<Refusal>,
    /// What is wrong with the arguments, where that is why it was refused.
    pub(super) wrong: Option<Box<WrongArguments>>,
    /// It was not refused, and yet there is nothing to call.
    pub(super) failure: Option<ToolFailure>,
}

/// A source that a call needs and that cannot be reached.
struct Unreached {
    source: ToolSource,
    failure: ToolFailure,
}

impl Judged {
    /// A call about which nothing speaks for or against it yet.
    pub(super) fn new(begun: Instant, label: Label, declaration: Option<Declaration>) -> Self {
        let (tool, warnings, refusal) = (None, Vec::new(), None);
        let (wrong, failure) = (None, None);
        Self { begun, label, tool, declaration, warnings, refusal, wrong, failure }
    }
}

impl ToolRouter {
    pub(super) async fn judge(&self, call: &ToolCall) -> Judged {
        let begun = Instant::now();
        let stated = address_of(call)
            .and_then(|address| Ok((address, self.ports.validator.declared(call)?)));
        let (address, declared) = match stated {
            Ok(stated) => stated,
            Err(refusal) => {
                let understood = self.ports.validator.understood(call, None);
                return self.turned_away(begun, call, refusal, understood);
            }
        };
        let tools = match self.newest(call, address.as_ref()).await {
            Ok(tools) => tools,
            Err(unreached) => return self.unreached(begun, call, unreached, declared),
        };
        let exposed = match &address {
            None => tools.by_name(&call.name),
            Some(address) => tools.by_address(address),
        };
        match exposed {
            Ok(exposed) => self.decided(begun, call, exposed.tool(), declared),
            Err(unresolved) => {
                let turned_away = self.turned_away(begun, call, unresolved.refusal(), declared);
                match tools.hidden(&call.name, address.as_ref()) {
                    Some(hidden) => self.above_ceiling(call, hidden, turned_away),
                    None => turned_away,
                }
            }
        }
    }

    /// The tools, with those of the source that the call leads to as new as a judgement needs them.
    async fn newest(
        &self,
        call: &ToolCall,
        address: Option<&ToolAddress>,
    ) -> Result<Arc<ToolSet>, Unreached> {
        let tools = self.catalogue.current().await;
        let namespace = match address {
            Some(address) => Some(address.server()),
            None => tools.source_of(&call.name).map(ToolSource::namespace),
        };
        let asked = match namespace.map(|namespace| self.catalogue.live(namespace)) {
            // It stays as it is.
            Some(None) => false,
            Some(Some(live)) => {
                refreshed(live, call).await?;
                true
            }
            None => self.asked_by_name(call).await?,
        };
        Ok(if asked { self.catalogue.current().await } else { tools })
    }

    /// Asks the live sources that a name may belong to which is not known yet.
    async fn asked_by_name(&self, call: &ToolCall) -> Result<bool, Unreached> {
        let mut asked = false;
        for live in self.catalogue.live_before(&call.name) {
            match refreshed(live, call).await {
                Ok(()) => asked = true,
                // What is known of its tools does not have this name.
                Err(_) if live.is_known() => {}
                Err(unreached) => return Err(unreached),
            }
        }
        Ok(asked)
    }

    fn decided(
        &self,
        begun: Instant,
        call: &ToolCall,
        tool: &Arc<ToolDefinition>,
        declared: Option<Declaration>,
    ) -> Judged {
        let judged = Judged::new(begun, Label::of_tool(tool), declared);
        let (declaration, warnings) = match self.ports.validator.decide(call, tool) {
            Decision::Allow(declaration) => (Some(declaration), Vec::new()),
            Decision::Warn(declaration, warnings) => (Some(declaration), warnings),
            Decision::Deny(refusal) => {
                let declaration = self.ports.validator.understood(call, Some(tool));
                let (tool, refusal) = (Some(tool.clone()), Some(refusal));
                return Judged { tool, declaration, refusal, ..judged };
            }
        };
        let judged = Judged { tool: Some(tool.clone()), declaration, warnings, ..judged };
        self.with_arguments(call, tool, judged)
    }

    /// The last thing that is looked at: by now the call is allowed to reach the tool.
    fn with_arguments(
        &self,
        call: &ToolCall,
        tool: &Arc<ToolDefinition>,
        mut judged: Judged,
    ) -> Judged {
        let misread = match &call.intent {
            CallIntent::Direct => None,
            CallIntent::Stated { statement, .. } => statement.misread.as_deref(),
        };
        match self.checks.check(tool, &call.arguments, misread) {
            Checked::Fit => {}
            Checked::Unchecked(reason) => {
                let name = tool.qualified_name();
                let message = format!(
                    "Tool '{name}': its schema cannot be used ({reason}), the arguments went unchecked"
                );
                judged.warnings.push(Warning::new(WarningCode::UncheckedArguments, message));
            }
            Checked::Wrong(wrong) => {
                let message = wrong.message.clone();
                judged.refusal = Some(Refusal { code: RefusalCode::InvalidArguments, message });
                judged.wrong = Some(wrong);
            }
        }
        judged
    }

    /// A call that leads to no tool it may reach.
    pub(super) fn turned_away(
        &self,
        begun: Instant,
        call: &ToolCall,
        refusal: Refusal,
        declared: Option<Declaration>,
    ) -> Judged {
        let label = Label::of_name(&call.name, &self.ports.redactor);
        let refusal = Some(self.without_secret_name(refusal, call));
        Judged { refusal, ..Judged::new(begun, label, declared) }
    }

    /// What the ceiling hides is told as what it is.
    fn above_ceiling(
        &self,
        call: &ToolCall,
        hidden: &Arc<ToolDefinition>,
        turned_away: Judged,
    ) -> Judged {
        let declaration = self.ports.validator.understood(call, Some(hidden));
        let (label, tool) = (Label::of_tool(hidden), Some(hidden.clone()));
        Judged { label, tool, declaration, ..turned_away }
    }

    /// A call of a source that cannot be asked. One that nobody approved is a refusal, all else a failure.
    fn unreached(
        &self,
        begun: Instant,
        call: &ToolCall,
        unreached: Unreached,
        declared: Option<Declaration>,
    ) -> Judged {
        let Unreached { source, failure } = unreached;
        let mut label = Label::of_name(&call.name, &self.ports.redactor);
        label.source = source.to_string();
        let judged = Judged::new(begun, label, declared);
        match failure {
            ToolFailure::NotApproved(message) => {
                let refusal = Refusal { code: RefusalCode::ToolNotApproved, message };
                Judged { refusal: Some(refusal), ..judged }
            }
            failure => Judged { failure: Some(failure), ..judged },
        }
    }

    /// A secret in place of a name must not come back in the message, cut so that nobody recognises it any more.
    fn without_secret_name(&self, refusal: Refusal, call: &ToolCall) -> Refusal {
        match self.ports.redactor.text(&call.name) {
            Cow::Borrowed(_) => refusal,
            Cow::Owned(clean) => {
                Refusal { message: format!("No such tool: '{}'", shown(&clean)), ..refusal }
            }
        }
    }
}

/// Waits for a source no longer than the caller does.
async fn refreshed(live: &Live, call: &ToolCall) -> Result<(), Unreached> {
    if !live.is_known() {
        // While it starts, there is time for it.
        arguments::prepare();
    }
    let refreshed = tokio::select! {
        biased;
        refreshed = live.refresh() => refreshed,
        () = call.cancel.cancelled() => Err(ToolFailure::Cancelled),
    };
    refreshed.map_err(|failure| Unreached { source: live.source.clone(), failure })
}

/// `server:tool` on the intent surface; on the direct one a name is just a name.
fn address_of(call: &ToolCall) -> Result<Option<ToolAddress>, Refusal> {
    match call.intent {
        CallIntent::Direct => Ok(None),
        CallIntent::Stated { variant, .. } => ToolAddress::required(variant, &call.name).map(Some),
    }
}
