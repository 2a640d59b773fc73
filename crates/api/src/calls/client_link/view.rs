//! `GET /order/{id}/client-link`: what is known of the link for the client.

use axum::extract::{Path, State};
use cabinet_app::client_link::{self, ClientLinkView, ReceiptLetter};
use cabinet_domain::{ConsentBy, ReceiptConsent};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Moment;

pub fn call() -> Call {
    Call::get("/order/{id}/client-link", handler, |docs| {
        docs.id("orderClientLink")
            .tag("orders")
            .summary("The link by which the client pays an order")
    })
}

/// The link by which the client of an order pays. Its address is told only when it is made.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ClientLink {
    /// Where it stands.
    pub state: ClientLinkState,
    /// When it was made; null without a link.
    pub made_at: Option<Moment>,
    /// When it ends or ended; null without a link.
    pub ends_at: Option<Moment>,
    /// When somebody first opened it; null before.
    pub opened_at: Option<Moment>,
    /// When a link of this order was last sent; null before.
    pub sent_at: Option<Moment>,
    /// How often links of this order may still be sent.
    pub sendings_left: i64,
    /// The most hours that a link may live, and how long it lives where nothing is chosen.
    pub hours_max: i64,
    /// Whether letters can be sent. Otherwise only text messages can.
    pub letters: bool,
    /// Where the client's receipt is sent; null where nobody agreed to that.
    pub receipt_mail: Option<ReceiptMail>,
    /// That letters about the receipt were refused; null otherwise.
    pub receipt_mail_refused: Option<ReceiptMailRefused>,
}

/// Where the receipt of an order is sent by e-mail.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReceiptMail {
    /// The address, with the first letter and the host only.
    pub email: String,
    /// Whether the client said it on the page of the link; otherwise the notary entered it.
    pub by_client: bool,
    /// When the consent was given.
    pub given_at: Moment,
    /// What became of the letter with the receipt.
    pub state: ReceiptMailState,
    /// When the receipt was first opened since the letter was last asked for, by the letter or by the link of the order; null in other states than `opened`.
    pub opened_at: Option<Moment>,
}

/// What became of the letter with the receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptMailState {
    /// The order is not paid, so there is none yet.
    Agreed,
    /// It has not left yet.
    Waiting,
    /// It was given up: the mail server does not take it.
    NotSent,
    /// The mail server has it, and the receipt was not opened.
    Sent,
    /// Nothing says whether it has left: an earlier version sent it, or the operator dropped what would have sent it.
    Unknown,
    /// The receipt was opened.
    Opened,
    /// Its link gives no receipt any more: too many wrong digits were entered.
    UsedUp,
    /// Its link gives no receipt any more: its time has run out.
    Ended,
}

/// Letters about the receipt of an order were refused.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReceiptMailRefused {
    /// When.
    pub at: Moment,
    /// Whether only the address that got the letter refused them; otherwise the client refused all.
    pub is_of_address: bool,
}

impl ReceiptMail {
    fn new(consent: &ReceiptConsent, letter: ReceiptLetter) -> ReceiptMail {
        let (state, opened_at) = match letter {
            ReceiptLetter::NotDue => (ReceiptMailState::Agreed, None),
            ReceiptLetter::Waiting => (ReceiptMailState::Waiting, None),
            ReceiptLetter::NotSent => (ReceiptMailState::NotSent, None),
            ReceiptLetter::Sent => (ReceiptMailState::Sent, None),
            ReceiptLetter::Unknown => (ReceiptMailState::Unknown, None),
            ReceiptLetter::Opened(at) => (ReceiptMailState::Opened, Some(at.into())),
            ReceiptLetter::UsedUp => (ReceiptMailState::UsedUp, None),
            ReceiptLetter::Ended => (ReceiptMailState::Ended, None),
        };
        ReceiptMail {
            email: consent.email.masked(),
            by_client: consent.given_by == ConsentBy::Client,
            given_at: consent.given_at.into(),
            state,
            opened_at,
        }
    }
}

/// Where a link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientLinkState {
    /// There is none.
    None,
    /// It opens the order.
    Open,
    /// Its time has run out.
    Ended,
    /// The notary withdrew it.
    Withdrawn,
}

impl From<ClientLinkView> for ClientLink {
    fn from(view: ClientLinkView) -> ClientLink {
        let link = view.link;
        let state = match link {
            None => ClientLinkState::None,
            Some(_) if view.is_open => ClientLinkState::Open,
            Some(link) if link.withdrawn_at.is_some() => ClientLinkState::Withdrawn,
            Some(_) => ClientLinkState::Ended,
        };
        let (receipt_mail, receipt_mail_refused) = match view.receipt_mail {
            Some(client_link::ReceiptMail::Sent(consent, letter)) => {
                (Some(ReceiptMail::new(&consent, letter)), None)
            }
            Some(client_link::ReceiptMail::Refused { at, is_of_address }) => {
                let at = at.into();
                (None, Some(ReceiptMailRefused { at, is_of_address }))
            }
            None => (None, None),
        };
        ClientLink {
            state,
            made_at: link.map(|link| link.made_at.into()),
            ends_at: link.map(|link| link.ends_at.into()),
            opened_at: link.and_then(|link| link.opened_at).map(Into::into),
            sent_at: link.and_then(|link| link.sent_at).map(Into::into),
            sendings_left: view.sendings_left,
            hours_max: view.hours_max,
            letters: view.writes_letters,
            receipt_mail,
            receipt_mail_refused,
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> Result<Json<ClientLink>, Refusal> {
    let view = state.services.client_links.view(who.notary, &id).await?;
    Ok(Json(view.into()))
}
