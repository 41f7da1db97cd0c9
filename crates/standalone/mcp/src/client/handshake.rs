//! How a client opens: `initialize`, or the modern era's `server/discover`.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    client::{Client, ClientError, Opening, ServerIdentity},
    era::{self, Era, LEGACY_VERSIONS, MODERN_VERSION},
    error::{RpcError, clip, code},
    tool::Implementation,
    wire::Encode,
};

pub(super) async fn open(
    client: &mut Client,
    us: &Implementation,
    opening: Opening,
) -> Result<(), ClientError> {
    if opening == Opening::Modern {
        return discover(client, us).await;
    }
    match initialize(client, us).await {
        // These are what a server says that knows no `initialize`.
        Err(ClientError::Refused(RpcError {
            code: code::METHOD_NOT_FOUND | code::INVALID_PARAMS | code::UNSUPPORTED_VERSION,
            ..
        })) => discover(client, us).await,
        outcome => outcome,
    }
}

async fn initialize(client: &mut Client, us: &Implementation) -> Result<(), ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct View<'a> {
        protocol_version: String,
        #[serde(borrow)]
        server_info: Option<&'a RawValue>,
        instructions: Option<String>,
    }
    let reply = client
        .connection
        .request("initialize", None, |params| {
            params.raw(r#""protocolVersion":"#);
            params.string(LEGACY_VERSIONS[0]);
            params.raw(r#","capabilities":{},"clientInfo":"#);
            era::write_implementation(us, params);
        })
        .await?;
    let view: View<'_> = serde_json::from_str(reply.get()).map_err(|error| bad(&error))?;
    if !LEGACY_VERSIONS.contains(&view.protocol_version.as_str()) {
        return Err(ClientError::UnsupportedVersion {
            version: clip(&view.protocol_version).to_owned(),
        });
    }
    client.server = ServerIdentity {
        implementation: view.server_info.and_then(|raw| serde_json::from_str(raw.get()).ok()),
        version: view.protocol_version,
        era: Era::Legacy,
        instructions: view.instructions,
    };
    client.connection.notify("notifications/initialized").await
}

async fn discover(client: &mut Client, us: &Implementation) -> Result<(), ClientError> {
    #[derive(Default, Deserialize)]
    struct Identity {
        #[serde(rename = "io.modelcontextprotocol/serverInfo")]
        server: Option<Implementation>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct View {
        supported_versions: Vec<String>,
        instructions: Option<String>,
        #[serde(default, rename = "_meta")]
        meta: Identity,
    }
    client.connection.modern_meta = Some(era::modern_meta(us));
    let reply = client.connection.request("server/discover", None, |_| {}).await?;
    let view: View = serde_json::from_str(reply.get()).map_err(|error| bad(&error))?;
    if !view.supported_versions.iter().any(|version| version == MODERN_VERSION) {
        let version = clip(&view.supported_versions.join(", ")).to_owned();
        return Err(ClientError::UnsupportedVersion { version });
    }
    client.server = ServerIdentity {
        implementation: view.meta.server,
        version: MODERN_VERSION.to_owned(),
        era: Era::Modern,
        instructions: view.instructions,
    };
    Ok(())
}

fn bad(error: &serde_json::Error) -> ClientError {
    ClientError::BadReply { reason: error.to_string() }
}
