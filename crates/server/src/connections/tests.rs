//! Clients that take their time, on real sockets. Nothing is measured: a test waits until the server closes.

#![expect(
    clippy::disallowed_methods,
    reason = "the limits of connections are those of this machine"
)]

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::{any, get, post};
use cabinet_app::Leaving;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::{ConnectionLimits, serve};

/// A limit that a test waits for.
const SHORT: Duration = Duration::from_millis(100);
/// A limit that no test reaches.
const NEVER: Duration = Duration::from_secs(600);
/// Longest wait, reached only when a test fails.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// More than the buffers of a socket hold.
const LARGE: usize = 64 * 1024 * 1024;

const LIMITS: ConnectionLimits = ConnectionLimits {
    head: NEVER,
    idle: NEVER,
    body: NEVER,
    most: 100,
    most_of_address: None,
};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: cabinet\r\n\r\n";

struct Server {
    address: std::net::SocketAddr,
    /// A request to `/held` has begun.
    begun: Arc<Notify>,
    /// Lets it end.
    release: Arc<Notify>,
    stop: Arc<Notify>,
    serving: JoinHandle<()>,
}

impl Server {
    async fn start(limits: ConnectionLimits) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (begun, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (is_begun, may_end) = (Arc::clone(&begun), Arc::clone(&release));
        let held = move || {
            let (is_begun, may_end) = (Arc::clone(&is_begun), Arc::clone(&may_end));
            async move {
                is_begun.notify_one();
                may_end.notified().await;
                "done"
            }
        };
        let router = Router::new()
            .route("/held", get(held))
            .route("/", get(|| async { "here" }))
            .route("/echo", post(|body: String| async { body }))
            .route("/large", get(|| async { "x".repeat(LARGE) }))
            .route(
                "/slow",
                get(|| async {
                    tokio::time::sleep(5 * SHORT).await;
                    "done"
                }),
            )
            .route(
                "/socket",
                any(|upgrade: WebSocketUpgrade| async {
                    upgrade.on_upgrade(|mut socket| async move {
                        while let Some(Ok(message)) = socket.recv().await {
                            let _ = socket.send(message).await;
                        }
                    })
                }),
            );
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let serving = tokio::spawn(async move {
            serve(
                listener,
                router,
                limits,
                Leaving::default(),
                stopped.notified(),
            )
            .await;
        });
        Server {
            address,
            begun,
            release,
            stop,
            serving,
        }
    }

    async fn connect(&self, first: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(first).await.unwrap();
        stream
    }

    /// Connects and sends a request until this text has come. The server may close before: a short limit may be over before a slow machine
    /// has sent the head, or all places are still taken.
    async fn answered(&self, request: &[u8], text: &str) -> TcpStream {
        let trying = async {
            loop {
                let mut stream = TcpStream::connect(self.address).await.unwrap();
                let is_sent = stream.write_all(request).await.is_ok();
                if is_sent && read_to_end_or(&mut stream, text).await {
                    return stream;
                }
            }
        };
        let answered = tokio::time::timeout(WAIT_MAX, trying).await;
        answered.expect("the server answers")
    }
}

/// Reads until the text has come.
async fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let mut heard = String::new();
    while !heard.contains(text) {
        let mut buffer = [0; 4_096];
        let reading = tokio::time::timeout(WAIT_MAX, stream.read(&mut buffer));
        let count = reading.await.unwrap().unwrap();
        assert!(count > 0, "closed after: {heard}");
        heard.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    heard
}

/// Reads until the server closes. Returns what came before.
async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    let reading = tokio::time::timeout(WAIT_MAX, stream.read_to_end(&mut heard));
    // A reset is an end, too.
    let _ = reading.await.expect("the server closes");
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test]
async fn half_a_head_is_not_waited_for() {
    let limits = ConnectionLimits {
        head: SHORT,
        ..LIMITS
    };
    let server = Server::start(limits).await;
    let mut stream = server.connect(b"GET / HTTP/1.1\r\nHost: cab").await;
    assert_eq!(read_to_end(&mut stream).await, "");
    // Also where it is the second request of its connection.
    let mut stream = server.answered(REQUEST, "here").await;
    stream.write_all(b"GET / HT").await.unwrap();
    assert_eq!(read_to_end(&mut stream).await, "");
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let limits = ConnectionLimits {
        idle: SHORT,
        ..LIMITS
    };
    let server = Server::start(limits).await;
    assert_eq!(read_to_end(&mut server.connect(b"").await).await, "");
    let mut stream = server.answered(REQUEST, "here").await;
    assert_eq!(read_to_end(&mut stream).await, "");
}

