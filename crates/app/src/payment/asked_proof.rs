//! What a notary is asked to prove before money goes to a recipient who is new to her, or a way to it is opened.

use cabinet_domain::{
    CardFigures, ClientId, Money, OrderId, Payee, ProofKind, Transfer, TransferId,
};

use crate::account::ActToProve;

/// What is to be paid or done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofSubject {
    /// The group of a client in the cart.
    Group(ClientId),
    /// An order that was not paid.
    Order(OrderId),
    /// A part that a bank returned, which goes to another account.
    Part(Box<CorrectedPart>),
    /// Larger figures for the saved cards.
    CardFigures(CardFigures),
    /// An act on the account.
    Act(ActToProve),
}

/// A returned part of an order with the requisites to which it goes now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectedPart {
    /// The returned transfer.
    pub(crate) transfer: Transfer,
    /// To whom it goes now.
    pub(crate) payee: Payee,
}

impl CorrectedPart {
    /// Returns the returned transfer.
    #[must_use]
    pub const fn transfer(&self) -> TransferId {
        self.transfer.id
    }

    /// Returns to whom it goes now.
    #[must_use]
    pub const fn payee(&self) -> &Payee {
        &self.payee
    }
}

/// What a notary is asked to prove, as the message with the code and the page name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedProof {
    /// What is to be paid or done.
    pub subject: ProofSubject,
    /// What the card pays.
    pub sum: Money,
    /// How many recipients are new to her.
    pub new_recipients: usize,
    /// The new recipient who gets most.
    pub largest: Option<LargestRecipient>,
    /// The most that saved cards pay within a day without a proof, where this would be more.
    pub beyond_daily: Option<Money>,
    /// What proves it in this session, the simplest first.
    pub kinds: Vec<ProofKind>,
}

/// The new recipient who gets most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargestRecipient {
    /// What goes to the account.
    pub sum: Money,
    /// The last characters of the account.
    pub account_end: String,
}
