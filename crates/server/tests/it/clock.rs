//! One clock for the cabinet and its sandbox, which the sandbox's interface for tests advances.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use cabinet_clock::SystemClock;
use cabinet_domain::Clock as _;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::server::{Home, Server, ask, free_address};

const PHONE: &str = "+380501112233";

/// A cabinet with its sandbox at a known address.
struct World {
    /// The last field in use, so that the folder outlives its server.
    server: Server,
    sandbox: SocketAddr,
    home: Home,
}

/// What a server answered.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: Value,
}

impl Answer {
    /// The time in its header `Date`, in seconds since 1970.
    fn date(&self) -> i64 {
        let lines = self.head.lines();
        let mut dates = lines.filter_map(|line| line.split_once(": "));
        let date = dates.find(|(name, _)| name.eq_ignore_ascii_case("date"));
        let date = jiff::fmt::rfc2822::parse(date.unwrap().1).unwrap();
        date.timestamp().as_second()
    }
}

/// Sends a request with a JSON body.
fn send(to: SocketAddr, method: &str, path: &str, headers: &str, body: &Value) -> Answer {
    let body = body.to_string();
    let mut stream = TcpStream::connect(to).unwrap();
    let limit = Some(Duration::from_secs(60));
    stream.set_read_timeout(limit).unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap();
    Answer {
        status: status.parse().unwrap(),
        head: head.to_owned(),
        body: serde_json::from_str(body).unwrap_or_default(),
    }
}

impl World {
    fn start(settings: &[(&str, &str)]) -> World {
        World::start_at(Home::new(), settings)
    }

    fn start_at(home: Home, settings: &[(&str, &str)]) -> World {
        let sandbox = free_address();
        let address = sandbox.to_string();
        let own = [("CABINET_SANDBOX_LISTEN", address.as_str())];
        let mut server = home.serve_with(&[&own[..], settings].concat());
        server.wait_until_ready();
        World {
            server,
            sandbox,
            home,
        }
    }

    fn sandbox(&self, method: &str, path: &str, body: &Value) -> Answer {
        send(self.sandbox, method, path, "", body)
    }

    fn advance(&self, seconds: &Value) -> Answer {
        let body = json!({ "advance_seconds": seconds });
        self.sandbox("PUT", "/sandbox/clock", &body)
    }

