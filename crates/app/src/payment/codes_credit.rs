//! `POST /order/statement/…`: the notary's part of payments by QR codes, found in the statement of her own bank (decision 34).
//!
//! The file is read and not kept, and nothing of entries that are no part of hers: who else pays her is no business of the cabinet. What is
//! found is hers to mark; it changes no sum of the operator.

use std::collections::{BTreeSet, HashSet};

use cabinet_bank_files::{BankFile, Entry, Problem, read};
use cabinet_domain::{
    AuditAction, CODES_REFERENCE_CHARS_MAX, CodedPart, CodesCredit, FoundCredits, Iban, ItemId,
    Key, Line, NotaryId, Order, OrderItem, Origin, PartRole, PersonName, StatementCredit, Uetr,
    find_credits, kyiv_date,
};
use cabinet_reference::purpose_without_name;
use cabinet_storage::account::notaries;
use cabinet_storage::order::{codes_credits, orders};
use cabinet_storage::{Change, StorageError, Tx};

use super::Payments;
use super::codes_payment::refuse_anonymised;
use crate::audit::AuditEntry;
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};
use crate::order::own_order::{not_found, own_order};
use crate::transfer::plan::transfers_of;

/// Most entries of a statement: some months of a busy account.
const ENTRIES_MAX: usize = 10_000;
/// Most orders that are looked through, the newest: some years of a notary who gives codes to every client.
const ORDERS_MAX: u32 = 2_000;

/// What of a statement concerns the notary's orders.
#[derive(Clone, Debug)]
pub struct StatementReport {
    /// The parts that were asked for.
    pub parts: Vec<CodedPart>,
    /// The credits of the statement.
    pub credits: Vec<StatementCredit>,
    /// Which are which.
    pub found: FoundCredits,
    /// How many payments were marked by this call.
    pub marked: usize,
}

/// Reads the credits of a statement.
///
/// # Errors
/// `statement_unreadable`, `statement_too_large`.
pub fn read_statement(bytes: &[u8]) -> Result<Vec<StatementCredit>, Key> {
    match read(bytes) {
        Ok(BankFile::Answers(entries)) if entries.len() > ENTRIES_MAX => {
            Err(Key::StatementTooLarge)
        }
        Ok(BankFile::Answers(entries)) => Ok(entries.into_iter().filter_map(credit_of).collect()),
        Ok(BankFile::Table(_) | BankFile::List(_)) => Err(Key::StatementUnreadable),
        Err(findings) => {
            let is_too_large = (findings.iter()).any(|one| one.problem == Problem::TooLarge);
            Err(if is_too_large {
                Key::StatementTooLarge
            } else {
                Key::StatementUnreadable
            })
        }
    }
}

/// Returns a booked credit in hryvnias. `None`: the entry is something else.
fn credit_of(entry: Entry) -> Option<StatementCredit> {
    let credit = entry.credit?;
    let references = entry.references;
    let of_banks = |uetr: &Uetr| Line::parse(uetr.as_str(), CODES_REFERENCE_CHARS_MAX).ok();
    Some(StatementCredit {
        account: credit.account,
        on: credit.on,
        amount: entry.amount?,
        text: credit.text,
        reference: references
            .bank_reference
            .or_else(|| references.uetr.as_ref().and_then(of_banks)),
        uetr: references.uetr,
    })
}

impl Payments {
    /// Returns what of a statement concerns the notary's orders. Changes nothing.
    ///
    /// # Errors
    /// `statement_other_account` where no credit is one to an account of the notary.
    pub async fn statement_report(
        &self,
        notary: NotaryId,
        credits: Vec<StatementCredit>,
    ) -> Result<StatementReport> {
        let read = move |tx: &mut Tx| report(tx, notary, credits.clone());
        self.store.read_long(read).await
    }

