//! monobank acquiring ("plata by mono"): the adapter.
//!
//! Written after the bank's public documentation of the acquiring interface, version v2412. Sums are whole kopiykas on both
//! sides. Answers are decoded tolerantly: an unknown field is ignored, an unknown status becomes
//! [`crate::acquirer::InvoiceStatus::Other`], and a missing required field gives [`AcquirerError::Unknown`].

mod reading;
mod signature;
mod wire;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cabinet_clock::PassingTime;
use cabinet_metrics::OutboundCall;
use jiff::Timestamp;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder, StatusCode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::de::DeserializeOwned;

use crate::acquirer::{
    Acquirer, AcquirerError, AcquirerName, CardKeeper, CardToken, Invoice, InvoiceId, InvoiceKind,
    InvoiceRequest, InvoiceState, PaymentAnswer, PaymentReference, RefundAnswer, RefundRequest,
    ReportError, SavedCard, SavedCardPayment, Statement, Statements, WalletId, lines_add_up,
};
use crate::outbound::{
    Answer, BaseUrl, NoAnswer, Outbound, OutboundSettings, SetupError, Transport,
};

use self::signature::{KeyCache, PublicKey};

/// Longest period of one request for the statement, in seconds (30 days).
const STATEMENT_PIECE_SECONDS: i64 = 30 * 86_400;

/// Settings of the adapter.
#[derive(Clone, Debug)]
pub struct MonobankSettings {
    /// `https://api.monobank.ua`, or the sandbox.
    pub base_url: BaseUrl,
    /// The merchant's token.
    pub token: SecretString,
    /// Time limit of a call that moves no money.
    pub time_limit: Duration,
    /// Time limit of a charge of a saved card and of a refund, which wait for the issuing bank.
    pub charge_time_limit: Duration,
    /// Time limit of a request for the statement, which can be long.
    pub statement_time_limit: Duration,
    /// Shortest time between two requests for the bank's key, however many forged reports arrive.
    pub key_reread_interval: Duration,
    /// Measures the pause after failures, the age of the key and the bank's time. `cabinet_clock` says what advances it.
    pub time: PassingTime,
}

impl MonobankSettings {
    /// Returns settings with the limits 10 s, 25 s for a charge, 30 s for the statement, and 30 s between requests for the key.
    pub fn new(base_url: BaseUrl, token: SecretString) -> Self {
        Self {
            base_url,
            token,
            time_limit: Duration::from_secs(10),
            charge_time_limit: Duration::from_secs(25),
            statement_time_limit: Duration::from_secs(30),
            key_reread_interval: Duration::from_secs(30),
            time: PassingTime::default(),
        }
    }
}

/// The monobank adapter.
#[derive(Debug)]
pub struct Monobank {
    outbound: Outbound,
    time_limit: Duration,
    charge_time_limit: Duration,
    statement_time_limit: Duration,
    key: KeyCache,
}

impl Monobank {
    /// Makes the adapter. Nothing is sent yet.
    pub fn new(settings: MonobankSettings) -> Result<Self, SetupError> {
        const SERVICE: &str = "monobank";
        let mut token = HeaderValue::from_str(settings.token.expose_secret())
            .map_err(|_| SetupError::Secret { service: SERVICE })?;
        token.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert("X-Token", token);
        Ok(Self {
            outbound: Outbound::new(
                OutboundSettings::new(SERVICE, settings.base_url, settings.time.clone()),
                headers,
            )?,
            time_limit: settings.time_limit,
            charge_time_limit: settings.charge_time_limit,
            statement_time_limit: settings.statement_time_limit,
            key: KeyCache::new(settings.key_reread_interval, settings.time),
        })
    }

    /// Uses a transport in place of the network.
    #[must_use]
    pub fn with_transport(mut self, transport: Arc<dyn Transport>) -> Self {
        self.outbound = self.outbound.with_transport(transport);
        self
    }

    fn get(&self, path: &str, query: &[(&str, &str)]) -> RequestBuilder {
        self.outbound
            .request(Method::GET, path, self.time_limit)
            .query(query)
    }

