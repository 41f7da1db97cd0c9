//! All pages of a server's tool list, with an end to every way in which it could have none.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    client::{ClientError, Connection},
    wire::Encode,
};

const MAX_PAGES: usize = 1_000;
const MAX_TOOLS: usize = 20_000;
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// A cursor is a place in a list, and comes back to the server as it is.
const MAX_CURSOR: usize = 4 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    tools: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}

pub(super) async fn all(connection: &Connection) -> Result<Vec<Box<RawValue>>, ClientError> {
    let mut tools = Vec::new();
    let mut bytes = 0;
    // Two cursors with one hash would end a list early, and say so; a server cannot aim at it.
    let (hasher, mut seen) = (RandomState::new(), HashSet::new());
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let page = page(connection, cursor.as_deref()).await?;
        bytes += page.tools.iter().map(|tool| tool.get().len()).sum::<usize>();
        tools.extend(page.tools);
        if tools.len() > MAX_TOOLS {
            return Err(ClientError::ListTooLong { reason: "more than 20,000 tools" });
        }
        if bytes > MAX_BYTES {
            return Err(ClientError::ListTooLong { reason: "more than 64 MiB" });
        }
        let Some(next) = page.next_cursor else { return Ok(tools) };
        if next.len() > MAX_CURSOR {
            return Err(ClientError::ListTooLong { reason: "a cursor of more than 4 KiB" });
        }
        if !seen.insert(hasher.hash_one(&next)) {
            return Err(ClientError::ListTooLong { reason: "a cursor came back" });
        }
        cursor = Some(next);
    }
    Err(ClientError::ListTooLong { reason: "more than 1,000 pages" })
}

async fn page(connection: &Connection, cursor: Option<&str>) -> Result<Page, ClientError> {
    let reply = connection
        .request("tools/list", None, |params| {
            if let Some(cursor) = cursor {
                params.raw(r#""cursor":"#);
                params.string(cursor);
            }
        })
        .await?;
    serde_json::from_str(reply.get())
        .map_err(|error| ClientError::BadReply { reason: error.to_string() })
}
