//! Spans on their way out, without secrets: the last place all of them pass.

use std::{borrow::Cow, time::Duration};

use opentelemetry::{Array, KeyValue, StringValue, Value, trace::Status};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{SpanData, SpanExporter},
};

use crate::secrets;

/// Sends what is left of spans when secrets are struck out.
#[derive(Debug)]
pub(super) struct Clean<E>(pub(super) E);

impl<E: SpanExporter> SpanExporter for Clean<E> {
    fn export(&self, batch: Vec<SpanData>) -> impl Future<Output = OTelSdkResult> + Send {
        self.0.export(batch.into_iter().map(cleaned).collect())
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn cleaned(mut span: SpanData) -> SpanData {
    span.name = Cow::Owned(secrets::quoted(&span.name));
    strip(&mut span.attributes);
    for event in &mut span.events.events {
        event.name = Cow::Owned(secrets::quoted(&event.name));
        strip(&mut event.attributes);
    }
    for link in &mut span.links.links {
        strip(&mut link.attributes);
    }
    if let Status::Error { description } = &mut span.status {
        *description = Cow::Owned(secrets::quoted(description));
    }
    span
}

fn strip(attributes: &mut [KeyValue]) {
    for attribute in attributes {
        match &mut attribute.value {
            Value::String(text) => *text = struck(text),
            Value::Array(Array::String(texts)) => {
                for text in texts {
                    *text = struck(text);
                }
            }
            // Numbers and booleans hold no secret.
            _ => {}
        }
    }
}

fn struck(text: &StringValue) -> StringValue {
    secrets::quoted(text.as_str()).into()
}
