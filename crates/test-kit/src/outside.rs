//! The outside of the cabinet: a sandbox on its own port, and what people do there.

#![expect(
    clippy::disallowed_methods,
    reason = "a test looks again until a state comes"
)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use cabinet_domain::{Phone, Randomness};
use cabinet_sandbox::{Fault, LedgerEntry, Letter, Sandbox, SandboxSettings};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::HandClock;

/// How long a slow card stays processing, by the clock that the test moves. It is far longer than a test takes, so no test depends on the
/// speed of the machine.
pub const SLOW_CARD_SECONDS: i64 = 300;

/// The outside services and the people who use them.
pub struct Outside {
    /// The sandbox itself.
    pub sandbox: Sandbox,
    /// Its address.
    pub url: String,
    /// The address of its mail server.
    pub smtp_address: SocketAddr,
    /// Its settings, tokens included.
    pub settings: SandboxSettings,
    pub(crate) client: reqwest::Client,
}

impl Outside {
    /// Returns the merchant's token at the acquirer.
    pub fn acquirer_token(&self) -> &str {
        &self.settings.acquirer_token
    }

    /// Serves a sandbox on a free port. Its times are short, but that of a slow card. A call that gets no answer ends when the sandbox closes the
    /// connection, which tells the cabinet as little as a time limit that is over: the limit can be ample for all other calls.
    pub(crate) async fn serve(clock: Arc<HandClock>, randomness: Arc<dyn Randomness>) -> Outside {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port can be bound");
        let address = listener.local_addr().expect("a bound port has an address");
        let url = format!("http://{address}");
        let mut settings = SandboxSettings::new(&url);
        settings.report_delay = Duration::from_millis(1);
        settings.report_retry_delays = vec![Duration::from_millis(50); 3];
        settings.processing_time = Duration::from_secs(SLOW_CARD_SECONDS.unsigned_abs());
        settings.hold_limit = Duration::from_millis(50);
        settings.time = clock.time().clone();
        let sandbox = Sandbox::new(settings.clone(), clock, randomness)
            .expect("a sandbox without a journal needs nothing");
        let smtp = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port can be bound");
        let smtp_address = smtp.local_addr().expect("a bound port has an address");
        let served = sandbox.clone();
        tokio::spawn(async move { served.serve_smtp(smtp, std::future::pending()).await });
        let served = sandbox.clone();
        tokio::spawn(async move { served.serve(listener, std::future::pending()).await });
        Outside {
            sandbox,
            url,
            smtp_address,
            settings,
            client: reqwest::Client::builder()
                .no_proxy()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .expect("a client for plain HTTP can be made"),
        }
    }

    /// Returns host and port.
    pub(crate) fn host(&self) -> String {
        self.url.trim_start_matches("http://").to_owned()
    }

    /// Sets faults in place of those set before. Panics if a service can't fail in this way.
    pub async fn faults(&self, faults: &[Fault]) {
        let answer = self
            .client
            .put(format!("{}/sandbox/faults", self.url))
            .json(&faults)
            .send()
            .await
            .expect("the sandbox answers");
        assert_eq!(
            answer.status(),
            200,
            "{}",
            answer.text().await.unwrap_or_default()
        );
    }

