//! Serves the sandbox on a socket.
//!
//! A loop of its own rather than axum's, because a fault may ask for a connection to be closed without an answer, which
//! a router alone cannot do.

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

use crate::faults::CloseConnection;
use crate::sandbox::Sandbox;

/// How long connections may finish after the end was asked for.
const GRACE: Duration = Duration::from_secs(2);

/// A connection is closed on order.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed on order")]
struct ClosedOnOrder;

impl Sandbox {
    /// Serves until `shutdown` is ready, and then lets running requests finish for a short while.
    pub async fn serve(
        &self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send,
    ) -> std::io::Result<()> {
        self.resume_slow_payments();
        let router = self.router();
        let connections = GracefulShutdown::new();
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        // Too many open files, for instance: others may be closed soon.
                        tracing::warn!(%error, "The sandbox cannot take a connection");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut shutdown => break,
            };
            // Answers are small and waited for: nothing is gained by collecting them.
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
                // A connection that breaks concerns only the one at its other end.
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
            // The sandbox's own time, which may not be the machine's.
            let date = jiff::fmt::rfc2822::DateTimePrinter::new()
                .timestamp_to_rfc9110_string(&sandbox.now());
            if let Some(date) = date.ok().and_then(|date| HeaderValue::from_str(&date).ok()) {
                response.headers_mut().insert(DATE, date);
            }
            Ok(response)
        }
        Err(never) => match never {},
    }
}
