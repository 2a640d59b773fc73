//! Taking the rows of the operator's table over into transfers, all or none.

use std::collections::BTreeMap;

use cabinet_bank_files::{Entry, without_names};
use cabinet_domain::payment::{AlarmKind, Refund, RefundScope};
use cabinet_domain::{
    AuditAction, AuditObject, BankAnswer, BankFact, BankFactKind, Money, NotaryId, OperatorReason,
    OrderId, Origin, PartRole, PlannedTransfer, Transfer, TransferId, TransferStatus,
    ends_of_chains, facts_before, kyiv_date,
};
use cabinet_storage::engine::restored;
use cabinet_storage::operator::{alarms, erasure};
use cabinet_storage::order::orders;
use cabinet_storage::payment::refunds;
use cabinet_storage::transfer::bank_facts::Source;
use cabinet_storage::transfer::{bank_facts, transfers};
use cabinet_storage::{LockedTransfer, StorageError, Tx, WithoutOrder};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use crate::audit::AuditEntry;
use crate::client_link::receipt_news::{ReceiptNews, write_receipt_letter};
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::texts::{ReturnedTransfer, disputed_transfers, returned_transfers};
use crate::operator::alarms::raise;
use crate::transfer::outcomes::{Outcome, Outcomes};
use crate::transfer::rows::{BadRow, Reason, Row};

/// Days that a value date may lie ahead: an instruction is executed within ten days (NBU Instruction 163 of 29.07.2022).
const VALUE_DATE_AHEAD_DAYS: i32 = 10;
/// How far ahead our clock may have been when a transfer was planned. Just before midnight the bank's day is one earlier then.
const CLOCK_AHEAD_MAX: SignedDuration = SignedDuration::from_hours(1);

/// The result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Transfers of which something is new: the status, or what the bank tells.
    pub changed: usize,
    /// Transfers of which all was known.
    pub unchanged: usize,
}

/// Why a file was not imported. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Every bad row.
    #[error("{} bad rows", .0.len())]
    Rows(Vec<BadRow>),
    /// The file has no entry of a name that the operator gave.
    #[error("the file has no entry {0}")]
    NoSuchEntry(String),
    /// The operator says that the bank kept a fee of an entry, and the entry is no transfer of which less came back than was sent.
    #[error("entry {0} does not say that a transfer came back with a smaller sum")]
    NoFee(String),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Takes every row over, or none.
///
/// # Errors
/// Every bad row.
pub(crate) fn take_rows(
    tx: &mut WithoutOrder<'_>,
    rows: &[Row],
    unit: &mut UnitContext,
    origin: &Origin,
    reason: Option<&OperatorReason>,
    notifier: &Notifier,
) -> Result<(Imported, Outcomes), ImportError> {
    bank_facts::lock(tx)?;
    let mut import = Import::new(unit, origin);
    import.reason = reason.cloned();
    import.is_by_hand = true;
    for row in rows {
        if let Err(reason) = import.take(tx, row, Outcome::of_status(row.status))? {
            import.refuse(row.line, reason);
        }
    }
    import.finish(tx, notifier)
}

/// An import that is under way.
pub(crate) struct Import<'a> {
    unit: &'a mut UnitContext,
    origin: &'a Origin,
    bad: Vec<BadRow>,
    /// Lines of transfers that are sent already.
    sent_before: Vec<usize>,
    /// Whether a transfer of the file becomes sent.
    is_sending: bool,
    /// What came back, by notary.
    returned: BTreeMap<NotaryId, Vec<ReturnedTransfer>>,
    /// Whether a person tells it, and no file of a bank.
    is_by_hand: bool,
    /// Why.
    reason: Option<OperatorReason>,
    /// What became disputed, by notary: the numbers of its order and of its document.
    disputed: BTreeMap<NotaryId, Vec<(i64, i64)>>,
    /// Orders of which a part arrived or came back, and whether one came back.
    moved: BTreeMap<OrderId, bool>,
    imported: Imported,
    outcomes: Outcomes,
}