    fn post(
        &self,
        path: &str,
        body: &impl serde::Serialize,
        time_limit: Duration,
    ) -> RequestBuilder {
        self.outbound
            .request(Method::POST, path, time_limit)
            .json(body)
    }

    /// Sends a request. Returns the body of a 200.
    async fn call(
        &self,
        call: OutboundCall,
        request: RequestBuilder,
    ) -> Result<Vec<u8>, AcquirerError> {
        body_of(call.name(), self.outbound.send(call, request).await)
    }

    /// Asks for the key of the reports, which the bank tells to merchants only: changes nothing, and shows whether it takes the token.
    pub async fn check_token(&self) -> Result<(), AcquirerError> {
        let request = self.get("/api/merchant/pubkey", &[]);
        self.call(OutboundCall::MonobankPubkey, request)
            .await
            .map(|_| ())
    }

    async fn read_key(&self) -> Option<PublicKey> {
        const CALL: OutboundCall = OutboundCall::MonobankPubkey;
        let body = self
            .call(CALL, self.get("/api/merchant/pubkey", &[]))
            .await
            .ok()?;
        let answer: wire::KeyAnswer = parse(CALL.name(), &body).ok()?;
        let key = PublicKey::from_wire(&answer.key);
        if key.is_none() {
            tracing::error!("monobank's key for reports is not one that can be used");
        }
        key
    }

    fn page_address(&self, call: &'static str, text: String) -> Result<String, AcquirerError> {
        if crate::outbound::is_page_address(&text, self.outbound.plain_http_allowed()) {
            Ok(text)
        } else {
            tracing::error!(
                outbound.call = call,
                "monobank names a page that no browser should be sent to"
            );
            Err(AcquirerError::Unknown)
        }
    }
}

/// Returns the body of a 200.
fn body_of(call: &'static str, answer: Result<Answer, NoAnswer>) -> Result<Vec<u8>, AcquirerError> {
    match answer {
        Ok(answer) if answer.status == StatusCode::OK => Ok(answer.body),
        Ok(answer) => Err(refusal(call, &answer)),
        Err(NoAnswer::NotSent) => Err(AcquirerError::Unavailable),
        Err(NoAnswer::Lost | NoAnswer::TooLarge) => Err(AcquirerError::Unknown),
    }
}

/// Converts an answer other than 200 into an error.
fn refusal(call: &'static str, answer: &Answer) -> AcquirerError {
    let body: wire::ErrorAnswer = serde_json::from_slice(&answer.body).unwrap_or_default();
    let code = body.code();
    let error = match (answer.status, code) {
        (StatusCode::TOO_MANY_REQUESTS, _) => AcquirerError::TooMany {
            retry_after: answer.retry_after,
        },
        // A refusal that arrives as HTTP 500 (documented and observed).
        (StatusCode::INTERNAL_SERVER_ERROR, Some(code)) if code == "CANCEL_NOT_AVAILABLE" => {
            AcquirerError::Refused { code }
        }
        // A proxy timed out. The bank may have carried out the request.
        (StatusCode::REQUEST_TIMEOUT, _) => AcquirerError::Unknown,
        (status, code) if status.is_client_error() => AcquirerError::Refused {
            code: code.unwrap_or_else(|| format!("HTTP_{}", status.as_u16())),
        },
        _ => AcquirerError::Unknown,
    };
    if answer.status == StatusCode::FORBIDDEN {
        tracing::error!(
            outbound.call = call,
            "monobank does not take the merchant's token"
        );
    } else {
        tracing::warn!(outbound.call = call, %error, "monobank did not do {call}: {error}");
    }
    error
}

/// Parses the body of a 200. An unreadable one gives [`AcquirerError::Unknown`].
fn parse<T: DeserializeOwned>(call: &'static str, body: &[u8]) -> Result<T, AcquirerError> {
    serde_json::from_slice(body).map_err(|error| {
        // Only the category is logged, because the error's text may quote the body.
        tracing::error!(outbound.call = call, category = ?error.classify(), "monobank's answer cannot be read");
        AcquirerError::Unknown
    })
}

