//! The acquirers, monobank and LiqPay, which share a ledger: their invoices, and the payers at their pages.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_sandbox::{LedgerEntry, Sandbox, SandboxSettings, SignedReport};
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// The address of the sandbox. Nothing listens there.
pub(crate) const ADDRESS: &str = "http://127.0.0.1:8081";

/// An invoice at the acquirer.
#[derive(Clone, Debug)]
pub(crate) struct Invoice {
    pub(crate) id: String,
    /// The id of our order, read from the return address.
    pub(crate) order: String,
    pub(crate) status: String,
    /// Whether it can be paid now.
    pub(crate) is_payable: bool,
    /// Whether it is LiqPay's.
    pub(crate) is_liqpay: bool,
}

/// Both acquirers.
pub(crate) struct Acquirer {
    sandbox: Sandbox,
    router: Router,
    token: String,
}

impl Acquirer {
    pub(crate) fn new(sandbox: Sandbox, settings: &SandboxSettings) -> Acquirer {
        Acquirer {
            router: sandbox.router(),
            sandbox,
            token: settings.acquirer_token.clone(),
        }
    }

    /// Calls the sandbox's router.
    fn call(&self, method: Method, path: &str, body: &Value) -> Value {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("X-Token", &self.token)
            .body(Body::from(body.to_string()))
            .expect("a request");
        let asked = async {
            let Ok(response) = self.router.clone().oneshot(request).await;
            response
                .into_body()
                .collect()
                .await
                .map(|body| body.to_bytes())
        };
        let body = asked.now_or_never().expect("the sandbox answers at once");
        serde_json::from_slice(&body.expect("an answer has a body")).unwrap_or_default()
    }

    /// Returns every invoice, newest first, after applying the time that has passed.
    pub(crate) fn invoices(&self) -> Vec<Invoice> {
        let rows = self.call(Method::GET, "/sandbox/invoices", &Value::Null);
        let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
        let read = |row: &Value| Invoice {
            id: text(row, "invoice_id"),
            order: order_of_return(&text(row, "redirect_url")).to_owned(),
            status: text(row, "status"),
            is_payable: row["is_payable"].as_bool().unwrap_or_default(),
            is_liqpay: row["kind"] == "liq_pay",
        };
        rows.as_array().into_iter().flatten().map(read).collect()
    }

    /// Opens a page in a browser. LiqPay learns of a payment only by that.
    pub(crate) fn open(&self, page: &str) {
        if parameters_of(page).is_some() {
            let path = page.strip_prefix(ADDRESS).unwrap_or_default();
            self.call(Method::GET, path, &Value::Null);
        }
    }

    /// Pays an invoice with a card. Returns its status, or the error.
    pub(crate) fn pay(&self, invoice: &str, card: &str, save: bool) -> String {
        let body = json!({"card": card, "save_card": save});
        self.post_for_status(&format!("/sandbox/invoices/{invoice}/pay"), &body)
    }

    /// Pays with a card on a page that was closed, and that a browser still shows. Returns whether it was charged.
    pub(crate) fn pay_on_closed_page(&self, invoice: &str, card: &str) -> bool {
        self.sandbox.reopen_page(invoice) && self.pay(invoice, card, false) == "success"
    }

    /// Answers the 3-D Secure page. Returns the invoice's status, or the error.
    pub(crate) fn confirm(&self, invoice: &str, confirm: bool) -> String {
        let body = json!({"confirm": confirm});
        self.post_for_status(
            &format!("/sandbox/invoices/{invoice}/three-d-secure"),
            &body,
        )
    }

    fn post_for_status(&self, path: &str, body: &Value) -> String {
        let answer = self.call(Method::POST, path, body);
        let said = answer["status"].as_str().or(answer["error"].as_str());
        said.unwrap_or_default().to_owned()
    }

    /// Gives a part of a payment at LiqPay back, or all of it, as its clerk does. Returns whether it did.
    pub(crate) fn give_back_at_liqpay(&self, invoice: &str, amount: Option<i64>) -> bool {
        self.sandbox.give_back_at_liqpay(invoice, amount)
    }

    /// Refunds a part of an invoice of monobank, or all of it.
    pub(crate) fn refund(&self, invoice: &str, amount: Option<i64>) -> String {
        let body = json!({"invoiceId": invoice, "amount": amount});
        let answer = self.call(Method::POST, "/api/merchant/invoice/cancel", &body);
        let said = answer["status"].as_str().or(answer["errCode"].as_str());
        said.unwrap_or_default().to_owned()
    }

    /// Returns the references and sums of the refunds of an invoice.
    pub(crate) fn refunds_of(&self, invoice: &str) -> Vec<(String, i64)> {
        let path = format!("/api/merchant/invoice/status?invoiceId={invoice}");
        let state = self.call(Method::GET, &path, &Value::Null);
        let listed = state["cancelList"].as_array().into_iter().flatten();
        let read = |entry: &Value| {
            let reference = entry["extRef"].as_str().unwrap_or_default().to_owned();
            (reference, entry["amount"].as_i64().unwrap_or_default())
        };
        listed.map(read).collect()
    }

    /// Takes out the reports since the last call, oldest first.
    pub(crate) fn take_reports(&self) -> Vec<SignedReport> {
        self.sandbox.take_reports().expect("a report can be signed")
    }

    pub(crate) fn ledger(&self) -> Vec<LedgerEntry> {
        self.sandbox.ledger()
    }

    /// Saves a card in a wallet. Returns its token.
    pub(crate) fn save_card(&self, wallet: &str, card: &str) -> String {
        self.sandbox
            .save_card(wallet, card)
            .expect("a card of the sandbox")
    }
}

/// Returns the order's id in a return address.
pub(crate) fn order_of_return(address: &str) -> &str {
    let rest = address.split_once("/order/").map_or("", |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

/// Returns the invoice's id in the address of a page.
pub(crate) fn invoice_of_page(address: &str) -> String {
    if let Some(parameters) = parameters_of(address) {
        return parameters["order_id"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
    }
    let path = address.trim_end_matches("/3ds");
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Returns until when a page of LiqPay can be opened. `None`: it is no page of LiqPay.
pub(crate) fn end_of_page(address: &str) -> Option<Timestamp> {
    let parameters = parameters_of(address)?;
    let written = parameters["expired_date"].as_str()?;
    let end = DateTime::strptime("%Y-%m-%d %H:%M:%S", written).ok()?;
    Some(end.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// Returns the signed parameters in the address of a page of LiqPay.
pub(crate) fn parameters_of(address: &str) -> Option<Value> {
    let url = reqwest::Url::parse(address).ok()?;
    let (_, data) = url.query_pairs().find(|(name, _)| name == "data")?;
    read_data(&data)
}

/// Reads the `data` of LiqPay: JSON in base64.
pub(crate) fn read_data(data: &str) -> Option<Value> {
    serde_json::from_slice(&STANDARD.decode(data).ok()?).ok()
}
