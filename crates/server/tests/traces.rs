//! Traces are sent to a collector by OTLP over HTTP.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

fn is_ready(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with("HTTP/1.0 200"))
}

/// Reads one request, head and body, and answers it.
fn take(mut stream: TcpStream) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        request.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&request).to_ascii_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let (_, length) = head.split_once("content-length: ")?;
        let length: usize = length.split("\r\n").next()?.parse().ok()?;
        if request.len() >= head.len() + 4 + length {
            break;
        }
    }
    stream
        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        .ok()?;
    Some(request)
}

/// Adds a request to what the collector has got.
fn keep(all: &mut Vec<u8>, request: &[u8]) {
    assert!(request.starts_with(b"POST /v1/traces HTTP/1.1"));
    all.extend(request);
}

#[test]
fn a_collector_gets_the_spans_of_requests_and_rounds() {
    let collector = TcpListener::bind("127.0.0.1:0").unwrap();
    let collector_address = collector.local_addr().unwrap();
    let endpoint = format!("http://{collector_address}");
    let (sender, received) = mpsc::channel();
    std::thread::spawn(move || {
        for request in collector.incoming().flatten().filter_map(take) {
            if sender.send(request).is_err() {
                return;
            }
        }
    });
    let folder = std::env::temp_dir().join(format!("cabinet_traces_{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let listen = free_address();
    let mut cabinet = Command::new(env!("CARGO_BIN_EXE_cabinet"))
        .args(["serve", "--sandbox"])
        .env_clear()
        .env(
            "CABINET_DATABASE_URL",
            format!("sqlite:{}/cabinet.db", folder.display()),
        )
        .env("CABINET_LISTEN", listen.to_string())
        .env("CABINET_SANDBOX_LISTEN", free_address().to_string())
        .env("CABINET_TRACES_ENDPOINT", &endpoint)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut tries = 0;
    while !is_ready(listen) {
        tries += 1;
        assert!(tries < 600, "the cabinet does not get ready");
        std::thread::sleep(Duration::from_millis(100));
    }
    // The worker does its first rounds after a second, and spans are sent every few seconds.
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut all = Vec::new();
    while !String::from_utf8_lossy(&all).contains("worker.loop") {
        let left = deadline.saturating_duration_since(Instant::now());
        keep(&mut all, &received.recv_timeout(left).unwrap());
    }
    let pid = cabinet.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert!(cabinet.wait().unwrap().success());
    // What was not sent yet is sent at the end. The collector takes one connection after the other, so ours comes after all of them.
    let mut last = TcpStream::connect(collector_address).unwrap();
    last.write_all(b"GET /end HTTP/1.1\r\ncontent-length: 0\r\n\r\n")
        .unwrap();
    loop {
        let request = received.recv_timeout(Duration::from_secs(60)).unwrap();
        if request.starts_with(b"GET /end") {
            break;
        }
        keep(&mut all, &request);
    }
    let text = String::from_utf8_lossy(&all);
    for expected in [
        "service.name",
        "cabinet",
        "request.id",
        "/readyz",
        "worker.loop",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