fn refused_here(code: &str) -> AcquirerError {
    AcquirerError::Refused {
        code: code.to_owned(),
    }
}

/// Checks rules whose violation monobank would refuse, or accept with a wrong sum.
fn check_invoice(request: &InvoiceRequest) -> Result<(), AcquirerError> {
    let sum_fits = match request.kind {
        InvoiceKind::Debit => !request.amount.is_zero(),
        InvoiceKind::SaveCard(_) => request.amount.is_zero(),
    };
    if !sum_fits {
        return Err(refused_here("AMOUNT_DOES_NOT_FIT_KIND"));
    }
    if !lines_add_up(&request.lines, request.amount) {
        return Err(refused_here("LINES_DO_NOT_ADD_UP"));
    }
    Ok(())
}

fn check_charge(request: &SavedCardPayment) -> Result<(), AcquirerError> {
    if request.amount.is_zero() {
        return Err(refused_here("AMOUNT_DOES_NOT_FIT_KIND"));
    }
    if !lines_add_up(&request.lines, request.amount) {
        return Err(refused_here("LINES_DO_NOT_ADD_UP"));
    }
    Ok(())
}

/// Reads the body of a report whose signature was checked when it came. `None`: it can't be read.
#[must_use]
pub fn read_report(body: &[u8]) -> Option<InvoiceState> {
    serde_json::from_slice(body).ok().and_then(reading::state)
}

#[async_trait]
impl Acquirer for Monobank {
    fn name(&self) -> AcquirerName {
        AcquirerName::Monobank
    }

    fn time(&self) -> Option<Timestamp> {
        self.outbound.service_time()
    }

