//! Traces are sent to a collector by OTLP over HTTP.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Instant;

use cabinet_test_kit::WAITING_MAX;

use crate::server::Home;

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
    let home = Home::new();
    let mut cabinet = home.serve_with(&[("CABINET_TRACES_ENDPOINT", &endpoint)]);
    cabinet.wait_until_ready();
    // The worker does its first rounds after a second, and spans are sent every few seconds.
    let deadline = Instant::now() + WAITING_MAX;
    let mut all = Vec::new();
    while !String::from_utf8_lossy(&all).contains("worker.loop") {
        let left = deadline.saturating_duration_since(Instant::now());
        keep(&mut all, &received.recv_timeout(left).unwrap());
    }
    cabinet.stop();
    // What was not sent yet is sent at the end. The collector takes one connection after the other, so ours comes after all of them.
    let mut last = TcpStream::connect(collector_address).unwrap();
    last.write_all(b"GET /end HTTP/1.1\r\ncontent-length: 0\r\n\r\n")
        .unwrap();
    loop {
        let request = received.recv_timeout(WAITING_MAX).unwrap();
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
}
