//! The report of a period.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use jiff::civil::Date;

use super::balance::Balance;
use super::period::{DayBasis, Month, Period};
use crate::{Money, PartRole, PaymentKind, TransferStatus};

/// The items of one kind whose orders were paid in a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidItems {
    /// The month (Kyiv) of the charge.
    pub month: Month,
    /// The kind.
    pub kind: PaymentKind,
    /// How many.
    pub count: u64,
    /// What the recipients get.
    pub amount: Balance,
    /// The commission.
    pub commission: Balance,
    /// Whether their charges were given back to the card.
    pub is_refunded: bool,
}

/// The items of one kind whose orders were marked in a month as paid by QR codes, past the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesItems {
    /// The month (Kyiv) of the mark.
    pub month: Month,
    /// The kind.
    pub kind: PaymentKind,
    /// How many.
    pub count: u64,
    /// What the recipients get.
    pub amount: Balance,
}

/// The parts of items paid in a month whose last transfers stand alike. Of several transfers for one part only the last is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingParts {
    /// The month (Kyiv) of the charge.
    pub month: Month,
    /// The kind.
    pub kind: PaymentKind,
    /// Whose parts they are.
    pub role: PartRole,
    /// The status.
    pub status: TransferStatus,
    /// Whether they came back and the operator gave them back to the client's card.
    pub is_refunded: bool,
    /// The amount.
    pub amount: Balance,
}

/// What was credited to accounts of recipients in a month, or came back from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedParts {
    /// The month of the movement.
    pub month: Month,
    /// The kind.
    pub kind: PaymentKind,
    /// Whose parts they are.
    pub role: PartRole,
    /// Whether they came back.
    pub is_return: bool,
    /// How many.
    pub count: u64,
    /// The amount.
    pub amount: Balance,
    /// The commission that was charged for them. It counts with the first crediting of a part.
    pub commission: Balance,
}

/// A transfer of a paid item, as the income book needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidPart {
    /// Whose part it is.
    pub role: PartRole,
    /// The number of its document.
    pub document_number: i64,
    /// The amount for all units.
    pub amount: Money,
    /// The commission that was charged for this part, for all units; zero where an earlier transfer of the part was credited, so that it
    /// counts once.
    pub commission: Money,
    /// The status.
    pub status: TransferStatus,
    /// The day on which it was credited, as the bank told it.
    pub credited_on: Option<Date>,
    /// The day on which it came back, as the bank told it.
    pub returned_on: Option<Date>,
    /// The day (Kyiv) on which its status last changed.
    pub changed_on: Date,
}

/// What happened to a transfer on a recipient's account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// It was credited on this day.
    Credited(Date),
    /// It came back on this day.
    Returned {
        /// The day.
        on: Date,
        /// Whether it had been credited before, as far as a bank told the day of it.
        after_crediting: bool,
    },
}

impl PaidPart {
    /// Returns its movements, the crediting first. Where the bank told no day, the day counts on which the operator entered the status;
    /// a crediting whose day is unknown is forgotten when the money comes back.
    #[must_use]
    pub fn movements(&self) -> Vec<Movement> {
        match self.status {
            TransferStatus::Credited => {
                vec![Movement::Credited(
                    self.credited_on.unwrap_or(self.changed_on),
                )]
            }
            TransferStatus::Returned => {
                let returned = Movement::Returned {
                    on: self.returned_on.unwrap_or(self.changed_on),
                    after_crediting: self.credited_on.is_some(),
                };
                let credited = self.credited_on.map(Movement::Credited);
                credited.into_iter().chain([returned]).collect()
            }
            TransferStatus::Planned
            | TransferStatus::Sent
            | TransferStatus::CalledOff
            | TransferStatus::Disputed => Vec::new(),
        }
    }
}

/// The figures of a period, of a month of it, or of a kind.
///
/// By the day of payment, `amount` and `commission` are what cards were charged, and the notary's share stands where its transfers
/// stand now. By the day of crediting, they are what recipients' banks credited, with the commission for just that; nothing is
/// planned or sent there, because only a movement has such a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How many payments, or how many credited transfers.
    pub count: u64,
    /// For the recipients, without the commission.
    pub amount: Balance,
    /// The commission.
    pub commission: Balance,
    /// The notary's share that waits for the bank.
    pub own_planned: Balance,
    /// The notary's share that the bank has.
    pub own_sent: Balance,
    /// The notary's share that was credited.
    pub own_credited: Balance,
    /// The notary's share that came back.
    pub own_returned: Balance,
    /// All parts that came back, with the notary's.
    pub returned: Balance,
    /// How many payments were given back to the card as a whole. They are in no other figure.
    pub refunded_count: u64,
    /// What was given back to the card: whole payments with their commission, and parts that a bank had sent back.
    pub refunded: Balance,
    /// How many payments were marked as paid by QR codes. They are in no other figure.
    pub codes_count: u64,
    /// What recipients got by QR codes, past the service: the payer told so, and nobody charged a commission.
    pub codes: Balance,
}

impl Figures {
    /// Returns amount and commission together.
    #[must_use]
    pub fn total(&self) -> Balance {
        self.amount + self.commission
    }

