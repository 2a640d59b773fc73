//! `POST /auth/confirmation`: sends the signed-in notary a code that proves what it names.

use axum::extract::State;
use cabinet_app::ProofSubject;
use cabinet_app::account::ConfirmationStart;
use cabinet_app::kernel::refusal::{FieldErrors, Refusal as AppRefusal, RefusalKind};
use cabinet_domain::{ClientId, Key, NotaryId, OrderId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::card_figures::CardFiguresRequest;
use crate::call::Call;
use crate::calls::transfer::send_again::ResendRequest;
use crate::http::extract::{Language, OptionalJson, SignedIn};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::http::visitor::Visit;
use crate::state::ApiState;
use crate::wire::{ActToProve, AskedProof, Given, Moment, PasskeyToProve};

pub fn call() -> Call {
    Call::post("/auth/confirmation", handler, |docs| {
        docs.id("confirmation")
            .tag("auth")
            .summary("Send a code that proves a payment or an act")
    })
}

/// `POST /auth/confirmation`: what the code is for.
#[derive(Default, Deserialize, JsonSchema)]
pub struct ConfirmationRequest {
    /// The payment or the act that the code proves.
    #[serde(flatten)]
    pub payment: PaymentToProve,
    /// The passkey that is to be added or removed. The code proves this alone.
    #[serde(default)]
    pub passkey: Given<PasskeyToProve>,
    /// True: the code confirms the account, and goes to the contact that the register of notaries has.
    #[serde(default)]
    pub account: Given<bool>,
}

/// The payment or the act that is to be proved: one of these.
#[derive(Default, Deserialize, JsonSchema)]
pub struct PaymentToProve {
    /// The client whose group of the cart is to be paid with a saved card. This payment alone is proved.
    #[serde(default)]
    pub client_id: Given<String>,
    /// The order that is to be paid with a saved card. This payment alone is proved.
    #[serde(default)]
    pub order_id: Given<String>,
    /// The returned part that is to go to another account. This alone is proved.
    #[serde(default)]
    pub part: Given<PartRequest>,
    /// The larger figures for saved cards. These alone are proved.
    #[serde(default)]
    pub card_figures: Given<CardFiguresRequest>,
    /// The act on the account, as the refusal has named it. This alone is proved.
    #[serde(default)]
    pub act: Given<ActToProve>,
}

/// A returned part of an order, and the requisites to which it is to go.
#[derive(Deserialize, JsonSchema)]
pub struct PartRequest {
    /// The returned transfer.
    pub transfer_id: String,
    /// What `POST /order/transfer/{id}/resend` is to send.
    #[serde(flatten)]
    pub payee: ResendRequest,
}

/// A code was sent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConfirmationStarted {
    /// Names this confirmation; the code is good for it alone.
    pub operation_id: String,
    /// Number of digits of the code.
    pub otp_length: u8,
    /// The phone or the e-mail that the code went to, masked.
    pub sent_to: String,
    /// When the code stops being good.
    pub expires_at: Moment,
    /// When another code may be asked for.
    pub resend_at: Moment,
    /// The payment or the act that the code proves.
    pub proof: Option<AskedProof>,
    /// What the code proves about passkeys.
    pub passkey: Option<PasskeyToProve>,
    /// Whether it went to the contact of the register of notaries, and confirms the account.
    pub confirms_account: bool,
}

/// Sends a code to the notary's phone. It proves this payment or this act alone, as it is now, for ten minutes in this session: after
/// `confirmation_required` a page asks for the code and repeats its request. The message names what is paid or done.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Visit(visitor): Visit,
    Language(locale): Language,
    OptionalJson(body): OptionalJson<ConfirmationRequest>,
) -> Result<Json<ConfirmationStarted>, Refusal> {
    state.limits.count_confirmation(who.session)?;
    let mut errors = FieldErrors::new();
    let passkey = take(body.passkey, "passkey", &mut errors);
    let account = take(body.account, "account", &mut errors) == Some(true);
    let subject = body.payment.read(&state, who.notary, errors).await?;
    let passkey = passkey.map(|wanted| wanted.read().ok_or(Key::PasskeyUnknown));
    let passkey = passkey
        .transpose()
        .map_err(|key| Refusal::new(RefusalKind::NotFound, key))?;
    let accounts = &state.services.accounts;
    let started = match (subject, passkey) {
        (Some(subject), _) => {
            accounts
                .start_proof(who.signer(), subject, &visitor, locale)
                .await?
        }
        (None, Some(wanted)) => {
            accounts
                .start_passkey_proof((who.notary, who.session), wanted, &visitor, locale)
                .await?
        }
        (None, None) if account => {
            accounts
                .start_account_confirmation(who.signer(), &visitor, locale)
                .await?
        }
        (None, None) => {
            let nothing = AppRefusal::new(RefusalKind::Invalid, Key::FieldRequired);
            return Err(nothing.on("act").into());
        }
    };
    Ok(Json(ConfirmationStarted::from(started)))
}

impl PaymentToProve {
    /// Reads what is to be proved, with the errors of other fields; `None`: no payment is.
    pub(super) async fn read(
        self,
        state: &ApiState,
        notary: NotaryId,
        mut errors: FieldErrors,
    ) -> Result<Option<ProofSubject>, Refusal> {
        let client = take(self.client_id, "client_id", &mut errors);
        let order = take(self.order_id, "order_id", &mut errors);
        let part = take(self.part, "part", &mut errors);
        let figures = take(self.card_figures, "card_figures", &mut errors);
        let act = take(self.act, "act", &mut errors);
        let subject = match (client, order, part) {
            (Some(client), _, _) => {
                let client = ClientId::parse(&client).ok_or(Key::CartGroupEmpty);
                errors.take("client_id", client).map(ProofSubject::Group)
            }
            (None, Some(order), _) => {
                let order = OrderId::parse(&order).ok_or(Key::OrderNotFound);
                errors.take("order_id", order).map(ProofSubject::Order)
            }
            (None, None, Some(PartRequest { transfer_id, payee })) => {
                errors.check()?;
                let mut errors = FieldErrors::new();
                let payee = payee.read(&mut errors);
                let returns = &state.services.returns;
                let subject = returns.to_prove(notary, &transfer_id, payee, errors);
                return Ok(Some(subject.await?));
            }
            (None, None, None) => match figures {
                Some(figures) => {
                    let typed = figures.read(&mut errors);
                    return Ok(Some(ProofSubject::CardFigures(typed.read(errors)?)));
                }
                None => act
                    .and_then(|act| errors.take("act", act.read()))
                    .map(ProofSubject::Act),
            },
        };
        errors.check()?;
        Ok(subject)
    }
}

impl From<ConfirmationStart> for ConfirmationStarted {
    fn from(started: ConfirmationStart) -> ConfirmationStarted {
        let ConfirmationStart {
            start,
            sent_to,
            proof,
            passkey,
            confirms_account,
        } = started;
        ConfirmationStarted {
            operation_id: start.operation.to_string(),
            otp_length: start.code_digits,
            sent_to,
            expires_at: start.expires_at.into(),
            resend_at: start.resend_at.into(),
            proof: proof.as_ref().map(AskedProof::from),
            passkey: passkey.map(PasskeyToProve::from),
            confirms_account,
        }
    }
}
