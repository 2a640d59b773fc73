//! A sandbox on a free port, a merchant that receives its reports, and the adapters that call it.

#![expect(
    clippy::disallowed_methods,
    reason = "a test looks again until a state comes"
)]
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

pub mod paying_bank;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use cabinet_domain::{Clock, Money, Randomness};
use cabinet_gateways::acquirer::{
    Acquirer as _, CardToken, Invoice, InvoiceId, InvoiceKind, InvoiceRequest, PaymentReference,
    SavedCardPayment, WalletId,
};
use cabinet_gateways::liqpay::{LiqPay, LiqPaySettings};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_sandbox::{LedgerEntry, Sandbox, SandboxSettings};
use jiff::Timestamp;
use rand::rngs::StdRng;
use rand::{RngCore as _, SeedableRng as _};
use secrecy::SecretString;
use serde_json::Value;
use tokio::net::TcpListener;

/// A clock that is moved by hand.
pub struct HandClock(Mutex<Timestamp>);

impl HandClock {
    pub fn at_start() -> Self {
        Self(Mutex::new(START.parse().unwrap()))
    }

    pub fn advance(&self, by: Duration) {
        let mut now = self.0.lock().unwrap();
        *now = now.checked_add(by).unwrap();
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

pub struct SeededRandomness(Mutex<StdRng>);

impl Randomness for SeededRandomness {
    fn fill(&self, buffer: &mut [u8]) {
        self.0.lock().unwrap().fill_bytes(buffer);
    }
}

pub fn randomness(seed: u64) -> Arc<SeededRandomness> {
    Arc::new(SeededRandomness(Mutex::new(StdRng::seed_from_u64(seed))))
}

/// A request that the merchant received.
#[derive(Clone, Debug)]
pub struct Taken {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Taken {
    pub fn signature(&self) -> Option<&str> {
        self.headers.get("x-sign")?.to_str().ok()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn status(&self) -> String {
        self.json()["status"].as_str().unwrap().to_owned()
    }
}

/// The merchant's server: records every request, and answers as the test says.
#[derive(Clone)]
pub struct Merchant {
    pub url: String,
    taken: Arc<Mutex<Vec<Taken>>>,
    answer: Arc<Mutex<(StatusCode, String)>>,
}

impl Merchant {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let merchant = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            taken: Arc::default(),
            answer: Arc::new(Mutex::new((StatusCode::OK, String::new()))),
        };
        let take = |State(merchant): State<Merchant>, uri: Uri, headers: HeaderMap, body: Bytes| async move {
            merchant.taken.lock().unwrap().push(Taken {
                path: uri.to_string(),
                headers,
                body,
            });
            merchant.answer.lock().unwrap().clone()
        };
        let router = axum::Router::new()
            .fallback(take)
            .with_state(merchant.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        merchant
    }

    pub fn answer_with(&self, status: StatusCode, body: &str) {
        *self.answer.lock().unwrap() = (status, body.to_owned());
    }

    pub fn taken(&self) -> Vec<Taken> {
        self.taken.lock().unwrap().clone()
    }

    /// Waits until so many requests were received. Returns them.
    pub async fn wait_for(&self, count: usize) -> Vec<Taken> {
        let found = until(|| Some(self.taken()).filter(|taken| taken.len() >= count)).await;
        found.unwrap_or_else(|| panic!("{count} requests expected, {:#?} came", self.taken()))
    }
}

/// How long a test waits for what must come. It only ends what hangs: no machine is so slow that it needs half an hour.
const WAITING_MAX: Duration = Duration::from_mins(30);

/// Repeats a check until it finds something, for [`WAITING_MAX`].
pub async fn until<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let until = Instant::now() + WAITING_MAX;
    while Instant::now() < until {
        if let Some(found) = look() {
            return Some(found);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    None
}

pub struct World {
    pub sandbox: Sandbox,
    pub clock: Arc<HandClock>,
    pub url: String,
    pub merchant: Merchant,
    pub acquirer: Monobank,
    pub liqpay: LiqPay,
    client: reqwest::Client,
}

/// The time limit of calls. One that gets no answer ends when the sandbox closes its connection.
pub const AMPLE: Duration = Duration::from_secs(30);

pub const START: &str = "2026-11-20T10:00:00Z";

/// Starts a sandbox with short times on a free port, with settings that `change` may change.
pub async fn world_with(change: impl FnOnce(&mut SandboxSettings)) -> World {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let mut settings = SandboxSettings::new(&url);
    settings.report_delay = Duration::from_millis(1);
    settings.report_retry_delays = vec![Duration::from_millis(20), Duration::from_millis(20)];
    settings.processing_time = Duration::from_millis(150);
    settings.hold_limit = Duration::from_millis(50);
    change(&mut settings);
    let clock = Arc::new(HandClock::at_start());
    let acquirer = acquirer(&url, &settings.acquirer_token);
    let liqpay = liqpay(&url, &settings);
    let sandbox = Sandbox::new(settings, clock.clone(), randomness(7)).unwrap();
    let served = sandbox.clone();
    tokio::spawn(async move {
        served
            .serve(listener, std::future::pending())
            .await
            .unwrap()
    });
    World {
        sandbox,
        clock,
        url,
        merchant: Merchant::start().await,
        acquirer,
        liqpay,
        client: reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap(),
    }
}

pub async fn world() -> World {
    world_with(|_| {}).await
}

/// Returns an adapter with an ample time limit.
pub fn acquirer(url: &str, token: &str) -> Monobank {
    acquirer_within(AMPLE, url, token)
}

pub fn acquirer_within(time_limit: Duration, url: &str, token: &str) -> Monobank {
    let mut settings = MonobankSettings::new(
        BaseUrl::parse(url).unwrap(),
        SecretString::from(token.to_owned()),
    );
    settings.time_limit = time_limit;
    settings.charge_time_limit = time_limit;
    settings.key_reread_interval = Duration::ZERO;
    Monobank::new(settings).unwrap()
}

/// Returns an adapter with an ample time limit.
pub fn liqpay(url: &str, of_sandbox: &SandboxSettings) -> LiqPay {
    let mut settings = LiqPaySettings::new(
        BaseUrl::parse(url).unwrap(),
        of_sandbox.liqpay_public_key.clone(),
        SecretString::from(of_sandbox.liqpay_private_key.clone()),
    );
    settings.time_limit = AMPLE;
    settings.refund_time_limit = AMPLE;
    LiqPay::new(settings).unwrap()
}

pub fn money(kopiykas: i64) -> Money {
    Money::from_kopiykas(kopiykas).unwrap()
}

pub fn reference(text: &str) -> PaymentReference {
    PaymentReference::parse(text).unwrap()
}

pub fn wallet(text: &str) -> WalletId {
    WalletId::parse(text).unwrap()
}

impl World {
    pub fn invoice_request(&self, name: &str, kopiykas: i64) -> InvoiceRequest {
        InvoiceRequest {
            payment_reference: reference(name),
            amount: money(kopiykas),
            destination: "Адміністративний збір".to_owned(),
            redirect_url: format!("{}/order/{name}", self.merchant.url),
            report_url: format!("{}/report", self.merchant.url),
            asked_at: self.clock.now(),
            validity_seconds: 3600,
            lines: Vec::new(),
            kind: InvoiceKind::Debit,
            in_frame: false,
            marks: None,
        }
    }

    pub async fn invoice(&self, name: &str, kopiykas: i64) -> Invoice {
        self.acquirer
            .create_invoice(&self.invoice_request(name, kopiykas))
            .await
            .unwrap()
    }

    pub fn card_payment(&self, name: &str, kopiykas: i64, token: &str) -> SavedCardPayment {
        SavedCardPayment {
            payment_reference: reference(name),
            amount: money(kopiykas),
            destination: "Адміністративний збір".to_owned(),
            token: CardToken::parse(token).unwrap(),
            redirect_url: format!("{}/order/{name}", self.merchant.url),
            report_url: format!("{}/report", self.merchant.url),
            lines: Vec::new(),
            marks: None,
        }
    }

    /// Pays an invoice by the form of its payment page.
    pub async fn pay(&self, invoice: &InvoiceId, card: &str) -> Value {
        let path = format!("/sandbox/invoices/{invoice}/pay");
        let (status, answer) = self.post(&path, &serde_json::json!({"card": card})).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }

    pub async fn faults(&self, faults: Value) {
        let answer = self
            .client
            .put(format!("{}/sandbox/faults", self.url))
            .json(&faults)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    }

    /// Waits until every fault that was set has begun.
    pub async fn until_faults_begin(&self) {
        while self.get("/sandbox/faults").await.1 != serde_json::json!([]) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let answer = self
            .client
            .post(format!("{}{path}", self.url))
            .json(body)
            .send()
            .await
            .unwrap();
        (
            answer.status().as_u16(),
            answer.json().await.unwrap_or_default(),
        )
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let answer = self
            .client
            .get(format!("{}{path}", self.url))
            .send()
            .await
            .unwrap();
        (
            answer.status().as_u16(),
            answer.json().await.unwrap_or_default(),
        )
    }

    /// Returns an HTTP client that follows no redirects.
    pub fn client(&self) -> &reqwest::Client {
        &self.client
    }

    /// Returns the ledger read over HTTP, which must equal the one of the handle.
    pub async fn ledger(&self) -> Vec<LedgerEntry> {
        let (status, lines) = self.get("/sandbox/ledger").await;
        assert_eq!(status, 200);
        let lines: Vec<LedgerEntry> = serde_json::from_value(lines).unwrap();
        assert_eq!(lines, self.sandbox.ledger());
        lines
    }
}
