//! The login: a code that works once for a cookie. The code comes in the fragment of a link, which no browser sends to
//! anybody, or is pasted by hand; it goes to us in the body of a request.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse as _, Redirect, Response},
};
use maud::{Markup, html};

use crate::{
    body,
    guard::{Place, cookie_name, cookies},
    house::House,
    page::layout,
    problem::{Problem, Told},
    query::{Parameters, percent_encoded},
};

/// Bytes of the form at most.
const FORM: usize = 4096;

/// Where somebody who asked for `uri` logs in.
pub(crate) fn path(uri: &Uri) -> String {
    let wanted = uri.path_and_query().map_or("/", |wanted| wanted.as_str());
    if wanted == "/" || local(wanted).is_none() {
        return "/login".to_owned();
    }
    format!("/login?next={}", percent_encoded(wanted.as_bytes()))
}

pub(crate) async fn show(uri: Uri) -> Result<Response, Problem> {
    let given = Parameters::read(&uri, &["next"])?;
    Ok(form(given.text("next"), None).into_response())
}

pub(crate) async fn enter(
    State(house): State<Arc<House>>,
    request: Request,
) -> Result<Response, Problem> {
    if !Place::of(&house).is_own_page(request.headers()) {
        let detail = "the form was not sent by a page of this server";
        return Err(Problem::new(StatusCode::FORBIDDEN, "FOREIGN_ORIGIN", detail));
    }
    let body = body::read_up_to(FORM, &house, request).await?;
    let given = Parameters::of_form(&body.bytes, &["code", "next"])?;
    let next = given.text("next");
    // Whoever pastes may paste the whole link.
    let pasted = given.text("code").unwrap_or_default();
    let code = pasted.rsplit('#').next().unwrap_or(pasted).trim();
    let now = (house.ports.clock)();
    if !house.codes.redeem(&house.settings.key, house.port, code, now) {
        let page = form(next, Some("This code is not good: it was used, or it is too old."));
        let mut refused = layout::with_status(StatusCode::FORBIDDEN, page);
        refused.extensions_mut().insert(Told("LOGIN_REFUSED"));
        return Ok(refused);
    }
    let unable = |_| {
        let detail = "the system gives no random numbers";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", detail)
    };
    let id = house.visits.admit().map_err(unable)?;
    Ok(sent_on(next.and_then(local).unwrap_or("/"), &cookie(&house, &id, "")))
}

pub(crate) async fn leave(State(house): State<Arc<House>>, headers: HeaderMap) -> Response {
    cookies(&house, &headers).for_each(|id| house.visits.end(id));
    sent_on("/login", &cookie(&house, "", "; Max-Age=0"))
}

fn cookie(house: &House, id: &str, more: &str) -> String {
    format!("{}={id}; Path=/; HttpOnly; SameSite=Strict{more}", cookie_name(house))
}

fn sent_on(path: &str, cookie: &str) -> Response {
    let mut response = Redirect::to(path).into_response();
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn form(next: Option<&str>, fault: Option<&str>) -> Markup {
    layout::outside(
        "Log in",
        &html! {
            @if let Some(fault) = fault { p .notice role="alert" { (fault) } }
            p { "On the machine where " code { "awf serve" } " runs, " code { "awf open" }
                " opens this page with a code that works once. "
                code { "awf open --print" } " shows the code, to paste it here." }
            form .login method="post" action="/login" data-login {
                label for="code" { "Code" }
                input #code name="code" type="password" autocomplete="off" required spellcheck="false";
                @if let Some(next) = next.and_then(local) { input type="hidden" name="next" value=(next); }
                button .primary type="submit" { "Log in" }
            }
        },
    )
}

/// A path of ours to go on at. Nothing that a browser could take for another host.
fn local(path: &str) -> Option<&str> {
    let mut bytes = path.bytes();
    let ours =
        bytes.next() == Some(b'/') && bytes.next().is_none_or(|byte| byte.is_ascii_alphanumeric());
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    (ours && plain && path.len() <= 2048).then_some(path)
}

#[cfg(test)]
mod tests;