#[tokio::test]
async fn a_body_that_drips_is_given_up() {
    let limits = ConnectionLimits {
        body: SHORT,
        ..LIMITS
    };
    let server = Server::start(limits).await;
    let head = b"POST /echo HTTP/1.1\r\nHost: cabinet\r\nContent-Length: 1000\r\n\r\nx";
    let mut stream = server.connect(head).await;
    let (mut reader, mut writer) = stream.split();
    let drip = async {
        while writer.write_all(b"x").await.is_ok() {
            tokio::time::sleep(SHORT / 10).await;
        }
    };
    let mut heard = Vec::new();
    tokio::select! {
        ended = tokio::time::timeout(WAIT_MAX, reader.read_to_end(&mut heard)) => {
            let _ = ended.expect("the server closes");
        }
        () = drip => {}
    }
    assert!(!String::from_utf8_lossy(&heard).contains("HTTP/1.1 200"));
    // Nothing of the request is left behind, and others are answered.
    let mut stream = server.connect(REQUEST).await;
    read_until(&mut stream, "here").await;
}

#[tokio::test]
async fn a_client_that_takes_nothing_of_its_answer_is_cut_off() {
    let limits = ConnectionLimits {
        body: SHORT,
        ..LIMITS
    };
    let server = Server::start(limits).await;
    let mut stream = server
        .connect(b"GET /large HTTP/1.1\r\nHost: cabinet\r\n\r\n")
        .await;
    // It reads again when it is cut off, which writing tells.
    let cut_off = async {
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(SHORT / 10).await;
        }
    };
    tokio::time::timeout(WAIT_MAX, cut_off)
        .await
        .expect("the server closes");
    assert!(read_to_end(&mut stream).await.len() < LARGE);
}

#[tokio::test]
async fn work_and_open_sockets_are_not_cut_off() {
    let limits = ConnectionLimits {
        head: SHORT,
        idle: SHORT,
        body: SHORT,
        ..LIMITS
    };
    let server = Server::start(limits).await;
    let slow = b"GET /slow HTTP/1.1\r\nHost: cabinet\r\n\r\n";
    server.answered(slow, "done").await;
    let upgrade = b"GET /socket HTTP/1.1\r\nHost: cabinet\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    let mut stream = server.answered(upgrade, "\r\n\r\n").await;
    tokio::time::sleep(5 * SHORT).await;
    // The text "hi" under a mask of zeros.
    stream
        .write_all(&[0x81, 0x82, 0, 0, 0, 0, b'h', b'i'])
        .await
        .unwrap();
    read_until(&mut stream, "hi").await;
}

#[tokio::test]
async fn one_address_and_all_have_their_most() {
    for limits in [
        ConnectionLimits {
            most_of_address: Some(2),
            ..LIMITS
        },
        ConnectionLimits { most: 2, ..LIMITS },
    ] {
        let server = Server::start(limits).await;
        let mut first = server.connect(REQUEST).await;
        read_until(&mut first, "here").await;
        let mut second = server.connect(REQUEST).await;
        read_until(&mut second, "here").await;
        assert_eq!(read_to_end(&mut server.connect(b"").await).await, "");
        // A place that is given back is taken by the next.
        drop(first);
        server.answered(REQUEST, "here").await;
        second.write_all(REQUEST).await.unwrap();
        read_until(&mut second, "here").await;
    }
}

/// Reads until the text has come, or the server closes. Returns whether it has come.
async fn read_to_end_or(stream: &mut TcpStream, text: &str) -> bool {
    let mut heard = String::new();
    loop {
        let mut buffer = [0; 4_096];
        let reading = tokio::time::timeout(WAIT_MAX, stream.read(&mut buffer));
        match reading.await.unwrap() {
            Ok(count) if count > 0 => {
                heard.push_str(&String::from_utf8_lossy(&buffer[..count]));
                if heard.contains(text) {
                    return true;
                }
            }
            Ok(_) | Err(_) => return false,
        }
    }
}

#[tokio::test]
async fn at_the_end_requests_in_flight_are_finished() {
    let server = Server::start(LIMITS).await;
    let mut idle = server.connect(REQUEST).await;
    read_until(&mut idle, "here").await;
    let mut busy = server
        .connect(b"GET /held HTTP/1.1\r\nHost: cabinet\r\n\r\n")
        .await;
    server.begun.notified().await;
    server.stop.notify_one();
    assert_eq!(read_to_end(&mut idle).await, "");
    server.release.notify_one();
    assert!(read_to_end(&mut busy).await.ends_with("done"));
    tokio::time::timeout(WAIT_MAX, server.serving)
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let server = Server::start(LIMITS).await;
    for (head, status) in [
        ("HTTP/1.1\r\nHost: cabinet", "200"),
        ("HTTP/1.0", "200"),
        ("HTTP/1.1", "400"),
        ("HTTP/1.1\r\nHost: cabinet\r\nHost: other", "400"),
    ] {
        let request = format!("GET / {head}\r\nConnection: close\r\n\r\n");
        let mut stream = server.connect(request.as_bytes()).await;
        let mut told = String::new();
        stream.read_to_string(&mut told).await.unwrap();
        assert_eq!(told.split(' ').nth(1), Some(status), "{head}");
    }
}
