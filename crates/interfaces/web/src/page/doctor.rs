//! Doctor: what is known of this machine. Nothing is tried here; the page says which command does.

use std::sync::Arc;

use awf_core::ActivityFilter;
use axum::{
    extract::State,
    http::Uri,
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};

use crate::{
    api::activity as api,
    house::House,
    page::{
        layout::{Section, notice, page, problem},
        moment::{time, time_of},
    },
    ports::{AgentChart, AgentProgram, Chart, ProofChart, ServerChart},
    query::Parameters,
};

pub(crate) async fn show(State(house): State<Arc<House>>, uri: Uri) -> Response {
    if let Err(refused) = Parameters::none(&uri) {
        return problem(Section::Doctor, &refused);
    }
    let chart = house.ports.clinic.chart();
    let body = html! {
        section aria-labelledby="agents" { h2 #agents { "Agents" } (agents(&chart)) }
        @if let Some(known) = &chart.servers {
            section aria-labelledby="servers" { h2 #servers { "MCP servers" } (servers(known)) }
        }
        section aria-labelledby="log" { h2 #log { "Activity log" } (log(&house).await) }
        section aria-labelledby="awf" {
            h2 #awf { "awf" }
            @if let Some(exposure) = &chart.exposure { (notice("OPEN", exposure)) }
            dl { dt { "Version" } dd { (chart.version) } dt { "Data" } dd { code { (chart.home) } } }
        }
    };
    page(Section::Doctor, "Doctor", &body).into_response()
}

fn agents(chart: &Chart) -> Markup {
    let tried = chart.agents.iter().any(|agent| !agent.proofs.is_empty());
    html! {
        @if tried {
            p .quiet { "What " code { "awf doctor" } " proved last. A run looks at the program again: a proof counts for the very version and file that was tried." }
        } @else {
            div .empty {
                p { "No agent was tried yet." }
                p { "To prove that the agents on this machine have no tools but awf’s, without a key or network: " code { "awf doctor" } }
            }
        }
        div .scroll {
            table .records {
                thead { tr { @for heading in ["Agent", "Program", "Verdict", "Version", "Tried (UTC)"] { th scope="col" { (heading) } } } }
                tbody { @for agent in &chart.agents { (agent_row(agent, &chart.version)) } }
            }
        }
    }
}

fn agent_row(agent: &AgentChart, awf: &str) -> Markup {
    html! {
        tr data-row id={ "agent-" (agent.name) } {
            td data-label="Agent" { (agent.name) }
            td data-label="Program" {
                @match &agent.program {
                    AgentProgram::At(path) => code { (path) },
                    AgentProgram::Included => span .quiet { "in awf itself" },
                    AgentProgram::Missing => span .quiet { "not found" },
                }
            }
            @match agent.proofs.first() {
                Some(proof) => (proof_cells(proof, awf)),
                None => { td data-label="Verdict" { span .quiet { "not tried" } } td data-label="Version" { "–" } td data-label="Tried" { "–" } }
            }
        }
    }
}

fn proof_cells(proof: &ProofChart, awf: &str) -> Markup {
    html! {
        td data-label="Verdict" {
            span class={ "status " (proof.verdict) } { (proof.verdict) }
            @if !proof.leaks.is_empty() { div { "Went past awf: " (proof.leaks.join(", ")) } }
            @if !proof.remains.is_empty() { div .quiet { "Kept: " (proof.remains.join(", ")) } }
            @if proof.awf_version != awf {
                div .quiet { "Tried by awf " (proof.awf_version) ": it does not count for this one. " code { "awf doctor" } }
            }
        }
        td data-label="Version" { (proof.version) div .quiet { "by " (proof.login) } }
        td data-label="Tried" { (time_of(&proof.at)) }
    }
}

fn servers(servers: &[ServerChart]) -> Markup {
    html! {
        @if servers.is_empty() {
            div .empty {
                p { "No MCP server is configured." }
                p { "To put one behind awf: " code { "awf mcp add <name> -- <command>" } }
            }
        } @else {
            div .scroll {
                table .records {
                    thead { tr { @for heading in ["Server", "State", "Command or URL"] { th scope="col" { (heading) } } } }
                    tbody {
                        @for server in servers {
                            tr data-row {
                                td data-label="Server" { (server.name) }
                                td data-label="State" {
                                    @match &server.fault {
                                        Some(fault) => { span .status.error { "cannot be used" } div .quiet { (fault) } }
                                        None => span .status.success { "usable" },
                                    }
                                }
                                td data-label="Target" { code { (server.target) } }
                            }
                        }
                    }
                }
            }
            p .quiet { "Nothing was started to find this out. To try one: " code { "awf mcp test <name>" } }
        }
    }
}

/// Whether the log is there and whole, as far as one look tells.
async fn log(house: &House) -> Markup {
    let newest = ActivityFilter { limit: 1, ..ActivityFilter::default() };
    let found = match api::log(house) {
        Ok(log) => log.query(&newest).await.map_err(api::unreadable),
        Err(off) => Err(off),
    };
    match found {
        Err(failed) => notice(failed.code(), failed.detail()),
        Ok(page) => html! {
            @for damage in &page.damage { (notice("DAMAGED", &format!("{damage}. Run `awf activity verify`."))) }
            p {
                @match page.records.first() {
                    Some(record) => { "It can be read. The newest call is of " (time(record.started.at)) " UTC. " }
                    None => "It can be read, and is empty. ",
                }
                "To check that nothing was altered: " code { "awf activity verify" }
            }
        },
    }
}
