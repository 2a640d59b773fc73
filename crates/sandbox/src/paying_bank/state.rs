//! What the paying bank remembers. Every change is a [`Line`], which is applied and goes to the journal.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::files::Format;
use super::instruction::{Instruction, Reason};
use super::known_accounts::{self, KnownAccount};
use super::settings::{Customer, PayingBankSettings};
use crate::errors::SandboxError;

/// What shall happen to the payment of a document, by order of a test or a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ruling {
    /// Days of the bank that pass before the payment is executed.
    #[serde(default)]
    pub(crate) delay_days: u32,
    /// Sends the money back. `None`: the accounts decide.
    #[serde(default, rename = "return")]
    pub(crate) sends_back: Option<Return>,
}

/// An ordered return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Return {
    /// The code of ISO 20022.
    pub(crate) code: String,
    /// The bank's words.
    pub(crate) text: String,
    /// Days of the bank between crediting and return, at least one. `None`: it comes back instead of being credited.
    #[serde(default)]
    pub(crate) days_after_credit: Option<u32>,
}

impl Return {
    pub(super) fn reason(&self) -> Reason {
        Reason::new(&self.code, &self.text)
    }
}

/// What becomes of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub(crate) enum PaymentStatus {
    /// Taken, not executed yet.
    Waiting,
    /// On the recipient's account.
    Credited {
        /// The day.
        credited_on: Date,
    },
    /// Back on the customer's account.
    Returned {
        /// The day on which it had been credited before, if it had.
        credited_on: Option<Date>,
        /// The day on which it came back.
        returned_on: Date,
        /// Why.
        reason: Reason,
    },
}

/// A payment that the bank has taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Payment {
    /// The end-to-end reference that every bank of its way knows, a UUID of version 4.
    pub(crate) uetr: String,
    /// The bank's own reference.
    pub(crate) reference: String,
    /// The instruction.
    #[serde(flatten)]
    pub(crate) instruction: Instruction,
    /// What becomes of it.
    #[serde(flatten)]
    pub(crate) status: PaymentStatus,
    /// Days of the bank that it has spent in its status.
    pub(crate) bank_days: u32,
    /// When it was taken.
    pub(crate) taken_at: Timestamp,
}

/// What the bank says to one instruction of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) document_number: String,
    pub(crate) instruction_id: String,
    /// Kopiykas; `None` where the file has no sum in hryvnias.
    #[serde(default)]
    pub(crate) amount: Option<i64>,
    /// The recipient's account as the file has it.
    #[serde(default)]
    pub(crate) recipient_account: String,
    #[serde(flatten)]
    pub(crate) result: AnswerResult,
}

/// The outcome of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "result")]
pub(crate) enum AnswerResult {
    /// It is a new payment.
    Taken {
        /// The payment.
        uetr: String,
    },
    /// The same payment was taken before; nothing was changed.
    TakenBefore {
        /// The payment.
        uetr: String,
    },
    /// It is no payment.
    Refused {
        /// Why.
        reason: Reason,
    },
}

/// A file that the bank has taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TakenFile {
    /// The bank's number of the file.
    pub(crate) id: u64,
    /// The name under which it came.
    pub(crate) name: String,
    pub(crate) format: Format,
    /// The customer's id of the message; the file's name where the format has none.
    pub(crate) message_id: String,
    /// The hash of its bytes.
    pub(crate) digest: String,
    pub(crate) taken_at: Timestamp,
    /// One for each instruction, in the order of the file.
    pub(crate) answers: Vec<Answer>,
}

/// Whether a booking lowers or raises the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    /// It lowers it.
    Debit,
    /// It raises it.
    Credit,
}

/// Why an account is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BookingKind {
    /// A payment is executed.
    Payment,
    /// Its money comes back.
    Return,
}

/// One line of the ledger. Lines are only ever added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Booking {
    /// The number, from 1 without gaps.
    pub(crate) number: u64,
    /// The account that is booked.
    pub(crate) account: String,
    pub(crate) side: Side,
    pub(crate) kind: BookingKind,
    /// Kopiykas, above zero.
    pub(crate) amount: i64,
    pub(crate) booked_on: Date,
    pub(crate) at: Timestamp,
    /// The payment.
    pub(crate) uetr: String,
    pub(crate) document_number: String,
    /// The bank's reference of the booking: that of the payment, and another one for a return.
    pub(crate) reference: String,
    /// Why the money came back.
    pub(crate) reason: Option<Reason>,
}

/// A change of the state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    /// Whether payments are executed as soon as they are taken.
    Immediate(bool),
    /// The accounts that are closed.
    Closed(BTreeSet<String>),
    /// Whose further accounts are, which the table of recipients lacks: codes by account.
    Owners(BTreeMap<String, String>),
    /// What shall happen to a document; `None` takes it back.
    Ruling(String, Option<Ruling>),
    /// A new file.
    File(TakenFile),
    /// A payment that is new or has changed.
    Payment(Box<Payment>),
    /// A line of the ledger.
    Booking(Booking),
}

/// Everything the paying bank knows.
#[derive(Debug)]
pub(crate) struct PayingBank {
    customer: Customer,
    opening_balance: i64,
    known_accounts: BTreeMap<String, KnownAccount>,
    is_immediate: bool,
    closed: BTreeSet<String>,
    owners: BTreeMap<String, String>,
    rulings: BTreeMap<String, Ruling>,
    files: Vec<TakenFile>,
    payments: Vec<Payment>,
    bookings: Vec<Booking>,
    changes: Vec<Line>,
}

