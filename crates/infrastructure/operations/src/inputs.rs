//! What an operation was given, read value by value.
//!
//! A complaint names the input and never its value, which may be a key.

use awf_core::{RawJson, RawObject, nearest, shown};
use reqwest::{
    Url,
    header::{CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING},
};

use crate::trouble::Trouble;

/// The inputs of one call.
pub(crate) struct Inputs<'a>(&'a RawObject);

impl<'a> Inputs<'a> {
    /// Takes them if each is one of `known`.
    pub(crate) fn new(given: &'a RawObject, known: &[&str]) -> Result<Self, Trouble> {
        let unknown = given.iter().map(|(name, _)| name).find(|name| !known.contains(name));
        let Some(unknown) = unknown else { return Ok(Self(given)) };
        let advice = match nearest(unknown, known.iter().copied()).as_slice() {
            [] => format!("there are {}", known.join(", ")),
            [near, ..] => format!("did you mean `{near}`?"),
        };
        Err(Trouble::told(format!("no input `{}`; {advice}", shown(unknown))))
    }

    /// A value as it was written; null is none.
    pub(crate) fn raw(&self, name: &str) -> Option<&'a RawJson> {
        self.0.get(name).filter(|value| value.get() != "null")
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Trouble> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        let text = serde_json::from_str(raw.get());
        text.map(Some).map_err(|_| Trouble::told(format!("input `{name}` must be a string")))
    }

    /// A text that must be there.
    pub(crate) fn required(&self, name: &str) -> Result<String, Trouble> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| Trouble::told(format!("input `{name}` is missing")))
    }

    /// A whole number, or the text of one: a template gives text.
    pub(crate) fn whole(&self, name: &str) -> Result<Option<u64>, Trouble> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        let text = serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned());
        let wrong = || Trouble::told(format!("input `{name}` must be a whole number"));
        text.trim().parse().map(Some).map_err(|_| wrong())
    }

    /// A place on the web.
    pub(crate) fn url(&self, name: &str) -> Result<Option<Url>, Trouble> {
        let Some(text) = self.text(name)?.filter(|text| !text.is_empty()) else { return Ok(None) };
        let wrong = |reason: &str| Trouble::told(format!("input `{name}` {reason}"));
        let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("is no URL: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(wrong("must begin with `https://` or `http://`"));
        }
        Ok(Some(url))
    }

    /// Headers, an object of strings.
    pub(crate) fn headers(&self, name: &str) -> Result<HeaderMap, Trouble> {
        let mut headers = HeaderMap::new();
        let Some(raw) = self.raw(name) else { return Ok(headers) };
        let shape = || Trouble::told(format!("input `{name}` must be an object of strings"));
        for (header, value) in RawObject::read(raw).map_err(|_| shape())?.iter() {
            let wrong = |reason: &str| {
                Trouble::told(format!("input `{name}`: header `{}` {reason}", shown(header)))
            };
            let key = HeaderName::from_bytes(header.as_bytes());
            let key = key.map_err(|_| wrong("has a name that no header can have"))?;
            if [CONTENT_LENGTH, TRANSFER_ENCODING].contains(&key) {
                return Err(wrong("follows from the body; leave it out"));
            }
            let value: String =
                serde_json::from_str(value.get()).map_err(|_| wrong("must be a string"))?;
            let mut value = HeaderValue::from_str(&value)
                .map_err(|_| wrong("has a value with a line break or control character"))?;
            value.set_sensitive(true);
            headers.append(key, value);
        }
        Ok(headers)
    }
}
