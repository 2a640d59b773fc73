//! What thieves try, and what is known of it.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{Iban, Okpo, OperationId, OrderId};

use crate::chance::Chance;

/// A call by which a thief wants to have money, or to open a way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theft {
    /// A saved card pays a payment to his account.
    ChargesPayment,
    /// He adds that to what the notary pays herself.
    AddsToPayment,
    /// He repeats an order of his, and a saved card pays it.
    RepeatsOrder,
    /// A saved card pays an order on whose page he has had a card declined.
    ChargesOrder,
    /// He makes an order with a page. Nobody pays there.
    OrdersByPage,
    /// He asks for another page of it.
    FreshPage,
    /// He makes a link for a client.
    ClientLink,
    /// A part that a bank returned goes to his account.
    PartToOtherAccount,
    /// The notary's own account.
    OwnAccount,
    /// Her own account, in one payment.
    OwnAccountInPayment,
    /// Her mail address.
    Email,
    /// Her second phone.
    SecondPhone,
    /// Her identifier.
    Identifier,
    /// A recipient in her book.
    SavedRecipient,
    /// Larger sums for her saved cards.
    LargerFigures,
    /// A passkey of his.
    Passkey,
    /// Her other sessions end.
    EndsSessions,
}

impl Theft {
    /// All of them.
    pub const ALL: [Theft; 17] = [
        Theft::ChargesPayment,
        Theft::AddsToPayment,
        Theft::RepeatsOrder,
        Theft::ChargesOrder,
        Theft::OrdersByPage,
        Theft::FreshPage,
        Theft::ClientLink,
        Theft::PartToOtherAccount,
        Theft::OwnAccount,
        Theft::OwnAccountInPayment,
        Theft::Email,
        Theft::SecondPhone,
        Theft::Identifier,
        Theft::SavedRecipient,
        Theft::LargerFigures,
        Theft::Passkey,
        Theft::EndsSessions,
    ];

    /// Whether a session alone does it. Then no money goes anywhere before somebody else pays.
    pub(crate) fn is_free(self) -> bool {
        matches!(
            self,
            Theft::OrdersByPage | Theft::FreshPage | Theft::ClientLink
        )
    }

    /// Whether the acquirer's ledger shows it.
    pub(crate) fn is_charge(self) -> bool {
        matches!(
            self,
            Theft::ChargesPayment
                | Theft::AddsToPayment
                | Theft::RepeatsOrder
                | Theft::ChargesOrder
        )
    }
}

/// What a thief has beside the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pretence {
    /// Nothing.
    Nothing,
    /// Codes that he guesses. They are never right: of 10,000 the cabinet lets him try three.
    GuessedCode,
    /// A code that the notary has entered before.
    OldCode,
    /// What the notary has proved a moment ago in her session, which is something else.
    OtherProof,
}

impl Pretence {
    /// All of them.
    pub const ALL: [Pretence; 4] = [
        Pretence::Nothing,
        Pretence::GuessedCode,
        Pretence::OldCode,
        Pretence::OtherProof,
    ];
}

/// An order that a thief made with a page.
#[derive(Clone, Debug)]
pub(crate) struct OrderOfThieves {
    pub(crate) notary: usize,
    pub(crate) order: OrderId,
    /// The address of the page.
    pub(crate) page: Option<String>,
}

/// A code that a notary has entered.
#[derive(Clone, Debug)]
pub(crate) struct EnteredCode {
    pub(crate) notary: usize,
    pub(crate) operation: OperationId,
    pub(crate) code: String,
}

/// The thieves of a history. Their random numbers are their own: what else happens is chosen as if they were not there.
pub(crate) struct Thieves {
    pub(crate) chance: Chance,
    /// The orders that they made with a page.
    pub(crate) orders: Vec<OrderOfThieves>,
    /// Numbers of their requests.
    pub(crate) keys: u32,
    /// The codes that notaries have entered.
    pub(crate) entered: Vec<EnteredCode>,
    /// To whom each notary has proved that she pays.
    pub(crate) proved: BTreeSet<(usize, Iban, Okpo)>,
    /// How much of the acquirer's ledger and of the bank's book was looked at.
    pub(crate) looked_at: (usize, usize),
    /// How often each call came to the question whether it was proved, or was done where none is asked.
    pub(crate) thefts: BTreeMap<Theft, usize>,
    /// With what it came there.
    pub(crate) pretences: BTreeMap<Pretence, usize>,
}

impl Thieves {
    pub(crate) fn new(seed: u64) -> Thieves {
        Thieves {
            chance: Chance::new(seed.wrapping_add(3 << 40)),
            orders: Vec::new(),
            keys: 0,
            entered: Vec::new(),
            proved: BTreeSet::new(),
            looked_at: (0, 0),
            thefts: BTreeMap::new(),
            pretences: BTreeMap::new(),
        }
    }

    /// Returns a new idempotency key.
    pub(crate) fn fresh_key(&mut self) -> String {
        self.keys += 1;
        format!("thief-{:08}", self.keys)
    }
}
