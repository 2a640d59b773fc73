//! The report of a period.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use jiff::civil::Date;

use super::balance::Balance;
use super::period::{DayBasis, Month, Period};
use crate::{ItemId, Money, PartRole, PaymentKind, TransferStatus};

/// An item whose order was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidItem {
    /// The kind.
    pub kind: PaymentKind,
    /// What the recipients get for all units.
    pub amount: Money,
    /// The commission for all units.
    pub commission: Money,
    /// The day (Kyiv) of the charge.
    pub paid_on: Date,
    /// Whether the charge was given back to the card.
    pub is_refunded: bool,
}

/// A transfer of a paid item, as reports need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidPart {
    /// The item.
    pub item: ItemId,
    /// The kind of the item.
    pub kind: PaymentKind,
    /// Whose part it is.
    pub role: PartRole,
    /// The number of its document. Of several transfers of one part the one with the largest number is the last.
    pub document_number: i64,
    /// The amount for all units.
    pub amount: Money,
    /// The commission that was charged for this part, for all units; zero where an earlier transfer of the part was credited, so that it
    /// counts once.
    pub commission: Money,
    /// The day (Kyiv) of the charge.
    pub paid_on: Date,
    /// The status.
    pub status: TransferStatus,
    /// The day on which it was credited, as the bank told it.
    pub credited_on: Option<Date>,
    /// The day on which it came back, as the bank told it.
    pub returned_on: Option<Date>,
    /// The day (Kyiv) on which its status last changed.
    pub changed_on: Date,
    /// Whether it came back and the operator gave it back to the client's card.
    pub is_refunded: bool,
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
            TransferStatus::Planned | TransferStatus::Sent | TransferStatus::CalledOff => {
                Vec::new()
            }
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
}

impl Figures {
    /// Returns amount and commission together.
    #[must_use]
    pub fn total(&self) -> Balance {
        self.amount + self.commission
    }

    fn add_share(&mut self, part: &PaidPart) {
        let amount = Balance::from(part.amount);
        let is_own = part.role == PartRole::Notary;
        match part.status {
            TransferStatus::Planned if is_own => self.own_planned += amount,
            TransferStatus::Sent if is_own => self.own_sent += amount,
            TransferStatus::Credited if is_own => self.own_credited += amount,
            TransferStatus::Returned => self.add_returned(part),
            TransferStatus::Planned
            | TransferStatus::Sent
            | TransferStatus::Credited
            | TransferStatus::CalledOff => {}
        }
    }

    fn add_returned(&mut self, part: &PaidPart) {
        self.returned += part.amount.into();
        if part.role == PartRole::Notary {
            self.own_returned += part.amount.into();
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
    /// Makes the report by the day of payment. Rows outside of the period don't count.
    #[must_use]
    pub fn by_payment(period: Period, items: &[PaidItem], parts: &[PaidPart]) -> Self {
        let mut cells = Cells::new(period);
        for item in items {
            cells.change(item.paid_on, item.kind, |figures| {
                let (amount, commission) = (item.amount.into(), item.commission.into());
                if item.is_refunded {
                    figures.refunded_count += 1;
                    figures.refunded += amount + commission;
                } else {
                    figures.count += 1;
                    figures.amount += amount;
                    figures.commission += commission;
                }
            });
        }
        for part in last_of_each(parts) {
            cells.change(part.paid_on, part.kind, |figures| {
                if part.is_refunded {
                    let amount = Balance::from(part.amount);
                    figures.amount = figures.amount - amount;
                    figures.refunded += amount;
                } else {
                    figures.add_share(part);
                }
            });
        }
        cells.report(DayBasis::Payment)
    }

    /// Makes the report by the day of crediting, and for what came back by the day of the return. Movements outside of the period
    /// don't count.
    #[must_use]
    pub fn by_crediting(period: Period, parts: &[PaidPart]) -> Self {
        let mut cells = Cells::new(period);
        for part in parts {
            for movement in part.movements() {
                match movement {
                    Movement::Credited(day) => cells.change(day, part.kind, |figures| {
                        figures.count += 1;
                        figures.amount += part.amount.into();
                        figures.commission += part.commission.into();
                        if part.role == PartRole::Notary {
                            figures.own_credited += part.amount.into();
                        }
                    }),
                    Movement::Returned { on, .. } => {
                        cells.change(on, part.kind, |figures| figures.add_returned(part));
                    }
                }
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

/// Returns the last transfer of each part. One that came back may have been sent again as another transfer; then only that one says
/// where the part stands.
fn last_of_each(parts: &[PaidPart]) -> impl Iterator<Item = &PaidPart> {
    let mut last: BTreeMap<(ItemId, PartRole), &PaidPart> = BTreeMap::new();
    for part in parts {
        let kept = last.entry((part.item, part.role)).or_insert(part);
        if kept.document_number < part.document_number {
            *kept = part;
        }
    }
    last.into_values()
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

    fn change(&mut self, day: Date, kind: PaymentKind, change: impl FnOnce(&mut Figures)) {
        if self.period.has(day) {
            change(self.cells.entry((Month::of(day), kind)).or_default());
        }
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
        let months = self.period.months().into_iter();
        Report {
            period: self.period,
            basis,
            months: months
                .map(|wanted| (wanted, sum(&|month, _| month == wanted)))
                .collect(),
            kinds: PaymentKind::ALL
                .into_iter()
                .map(|wanted| (wanted, sum(&|_, kind| kind == wanted)))
                .collect(),
        }
    }
}