    fn add_standing(&mut self, parts: &StandingParts) {
        let amount = parts.amount;
        if parts.is_refunded {
            self.amount = self.amount - amount;
            self.refunded += amount;
            return;
        }
        let is_own = parts.role == PartRole::Notary;
        match parts.status {
            TransferStatus::Planned if is_own => self.own_planned += amount,
            TransferStatus::Sent | TransferStatus::Disputed if is_own => self.own_sent += amount,
            TransferStatus::Credited if is_own => self.own_credited += amount,
            TransferStatus::Returned => self.add_returned(parts.role, amount),
            TransferStatus::Planned
            | TransferStatus::Sent
            | TransferStatus::Credited
            | TransferStatus::CalledOff
            | TransferStatus::Disputed => {}
        }
    }

    fn add_returned(&mut self, role: PartRole, amount: Balance) {
        self.returned += amount;
        if role == PartRole::Notary {
            self.own_returned += amount;
        }
    }
}

impl AddAssign<&Figures> for Figures {
    fn add_assign(&mut self, other: &Figures) {
        self.count = self.count.saturating_add(other.count);
        self.amount += other.amount;
        self.commission += other.commission;
        self.own_planned += other.own_planned;
        self.own_sent += other.own_sent;
        self.own_credited += other.own_credited;
        self.own_returned += other.own_returned;
        self.returned += other.returned;
        self.refunded_count = self.refunded_count.saturating_add(other.refunded_count);
        self.refunded += other.refunded;
        self.codes_count = self.codes_count.saturating_add(other.codes_count);
        self.codes += other.codes;
    }
}

/// The report of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The period.
    pub period: Period,
    /// The day by which sums are placed.
    pub basis: DayBasis,
    /// Each month of the period, in order; those without payments too.
    pub months: Vec<(Month, Figures)>,
    /// Each kind, in the order of the payment form.
    pub kinds: Vec<(PaymentKind, Figures)>,
}

impl Report {
    /// Makes the report by the day of payment. What belongs to other months doesn't count.
    #[must_use]
    pub fn by_payment(
        period: Period,
        items: &[PaidItems],
        parts: &[StandingParts],
        codes: &[CodesItems],
    ) -> Self {
        let mut cells = Cells::new(period);
        for item in items {
            let figures = cells.of(item.month, item.kind);
            if item.is_refunded {
                figures.refunded_count = figures.refunded_count.saturating_add(item.count);
                figures.refunded += item.amount + item.commission;
            } else {
                figures.count = figures.count.saturating_add(item.count);
                figures.amount += item.amount;
                figures.commission += item.commission;
            }
        }
        for part in parts {
            cells.of(part.month, part.kind).add_standing(part);
        }
        for item in codes {
            let figures = cells.of(item.month, item.kind);
            figures.codes_count = figures.codes_count.saturating_add(item.count);
            figures.codes += item.amount;
        }
        cells.report(DayBasis::Payment)
    }

    /// Makes the report by the day of crediting, and for what came back by the day of the return. What belongs to other months
    /// doesn't count.
    #[must_use]
    pub fn by_crediting(period: Period, parts: &[MovedParts]) -> Self {
        let mut cells = Cells::new(period);
        for part in parts {
            let figures = cells.of(part.month, part.kind);
            if part.is_return {
                figures.add_returned(part.role, part.amount);
                continue;
            }
            figures.count = figures.count.saturating_add(part.count);
            figures.amount += part.amount;
            figures.commission += part.commission;
            if part.role == PartRole::Notary {
                figures.own_credited += part.amount;
            }
        }
        cells.report(DayBasis::Crediting)
    }

    /// Returns the figures of the whole period.
    #[must_use]
    pub fn total(&self) -> Figures {
        let mut total = Figures::default();
        for (_, figures) in &self.months {
            total += figures;
        }
        total
    }
}

/// The figures of each month and kind.
struct Cells {
    period: Period,
    cells: BTreeMap<(Month, PaymentKind), Figures>,
}

impl Cells {
    const fn new(period: Period) -> Self {
        Self {
            period,
            cells: BTreeMap::new(),
        }
    }

    fn of(&mut self, month: Month, kind: PaymentKind) -> &mut Figures {
        self.cells.entry((month, kind)).or_default()
    }

    fn report(&self, basis: DayBasis) -> Report {
        let sum = |is_wanted: &dyn Fn(Month, PaymentKind) -> bool| {
            let mut sum = Figures::default();
            for (&(month, kind), figures) in &self.cells {
                if is_wanted(month, kind) {
                    sum += figures;
                }
            }
            sum
        };
        let wanted = self.period.months();
        let months = wanted.iter().copied();
        Report {
            period: self.period,
            basis,
            months: months
                .map(|wanted| (wanted, sum(&|month, _| month == wanted)))
                .collect(),
            kinds: PaymentKind::ALL
                .into_iter()
                .map(|kind| {
                    let figures = sum(&|month, of| of == kind && wanted.contains(&month));
                    (kind, figures)
                })
                .collect(),
        }
    }
}
