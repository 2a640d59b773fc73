//! What a bank tells of one payment.

use std::fmt;

use cabinet_domain::{Iban, Line, Money, TransferId, Uetr};
use jiff::civil::Date;

use crate::problem::Problem;

/// The number of an entry before the entries of its file are counted.
pub(crate) const UNNUMBERED: usize = 0;

/// One entry of a file from a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the file. The first is 1.
    pub number: usize,
    /// The line on which it begins. The first is 1. A file in XML may have all in one line.
    pub line: usize,
    /// What the bank tells.
    pub fact: Fact,
    /// How it names the payment.
    pub references: References,
    /// The amount in hryvnias. `None`: the file names none, or another currency.
    pub amount: Option<Money>,
    /// The sum in another currency, as it is shown: `754.25 EUR`.
    pub other_sum: Option<String>,
    /// The accounts of the payment that the entry names, without the account of the statement.
    pub accounts: Vec<Iban>,
    /// What a booked credit says to the owner of the account. `None` for debits, returns and whatever is not booked.
    pub credit: Option<Credit>,
}

/// Money that somebody paid to the account of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// The account of the statement.
    pub account: Iban,
    /// The value date, or else the day of booking.
    pub on: Date,
    /// What the payer and the bank wrote of it, one text after the other.
    pub text: String,
}

impl Entry {
    /// Returns the sum with its currency, as it is shown. `None`: the file tells none.
    #[must_use]
    pub fn sum(&self) -> Option<String> {
        let hryvnias = self
            .amount
            .map(|amount| format!("{} UAH", amount.decimal()));
        hryvnias.or_else(|| self.other_sum.clone())
    }

    /// Returns how the entry is named to a person.
    #[must_use]
    pub fn name(&self) -> EntryName {
        let references = &self.references;
        let of_bank = references.bank_reference.as_ref();
        let of_bank = of_bank.or(references.booking_reference.as_ref());
        let reference = match (of_bank, references.document_number) {
            (Some(reference), _) => reference.as_str().to_owned(),
            (None, Some(number)) => number.to_string(),
            (None, None) => String::new(),
        };
        // What a shell takes for itself is left out.
        let is_plain = |sign: &char| sign.is_alphanumeric() || "-._/".contains(*sign);
        EntryName {
            number: self.number,
            reference: reference.chars().filter(is_plain).collect(),
        }
    }
}

/// How an entry of a file is named to a person, and by a person: `12:JBKL20P`. The number alone could be that of another file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryName {
    number: usize,
    /// The bank's reference, or else the number of the document. Empty: the entry has neither.
    reference: String,
}

impl fmt::Display for EntryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.number)?;
        if self.reference.is_empty() {
            return Ok(());
        }
        write!(formatter, ":{}", self.reference)
    }
}

/// What a bank tells of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The bank has the instruction and works on it, or has debited the payer's account: the money is on its way.
    UnderWay {
        /// The day from which the payer's account is debited, if it is.
        debited_on: Option<Date>,
    },
    /// The bank says by its status that the money is on the recipient's account.
    Credited {
        /// The day of crediting, if the file names it.
        on: Option<Date>,
    },
    /// Money came in to an account, and the entry does not call it a return. On the recipient's account it is the crediting. On any
    /// other account it is a return if a reference of ours names the transfer.
    CameIn {
        /// The account of the statement or notification.
        account: Iban,
        /// The day, if the file names it.
        on: Option<Date>,
        /// Why it came back, if it is a return, in the words that are stored and shown.
        reason: String,
    },
    /// The money came back.
    Returned {
        /// Why, in the words that are stored and shown.
        reason: String,
        /// The day, if the file names it.
        on: Option<Date>,
    },
    /// The bank took back the debit that the entry itself tells. When, the entry does not say.
    Reversed {
        /// Why, in the words that are stored and shown.
        reason: String,
    },
    /// The bank does not carry an instruction out. The money is with the payer unless an earlier instruction was carried out.
    Refused {
        /// Why, in the words that are stored and shown.
        reason: String,
        /// The day.
        on: Date,
        /// Whether the bank says that it had the same payment before.
        is_duplicate: bool,
    },
    /// Nothing that concerns a transfer, such as money that came in.
    Other(&'static str),
    /// It can't be read. References and accounts are told as far as they can be. Accounts are there only if they are all to which and from
    /// which the money can have gone: where none of them is a recipient's, the entry is foreign.
    Unread(Problem),
}

/// How an entry names its payment. Each part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The end-to-end reference of the banks.
    pub uetr: Option<Uetr>,
    /// The transfer that our instruction named.
    pub transfer: Option<TransferId>,
    /// The number of the document.
    pub document_number: Option<i64>,
    /// The bank's own reference of this payment, or else that of its booking.
    pub bank_reference: Option<Line>,
    /// The bank's reference of the booking on the payer's account. Another message of the same debit may have this one alone. `None` where
    /// the booking has several payments.
    pub booking_reference: Option<Line>,
}
