//! `POST /order/{id}/codes`: QR codes by which the recipients are paid past the cabinet.

use axum::extract::{Path, State};
use cabinet_receipts::{CodedTransfer, PaymentCodes as Codes, Symbol};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::carry_through::carry_through;
use crate::http::extract::{Language, SignedIn};
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Hryvnias;

pub fn call() -> Call {
    Call::post("/order/{id}/codes", handler, |docs| {
        docs.id("orderCodes")
            .tag("orders")
            .summary("QR codes of an unpaid order; its payment page is closed first")
    })
}

/// `POST /order/{id}/codes`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentCodes {
    /// One for each transfer.
    pub transfers: Vec<TransferCode>,
    /// What all transfers add up to, without the service's commission.
    pub total: Hryvnias,
}

/// A transfer and its QR code (National Bank's format 002).
#[derive(Debug, Serialize, JsonSchema)]
pub struct TransferCode {
    /// The recipient.
    pub recipient_name: String,
    /// The code that belongs to `iban`.
    pub recipient_code: String,
    /// The recipient's account.
    pub iban: String,
    /// The sum.
    pub amount: Hryvnias,
    /// The purpose as the code has it.
    pub purpose: String,
    /// The picture; null where the requisites are too long for a code.
    pub picture: Option<CodePicture>,
}

/// The picture of a QR code. The hryvnia sign in a white circle is in the middle of a transfer's code.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CodePicture {
    /// The address that it carries, which a banking app on the same device can open.
    pub link: String,
    /// Modules of a side.
    pub side: usize,
    /// The dark modules as the data of an SVG path, one module as the unit.
    pub path: String,
    /// Diameter of the white circle, in modules; 0 for a code without the sign.
    pub sign_across: u8,
}

impl CodePicture {
    /// The picture of a drawn code that carries `link`.
    pub(crate) fn of(link: &str, symbol: &Symbol) -> CodePicture {
        CodePicture {
            link: link.to_owned(),
            side: symbol.side,
            path: symbol.path(),
            sign_across: symbol.sign_across,
        }
    }
}

impl From<Codes> for PaymentCodes {
    fn from(codes: Codes) -> PaymentCodes {
        PaymentCodes {
            transfers: codes.transfers.into_iter().map(Into::into).collect(),
            total: codes.total.into(),
        }
    }
}

impl From<CodedTransfer> for TransferCode {
    fn from(transfer: CodedTransfer) -> TransferCode {
        let picture = transfer
            .link
            .as_ref()
            .and_then(|link| Some(CodePicture::of(link.as_str(), &Symbol::of(link)?)));
        TransferCode {
            recipient_name: transfer.recipient_name,
            recipient_code: transfer.recipient_code,
            iban: transfer.iban.as_str().to_owned(),
            amount: transfer.amount.into(),
            purpose: transfer.purpose,
            picture,
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Json<PaymentCodes>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let codes = carry_through(async move {
        let payments = &state.services.payments;
        payments
            .codes(who.signer(), &id, locale, origin.by(who))
            .await
    })
    .await?;
    Ok(Json(codes.into()))
}
