//! LiqPay of PrivatBank: the adapter.
//!
//! Written after the public documentation of LiqPay's interface. Every message is `data`, JSON in base64, with its signature. The payment
//! page is an address that we sign, so nothing is sent to make one, and LiqPay knows nothing of it until somebody begins to pay. A payment is
//! named by our own reference (`order_id`), under which LiqPay charges once. Refusals come with status 200, as an error in the body. There
//! is no list of saved cards. The archive of payments is the statement.

mod reading;
mod signature;
mod wire;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cabinet_clock::PassingTime;
use cabinet_metrics::OutboundCall;
use jiff::{SignedDuration, Timestamp};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, StatusCode};
use secrecy::SecretString;
use serde::de::DeserializeOwned;

use crate::acquirer::{
    Acquirer, AcquirerError, AcquirerName, Invoice, InvoiceId, InvoiceKind, InvoiceRequest,
    InvoiceState, PaymentReference, RefundAnswer, RefundRequest, ReportError, Statement,
    Statements, lines_add_up,
};
use crate::outbound::{
    Answer, BaseUrl, NoAnswer, Outbound, OutboundSettings, SetupError, Transport,
};

pub use self::signature::SignatureHash;

use self::wire::{Archive, Checkout, Parameters, Payment, Period};

/// Public keys of test shops begin so.
const TEST_KEY: &str = "sandbox_";
/// LiqPay's code where it has no payment under an order id.
const NO_PAYMENT: &str = "payment_not_found";
/// The archive is asked for so much more on both sides: it is not documented whether a payment stands in it at its beginning or its end.
const ARCHIVE_MARGIN: SignedDuration = SignedDuration::from_hours(1);
/// A shorter period of the archive is not halved.
const ARCHIVE_SPAN_LEAST: SignedDuration = SignedDuration::from_secs(1);
/// An order that no cabinet makes.
const NO_ORDER: &str = "cabinet-check";

/// Settings of the adapter.
#[derive(Clone, Debug)]
pub struct LiqPaySettings {
    /// `https://www.liqpay.ua`, or the sandbox.
    pub base_url: BaseUrl,
    /// The shop's public key.
    pub public_key: String,
    /// The shop's private key, which signs both ways.
    pub private_key: SecretString,
    /// The version of the protocol: 3 or 7.
    pub version: u8,
    /// The hash of our signatures.
    pub request_hash: SignatureHash,
    /// The hash of LiqPay's signatures.
    pub callback_hash: SignatureHash,
    /// Time limit of a call that moves no money.
    pub time_limit: Duration,
    /// Time limit of a refund.
    pub refund_time_limit: Duration,
    /// Time limit of the archive of payments.
    pub archive_time_limit: Duration,
    /// Measures the pause after failures and the service's time. `cabinet_clock` says what advances it.
    pub time: PassingTime,
}

impl LiqPaySettings {
    /// Returns settings for version 7 with its hash, and with the limits 10 s, 25 s for a refund, and 60 s for the archive.
    pub fn new(base_url: BaseUrl, public_key: String, private_key: SecretString) -> Self {
        Self {
            base_url,
            public_key,
            private_key,
            version: 7,
            request_hash: SignatureHash::Sha3,
            callback_hash: SignatureHash::Sha3,
            time_limit: Duration::from_secs(10),
            refund_time_limit: Duration::from_secs(25),
            archive_time_limit: Duration::from_secs(60),
            time: PassingTime::default(),
        }
    }

    /// Whether the keys are those of a test shop, whose payments move no money.
    #[must_use]
    pub fn is_test(&self) -> bool {
        is_test_key(&self.public_key)
    }
}

/// Returns whether a public key is that of a test shop.
#[must_use]
pub fn is_test_key(public_key: &str) -> bool {
    public_key.starts_with(TEST_KEY)
}

/// The LiqPay adapter.
#[derive(Debug)]
pub struct LiqPay {
    outbound: Outbound,
    settings: LiqPaySettings,
}

impl LiqPay {
    /// Makes the adapter. Nothing is sent yet.
    pub fn new(settings: LiqPaySettings) -> Result<Self, SetupError> {
        let of_service =
            OutboundSettings::new("liqpay", settings.base_url.clone(), settings.time.clone());
        Ok(Self {
            outbound: Outbound::new(of_service, HeaderMap::new())?,
            settings,
        })
    }

    /// Uses a transport in place of the network.
    #[must_use]
    pub fn with_transport(mut self, transport: Arc<dyn Transport>) -> Self {
        self.outbound = self.outbound.with_transport(transport);
        self
    }

    /// Asks about a payment that is not there: changes nothing, and shows whether LiqPay takes the keys.
    pub async fn check_keys(&self) -> Result<(), AcquirerError> {
        match self.payment_of(NO_ORDER).await {
            Err(error) if error.is_unknown() => Ok(()),
            other => other.map(drop),
        }
    }

    /// Returns the form of a request: its parameters and their signature.
    fn signed(&self, parameters: &Parameters<'_>) -> Result<String, AcquirerError> {
        let data = wire::encode(parameters).ok_or_else(|| refused_here("NOT_WRITABLE"))?;
        let settings = &self.settings;
        let signature = signature::sign(&settings.private_key, &data, settings.request_hash);
        Ok(wire::form(&data, &signature))
    }

