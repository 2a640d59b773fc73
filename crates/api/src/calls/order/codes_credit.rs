//! `POST /order/statement/read` and `…/mark`: the notary's part of payments by QR codes, found in the statement of her bank;
//! `POST /order/{id}/codes/credit/undo` takes back what one told.

use axum::extract::{Path, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_app::kernel::refusal::{FieldErrors, Refusal as AppRefusal, RefusalKind};
use cabinet_app::payment::{StatementReport as FoundReport, read_statement};
use cabinet_domain::{CodedPart, FoundCredit, ItemId, Key, StatementCredit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get::OrderAnswer;
use crate::call::Call;
use crate::http::extract::{Language, STATEMENT_BYTES_MAX, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::read_apart::read_apart;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Hryvnias, Order};

pub fn read_call() -> Call {
    Call::post("/order/statement/read", read, |docs| {
        docs.id("orderStatementRead")
            .tag("orders")
            .summary("What of a bank's statement is the notary's part of payments by QR codes; stores nothing")
    })
    .with_body_of(STATEMENT_BYTES_MAX)
}

pub fn mark_call() -> Call {
    Call::post("/order/statement/mark", mark, |docs| {
        docs.id("orderStatementMark").tag("orders").summary(
            "Mark the notary's part of payments by QR codes as credited, by a bank's statement",
        )
    })
    .with_body_of(STATEMENT_BYTES_MAX)
}

pub fn undo_call() -> Call {
    Call::post("/order/{id}/codes/credit/undo", undo, |docs| {
        docs.id("orderCodesCreditUndo")
            .tag("orders")
            .summary("Take back what statements told of the notary's part of an order")
    })
}

/// `POST /order/statement/read`.
#[derive(Deserialize, JsonSchema)]
pub struct ReadStatementRequest {
    /// camt.053, camt.054 or the table of Privat24, in Base64. It is read and not kept.
    #[serde(default)]
    pub file: Given<String>,
}

/// `POST /order/statement/mark`.
#[derive(Deserialize, JsonSchema)]
pub struct MarkStatementRequest {
    /// The same file as was read before.
    #[serde(default)]
    pub file: Given<String>,
    /// The payments that are to be marked: those of `clear` that were shown. Others are left as they are.
    #[serde(default)]
    pub items: Option<Vec<String>>,
}

/// What of a statement concerns the notary's orders.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatementReport {
    /// How many booked credits the statement has.
    pub credits: usize,
    /// Payments whose part the statement tells without doubt, and that are not marked as credited yet.
    pub clear: Vec<CreditedPart>,
    /// The same, of orders that the notary has not marked as paid by QR codes. They are never marked here.
    pub unmarked: Vec<CreditedPart>,
    /// Credits of which it is not clear which payment they are. They are never marked here.
    pub unclear: Vec<UnclearCredit>,
    /// How many credits have marked a payment before.
    pub known: usize,
    /// How many credits concern no payment by QR code. Nothing of them is kept or told.
    pub other: usize,
    /// How many payments this call has marked.
    pub marked: usize,
}

/// A payment whose part is credited.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CreditedPart {
    /// The payment and its order.
    #[serde(flatten)]
    pub part: PaymentPart,
    /// The day (Kyiv) of crediting, `YYYY-MM-DD`.
    pub on: String,
    /// The sum.
    pub amount: Hryvnias,
}

/// The notary's part of a payment.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentPart {
    /// The payment.
    pub item_id: String,
    /// Its order.
    pub order_id: String,
    /// The order's number.
    pub order_number: String,
    /// For whom was paid.
    pub client_name: String,
    /// The day on which it was credited by an earlier statement, `YYYY-MM-DD`; null before.
    pub credited_on: Option<String>,
}

/// A credit of which it is not clear which payment it is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnclearCredit {
    /// The day (Kyiv) of crediting, `YYYY-MM-DD`.
    pub on: String,
    /// The sum.
    pub amount: Hryvnias,
    /// The bank's reference; null where the entry has none, by which it could be told from another.
    pub reference: Option<String>,
    /// The payments that it may be.
    pub parts: Vec<PaymentPart>,
}

impl From<&CodedPart> for PaymentPart {
    fn from(part: &CodedPart) -> PaymentPart {
        PaymentPart {
            item_id: part.item.to_string(),
            order_id: part.order.to_string(),
            order_number: part.number.to_string(),
            client_name: part.client.full_name.as_str().to_owned(),
            credited_on: part.credit.as_ref().map(|credit| credit.on.to_string()),
        }
    }
}

impl From<FoundReport> for StatementReport {
    fn from(report: FoundReport) -> StatementReport {
        let FoundReport {
            parts,
            credits,
            found,
            marked,
        } = report;
        let credited = |found: Vec<FoundCredit>| {
            let known = found.into_iter().filter_map(|found| {
                let (part, credit) = (parts.get(found.part)?, credits.get(found.credit)?);
                Some(CreditedPart {
                    part: part.into(),
                    on: credit.on.to_string(),
                    amount: credit.amount.into(),
                })
            });
            known.collect()
        };
        let unclear = found.unclear.into_iter().filter_map(|unclear| {
            let credit: &StatementCredit = credits.get(unclear.credit)?;
            let parts = unclear.parts.iter().filter_map(|place| parts.get(*place));
            Some(UnclearCredit {
                on: credit.on.to_string(),
                amount: credit.amount.into(),
                reference: credit
                    .reference
                    .as_ref()
                    .map(|line| line.as_str().to_owned()),
                parts: parts.map(Into::into).collect(),
            })
        });
        StatementReport {
            credits: credits.len(),
            clear: credited(found.clear),
            unmarked: credited(found.unmarked),
            unclear: unclear.collect(),
            known: found.known,
            other: found.other,
            marked,
        }
    }
}

async fn read(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<ReadStatementRequest>,
) -> Result<Json<StatementReport>, Refusal> {
    let credits = credits_of(&state, who, body.file).await?;
    let payments = &state.services.payments;
    let report = payments.statement_report(who.notary, credits).await?;
    Ok(Json(report.into()))
}

async fn mark(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<MarkStatementRequest>,
) -> Result<Json<StatementReport>, Refusal> {
    let shown = body.items.unwrap_or_default();
    let wanted = shown.iter().filter_map(|item| ItemId::parse(item));
    let wanted = wanted.collect();
    let credits = credits_of(&state, who, body.file).await?;
    let payments = &state.services.payments;
    let report = payments
        .mark_credits(who.signer(), credits, wanted, origin.by(who))
        .await?;
    Ok(Json(report.into()))
}

async fn undo(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Json<OrderAnswer>, Refusal> {
    let services = &state.services;
    services
        .payments
        .undo_credits(who.signer(), &id, origin.by(who))
        .await?;
    let view = services.orders.view(who.notary, &id, false).await?;
    Ok(Json(OrderAnswer {
        order: Order::of(view, locale)?,
    }))
}

/// Reads the credits of a file. It costs more than most calls.
async fn credits_of(
    state: &ApiState,
    who: SignedIn,
    file: Given<String>,
) -> Result<Vec<StatementCredit>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    // A field of another type is no statement either.
    let file = take(file, "file", &mut FieldErrors::new());
    let bytes = file.and_then(|file| STANDARD.decode(file).ok());
    let unreadable = AppRefusal::new(RefusalKind::Invalid, Key::StatementUnreadable).on("file");
    let bytes = bytes.ok_or(unreadable)?;
    read_apart(state, move || read_statement(&bytes), "file").await
}
