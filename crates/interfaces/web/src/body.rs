//! The body of a request: JSON, bounded in size, in time, and together with all others in memory.

use awf_mcp::MAX_LINE;
use axum::{
    body::{Bytes, to_bytes},
    extract::Request,
    http::{HeaderMap, StatusCode, header},
};
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

use crate::{house::House, problem::Problem};

/// A body, and the room it takes until it is dropped.
pub(crate) struct Body {
    pub(crate) bytes: Bytes,
    _room: OwnedSemaphorePermit,
}

/// Reads the body of `request`, which is JSON and says so.
pub(crate) async fn read(house: &House, request: Request) -> Result<Body, Problem> {
    form(request.headers())?;
    read_up_to(MAX_LINE, house, request).await
}

/// The same, of so many bytes at most.
pub(crate) async fn read_up_to(
    most: usize,
    house: &House,
    request: Request,
) -> Result<Body, Problem> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse::<usize>().ok()).unwrap_or(0);
    if length > most {
        let detail = format!("a body has at most {most} bytes");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "BODY_TOO_LARGE", detail));
    }
    let kibibytes = u32::try_from(length.div_ceil(1024)).unwrap_or(u32::MAX);
    let reading = async {
        let room = house.bodies.clone().acquire_many_owned(kibibytes).await.ok()?;
        let bytes = to_bytes(request.into_body(), most).await.ok()?;
        Some(Body { bytes, _room: room })
    };
    match timeout(house.settings.limits.body_time, reading).await {
        Ok(Some(body)) => Ok(body),
        Ok(None) => Err(Problem::invalid("the body broke off")),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "BODY_TOO_SLOW",
            "the body took too long to arrive",
        )),
    }
}

/// A form of a foreign page can send anything but this type without asking first.
fn form(headers: &HeaderMap) -> Result<(), Problem> {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let only = types.next().filter(|_| types.next().is_none());
    let named = only.and_then(|value| value.to_str().ok()).and_then(|text| text.split(';').next());
    let encoded = headers
        .get(header::CONTENT_ENCODING)
        .is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if named.is_some_and(|named| named.trim().eq_ignore_ascii_case("application/json")) && !encoded
    {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "UNSUPPORTED_MEDIA_TYPE",
        "send the body as `Content-Type: application/json`, not encoded",
    ))
}
