//! `/api/3/checkout`: the payment page, opened by a signed address or form. It leads to the card form.

use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use maud::{DOCTYPE, html};
use serde_json::Map;

use super::signed::{Parameters, Refusal, SignedForm};
use crate::bank::{Invoice, InvoiceKind, LIQPAY_INFO as INFO};
use crate::sandbox::Sandbox;

pub(super) async fn opened(
    State(sandbox): State<Sandbox>,
    query: Result<Query<SignedForm>, QueryRejection>,
) -> Response {
    open(&sandbox, query.ok().map(|Query(form)| form))
}

pub(super) async fn posted(
    State(sandbox): State<Sandbox>,
    form: Result<Form<SignedForm>, FormRejection>,
) -> Response {
    open(&sandbox, form.ok().map(|Form(form)| form))
}

fn open(sandbox: &Sandbox, form: Option<SignedForm>) -> Response {
    let read = form
        .ok_or(Refusal("err_missing"))
        .and_then(|form| form.read(sandbox.settings()))
        .and_then(|parameters| invoice_of(&parameters, sandbox.now()));
    match read.and_then(|invoice| take(sandbox, invoice)) {
        Ok(id) => Redirect::to(&format!("/pay/{id}")).into_response(),
        Err(refusal) => refused(refusal),
    }
}

/// Keeps the payment until somebody pays. The same address may be opened again while nobody has.
fn take(sandbox: &Sandbox, invoice: Invoice) -> Result<String, Refusal> {
    let id = invoice.id.clone();
    sandbox.with_bank(|bank, now| {
        let Some(known) = bank.invoice(&id, now) else {
            bank.add_new(invoice);
            return Ok(());
        };
        let is_same = known.kind == InvoiceKind::LiqPay
            && (known.amount, &known.destination) == (invoice.amount, &invoice.destination);
        // What has become of a payment, or that its time is over, is told by its page.
        if is_same {
            Ok(())
        } else {
            Err(Refusal("order_id_duplicate"))
        }
    })?;
    Ok(id)
}

fn invoice_of(parameters: &Parameters, now: Timestamp) -> Result<Invoice, Refusal> {
    if parameters.action != "pay" {
        return Err(Refusal("err_api_action"));
    }
    if parameters.currency.as_deref() != Some("UAH") {
        return Err(Refusal("err_wrong_currency"));
    }
    let id = parameters.order_id()?;
    // It stands in addresses of pages.
    let fits = id
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let description = parameters.description.as_ref();
    if !fits || id.len() > 255 || description.is_none_or(String::is_empty) {
        return Err(Refusal("err_wrong"));
    }
    Ok(Invoice {
        reference: Some(id.to_owned()),
        destination: parameters.description.clone(),
        metadata: parameters
            .info
            .as_ref()
            .map(|info| Map::from_iter([(INFO.to_owned(), info.as_str().into())])),
        redirect_url: address(parameters.result_url.as_ref())?,
        web_hook_url: address(parameters.server_url.as_ref())?,
        valid_until: parameters
            .expired_date
            .as_deref()
            .map(|text| moment(text).ok_or(Refusal("err_wrong")))
            .transpose()?,
        ..Invoice::new(
            id.to_owned(),
            InvoiceKind::LiqPay,
            parameters.amount()?,
            now,
        )
    })
}

/// Reads a moment in UTC: `2026-03-02 10:00:00`.
fn moment(text: &str) -> Option<Timestamp> {
    let written = DateTime::strptime("%Y-%m-%d %H:%M:%S", text).ok()?;
    let zoned = written.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp())
}

fn address(text: Option<&String>) -> Result<Option<String>, Refusal> {
    let fits = |text: &String| {
        text.len() <= 510
            && reqwest::Url::parse(text)
                .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    };
    match text {
        None => Ok(None),
        Some(text) if fits(text) => Ok(Some(text.clone())),
        Some(_) => Err(Refusal("err_wrong")),
    }
}

/// A page for whoever stands before a wrong address.
fn refused(Refusal(code): Refusal) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="uk" {
            head { meta charset="utf-8"; title { "LiqPay" } }
            body { h1 { "LiqPay" } p { (code) } }
        }
    };
    (StatusCode::BAD_REQUEST, Html(page.0)).into_response()
}
