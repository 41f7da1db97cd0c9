//! The parameters of a URL, read strictly: what is unknown, given twice or of no meaning is refused, with what there is.

use awf_core::{Operation, one_of, shown};
use axum::{
    extract::{Path, Query, rejection::PathRejection},
    http::Uri,
};

use crate::{ports::View, problem::Problem};

/// What a view is chosen by.
pub(crate) const VIEW: [&str; 2] = ["servers", "allow"];

/// The parameters of one request, each known and there once.
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(crate) fn read(uri: &Uri, known: &[&str]) -> Result<Self, Problem> {
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri)
            .map_err(|_| Problem::invalid("the query of the URL cannot be read"))?;
        for (index, (name, _)) in pairs.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let there = match known {
                    [] => "there are none".to_owned(),
                    known => format!("there are `{}`", known.join("`, `")),
                };
                let name = shown(name);
                return Err(Problem::invalid(format!("unknown parameter `{name}`: {there}")));
            }
            if pairs.iter().take(index).any(|(earlier, _)| earlier == name) {
                return Err(Problem::invalid(format!("parameter `{name}` is given twice")));
            }
        }
        Ok(Self(pairs))
    }

    /// The fields of a form: they are written as a query is.
    pub(crate) fn of_form(body: &[u8], known: &[&str]) -> Result<Self, Problem> {
        let text = std::str::from_utf8(body).ok();
        let uri = text.and_then(|text| format!("/?{text}").parse().ok());
        Self::read(&uri.ok_or_else(|| Problem::invalid("the form cannot be read"))?, known)
    }

    /// All that was given, known or not, to show it again.
    pub(crate) fn any(uri: &Uri) -> Self {
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
        Self(pairs.map(|Query(pairs)| pairs).unwrap_or_default())
    }

    /// Without those that have no value: a form sends all its fields.
    pub(crate) fn filled(mut self) -> Self {
        self.0.retain(|(_, value)| !value.is_empty());
        self
    }

    /// Names and values, in the order given.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// For a path that takes none.
    pub(crate) fn none(uri: &Uri) -> Result<(), Problem> {
        Self::read(uri, &[]).map(|_| ())
    }

    /// The value of a parameter, if it was given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter as `read` reads it. What cannot be read must be `expected`.
    pub(crate) fn value<'a, T>(
        &'a self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let unreadable = || Problem::invalid(format!("`{name}` must be {expected}"));
        self.text(name).map(|text| read(text).ok_or_else(unreadable)).transpose()
    }
}

/// Bytes as they stand in an address: everything that could mean something there is encoded, but for slashes.
pub fn percent_encoded(bytes: &[u8]) -> String {
    let byte = |byte: &u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(*byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    bytes.iter().map(byte).collect()
}

/// A part of the path. One that is no text names nothing, and is told as that.
pub(crate) fn segment(given: Result<Path<String>, PathRejection>) -> String {
    given.map_or_else(|_| String::new(), |Path(text)| text)
}

/// The view a URL asks for.
pub(crate) fn view(uri: &Uri) -> Result<View, Problem> {
    view_of(&Parameters::read(uri, &VIEW)?)
}

/// The view that parameters ask for, whatever else they do.
pub(crate) fn view_of(parameters: &Parameters) -> Result<View, Problem> {
    let expected = one_of(&Operation::ALL.map(Operation::as_str));
    Ok(View {
        servers: parameters.value("servers", "names of servers with commas between", names)?,
        allow: parameters.value("allow", &expected, Operation::parse)?,
    })
}

fn names(text: &str) -> Option<Vec<String>> {
    let names: Vec<String> = text.split(',').map(str::to_owned).collect();
    names.iter().all(|name| !name.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests;