    /// Advances the clock.
    #[track_caller]
    fn advanced(&self, seconds: u64) {
        let answer = self.advance(&json!(seconds));
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    fn call(&self, path: &str, body: &Value) -> Answer {
        send(self.server.listen, "POST", &format!("/api{path}"), "", body)
    }

    /// Asks for a code.
    fn ask_for_code(&self) -> Answer {
        self.call("/auth/login", &json!({ "phone": PHONE }))
    }

    /// Enters the newest code that arrived.
    fn enter(&self, operation: &Value) -> Answer {
        let messages = format!("/sandbox/messages?phone={}", &PHONE[1..]);
        let messages = self.sandbox("GET", &messages, &Value::Null).body;
        let code: String = messages[0]["text"]
            .as_str()
            .unwrap()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let body = json!({ "phone": PHONE, "otp_code": code, "operation_id": operation });
        self.call("/auth/login/otp", &body)
    }
}

#[test]
fn a_code_expires_and_the_pause_before_another_ends_when_the_clock_is_advanced() {
    let world = World::start(&[]);
    let first = world.ask_for_code();
    assert_eq!(first.status, 200, "{first:?}");
    assert_eq!(world.ask_for_code().body["message"], "otp_too_soon");
    world.advanced(5 * 60);
    let late = world.enter(&first.body["operation_id"]);
    assert_eq!(late.body["message"], "otp_expired", "{late:?}");
    let second = world.ask_for_code();
    assert_eq!(second.status, 200, "{second:?}");
    let signed_in = world.enter(&second.body["operation_id"]);
    assert_eq!(signed_in.status, 200, "{signed_in:?}");
    // An access token is checked against the same clock.
    let bearer = format!(
        "authorization: Bearer {}\r\n",
        signed_in.body["access_token"].as_str().unwrap()
    );
    let cart = || send(world.server.listen, "GET", "/api/cart", &bearer, &json!({})).status;
    assert_eq!(cart(), 200);
    world.advanced(24 * 60 * 60);
    assert_eq!(cart(), 401);
}

#[test]
fn places_of_a_limit_become_free_when_the_clock_is_advanced() {
    let world = World::start(&[("CABINET_LIMITS_LOGIN_ATTEMPTS_PER_MINUTE", "1")]);
    // What stands in the body is looked at later.
    let attempt = || world.call("/auth/login", &json!({})).status;
    while attempt() != 429 {}
    world.advanced(60);
    assert_eq!(attempt(), 422);
}

#[test]
fn a_service_is_tried_again_when_the_clock_is_advanced_by_the_breakers_pause() {
    let world = World::start(&[]);
    let started = world.ask_for_code();
    let signed_in = world.enter(&started.body["operation_id"]);
    let bearer = format!(
        "authorization: Bearer {}\r\n",
        signed_in.body["access_token"].as_str().unwrap()
    );
    let path = "/api/order/token/get-all-tokens-by-phone";
    let cards = || send(world.server.listen, "GET", path, &bearer, &Value::Null).status;
    assert_eq!(cards(), 200);
    let fault = json!({ "service": "acquirer", "kind": "status_500", "calls": 1_000 });
    assert_eq!(world.sandbox("PUT", "/sandbox/faults", &fault).status, 200);
    let left = || {
        let faults = world.sandbox("GET", "/sandbox/faults", &Value::Null).body;
        faults[0]["calls"].as_u64().unwrap()
    };
    // Until a call does not get to the acquirer any more.
    loop {
        let before = left();
        assert!(cards() >= 500);
        if left() == before {
            break;
        }
    }
    world.sandbox("DELETE", "/sandbox/faults", &Value::Null);
    world.advanced(5);
    assert_eq!(cards(), 200);
}

#[test]
fn the_bank_and_its_date_follow_the_clock() {
    let world = World::start(&[]);
    let token = "X-Token: sandbox-acquirer-token\r\n";
    let merchant = |method: &str, path: &str, body: &Value| {
        let path = format!("/api/merchant/{path}");
        send(world.sandbox, method, &path, token, body)
    };
    let invoice = merchant("POST", "invoice/create", &json!({ "amount": 4_200 }));
    let id = invoice.body["invoiceId"].as_str().unwrap();
    let card = json!({ "card": "4000000000000259" });
    let pay = format!("/sandbox/invoices/{id}/pay");
    assert_eq!(world.sandbox("POST", &pay, &card).status, 200);
    world.advanced(8);
    let path = format!("invoice/status?invoiceId={id}");
    let paid = merchant("GET", &path, &Value::Null);
    assert_eq!(paid.body["status"], "success", "{paid:?}");
    world.advanced(30 * 24 * 60 * 60);
    let later = merchant("GET", &path, &Value::Null);
    let passed = later.date() - paid.date();
    assert!(passed >= 30 * 24 * 60 * 60, "{passed}");
}

#[test]
fn the_workers_next_round_comes_when_the_clock_is_advanced() {
    let operations = free_address();
    let address = operations.to_string();
    let world = World::start(&[("CABINET_OPERATIONS_LISTEN", &address)]);
    // These loops rest for ten minutes, and for one.
    let rounds = |of_loop: &str| {
        let metrics = ask(operations, "/metrics").unwrap();
        let line = format!("cabinet_worker_rounds_total{{loop=\"{of_loop}\",outcome=\"ok\"}} ");
        let count = metrics.lines().find_map(|found| found.strip_prefix(&line));
        count.map_or(0, |count| count.parse().unwrap())
    };
    for round in 1..=3_u32 {
        world.advanced(600);
        for of_loop in ["statement", "cards"] {
            world
                .server
                .wait_until(|| rounds(of_loop) >= round, "the round does not come");
        }
    }
}

#[test]
fn the_fees_of_the_next_year_are_counted_as_missing_from_1_december() {
    let operations = free_address();
    let address = operations.to_string();
    let world = World::start(&[("CABINET_OPERATIONS_LISTEN", &address)]);
    let counted = |of_year: &str| {
        let metrics = ask(operations, "/metrics").unwrap();
        let line = format!("cabinet_fees_outdated{{year=\"{of_year}\"}} ");
        let count = metrics.lines().find_map(|found| found.strip_prefix(&line));
        count.unwrap().parse::<u32>().unwrap()
    };
    let now = SystemClock::default()
        .now()
        .to_zoned(jiff::tz::TimeZone::get("Europe/Kyiv").unwrap());
    if now.month() < 12 {
        assert_eq!(counted("next"), 0);
    }
    let day = jiff::civil::date(now.year(), 12, 1).to_zoned(now.time_zone().clone());
    let seconds = now.duration_until(&day.unwrap()).as_secs().max(0);
    world.advanced(u64::try_from(seconds).unwrap() + 60);
    world
        .server
        .wait_until(|| counted("next") == 34, "nothing is counted");
}

#[test]
fn the_clock_goes_forward_only_and_tells_its_time() {
    let world = World::start(&[]);
    for (wrong, status, words) in [
        (json!(0), 422, "forward only"),
        (json!(-5), 422, "forward only"),
        (json!(1.5), 400, "expected i64"),
        (json!("60"), 400, "expected i64"),
        (json!(null), 400, "expected i64"),
        (json!(9_000_000_000_u64), 422, "and was by 0"),
        (json!(u64::MAX), 400, "expected i64"),
    ] {
        let refused = world.advance(&wrong);
        let text = refused.body["error"].as_str().unwrap_or_default();
        assert!(
            refused.status == status && text.contains(words),
            "{wrong}: {refused:?}"
        );
    }
    let shown = || world.sandbox("GET", "/sandbox/clock", &Value::Null).body;
    assert_eq!(shown()["advanced_seconds"], 0);
    let answer = world.advance(&json!(3_600));
    assert_eq!(answer.body["advanced_seconds"], 3_600);
    let now = |clock: &Value| {
        let now: Timestamp = clock["now"].as_str().unwrap().parse().unwrap();
        now.as_second()
    };
    // The header has whole seconds.
    assert!((now(&answer.body) - answer.date()).abs() <= 1, "{answer:?}");
    assert!(now(&shown()) >= now(&answer.body));

    // It is the sandbox's call: the cabinet itself has none.
    for path in ["/sandbox/clock", "/api/sandbox/clock"] {
        let body = json!({ "advance_seconds": 1 });
        let answer = send(world.server.listen, "PUT", path, "", &body);
        assert!([404, 405].contains(&answer.status), "{path}: {answer:?}");
    }
    assert_eq!(shown()["advanced_seconds"], 3_600);

    // Nor does it go back at a restart: what happened at a later time stands in the database.
    let World {
        mut server, home, ..
    } = world;
    server.stop();
    let world = World::start_at(home, &[]);
    let clock = world.sandbox("GET", "/sandbox/clock", &Value::Null).body;
    assert_eq!(clock["advanced_seconds"], 3_600);
    assert!(now(&clock) >= now(&answer.body));
}
