//! Who asks: somebody with the key, or a visitor of the page by a cookie.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::{house::House, problem::Problem};

/// Whether the key was sent, and no other.
pub(super) fn key(house: &House, headers: &HeaderMap) -> Result<(), Problem> {
    let own = headers.get_all("x-api-key").iter().map(HeaderValue::as_bytes);
    let bearer = headers.get_all(header::AUTHORIZATION).iter().filter_map(|value| {
        let (scheme, key) = value.as_bytes().split_at_checked(7)?;
        scheme.eq_ignore_ascii_case(b"bearer ").then(|| key.trim_ascii())
    });
    let mut offered = own.chain(bearer).peekable();
    if offered.peek().is_some() && offered.all(|key| house.settings.key.admits(key)) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNAUTHORIZED,
        "UNAUTHORIZED",
        "send the API key as `X-API-Key` or as `Authorization: Bearer`",
    ))
}

/// Whether a visitor asks. A browser also says who made it ask: another page is not the visitor, wherever it is from.
pub(super) fn visits(house: &House, headers: &HeaderMap) -> bool {
    let own = headers
        .get_all("sec-fetch-site")
        .iter()
        .all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    own && cookies(house, headers).any(|id| house.visits.is_open(id))
}

/// The cookie of the page. Cookies know no ports, so its name has ours: two servers do not log each other out.
pub(crate) fn cookie_name(house: &House) -> String {
    format!("awf-{}", house.port)
}

/// Every value under that name.
pub(crate) fn cookies<'a>(
    house: &House,
    headers: &'a HeaderMap,
) -> impl Iterator<Item = &'a str> + use<'a> {
    let wanted = cookie_name(house);
    let pairs = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'));
    pairs.filter_map(move |pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == wanted).then_some(value)
    })
}
