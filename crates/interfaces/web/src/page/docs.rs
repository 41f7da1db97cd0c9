//! `/docs`: the REST API for a person, made of its own document.

use std::collections::BTreeMap;

use axum::{
    http::Uri,
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};
use serde::Deserialize;

use crate::{openapi::DOCUMENT, page::layout, problem::Problem, query::Parameters};

#[derive(Default, Deserialize)]
struct Document {
    paths: BTreeMap<String, BTreeMap<String, Operation>>,
}

#[derive(Deserialize)]
struct Operation {
    #[serde(default)]
    parameters: Vec<Parameter>,
    responses: BTreeMap<String, Answer>,
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    r#in: String,
    #[serde(default)]
    description: String,
}

#[derive(Deserialize)]
struct Answer {
    description: String,
}

pub(super) async fn show(uri: Uri) -> Result<Response, Problem> {
    Parameters::none(&uri)?;
    // It is our own document; a test reads this page.
    let document: Document = serde_json::from_str(&DOCUMENT).unwrap_or_default();
    let body = html! {
        p { "Every request needs the key. As a document for programs: " a href="/openapi.json" { "openapi.json" } ". " a href="/" { "Back to the page" } "." }
        @for (path, operations) in &document.paths {
            @for (method, operation) in operations { (section(path, method, operation)) }
        }
    };
    Ok(layout::outside("REST API", &body).into_response())
}

fn section(path: &str, method: &str, operation: &Operation) -> Markup {
    html! {
        section {
            h2 { code { (method.to_uppercase()) " " (path) } }
            @if !operation.parameters.is_empty() {
                table {
                    thead { tr { th { "Parameter" } th { "In" } th { "Is" } } }
                    tbody {
                        @for parameter in &operation.parameters {
                            tr { td { code { (parameter.name) } } td { (parameter.r#in) } td { (parameter.description) } }
                        }
                    }
                }
            }
            table {
                thead { tr { th { "Status" } th { "When" } } }
                tbody {
                    @for (status, answer) in &operation.responses {
                        tr { td { code { (status) } } td { (answer.description) } }
                    }
                }
            }
        }
    }
}
