//! Sending traces to a collector, by OTLP over HTTP.
//!
//! A span carries what lines of the log carry: ids of requests and orders, routes, names of calls. No personal data.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry::KeyValue;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Handle;

use crate::outbound::{BaseUrl, SetupError};

/// The path of the collector's interface.
const PATH: &str = "/v1/traces";
/// Time limit of one request. A collector that hangs costs spans, never answers.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Returns what collects spans and sends them in batches, in the background. Those that can't be sent are lost.
///
/// # Errors
/// Fails if the client can't be made.
pub fn provider(
    collector: &BaseUrl,
    version: &'static str,
    runtime: Handle,
) -> Result<SdkTracerProvider, SetupError> {
    const SERVICE: &str = "traces";
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .https_only(collector.is_https())
        .timeout(TIME_MAX)
        .build()
        .map_err(|source| SetupError::Client {
            service: SERVICE,
            source,
        })?;
    let sender = Sender {
        client,
        runtime,
        is_failing: Arc::default(),
    };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(sender)
        .with_endpoint(collector.join(PATH))
        .with_protocol(Protocol::HttpBinary)
        .with_timeout(TIME_MAX)
        .build()
        .map_err(|error| SetupError::Collector {
            reason: error.to_string(),
        })?;
    let resource = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", "cabinet"),
            KeyValue::new("service.version", version),
        ])
        .build();
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource)
        .build())
}

/// Sends on the runtime of the server: the batches are made by a thread that has none.
#[derive(Clone, Debug)]
struct Sender {
    client: reqwest::Client,
    runtime: Handle,
    is_failing: Arc<AtomicBool>,
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sender = self.clone();
        self.runtime
            .spawn(async move { sender.send(request).await })
            .await?
    }
}

impl Sender {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.client.execute(request.try_into()?).await;
        let is_taken = matches!(&answer, Ok(answer) if answer.status().is_success());
        // One line for one trouble.
        if self.is_failing.swap(!is_taken, Ordering::Relaxed) == is_taken {
            if is_taken {
                tracing::info!("The collector takes traces again");
            } else {
                let status = answer.as_ref().ok().map(|answer| answer.status().as_u16());
                tracing::warn!(status, "The collector does not take traces");
            }
        }
        let answer = answer?;
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = answer.status();
        Ok(response)
    }
}
