//! Answers with what is no protobuf: the frame is sound gRPC, its content is not.

use std::{
    convert::Infallible,
    pin::Pin,
    process::ExitCode,
    task::{Context, Poll},
};

use awf_plugin_sdk::{Operation, Plugin, Reply};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use tonic::{
    body::Body,
    codegen::http::{Request, Response},
    service::Routes,
};
use tower_service::Service;

/// Marks the answer that is to be spoiled.
const MARK: &str = "spoil this answer";

pub(crate) fn serve(plugin: Plugin) -> ExitCode {
    let garbage = Operation::new("garbage", |_| Ok(Reply::text(MARK)));
    plugin.operation(garbage).serve_as(ToString::to_string, Spoiler)
}

/// Stands between the services and the wire.
#[derive(Clone)]
struct Spoiler(Routes);

impl Service<Request<Body>> for Spoiler {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request<Body>>::poll_ready(&mut self.0, context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let answered = self.0.call(request);
        Box::pin(async move { Ok(answered.await?.map(spoiled)) })
    }
}

fn spoiled(body: Body) -> Body {
    Body::new(body.map_frame(|frame| frame.map_data(|data| spoil(&data))))
}

/// The length of the message stands before it, and stays.
fn spoil(data: &Bytes) -> Bytes {
    let marked = data.windows(MARK.len()).any(|window| window == MARK.as_bytes());
    match data.split_at_checked(5) {
        Some((head, message)) if marked => {
            let mut spoiled = head.to_vec();
            spoiled.resize(head.len() + message.len(), 0xff);
            spoiled.into()
        }
        _ => data.clone(),
    }
}