impl<'a> Import<'a> {
    pub(crate) const fn new(unit: &'a mut UnitContext, origin: &'a Origin) -> Import<'a> {
        Import {
            unit,
            origin,
            bad: Vec::new(),
            sent_before: Vec::new(),
            is_sending: false,
            returned: BTreeMap::new(),
            is_by_hand: false,
            reason: None,
            disputed: BTreeMap::new(),
            moved: BTreeMap::new(),
            imported: Imported {
                changed: 0,
                unchanged: 0,
            },
            outcomes: Outcomes::new(),
        }
    }

    /// Refuses a row, and with it the file.
    pub(crate) fn refuse(&mut self, line: usize, reason: Reason) {
        self.bad.push(BadRow::new(line, reason));
    }

    /// Refuses an entry of a bank's file, and with it the file.
    pub(crate) fn refuse_entry(&mut self, entry: &Entry, reason: Reason) {
        self.bad.push(BadRow {
            entry: Some(entry.name()),
            ..BadRow::new(entry.line, reason)
        });
    }

    /// Tells the notaries what came back.
    ///
    /// # Errors
    /// Every refused row. The unit of work is not committed then.
    pub(crate) fn finish(
        mut self,
        tx: &mut Tx,
        notifier: &Notifier,
    ) -> Result<(Imported, Outcomes), ImportError> {
        if self.is_sending {
            for line in std::mem::take(&mut self.sent_before) {
                self.refuse(line, Reason::SentBefore);
            }
        }
        if !self.bad.is_empty() {
            self.bad
                .sort_by(|one, other| (one.line, &one.entry).cmp(&(other.line, &other.entry)));
            return Err(ImportError::Rows(self.bad));
        }
        self.tell_notaries(tx, notifier)?;
        self.tell_clients(tx)?;
        Ok((self.imported, self.outcomes))
    }

    /// Takes a row over; it counts as `told` if it has something new. The inner result is the refusal of the row.
    pub(crate) fn take(
        &mut self,
        tx: &mut WithoutOrder<'_>,
        row: &Row,
        told: Outcome,
    ) -> Result<Result<(), Reason>, StorageError> {
        let Some((locked, found)) = transfers::lock(tx, row.transfer)? else {
            return Ok(Err(Reason::Unknown));
        };
        let row = &Row {
            reason: kept_reason(tx, row, &found)?,
            ..row.clone()
        };
        let mut known = found.bank.clone();
        // An instruction that is refused and carried out all the same comes back on a day of its own, which only the bank's file tells.
        let may_be_refusal = !self.is_by_hand && row.bank.returned_on.is_some();
        if may_be_refusal && self.is_refused_on(tx, &found, known.returned_on)? {
            known.returned_on = None;
        }
        let bank = match checked_answer(row, &found, known, self.unit.now) {
            Ok(bank) => bank,
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(uetr) = &bank.uetr
            && transfers::by_uetr(tx, uetr)?.is_some_and(|owner| owner != row.transfer)
        {
            return Ok(Err(Reason::UetrOfAnother));
        }
        if found.status == TransferStatus::Disputed {
            // A list is no answer of the bank: it may be the same one, or an older one with the same transfer.
            if row.status == TransferStatus::Sent && !self.is_by_hand {
                self.sent_before.push(row.line);
                self.leave(&found);
                return Ok(Ok(()));
            }
            return self.settle(tx, row, (&locked, &found), &bank, told);
        }
        if found.status == row.status {
            return self.take_news(tx, row, (&locked, &found), &bank, told);
        }
        if row.status == TransferStatus::Sent && found.held_at.is_some() {
            return Ok(Err(Reason::Held));
        }
        self.take_step(tx, row, (&locked, &found), &bank, told)
    }

    /// Whether the day on which a transfer is told to have come back is that of a refusal alone.
    pub(crate) fn is_refused_on(
        &self,
        tx: &mut Tx,
        found: &Transfer,
        day: Option<Date>,
    ) -> Result<bool, StorageError> {
        if day.is_none() {
            return Ok(false);
        }
        let facts = self.facts(tx, found)?;
        let is_told = |kind| {
            facts
                .iter()
                .any(|fact| fact.kind == kind && fact.day == day)
        };
        Ok(is_told(BankFactKind::Refused) && !is_told(BankFactKind::Returned))
    }

    /// Takes over what a bank tells later of a transfer whose status is known.
    fn take_news(
        &mut self,
        tx: &mut Tx,
        row: &Row,
        (locked, found): (&LockedTransfer<'_>, &Transfer),
        bank: &BankAnswer,
        told: Outcome,
    ) -> Result<Result<(), Reason>, StorageError> {
        let nameless = found.reason.as_deref().map(|text| nameless(text, found));
        if ![&found.reason, &nameless].contains(&&row.reason) {
            return Ok(Err(Reason::ReturnedOtherwise));
        }
        if row.status == TransferStatus::Sent {
            self.sent_before.push(row.line);
        }
        if *bank == found.bank {
            self.leave(found);
            return Ok(Ok(()));
        }
        transfers::keep_answer(tx, locked, bank, self.unit.now)?;
        self.record(tx, found, found.status)?;
        self.count(found, told);
        Ok(Ok(()))
    }

    fn take_step(
        &mut self,
        tx: &mut Tx,
        row: &Row,
        (locked, found): (&LockedTransfer<'_>, &Transfer),
        bank: &BankAnswer,
        told: Outcome,
    ) -> Result<Result<(), Reason>, StorageError> {
        let now = self.unit.now;
        let value_date = match row.status {
            TransferStatus::Sent => Some(row.value_date.unwrap_or_else(|| kyiv_date(now))),
            _ => None,
        };
        let step = transfers::Step {
            from: found.status,
            to: row.status,
            reason: row.reason.as_deref(),
            value_date,
            bank,
        };
        if !transfers::step(tx, locked, &step, now)? {
            // The step from planned is allowed and it is not held, so an alarm or a refund is in the way.
            if (found.status, row.status) == (TransferStatus::Planned, TransferStatus::Sent) {
                let alarm = alarms::holder_of_transfers(tx, found.order_id)?;
                return Ok(Err(alarm.map_or(Reason::BeingGivenBack, Reason::AlarmOpen)));
            }
            return Ok(Err(Reason::StepNotAllowed {
                from: found.status,
                to: row.status,
            }));
        }
        self.is_sending |= row.status == TransferStatus::Sent;
        self.keep_step(tx, row, found, bank, told)?;
        Ok(Ok(()))
    }

    /// Records a step, with what it means for notary and client.
    fn keep_step(
        &mut self,
        tx: &mut Tx,
        row: &Row,
        found: &Transfer,
        bank: &BankAnswer,
        told: Outcome,
    ) -> Result<(), StorageError> {
        self.record(tx, found, row.status)?;
        self.count(found, told);
        let kind = match row.status {
            TransferStatus::Credited => Some((BankFactKind::Credited, bank.credited_on)),
            TransferStatus::Returned => Some((BankFactKind::Returned, bank.returned_on)),
            _ => None,
        };
        if let (true, Some((kind, day))) = (self.is_by_hand, kind) {
            self.facts(tx, found)?;
            self.keep_fact(tx, found, &BankFact::of(kind, day), None)?;
        }
        let is_returned = row.status == TransferStatus::Returned;
        if is_returned || row.status == TransferStatus::Credited {
            *self.moved.entry(found.order_id).or_default() |= is_returned;
        }
        if is_returned {
            self.hold_if_of_copy(tx, found, bank)?;
            self.remember_return(tx, row, found, bank)?;
        }
        Ok(())
    }

    /// Returns what banks have told of a transfer. What was known before facts were kept becomes a fact.
    pub(crate) fn facts(
        &self,
        tx: &mut Tx,
        found: &Transfer,
    ) -> Result<Vec<BankFact>, StorageError> {
        let known = bank_facts::of_transfer(tx, found.id)?;
        if !known.is_empty() {
            return Ok(known);
        }
        let before = facts_before(found);
        for fact in &before {
            self.keep_fact(tx, found, fact, None)?;
        }
        Ok(before)
    }

    /// Keeps a fact. Returns false if it was told before.
    pub(crate) fn keep_fact(
        &self,
        tx: &mut Tx,
        found: &Transfer,
        fact: &BankFact,
        source: Option<Source<'_>>,
    ) -> Result<bool, StorageError> {
        bank_facts::keep(tx, found.id, fact, source, self.unit.now)
    }

    /// Takes over what contradicts what banks told before: from now on a person must ask the bank where the money is. `is_new`: it was not
    /// told before.
    pub(crate) fn dispute(
        &mut self,
        tx: &mut WithoutOrder<'_>,
        transfer: TransferId,
        told: &BankAnswer,
        is_new: bool,
    ) -> Result<Result<(), Reason>, StorageError> {
        let Some((locked, found)) = transfers::lock(tx, transfer)? else {
            return Ok(Err(Reason::Unknown));
        };
        let found = &found;
        let told = BankAnswer {
            credited_on: None,
            returned_on: None,
            ..told.clone()
        };
        let bank = match found.bank.join(&told) {
            Ok(bank) => bank,
            Err(otherwise) => return Ok(Err(Reason::ToldOtherwise(otherwise.0))),
        };
        if let Some(uetr) = &bank.uetr
            && transfers::by_uetr(tx, uetr)?.is_some_and(|owner| owner != found.id)
        {
            return Ok(Err(Reason::UetrOfAnother));
        }
        if transfers::dispute(tx, &locked, &bank, self.unit.now)? {
            let subject = format!("transfer:{}", found.document_number);
            let (kind, order) = (AlarmKind::TransferDisputed, Some(found.order_id));
            // The operator who runs the command reads it there.
            raise(tx, self.unit, kind, &subject, order, &mut Vec::new())?;
            self.record(tx, found, TransferStatus::Disputed)?;
            self.count(found, Outcome::Disputed);
            let notary = orders::notary_of(tx, found.order_id)?;
            let number = orders::number_of(tx, found.order_id)?;
            if let (Some(notary), Some(number)) = (notary, number) {
                let of_notary = self.disputed.entry(notary).or_default();
                of_notary.push((number, found.document_number));
            }
        } else if is_new || bank != found.bank {
            transfers::keep_answer(tx, &locked, &bank, self.unit.now)?;
            self.record(tx, found, TransferStatus::Disputed)?;
            self.count(found, Outcome::Disputed);
        } else {
            self.leave(found);
        }
        Ok(Ok(()))
    }

    /// Counts a transfer of which nothing is new.
    pub(crate) fn leave(&mut self, found: &Transfer) {
        self.imported.unchanged += 1;
        self.add(found, Outcome::Unchanged);
    }

    /// Counts a transfer of which something is new.
    fn count(&mut self, found: &Transfer, told: Outcome) {
        self.imported.changed += 1;
        self.add(found, told);
    }

    fn add(&mut self, found: &Transfer, outcome: Outcome) {
        let planned = &found.planned;
        let totals = self.outcomes.entry(outcome).or_default();
        totals.add(planned.amount, &planned.payee.iban);
    }

    /// Returns the numbers of the documents that have become disputed.
    pub(crate) fn disputed(&self) -> Vec<i64> {
        let all = self.disputed.values().flatten();
        all.map(|(_, document)| *document).collect()
    }

    /// Ends a dispute: a person has asked the bank, or the bank tells that the money came back.
    fn settle(
        &mut self,
        tx: &mut Tx,
        row: &Row,
        (locked, found): (&LockedTransfer<'_>, &Transfer),
        bank: &BankAnswer,
        told: Outcome,
    ) -> Result<Result<(), Reason>, StorageError> {
        let step = transfers::Step {
            from: found.status,
            to: row.status,
            reason: row.reason.as_deref(),
            value_date: None,
            bank,
        };
        if !transfers::settle_dispute(tx, locked, &step, self.unit.now)? {
            let is_of_transfer = |refund: &Refund| {
                refund.scope == RefundScope::Whole || refund.scope.transfer() == Some(found.id)
            };
            let refunds = refunds::of_order(tx, found.order_id)?;
            let mut of_transfer = refunds.iter().filter(|refund| is_of_transfer(refund));
            if of_transfer.any(|refund| refund.is_under_way() || refund.is_done()) {
                return Ok(Err(Reason::BeingGivenBack));
            }
            return Ok(Err(Reason::StepNotAllowed {
                from: found.status,
                to: row.status,
            }));
        }
        if self.is_by_hand {
            bank_facts::settle(tx, found.id, row.status, self.unit.now)?;
        }
        self.keep_step(tx, row, found, bank, told)?;
        Ok(Ok(()))
    }

    /// Holds a part that may have come back before the database was restored: since the copy it may have been sent again or given back.
    fn hold_if_of_copy(
        &mut self,
        tx: &mut Tx,
        found: &Transfer,
        bank: &BankAnswer,
    ) -> Result<(), StorageError> {
        if !restored::hold_returned_before(tx, found.id, bank.returned_on, self.unit.now)? {
            return Ok(());
        }
        AuditEntry::new(AuditAction::TransferHeld)
            .of_notary(orders::notary_of(tx, found.order_id)?)
            .on_order(found.order_id)
            .on(AuditObject::Transfer(found.id))
            .with("amount", found.planned.amount)
            .record(tx, self.unit, self.origin)
    }

    /// Remembers what the notary is told. The transfer is locked, so neither its order nor the notary may be: whoever locks all three
    /// begins with the notary.
    fn remember_return(
        &mut self,
        tx: &mut Tx,
        row: &Row,
        found: &Transfer,
        bank: &BankAnswer,
    ) -> Result<(), StorageError> {
        let notary = orders::notary_of(tx, found.order_id)?;
        let number = orders::number_of(tx, found.order_id)?;
        if let (Some(notary), Some(order_number)) = (notary, number) {
            let today = kyiv_date(self.unit.now);
            let returned = ReturnedTransfer {
                order: found.order_id,
                order_number,
                document_number: found.document_number,
                amount: found.planned.amount,
                returned_on: bank.returned_on.unwrap_or(today),
                reason: row.reason.clone().unwrap_or_default(),
                is_all: false,
            };
            self.returned.entry(notary).or_default().push(returned);
        }
        Ok(())
    }

    /// Records a change in the audit trail.
    fn record(
        &mut self,
        tx: &mut Tx,
        found: &Transfer,
        to: TransferStatus,
    ) -> Result<(), StorageError> {
        let mut entry = AuditEntry::new(AuditAction::TransferMarked)
            .of_notary(orders::notary_of(tx, found.order_id)?)
            .on_order(found.order_id)
            .on(AuditObject::Transfer(found.id))
            .changed("status", Some(found.status), Some(to));
        if let Some(reason) = &self.reason {
            entry = entry.with("amount", found.planned.amount).because(reason);
        }
        entry.record(tx, self.unit, self.origin)
    }

    /// Records that a bank kept a fee of the money of a transfer that came back.
    pub(crate) fn record_fee(
        &mut self,
        tx: &mut Tx,
        of: &Transfer,
        fee: Money,
        reason: &OperatorReason,
    ) -> Result<(), StorageError> {
        AuditEntry::new(AuditAction::BankFeeKept)
            .of_notary(orders::notary_of(tx, of.order_id)?)
            .on_order(of.order_id)
            .on(AuditObject::Transfer(of.id))
            .with("amount", fee)
            .because(reason)
            .record(tx, self.unit, self.origin)
    }

    /// Records that an entry of a bank's file was left out, why, and the transfer that it names.
    pub(crate) fn record_by_hand(
        &mut self,
        tx: &mut Tx,
        amount: Option<Money>,
        reason: &OperatorReason,
        of: Option<&Transfer>,
    ) -> Result<(), StorageError> {
        let mut entry = AuditEntry::new(AuditAction::BankEntryLeftOut).because(reason);
        if let Some(amount) = amount {
            entry = entry.with("amount", amount);
        }
        if let Some(of) = of {
            entry = entry
                .of_notary(orders::notary_of(tx, of.order_id)?)
                .on_order(of.order_id)
                .on(AuditObject::Transfer(of.id));
        }
        entry.record(tx, self.unit, self.origin)
    }

    /// Tells the clients who agreed to letters: a part of their order came back, or all of it has arrived.
    fn tell_clients(&mut self, tx: &mut Tx) -> Result<(), StorageError> {
        for (order, is_returned) in std::mem::take(&mut self.moved) {
            if is_returned {
                write_receipt_letter(tx, self.unit, order, ReceiptNews::Returned)?;
            } else if is_all_credited(tx, order)? {
                write_receipt_letter(tx, self.unit, order, ReceiptNews::Credited)?;
            }
        }
        Ok(())
    }

    /// Tells each notary what came back, in one message.
    fn tell_notaries(&mut self, tx: &mut Tx, notifier: &Notifier) -> Result<(), StorageError> {
        for (notary, mut returned) in std::mem::take(&mut self.returned) {
            for part in &mut returned {
                part.is_all = is_all_returned(tx, part.order)?;
            }
            notifier.tell(tx, self.unit, notary, returned_transfers(&returned))?;
        }
        for (notary, disputed) in std::mem::take(&mut self.disputed) {
            notifier.tell(tx, self.unit, notary, disputed_transfers(&disputed))?;
        }
        Ok(())
    }
}

/// Returns whether all of an order has reached its recipients.
fn is_all_credited(tx: &mut Tx, order: OrderId) -> Result<bool, StorageError> {
    let transfers = transfers::of_order(tx, order)?;
    let ends = ends_of_chains(&transfers);
    let is_credited = |transfer: &&Transfer| transfer.status == TransferStatus::Credited;
    Ok(ends.iter().all(is_credited))
}

/// Returns the reason that is kept. Where the names of an order were taken out, nobody knows any more which of its words are names.
fn kept_reason(tx: &mut Tx, row: &Row, of: &Transfer) -> Result<Option<String>, StorageError> {
    let Some(told) = row.reason.as_deref() else {
        return Ok(None);
    };
    if erasure::is_anonymised(tx, of.order_id)? {
        let kept = of.reason.clone();
        return Ok(Some(
            kept.unwrap_or_else(|| erasure::ANONYMOUS_NAME.to_owned()),
        ));
    }
    Ok(Some(nameless(told, of)))
}

/// Returns a reason without the names of the client and of a recipient who is a person. It is shown to everybody who checks a receipt.
fn nameless(reason: &str, of: &Transfer) -> String {
    let PlannedTransfer {
        role,
        payee,
        actual_payer,
        ..
    } = &of.planned;
    let mut names = vec![actual_payer.name.as_str()];
    // The notary is a person, whatever code her account has.
    if payee.okpo.is_person() || *role == PartRole::Notary {
        names.push(payee.name.as_str());
    }
    without_names(reason, &names)
}

/// Returns whether nothing of an order has stayed with its recipients.
fn is_all_returned(tx: &mut Tx, order: OrderId) -> Result<bool, StorageError> {
    let transfers = transfers::of_order(tx, order)?;
    let ends = ends_of_chains(&transfers);
    let is_returned = |transfer: &&Transfer| transfer.status == TransferStatus::Returned;
    Ok(ends.iter().all(is_returned))
}

/// Checks what a row tells against the transfer, and against what is `known` of it. Returns all that banks have told of it then.
fn checked_answer(
    row: &Row,
    found: &Transfer,
    mut known: BankAnswer,
    now: Timestamp,
) -> Result<BankAnswer, Reason> {
    let today = kyiv_date(now);
    let planned = kyiv_date(found.created_at - CLOCK_AHEAD_MAX);
    let latest_value_date = today.saturating_add(jiff::Span::new().days(VALUE_DATE_AHEAD_DAYS));
    let within = |column, day: Option<Date>, last: Date| match day {
        Some(day) if day < planned || day > last => Err(Reason::DayOutside(column)),
        _ => Ok(()),
    };
    within("value_date", row.value_date, latest_value_date)?;
    within("credited_on", row.bank.credited_on, today)?;
    within("returned_on", row.bank.returned_on, today)?;
    if found.status == TransferStatus::Disputed {
        // The refusal that is in dispute was told with a day of its own, which is no day of the money.
        let is_told = row.status == TransferStatus::Credited || row.bank.returned_on.is_some();
        known.returned_on = known.returned_on.filter(|_| !is_told);
    }
    let bank = known
        .join(&row.bank)
        .map_err(|told| Reason::ToldOtherwise(told.0))?;
    match (bank.credited_on, bank.returned_on) {
        (Some(credited), Some(returned)) if returned < credited => {
            Err(Reason::ReturnedBeforeCredited)
        }
        _ => Ok(bank),
    }
}
