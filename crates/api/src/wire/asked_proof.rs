//! What a notary is asked to prove before a saved card is charged, or a way to money is opened.

use cabinet_app::{CorrectedPart, ProofSubject};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ActToProve, CardFigures, Hryvnias};

/// What must be proved before a saved card is charged, a returned part goes to another account, or an act on the account is done. For this
/// `client_id`, `order_id`, `part`, `card_figures` or `act` `POST /auth/confirmation` sends a code, and `POST /auth/confirmation/passkey/options` tells what a passkey is asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AskedProof {
    /// The client whose group of the cart is paid.
    pub client_id: Option<String>,
    /// The order that is paid.
    pub order_id: Option<String>,
    /// The returned part that goes to another account.
    pub part: Option<PartToProve>,
    /// The larger figures for saved cards.
    pub card_figures: Option<CardFigures>,
    /// The act on the account.
    pub act: Option<ActToProve>,
    /// What the card pays, what goes to the other account, or the larger sum a day; 0 of an act.
    pub sum: Hryvnias,
    /// How many recipients are new to the notary: neither in the reference data nor proved before.
    pub new_recipients: usize,
    /// The new recipient who gets most.
    pub largest: Option<LargestRecipient>,
    /// The most that saved cards pay within 24 hours without a proof, where this would be more.
    pub beyond_daily: Option<Hryvnias>,
    /// What proves it in this session, the simplest first.
    pub kinds: Vec<ProofKind>,
}

/// How a notary proves that she herself wants what is done with money.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofKind {
    /// A code by SMS. On a new device it proves acts on the account alone.
    Code,
    /// A passkey that was added as long ago as a device must be known.
    Passkey,
}

/// A returned part of an order, and the requisites to which it goes now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PartToProve {
    /// The returned transfer.
    pub transfer_id: String,
    /// The account.
    pub iban: String,
    /// The code of its owner.
    pub okpo: String,
    /// The recipient.
    pub recipient_name: String,
    /// The purpose.
    pub purpose: String,
}

impl From<&CorrectedPart> for PartToProve {
    fn from(part: &CorrectedPart) -> PartToProve {
        let payee = part.payee();
        PartToProve {
            transfer_id: part.transfer().to_string(),
            iban: payee.iban.as_str().to_owned(),
            okpo: payee.okpo.as_str().to_owned(),
            recipient_name: payee.name.as_str().to_owned(),
            purpose: payee.purpose.as_str().to_owned(),
        }
    }
}

/// The new recipient who gets most.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LargestRecipient {
    /// What goes to the account.
    pub sum: Hryvnias,
    /// The last four characters of the account.
    pub account_end: String,
}

impl From<&cabinet_app::AskedProof> for AskedProof {
    fn from(asked: &cabinet_app::AskedProof) -> AskedProof {
        let (client_id, order_id, part) = match &asked.subject {
            ProofSubject::Group(client) => (Some(client.to_string()), None, None),
            ProofSubject::Order(order) => (None, Some(order.to_string()), None),
            ProofSubject::Part(part) => (None, None, Some(PartToProve::from(part.as_ref()))),
            ProofSubject::CardFigures(_) | ProofSubject::Act(_) => (None, None, None),
        };
        let (card_figures, act) = match &asked.subject {
            ProofSubject::CardFigures(figures) => (Some(CardFigures::from(*figures)), None),
            ProofSubject::Act(act) => (None, Some(ActToProve::from(act))),
            ProofSubject::Group(_) | ProofSubject::Order(_) | ProofSubject::Part(_) => (None, None),
        };
        AskedProof {
            client_id,
            order_id,
            part,
            card_figures,
            act,
            sum: asked.sum.into(),
            new_recipients: asked.new_recipients,
            largest: asked.largest.as_ref().map(|largest| LargestRecipient {
                sum: largest.sum.into(),
                account_end: largest.account_end.clone(),
            }),
            beyond_daily: asked.beyond_daily.map(Hryvnias::from),
            kinds: asked
                .kinds
                .iter()
                .map(|kind| match kind {
                    cabinet_domain::ProofKind::Code => ProofKind::Code,
                    cabinet_domain::ProofKind::Passkey => ProofKind::Passkey,
                })
                .collect(),
        }
    }
}