    fn parameters<'a>(&'a self, action: &'static str, order_id: &'a str) -> Parameters<'a> {
        Parameters {
            version: self.settings.version,
            public_key: &self.settings.public_key,
            action,
            order_id: Some(order_id),
            amount: None,
            checkout: None,
            period: None,
        }
    }

    /// Sends a request. Returns an answer that is no error.
    async fn call<T: DeserializeOwned>(
        &self,
        call: OutboundCall,
        parameters: &Parameters<'_>,
        time_limit: Duration,
    ) -> Result<T, AcquirerError> {
        let answer = self.send(call, parameters, time_limit).await?;
        read(call.name(), answer)
    }

    /// Sends a request. Fails if it can't be written.
    async fn send(
        &self,
        call: OutboundCall,
        parameters: &Parameters<'_>,
        time_limit: Duration,
    ) -> Result<Result<Answer, NoAnswer>, AcquirerError> {
        let request = self
            .outbound
            .request(Method::POST, "/api/request", time_limit)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(self.signed(parameters)?);
        // That nobody has begun to pay on a page is the answer to a question.
        let is_refusal = |answer: &Answer| {
            serde_json::from_slice(&answer.body).is_ok_and(|payment: Payment| {
                payment.is_error() && payment.code().as_deref() != Some(NO_PAYMENT)
            })
        };
        let sent = self.outbound.send_and_judge(call, request, is_refusal);
        Ok(sent.await)
    }

    async fn payment_of(&self, order_id: &str) -> Result<Payment, AcquirerError> {
        let parameters = self.parameters("status", order_id);
        self.call(
            OutboundCall::LiqPayStatus,
            &parameters,
            self.settings.time_limit,
        )
        .await
    }
}

/// Reads an answer. One that is an error is [`AcquirerError::Refused`] only where its code says that nothing has happened.
fn read<T: DeserializeOwned>(
    call: &'static str,
    answer: Result<Answer, NoAnswer>,
) -> Result<T, AcquirerError> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(NoAnswer::NotSent) => return Err(AcquirerError::Unavailable),
        Err(NoAnswer::Lost | NoAnswer::TooLarge) => return Err(AcquirerError::Unknown),
    };
    let payment: Option<Payment> = serde_json::from_slice(&answer.body).ok();
    let error = match (answer.status, payment) {
        (StatusCode::OK, Some(payment)) if !payment.is_error() => {
            match serde_json::from_slice(&answer.body) {
                Ok(told) => return Ok(told),
                Err(_) => AcquirerError::Unknown,
            }
        }
        (StatusCode::OK, Some(payment)) => match payment.code() {
            Some(code) if reading::is_refusal(&code) => AcquirerError::Refused { code },
            _ => AcquirerError::Unknown,
        },
        (StatusCode::TOO_MANY_REQUESTS, _) => AcquirerError::TooMany {
            retry_after: answer.retry_after,
        },
        (StatusCode::REQUEST_TIMEOUT, _) => AcquirerError::Unknown,
        (status, _) if status.is_client_error() => AcquirerError::Refused {
            code: format!("HTTP_{}", status.as_u16()),
        },
        _ => AcquirerError::Unknown,
    };
    // That nobody has begun to pay on a page is no news.
    if !error.is_unknown() {
        tracing::warn!(outbound.call = call, %error, "LiqPay did not do {call}: {error}");
    }
    Err(error)
}

fn refused_here(code: &str) -> AcquirerError {
    AcquirerError::Refused {
        code: code.to_owned(),
    }
}

/// Checks rules whose violation LiqPay would refuse, or accept with a wrong sum.
fn check_invoice(request: &InvoiceRequest) -> Result<(), AcquirerError> {
    let is_split = |line: &crate::acquirer::InvoiceLine| line.split_receiver.is_some();
    if request.kind != InvoiceKind::Debit {
        return Err(refused_here("KIND_NOT_OFFERED"));
    }
    if request.amount.is_zero() {
        return Err(refused_here("AMOUNT_DOES_NOT_FIT_KIND"));
    }
    if !lines_add_up(&request.lines, request.amount) {
        return Err(refused_here("LINES_DO_NOT_ADD_UP"));
    }
    // LiqPay divides by sums for shops, not by lines.
    if request.lines.iter().any(is_split) {
        return Err(refused_here("SPLIT_NOT_OFFERED"));
    }
    Ok(())
}

/// Reads the body of a callback whose signature was checked when it came. `None`: it can't be read. A payment of a test shop is read as one
/// that is not over.
#[must_use]
pub fn read_report(body: &[u8]) -> Option<InvoiceState> {
    let (data, _) = wire::read_form(body)?;
    reading::state(wire::decode(&data)?, false)
}

#[async_trait]
impl Acquirer for LiqPay {
    fn name(&self) -> AcquirerName {
        AcquirerName::LiqPay
    }

    fn time(&self) -> Option<Timestamp> {
        self.outbound.service_time()
    }