    async fn create_invoice(&self, request: &InvoiceRequest) -> Result<Invoice, AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankInvoiceCreate;
        check_invoice(request)?;
        let body = wire::CreateInvoice::of(request);
        let answer = self
            .call(
                CALL,
                self.post("/api/merchant/invoice/create", &body, self.time_limit),
            )
            .await?;
        let answer: wire::CreatedInvoice = parse(CALL.name(), &answer)?;
        let id = InvoiceId::parse(&answer.invoice_id).ok_or(AcquirerError::Unknown)?;
        Ok(Invoice {
            id,
            page_url: self.page_address(CALL.name(), answer.page_url)?,
        })
    }

    async fn invoice_status(&self, invoice: &InvoiceId) -> Result<InvoiceState, AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankInvoiceStatus;
        let request = self.get(
            "/api/merchant/invoice/status",
            &[("invoiceId", invoice.as_str())],
        );
        let answer = self.call(CALL, request).await?;
        let state: wire::State = parse(CALL.name(), &answer)?;
        let state = reading::state(state).ok_or(AcquirerError::Unknown)?;
        // An answer about another invoice must not settle this one.
        if state.invoice_id == *invoice {
            Ok(state)
        } else {
            Err(AcquirerError::Unknown)
        }
    }

    async fn remove_invoice(&self, invoice: &InvoiceId) -> Result<(), AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankInvoiceRemove;
        let body = wire::RemoveInvoice {
            invoice_id: invoice.as_str(),
        };
        let answer = self
            .call(
                CALL,
                self.post("/api/merchant/invoice/remove", &body, self.time_limit),
            )
            .await?;
        parse::<wire::Done>(CALL.name(), &answer).map(drop)
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundAnswer, AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankInvoiceCancel;
        // Without a sum all that is left would be given back.
        if request.amount.is_zero() {
            return Err(refused_here("AMOUNT_DOES_NOT_FIT_KIND"));
        }
        let body = wire::CancelInvoice {
            invoice_id: request.invoice.as_str(),
            ext_ref: request.refund_reference.as_str(),
            amount: request.amount.kopiykas(),
        };
        let sent = self.post(
            "/api/merchant/invoice/cancel",
            &body,
            self.charge_time_limit,
        );
        let answer = self.call(CALL, sent).await?;
        let answer: wire::CancelAnswer = parse(CALL.name(), &answer)?;
        Ok(match answer.status.as_str() {
            "failure" => RefundAnswer::Failed,
            _ => RefundAnswer::Accepted,
        })
    }

    async fn find_by_payment_reference(
        &self,
        payment_reference: &PaymentReference,
        since: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<InvoiceId>, AcquirerError> {
        let found = self
            .find_on_statement(payment_reference, since, until)
            .await?;
        Ok(found.into_iter().map(|item| item.invoice_id).collect())
    }

    async fn verify_report(
        &self,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<InvoiceState, ReportError> {
        self.key.verify(signature, body, || self.read_key()).await?;
        let state: wire::State = parse("report", body).map_err(|_| ReportError::Unreadable)?;
        reading::state(state).ok_or(ReportError::Unreadable)
    }
}

#[async_trait]
impl CardKeeper for Monobank {
    async fn saved_cards(&self, wallet: &WalletId) -> Result<Vec<SavedCard>, AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankWallet;
        let answer = self
            .call(
                CALL,
                self.get("/api/merchant/wallet", &[("walletId", wallet.as_str())]),
            )
            .await?;
        let answer: wire::Wallet = parse(CALL.name(), &answer)?;
        Ok(answer
            .wallet
            .into_iter()
            .filter_map(reading::saved_card)
            .collect())
    }

    async fn delete_card(&self, token: &CardToken) -> Result<(), AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankWalletCard;
        let request = self
            .outbound
            .request(Method::DELETE, "/api/merchant/wallet/card", self.time_limit)
            .query(&[("cardToken", token.expose())]);
        let answer = self.call(CALL, request).await?;
        parse::<wire::Done>(CALL.name(), &answer).map(drop)
    }

    async fn pay_with_saved_card(
        &self,
        request: &SavedCardPayment,
    ) -> Result<PaymentAnswer, AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankWalletPayment;
        check_charge(request)?;
        let body = wire::WalletPayment::of(request);
        let answer = self
            .call(
                CALL,
                self.post(
                    "/api/merchant/wallet/payment",
                    &body,
                    self.charge_time_limit,
                ),
            )
            .await?;
        let answer: wire::PaymentAnswer = parse(CALL.name(), &answer)?;
        let mut answer = reading::payment_answer(answer).ok_or(AcquirerError::Unknown)?;
        if let Some(address) = answer.three_d_secure_url.take() {
            answer.three_d_secure_url = Some(self.page_address(CALL.name(), address)?);
        }
        Ok(answer)
    }
}

#[async_trait]
impl Statements for Monobank {
    async fn statement(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Statement, AcquirerError> {
        const CALL: OutboundCall = OutboundCall::MonobankStatement;
        let (mut statement, mut known) = (Statement::default(), HashSet::new());
        let (first, mut last) = (from.as_second(), until.as_second());
        let mut seconds = STATEMENT_PIECE_SECONDS;
        while last >= first {
            let begin = first.max(last - seconds);
            let request = self
                .outbound
                .request(
                    Method::GET,
                    "/api/merchant/statement",
                    self.statement_time_limit,
                )
                .query(&[("from", begin), ("to", last)]);
            let answer = match self.outbound.send(CALL, request).await {
                // The answer is too large, so half the period is asked for, from now on.
                Err(NoAnswer::TooLarge) if last - begin > 1 => {
                    seconds = (last - begin) / 2;
                    continue;
                }
                answer => body_of(CALL.name(), answer)?,
            };
            let piece: wire::StatementAnswer = parse(CALL.name(), &answer)?;
            reading::add_to_statement(&mut statement, &mut known, piece);
            if begin == first {
                break;
            }
            // It is not documented whether a period includes its ends, so periods overlap by a second and repeated entries are dropped.
            last = begin;
        }
        Ok(statement)
    }
}