    /// Waits until every fault that was set has begun.
    pub async fn until_faults_begin(&self) {
        loop {
            let answer = self
                .client
                .get(format!("{}/sandbox/faults", self.url))
                .send()
                .await
                .expect("the sandbox answers");
            let waiting: Vec<Fault> = answer.json().await.expect("a list of faults");
            if waiting.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Opens a page of LiqPay, as a browser does. Returns the address of the form that it leads to, which can be paid like that of the other
    /// acquirer; of a page that is refused, the status.
    pub async fn open_liqpay(&self, page_url: &str) -> Result<String, u16> {
        let answer = self.client.get(page_url).send().await;
        let answer = answer.expect("the sandbox answers");
        let to = answer.headers().get("location");
        let to = to.and_then(|to| to.to_str().ok());
        to.map(|to| format!("{}{to}", self.url))
            .ok_or(answer.status().as_u16())
    }

    /// Pays an invoice with a card. Returns the invoice's status.
    pub async fn pay(&self, page_url: &str, card: &str) -> String {
        let body = json!({ "card": card });
        self.post_for_status(invoice_of(page_url), "pay", &body)
            .await
    }

    /// Pays like [`Self::pay`] and saves the card.
    pub async fn pay_and_save(&self, page_url: &str, card: &str) -> String {
        let body = json!({ "card": card, "save_card": true });
        self.post_for_status(invoice_of(page_url), "pay", &body)
            .await
    }

    /// Answers the 3-D Secure page. Returns the invoice's status.
    pub async fn answer_three_d_secure(&self, page_url: &str, confirm: bool) -> String {
        let page_url = page_url.trim_end_matches("/3ds");
        let body = json!({ "confirm": confirm });
        self.post_for_status(invoice_of(page_url), "three-d-secure", &body)
            .await
    }

    async fn post_for_status(&self, invoice: &str, what: &str, body: &Value) -> String {
        let (status, answer) = self
            .post(&format!("/sandbox/invoices/{invoice}/{what}"), body)
            .await;
        if status == 200 {
            answer["status"].as_str().unwrap_or_default().to_owned()
        } else {
            answer["error"].as_str().unwrap_or_default().to_owned()
        }
    }

    /// Refunds an invoice, as the merchant's office does at the acquirer.
    pub async fn refund(&self, page_url: &str) {
        let body = json!({ "invoiceId": invoice_of(page_url) });
        self.as_merchant("invoice/cancel", &body).await;
    }

    /// Refunds a part of an invoice, in kopiykas.
    pub async fn refund_part(&self, page_url: &str, amount: i64) {
        let body = json!({ "invoiceId": invoice_of(page_url), "amount": amount });
        self.as_merchant("invoice/cancel", &body).await;
    }

    /// Creates an invoice that the cabinet did not ask for. Returns its page.
    pub async fn make_invoice(&self, body: &Value) -> String {
        let answer = self.as_merchant("invoice/create", body).await;
        answer["pageUrl"].as_str().unwrap_or_default().to_owned()
    }

    async fn as_merchant(&self, call: &str, body: &Value) -> Value {
        let answer = self
            .client
            .post(format!("{}/api/merchant/{call}", self.url))
            .header("X-Token", &self.settings.acquirer_token)
            .json(body)
            .send()
            .await
            .expect("the sandbox answers");
        let status = answer.status();
        let answer: Value = answer.json().await.unwrap_or_default();
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Returns every invoice of the acquirer, newest first.
    pub async fn invoices(&self) -> Vec<Value> {
        let answer = self
            .client
            .get(format!("{}/sandbox/invoices", self.url))
            .send()
            .await
            .expect("the sandbox answers");
        answer.json().await.expect("a list of invoices")
    }

    /// Returns the pages of all invoices of the acquirer, newest first.
    pub async fn pages(&self) -> Vec<String> {
        let page = |invoice: &Value| invoice["page_url"].as_str().map(str::to_owned);
        self.invoices().await.iter().filter_map(page).collect()
    }

    /// Answers the newest ringing call to a phone and presses keys. Returns what was heard.
    pub async fn answer_phone_call(&self, phone: &str, digits: &str) -> Vec<String> {
        let answer = self
            .client
            .get(format!("{}/sandbox/calls", self.url))
            .query(&[("phone", phone)])
            .send()
            .await
            .expect("the sandbox answers");
        let calls: Value = answer.json().await.expect("a list of calls");
        let sid = calls[0]["sid"].as_str().expect("a call rings");
        let body = json!({ "digits": digits });
        let (status, answer) = self
            .post(&format!("/sandbox/calls/{sid}/answer"), &body)
            .await;
        assert_eq!(status, 200, "{answer}");
        let heard = answer["heard"].as_array().expect("what was heard");
        heard
            .iter()
            .map(|words| words.as_str().expect("a text").to_owned())
            .collect()
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let answer = self
            .client
            .post(format!("{}{path}", self.url))
            .json(body)
            .send()
            .await
            .expect("the sandbox answers");
        (
            answer.status().as_u16(),
            answer.json().await.unwrap_or_default(),
        )
    }

    /// Returns all charges and refunds.
    pub fn ledger(&self) -> Vec<LedgerEntry> {
        self.sandbox.ledger()
    }

    /// Returns the letters that arrived, newest first.
    pub fn letters(&self) -> Vec<Letter> {
        self.sandbox.letters()
    }

    /// Returns the messages to a phone, newest first.
    pub fn messages(&self, phone: &str) -> Vec<String> {
        let phone = Phone::parse(phone).expect("a phone");
        let messages = self.sandbox.messages(Some(&phone));
        messages.into_iter().map(|message| message.text).collect()
    }

    /// Waits until a phone has received so many messages.
    pub async fn wait_for_messages(&self, phone: &str, number: usize) {
        while self.messages(phone).len() < number {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Returns the code in the newest message to a phone.
    pub fn code(&self, phone: &str) -> String {
        let messages = self.messages(phone);
        let newest = messages.first().expect("a message arrived");
        newest.chars().take_while(char::is_ascii_digit).collect()
    }
}

/// Returns the id of a payment page's invoice.
fn invoice_of(page_url: &str) -> &str {
    page_url.rsplit('/').next().unwrap_or_default()
}

/// Returns the keys that confirm the call of a started login: 1, and the digits that its page shows.
pub fn keys_of(started: &Value) -> String {
    format!("1{}", started["call_digits"].as_str().unwrap_or_default())
}
