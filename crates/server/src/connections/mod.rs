//! The connections of the web server: how many there may be, how long a client may take, and their orderly end.

#![expect(
    clippy::disallowed_methods,
    reason = "the machine has no room for a connection at the moment"
)]

mod activity;
mod body;
mod limits;
mod stream;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, StatusCode, Version, header};
use axum::response::IntoResponse as _;
use cabinet_api::{Place, Places};
use cabinet_app::Leaving;
use cabinet_metrics::{CONNECTIONS_CUT, CONNECTIONS_OPEN, CONNECTIONS_REFUSED, Held, RefusedBy};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use self::activity::Activity;
use self::body::{CountedBody, TimedBody};
pub use self::limits::ConnectionLimits;
use self::stream::WatchedStream;

/// Pause after a connection could not be accepted, mostly because the process has too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// Serves connections until `stop`, then finishes requests in flight. While it is `leaving`, each connection ends with its next answer, so that a
/// proxy sends nothing into one that is closed in the same moment.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    leaving: Leaving,
    stop: impl Future<Output = ()>,
) {
    let all = Arc::new(Semaphore::new(limits.most));
    let by_address = limits.most_of_address.map(Places::new);
    let (ending, ended) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => continue,
            accepted = accept(&listener) => accepted,
        };
        let Ok(of_all) = all.clone().try_acquire_owned() else {
            CONNECTIONS_REFUSED.count(RefusedBy::All);
            continue;
        };
        let of_address = match &by_address {
            None => None,
            Some(places) => {
                let place = places.take(peer.ip());
                if place.is_none() {
                    CONNECTIONS_REFUSED.count(RefusedBy::Address);
                    continue;
                }
                place
            }
        };
        let places = Occupied {
            _of_all: of_all,
            _of_address: of_address,
            _counted: CONNECTIONS_OPEN.hold(()),
        };
        connections.spawn(connection(
            stream,
            peer,
            router.clone(),
            limits,
            places,
            leaving.clone(),
            ended.clone(),
        ));
    }
    drop(listener);
    ending.send_replace(true);
    while connections.join_next().await.is_some() {}
}

/// The places of a connection. They stay taken while it is open, also as a realtime connection.
struct Occupied {
    _of_all: OwnedSemaphorePermit,
    _of_address: Option<Place>,
    _counted: Held,
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are small and complete, so nothing is gained by waiting for more.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) => {
                tracing::error!(%error, "A connection can't be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Serves a connection until a side closes it, or a time limit is over.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: ConnectionLimits,
    places: Occupied,
    leaving: Leaving,
    mut ended: watch::Receiver<bool>,
) {
    let activity = Arc::new(Activity::new(limits));
    let stream = WatchedStream::new(stream, Arc::clone(&activity), places);
    let service = {
        let activity = Arc::clone(&activity);
        service_fn(move |request| {
            let answer = answer(request, peer, router.clone(), Arc::clone(&activity));
            let leaving = leaving.clone();
            async move {
                let mut response = answer.await?;
                if leaving.has_begun() && response.status() != StatusCode::SWITCHING_PROTOCOLS {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(header::CONNECTION, close);
                }
                Ok::<_, Infallible>(response)
            }
        })
    };
    let serving = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = pin!(serving);
    let mut is_ending = false;
    loop {
        tokio::select! {
            // An error is that of a client that went away or sent no HTTP.
            _ = &mut serving => return,
            limit = activity.overdue() => {
                CONNECTIONS_CUT.count(limit);
                return;
            }
            _ = ended.wait_for(|ended| *ended), if !is_ending => {
                is_ending = true;
                serving.as_mut().graceful_shutdown();
            }
        }
    }
}

/// A request by HTTP/1.1 names its host once (RFC 9112, 3.2).
fn names_one_host(request: &Request<Incoming>) -> bool {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    request.version() != Version::HTTP_11 || hosts == 1
}

async fn answer(
    request: Request<Incoming>,
    peer: SocketAddr,
    router: Router,
    activity: Arc<Activity>,
) -> Result<Response<Body>, Infallible> {
    let busy = Activity::begin(&activity);
    if !names_one_host(&request) {
        let refused = (StatusCode::BAD_REQUEST, [(header::CONNECTION, "close")]).into_response();
        return Ok(refused.map(|body| Body::new(CountedBody::new(body, busy))));
    }
    let time = activity.limits().body;
    let mut request = request.map(|body| Body::new(TimedBody::new(body, time)));
    request.extensions_mut().insert(ConnectInfo(peer));
    let response = router.oneshot(request).await?;
    Ok(response.map(|body| Body::new(CountedBody::new(body, busy))))
}
