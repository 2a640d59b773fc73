//! Serves the sandbox on a socket.
//!
//! It has an accept loop of its own, because axum's server cannot close a connection without an answer, which some faults ask
//! for.

#![expect(
    clippy::disallowed_methods,
    reason = "the machine has no room for a connection at the moment"
)]

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header::DATE;
use axum::http::{HeaderValue, Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tower::ServiceExt as _;

use crate::faults::{CloseConnection, DateAhead};
use crate::sandbox::Sandbox;

/// How long running requests may take after the shutdown was asked for.
const GRACE: Duration = Duration::from_secs(2);

/// A fault closes the connection.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed on order")]
struct ClosedOnOrder;

impl Sandbox {
    /// Serves until `shutdown` is ready, then waits up to 2 s for running requests.
    pub async fn serve(
        &self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send,
    ) -> std::io::Result<()> {
        self.resume_slow_invoices();
        let router = self.router();
        let connections = GracefulShutdown::new();
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        // Too many open files, for instance. It may pass when others are closed.
                        tracing::warn!(%error, "The sandbox cannot take a connection");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut shutdown => break,
            };
            // Answers are small, so waiting for more data (Nagle's algorithm) would only delay them.
            let _ = stream.set_nodelay(true);
            let router = router.clone();
            let sandbox = self.clone();
            let service =
                service_fn(move |request| answer(sandbox.clone(), router.clone(), request));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            let connection = connections.watch(connection);
            tokio::spawn(async move {
                // A broken connection concerns only its client.
                let _ = connection.await;
            });
        }
        drop(listener);
        let _ = tokio::time::timeout(GRACE, connections.shutdown()).await;
        Ok(())
    }
}

async fn answer(
    sandbox: Sandbox,
    router: Router,
    request: Request<Incoming>,
) -> Result<Response<Body>, ClosedOnOrder> {
    let response: Result<_, Infallible> = router.oneshot(request.map(Body::new)).await;
    match response {
        Ok(response) if response.extensions().get::<CloseConnection>().is_some() => {
            Err(ClosedOnOrder)
        }
        Ok(mut response) => {
            // The time of the sandbox's clock, which may differ from the machine's.
            let ahead = response.extensions().get::<DateAhead>();
            let ahead = ahead.map_or(Duration::ZERO, |ahead| ahead.0);
            let date = jiff::fmt::rfc2822::DateTimePrinter::new()
                .timestamp_to_rfc9110_string(&(sandbox.now() + ahead));
            if let Some(date) = date.ok().and_then(|date| HeaderValue::from_str(&date).ok()) {
                response.headers_mut().insert(DATE, date);
            }
            Ok(response)
        }
        Err(never) => match never {},
    }
}