    /// Marks those of these payments as credited of which the statement leaves no doubt. The same statement marks nothing twice.
    ///
    /// # Errors
    /// `unauthorized`, and as [`Payments::statement_report`].
    pub async fn mark_credits(
        &self,
        decider: impl Into<Decider>,
        credits: Vec<StatementCredit>,
        wanted: BTreeSet<ItemId>,
        origin: Origin,
    ) -> Result<StatementReport> {
        let decider = decider.into();
        let notary = decider.notary;
        let unit = self.ids.unit_at(self.clock.now());
        let write = move |tx: &mut Tx| -> Result<StatementReport> {
            let (locked, _) = decider.lock(tx, unit.now)?;
            let known = report(tx, notary, credits.clone())?;
            let mut unit = unit.clone();
            let mut marked = 0;
            for found in &known.found.clear {
                let (Some(part), Some(credit)) =
                    (known.parts.get(found.part), known.credits.get(found.credit))
                else {
                    continue;
                };
                if !wanted.contains(&part.item) {
                    continue;
                }
                let found = orders::lock_of(tx, &locked, part.order)?;
                let (locked, order) = found.ok_or_else(not_found)?;
                let told = CodesCredit {
                    on: credit.on,
                    reference: credit.reference.clone(),
                };
                // Looked at again under the lock of the order.
                let is_marked = order.codes_payment().is_some();
                if !is_marked || !codes_credits::record(tx, &locked, part.item, &told)? {
                    continue;
                }
                marked += 1;
                tx.announce(Change::Order(notary, part.order));
                AuditEntry::new(AuditAction::PaymentCodesCredited)
                    .of_notary(notary)
                    .on_order(part.order)
                    .record(tx, &mut unit, &origin)?;
            }
            Ok(StatementReport {
                marked,
                ..report(tx, notary, known.credits)?
            })
        };
        self.store.write(write).await
    }

    /// Takes back what statements have told of an order. An order of which they told nothing stays as it is.
    ///
    /// # Errors
    /// `unauthorized`, `order_not_found`, `order_anonymised`.
    pub async fn undo_credits(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        origin: Origin,
    ) -> Result<()> {
        let decider = decider.into();
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?.id;
        let unit = self.ids.unit_at(self.clock.now());
        let write = move |tx: &mut Tx| -> Result<()> {
            let (locked, _) = decider.lock(tx, unit.now)?;
            let (locked, _) = orders::lock_of(tx, &locked, order)?.ok_or_else(not_found)?;
            refuse_anonymised(tx, order)?;
            if codes_credits::forget(tx, &locked)? {
                tx.announce(Change::Order(notary, order));
                AuditEntry::new(AuditAction::PaymentCodesCreditUndone)
                    .of_notary(notary)
                    .on_order(order)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await
    }
}

fn report(tx: &mut Tx, notary: NotaryId, credits: Vec<StatementCredit>) -> Result<StatementReport> {
    let parts = parts_of(tx, notary)?;
    let mut own: BTreeSet<Iban> = parts.iter().map(|part| part.account.clone()).collect();
    own.extend(notaries::iban_of(tx, notary)?);
    if !credits.is_empty() && !credits.iter().any(|credit| own.contains(&credit.account)) {
        let refused = Refusal::new(RefusalKind::Invalid, Key::StatementOtherAccount);
        return Err(refused.on("file").into());
    }
    let mut used = HashSet::new();
    for account in own {
        let references = codes_credits::references_of(tx, &account)?;
        used.extend(
            references
                .into_iter()
                .map(|reference| (account.clone(), reference)),
        );
    }
    Ok(StatementReport {
        found: find_credits(&parts, &credits, &used),
        parts,
        credits,
        marked: 0,
    })
}

/// Returns the notary's parts of payments whose codes were given out, of orders that are marked as paid by them or may be.
fn parts_of(tx: &mut Tx, notary: NotaryId) -> Result<Vec<CodedPart>, StorageError> {
    let Some(name) = notaries::full_name_of(tx, notary)? else {
        return Ok(Vec::new());
    };
    let coded = codes_credits::coded_orders(tx, notary, ORDERS_MAX)?;
    let mut parts = Vec::new();
    for listed in &coded {
        let order = &listed.order;
        if order.codes_payment().is_some() || order.may_be_paid_by_codes() {
            let of_order = listed.items.iter();
            parts.extend(of_order.filter_map(|item| part_of(order, item, &name)));
        }
    }
    Ok(parts)
}

/// Returns the notary's part of a payment. `None`: it has none.
fn part_of(order: &Order, item: &OrderItem, notary_name: &PersonName) -> Option<CodedPart> {
    let codes = order.codes.as_ref()?;
    let client = &order.client;
    let transfers = transfers_of(&item.content, client, notary_name)?;
    let own = transfers
        .into_iter()
        .find(|transfer| transfer.role == PartRole::Notary)?;
    let whole = own.payee.purpose.as_str().to_owned();
    let short = purpose_without_name(&whole, (&client.full_name, &client.inn));
    let payer_reference = codes
        .payment
        .as_ref()
        .and_then(|paid| paid.reference.as_ref());
    Some(CodedPart {
        item: item.id,
        order: order.id,
        number: order.number,
        client: client.clone(),
        account: own.payee.iban,
        amount: own.amount,
        purposes: [whole].into_iter().chain(short).collect(),
        given_on: kyiv_date(codes.first_given_at),
        is_marked: codes.payment.is_some(),
        payer_uetr: payer_reference.and_then(|line| Uetr::parse(line.as_str())),
        credit: item.codes_credit.clone(),
    })
}
