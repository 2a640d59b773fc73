//! `GET /order/{id}/transfers`: the transfers of an order, and what can be done about them.

use axum::extract::{Path, State};
use cabinet_app::transfer::returns::OrderPart;
use cabinet_domain::{PartRole, TransferStatus};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Hryvnias;

pub fn call() -> Call {
    Call::get("/order/{id}/transfers", handler, |docs| {
        docs.id("orderTransfers")
            .tag("orders")
            .summary("The transfers of an order, and what can be done about those that came back")
    })
}

/// `GET /order/{id}/transfers`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderTransfers {
    /// By document number.
    pub transfers: Vec<OrderTransfer>,
}

/// A transfer of an order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderTransfer {
    /// Opaque.
    pub id: String,
    /// The number of its document, as on the receipt.
    pub document_number: i64,
    /// Whose part of the fee it is.
    pub role: TransferRole,
    /// How far it has come.
    pub status: TransferState,
    /// The sum.
    pub amount: Hryvnias,
    /// The recipient.
    pub recipient_name: String,
    /// The recipient's account.
    pub iban: String,
    /// The recipient's code.
    pub okpo: String,
    /// The purpose.
    pub purpose: String,
    /// Why the bank returned it; null for any other.
    pub reason: Option<String>,
    /// The number of the returned transfer that it sends again; null for any other.
    pub replaces: Option<i64>,
    /// The number of the transfer that sends it again; null for any other.
    pub replaced_by: Option<i64>,
    /// Whether it came back and nobody has decided about it: it can be sent again, or given back to the card.
    pub is_undecided: bool,
    /// The application for its return that can be made, because its recipient has the money; null if there is none.
    pub application: Option<ReturnApplication>,
    /// Today's account of the recipient, where it differs from this one and the transfer can be sent again; null otherwise.
    pub offered: Option<OfferedAccount>,
}

/// An account that a returned part can be sent to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OfferedAccount {
    /// The recipient.
    pub recipient_name: String,
    /// The account.
    pub iban: String,
    /// The recipient's code.
    pub okpo: String,
}

/// Whose part of a fee a transfer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransferRole {
    /// The notary's own.
    Notary,
    /// The recipient's.
    Recipient,
}

/// How far a transfer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TransferState {
    /// Not sent yet.
    Planned,
    /// Handed to the bank.
    Sent,
    /// On the recipient's account.
    Credited,
    /// Sent back by a bank.
    Returned,
    /// Never sent, because the payment was given back.
    CalledOff,
    /// The bank refused it and carried it out all the same: the operator asks the bank where the money is.
    Disputed,
}

/// An application for the return of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReturnApplication {
    /// For the return from the budget.
    Budget,
    /// For the return of a fee for information from a register.
    RegisterInformation,
}

impl From<cabinet_domain::ReturnApplication> for ReturnApplication {
    fn from(application: cabinet_domain::ReturnApplication) -> ReturnApplication {
        match application {
            cabinet_domain::ReturnApplication::Budget => ReturnApplication::Budget,
            cabinet_domain::ReturnApplication::RegisterInformation => {
                ReturnApplication::RegisterInformation
            }
        }
    }
}

impl From<PartRole> for TransferRole {
    fn from(role: PartRole) -> TransferRole {
        match role {
            PartRole::Notary => TransferRole::Notary,
            PartRole::Recipient => TransferRole::Recipient,
        }
    }
}

impl From<TransferStatus> for TransferState {
    fn from(status: TransferStatus) -> TransferState {
        match status {
            TransferStatus::Planned => TransferState::Planned,
            TransferStatus::Sent => TransferState::Sent,
            TransferStatus::Credited => TransferState::Credited,
            TransferStatus::Returned => TransferState::Returned,
            TransferStatus::CalledOff => TransferState::CalledOff,
            TransferStatus::Disputed => TransferState::Disputed,
        }
    }
}

impl From<OrderPart> for OrderTransfer {
    fn from(part: OrderPart) -> OrderTransfer {
        let transfer = part.transfer;
        let payee = transfer.planned.payee;
        OrderTransfer {
            id: transfer.id.to_string(),
            document_number: transfer.document_number,
            role: transfer.planned.role.into(),
            status: transfer.status.into(),
            amount: transfer.planned.amount.into(),
            recipient_name: payee.name.into_string(),
            iban: payee.iban.as_str().to_owned(),
            okpo: payee.okpo.as_str().to_owned(),
            purpose: payee.purpose.into_string(),
            reason: transfer.reason,
            replaces: part.replaces,
            replaced_by: part.replaced_by,
            is_undecided: part.is_undecided,
            application: part.application.map(ReturnApplication::from),
            offered: part.offered.map(|offered| OfferedAccount {
                recipient_name: offered.name,
                iban: offered.iban.as_str().to_owned(),
                okpo: offered.okpo.as_str().to_owned(),
            }),
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> Result<Json<OrderTransfers>, Refusal> {
    let parts = state.services.returns.parts(who.notary, &id).await?;
    Ok(Json(OrderTransfers {
        transfers: parts.into_iter().map(OrderTransfer::from).collect(),
    }))
}