impl PayingBank {
    /// Returns a bank without payments.
    pub(crate) fn new(settings: &PayingBankSettings) -> Result<Self, SandboxError> {
        Ok(Self {
            customer: settings.customer.clone(),
            opening_balance: settings.opening_balance,
            known_accounts: known_accounts::read(&settings.recipients)?,
            is_immediate: false,
            closed: BTreeSet::new(),
            owners: BTreeMap::new(),
            rulings: BTreeMap::new(),
            files: Vec::new(),
            payments: Vec::new(),
            bookings: Vec::new(),
            changes: Vec::new(),
        })
    }

    /// Applies a change and remembers it for the journal.
    pub(crate) fn record(&mut self, line: Line) {
        self.apply(line.clone());
        self.changes.push(line);
    }

    /// Applies a change, which may come from the journal.
    pub(crate) fn apply(&mut self, line: Line) {
        match line {
            Line::Immediate(is_immediate) => self.is_immediate = is_immediate,
            Line::Closed(accounts) => self.closed = accounts,
            Line::Owners(owners) => self.owners = owners,
            Line::Ruling(number, Some(ruling)) => {
                self.rulings.insert(number, ruling);
            }
            Line::Ruling(number, None) => {
                self.rulings.remove(&number);
            }
            Line::File(file) => self.files.push(file),
            Line::Payment(payment) => {
                match self
                    .payments
                    .iter_mut()
                    .find(|known| known.uetr == payment.uetr)
                {
                    Some(known) => *known = *payment,
                    None => self.payments.push(*payment),
                }
            }
            Line::Booking(booking) => self.bookings.push(booking),
        }
    }

    /// Takes out the changes since the last call.
    pub(crate) fn take_changes(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.changes)
    }

    /// Returns the whole state as changes of an empty one.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let mut lines = vec![
            Line::Immediate(self.is_immediate),
            Line::Closed(self.closed.clone()),
            Line::Owners(self.owners.clone()),
        ];
        let rulings = self.rulings.iter();
        lines.extend(
            rulings.map(|(number, ruling)| Line::Ruling(number.clone(), Some(ruling.clone()))),
        );
        lines.extend(self.files.iter().cloned().map(Line::File));
        let payments = self.payments.iter().cloned();
        lines.extend(payments.map(|payment| Line::Payment(Box::new(payment))));
        lines.extend(self.bookings.iter().cloned().map(Line::Booking));
        lines
    }

    /// The customer whose payments it takes.
    pub(crate) fn customer(&self) -> &Customer {
        &self.customer
    }

    /// Whether payments are executed as soon as they are taken.
    pub(crate) fn is_immediate(&self) -> bool {
        self.is_immediate
    }

    /// The accounts that are closed.
    pub(crate) fn closed_accounts(&self) -> &BTreeSet<String> {
        &self.closed
    }

    /// Whose further accounts are: codes by account.
    pub(crate) fn owners(&self) -> &BTreeMap<String, String> {
        &self.owners
    }

    /// What was ordered, by the number of the document.
    pub(crate) fn rulings(&self) -> &BTreeMap<String, Ruling> {
        &self.rulings
    }

    pub(super) fn ruling(&self, number: &str) -> Ruling {
        self.rulings.get(number).cloned().unwrap_or_default()
    }

    pub(super) fn known_account(&self, iban: &str) -> Option<&KnownAccount> {
        self.known_accounts.get(iban)
    }

    /// All files, the earliest first.
    pub(crate) fn files(&self) -> &[TakenFile] {
        &self.files
    }

    /// All payments, the earliest first.
    pub(crate) fn payments(&self) -> &[Payment] {
        &self.payments
    }

    /// Returns a payment.
    pub(crate) fn payment(&self, uetr: &str) -> Option<&Payment> {
        self.payments.iter().find(|payment| payment.uetr == uetr)
    }

    /// The ledger, the earliest line first.
    pub(crate) fn bookings(&self) -> &[Booking] {
        &self.bookings
    }

    /// Returns the balance of an account in kopiykas, with the bookings that `counts` chooses.
    pub(crate) fn balance(&self, account: &str, counts: impl Fn(&Booking) -> bool) -> i64 {
        let opening = if account == self.customer.iban {
            self.opening_balance
        } else {
            0
        };
        let bookings = self.bookings.iter();
        bookings
            .filter(|booking| booking.account == account && counts(booking))
            .fold(opening, |balance, booking| match booking.side {
                Side::Debit => balance.saturating_sub(booking.amount),
                Side::Credit => balance.saturating_add(booking.amount),
            })
    }

    /// Returns every account that was booked, the customer's first, with its balance in kopiykas.
    pub(crate) fn balances(&self) -> Vec<(String, i64)> {
        let booked: BTreeSet<&str> = self.bookings.iter().map(|b| b.account.as_str()).collect();
        let own = self.customer.iban.as_str();
        std::iter::once(own)
            .chain(booked.into_iter().filter(|account| *account != own))
            .map(|account| (account.to_owned(), self.balance(account, |_| true)))
            .collect()
    }
}