    async fn create_invoice(&self, request: &InvoiceRequest) -> Result<Invoice, AcquirerError> {
        check_invoice(request)?;
        let order_id = request.payment_reference.as_str();
        let no_page = || refused_here("NOT_WRITABLE");
        let parameters = Parameters {
            amount: Some(wire::hryvnias(request.amount).ok_or_else(no_page)?),
            checkout: Some(Checkout::of(request).ok_or_else(no_page)?),
            ..self.parameters(reading::PAY, order_id)
        };
        // The path names version 3 for every version.
        let page = self.settings.base_url.join("/api/3/checkout");
        Ok(Invoice {
            id: InvoiceId::parse(order_id).ok_or_else(no_page)?,
            page_url: format!("{page}?{}", self.signed(&parameters)?),
        })
    }

    async fn invoice_status(&self, invoice: &InvoiceId) -> Result<InvoiceState, AcquirerError> {
        let payment = self.payment_of(invoice.as_str()).await?;
        let state = reading::state(payment, self.settings.is_test());
        // An answer about another payment must not settle this one.
        state
            .filter(|state| state.invoice_id == *invoice)
            .ok_or(AcquirerError::Unknown)
    }

    async fn remove_invoice(&self, _: &InvoiceId) -> Result<(), AcquirerError> {
        Err(refused_here("PAGE_CANNOT_BE_CLOSED"))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundAnswer, AcquirerError> {
        if request.amount.is_zero() {
            return Err(refused_here("AMOUNT_DOES_NOT_FIT_KIND"));
        }
        let amount = wire::hryvnias(request.amount).ok_or_else(|| refused_here("NOT_WRITABLE"))?;
        let parameters = Parameters {
            amount: Some(amount),
            ..self.parameters("refund", request.invoice.as_str())
        };
        let answer: Payment = self
            .call(
                OutboundCall::LiqPayRefund,
                &parameters,
                self.settings.refund_time_limit,
            )
            .await?;
        reading::refund_answer(answer.status.as_deref()).ok_or(AcquirerError::Unknown)
    }

    /// Asks for the payment itself: there is one at most, whenever it was made.
    async fn find_by_payment_reference(
        &self,
        payment_reference: &PaymentReference,
        _: Timestamp,
        _: Timestamp,
    ) -> Result<Vec<InvoiceId>, AcquirerError> {
        let invoice = InvoiceId::parse(payment_reference.as_str()).ok_or(AcquirerError::Unknown)?;
        match self.invoice_status(&invoice).await {
            Ok(state) => Ok(vec![state.invoice_id]),
            Err(error) if error.is_unknown() => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    async fn verify_report(
        &self,
        _: Option<&str>,
        body: &[u8],
    ) -> Result<InvoiceState, ReportError> {
        let (data, signature) = wire::read_form(body).ok_or(ReportError::BadSignature)?;
        let settings = &self.settings;
        // Over the text as it came, before anything of it is decoded.
        if !signature::fits(
            &settings.private_key,
            &data,
            &signature,
            settings.callback_hash,
        ) {
            return Err(ReportError::BadSignature);
        }
        let payment = wire::decode(&data).ok_or(ReportError::Unreadable)?;
        // The addresses of our pages are signed with the same key, and whoever pays has one. They tell no status.
        if payment.status.is_none() {
            return Err(ReportError::BadSignature);
        }
        reading::state(payment, settings.is_test()).ok_or(ReportError::Unreadable)
    }
}

#[async_trait]
impl Statements for LiqPay {
    /// Asks for the archive of payments, where a payment stands at its beginning. What is too large for one answer is asked for in halves.
    async fn statement(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Statement, AcquirerError> {
        const CALL: OutboundCall = OutboundCall::LiqPayArchive;
        let (mut statement, mut known) = (Statement::default(), HashSet::new());
        // The newest last, because it is taken first.
        let mut periods = vec![(from - ARCHIVE_MARGIN, until + ARCHIVE_MARGIN)];
        while let Some((begin, end)) = periods.pop() {
            let parameters = Parameters {
                version: self.settings.version,
                public_key: &self.settings.public_key,
                action: "reports",
                order_id: None,
                amount: None,
                checkout: None,
                period: Some(Period::of(begin, end)),
            };
            let limit = self.settings.archive_time_limit;
            let span = end.duration_since(begin);
            let archive: Archive = match self.send(CALL, &parameters, limit).await? {
                Err(NoAnswer::TooLarge) if span > ARCHIVE_SPAN_LEAST => {
                    let middle = begin + span / 2;
                    periods.extend([(begin, middle), (middle, end)]);
                    continue;
                }
                answer => read(CALL.name(), answer)?,
            };
            let piece = reading::statement(archive, self.settings.is_test());
            statement.unreadable += piece.unreadable;
            let items = piece.items.into_iter();
            let wanted = items.filter(|item| item.date >= from && item.date <= until);
            // It is not documented whether a period includes its ends, so that of two halves may stand in both.
            statement
                .items
                .extend(wanted.filter(|item| known.insert(item.invoice_id.clone())));
        }
        Ok(statement)
    }
}
