//! What went wrong, as `application/problem+json` (RFC 9457).

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;

use crate::ports::NoView;

/// The code of a problem, on its answer, for those who only see that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told(pub(crate) &'static str);

/// An answer that says why there is no other.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
    details: Option<Value>,
    request_id: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), details: None, request_id: None }
    }

    /// A parameter or a body that cannot be read: the message names what can.
    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST", detail)
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// The same, about a call that has a record.
    pub(crate) fn about(self, request_id: String, details: Option<Value>) -> Self {
        Self { request_id: Some(request_id), details, ..self }
    }
}

impl From<NoView> for Problem {
    fn from(missing: NoView) -> Self {
        let detail = missing.to_string();
        match missing {
            NoView::UnknownServer { .. } => {
                Self::new(StatusCode::NOT_FOUND, "UNKNOWN_SERVER", detail)
            }
            NoView::Unavailable(_) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", detail)
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let document = Document {
            r#type: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: &self.detail,
            code: self.code,
            details: self.details.as_ref(),
            request_id: self.request_id.as_deref(),
        };
        let body = serde_json::to_string(&document).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        response.extensions_mut().insert(Told(self.code));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
