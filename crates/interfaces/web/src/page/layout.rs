//! The frame around every page: head, sections, what the keys do.

use awf_core::visible;
use axum::{
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::problem::Problem;

/// The parts of the page, in the order in which they are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Runs,
    Activity,
    Doctor,
}

impl Section {
    const ALL: [Self; 3] = [Self::Runs, Self::Activity, Self::Doctor];

    fn name(self) -> &'static str {
        match self {
            Self::Runs => "Runs",
            Self::Activity => "Activity",
            Self::Doctor => "Doctor",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Runs => "/runs",
            Self::Activity => "/activity",
            Self::Doctor => "/doctor",
        }
    }

    /// What goes there after `g`.
    fn key(self) -> &'static str {
        match self {
            Self::Runs => "r",
            Self::Activity => "a",
            Self::Doctor => "d",
        }
    }
}

/// A page of a section: `title` is its heading, `body` what stands beneath.
pub(crate) fn page(section: Section, title: &str, body: &Markup) -> Markup {
    let header = html! {
        nav aria-label="Sections" {
            @for each in Section::ALL {
                a href=(each.path()) data-go=(each.key()) aria-current=[(each == section).then_some("page")] {
                    (each.name())
                }
            }
        }
        form .leave method="post" action="/logout" { button type="submit" { "Log out" } }
    };
    document(title, &header, &html! { h1 { (title) } (body) (keys()) })
}

/// A page for those who are not in yet.
pub(crate) fn outside(title: &str, body: &Markup) -> Markup {
    document(title, &html! {}, &html! { h1 { (title) } (body) })
}

/// What went wrong, as a page of a section, in the words and with the code of the REST API.
pub(crate) fn problem(section: Section, problem: &Problem) -> Response {
    let (status, code, detail) = (problem.status(), problem.code(), problem.detail());
    let title = status.canonical_reason().unwrap_or("Error");
    (status, page(section, title, &notice(code, detail))).into_response()
}

/// Something that has to be seen before anything else.
pub(crate) fn notice(code: &str, text: &str) -> Markup {
    html! { p .notice role="alert" { code { (code) } " " (text) } }
}

fn document(title: &str, header: &Markup, main: &Markup) -> Markup {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · awf" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/assets/page.css";
                script src="/assets/page.js" defer {}
            }
            body {
                a .skip href="#main" { "Skip to content" }
                header { a .brand href="/" { "awf" } (header) }
                main #main tabindex="-1" { (main) }
            }
        }
    };
    PreEscaped(visible(document.into_string()))
}

/// What the keys do; the script shows it.
fn keys() -> Markup {
    let rows = [
        ("/", "to the filters"),
        ("j, k", "next row, previous row"),
        ("Enter", "open the row"),
        ("?", "show or hide this"),
    ];
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { "Keys" }
            dl {
                @for (key, does) in rows { dt { kbd { (key) } } dd { (does) } }
                @for section in Section::ALL {
                    dt { kbd { "g " (section.key()) } } dd { "to " (section.name()) }
                }
            }
            form method="dialog" { button { "Close" } }
        }
        footer { button type="button" data-keys hidden { "Keys: ?" } " " a href="/docs" { "REST API" } }
    }
}

/// A page with a status of its own.
pub(crate) fn with_status(status: StatusCode, page: Markup) -> Response {
    (status, page).into_response()
}
