//! Transfers: what a paid item owes to whom, and the status of each.

use std::sync::LazyLock;

use cabinet_domain::{
    ActualPayer, AuditAction, BankAnswer, Iban, ItemId, Line, Money, NotaryId, Okpo, OrderId,
    OrderStatus, PartRefund, PartRole, Payee, PlannedTransfer, ReturnedPart, Transfer, TransferId,
    TransferStatus, Uetr, given_back_parts, returned_parts,
};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::account::notaries::{OWN_CODES, OwnCodes, read_own_codes};
use crate::cart::items::placeholders;
use crate::engine::counters::{self, next_document_number};
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::{
    LockedOrder, LockedTransfer, WithoutOrder, locked_transfer, locked_transfer_of,
};
use crate::operator::alarms;
use crate::payment::refunds::{self, NONE_UNDER_WAY, OF_WHOLE_CHARGE};

pub(crate) const COLUMNS: &str = "id, document_number, order_id, item_id, role, amount, payer_code, payer_name, recipient_name, \
    recipient_iban, recipient_code, purpose, status, reason, value_date, uetr, bank_reference, booking_reference, credited_on, returned_on, replaces, \
    refund_requested_at, refunded_at, given_back_at, held_at, created_at, updated_at, disputed_at";

pub(crate) fn read(row: &mut Row<'_>) -> Result<Transfer> {
    let (id, document_number) = (row.next()?, row.next()?);
    let (order_id, item_id) = (row.next()?, row.next()?);
    let (role, amount): (PartRole, Money) = (row.next()?, row.next()?);
    let actual_payer = ActualPayer {
        inn: row.next()?,
        name: row.next()?,
    };
    let payee = Payee {
        name: row.next()?,
        iban: row.next()?,
        okpo: row.next()?,
        purpose: row.next()?,
    };
    let mut transfer = Transfer {
        id,
        document_number,
        order_id,
        item_id,
        planned: PlannedTransfer {
            role,
            payee,
            amount,
            actual_payer,
        },
        status: row.next()?,
        reason: row.next()?,
        value_date: row.next()?,
        bank: BankAnswer {
            uetr: row.next()?,
            bank_reference: row.next()?,
            booking_reference: row.next()?,
            credited_on: row.next()?,
            returned_on: row.next()?,
        },
        replaces: row.next()?,
        refund: read_refund(row)?,
        held_at: row.next()?,
        created_at: row.next()?,
        updated_at: row.next()?,
    };
    // Its row has the status of what can't be decided about, or was decided about before.
    if row.next::<Option<Timestamp>>()?.is_some() {
        transfer.status = TransferStatus::Disputed;
    }
    Ok(transfer)
}

fn read_refund(row: &mut Row<'_>) -> Result<Option<PartRefund>> {
    let (requested_at, refunded_at): (Option<Timestamp>, _) = (row.next()?, row.next()?);
    let given_back_at: Option<Timestamp> = row.next()?;
    let requested = requested_at.map(|requested_at| PartRefund {
        requested_at,
        refunded_at,
    });
    // The operator gave back what had not been sent: nobody asked for it before.
    let given_back = given_back_at.map(|at| PartRefund {
        requested_at: at,
        refunded_at: Some(at),
    });
    Ok(requested.or(given_back))
}

/// What planning an order's transfers needs to know of its notary.
#[derive(Clone, Debug)]
pub struct Sender {
    /// Her name and codes.
    pub own: OwnCodes,
    /// When her account was made.
    pub account_made_at: Timestamp,
    /// Whether her names, or those of the order, were erased.
    pub is_anonymised: bool,
}

/// Returns the notary of an order.
pub fn sender_of(tx: &mut Tx, order: OrderId) -> Result<Option<Sender>> {
    let sql = format!(
        "select n.created_at, (o.anonymised_at is not null or n.erased_at is not null) as is_anonymised, {OWN_CODES}
         from notaries n join orders o on o.notary_id = n.id where o.id = ?1"
    );
    tx.row_optional(&sql, params![order], |row| {
        Ok(Sender {
            account_made_at: row.next()?,
            is_anonymised: row.next()?,
            own: read_own_codes(row)?,
        })
    })
}

/// A part of an order's item that has a transfer already.
pub struct PlannedPart {
    /// The item.
    pub item: ItemId,
    /// Which part of it.
    pub role: PartRole,
    /// The status of the transfer.
    pub status: TransferStatus,
    /// The account that it goes to.
    pub account: Iban,
}

/// Returns the parts of an order's items that have a transfer already.
pub fn planned_parts(tx: &mut Tx, order: OrderId) -> Result<Vec<PlannedPart>> {
    let sql = "select item_id, role, status, recipient_iban, id from transfers where order_id = ?1";
    tx.rows(sql, params![order], |row| {
        Ok(PlannedPart {
            item: row.next()?,
            role: row.next()?,
            status: row.next()?,
            account: row.next()?,
        })
    })
}

/// The most transfers that are stored by one statement: a few forms of it are prepared, however large orders are.
pub const PLANNED_AT_ONCE: usize = 8;

/// A part of an item whose transfer is about to be planned.
pub struct PartToPlan<'a> {
    /// The id of the transfer.
    pub id: TransferId,
    /// The item.
    pub item: ItemId,
    /// What it owes to whom.
    pub planned: &'a PlannedTransfer,
    /// Whether it is held.
    pub is_held: bool,
    /// The seal over it.
    pub seal: [u8; 32],
}

/// Stores planned transfers of an order, [`PLANNED_AT_ONCE`] at most. Returns those that were stored: a part that has a transfer already is
/// left out, so planning twice owes nothing twice. Whoever plans asks [`planned_parts`] before, because a number is drawn in any case.
pub fn plan_all(
    tx: &mut Tx,
    order: &LockedOrder<'_>,
    parts: &[PartToPlan<'_>],
    now: Timestamp,
) -> Result<Vec<TransferId>> {
    let mut new = Vec::with_capacity(parts.len());
    for part in parts {
        new.push(New {
            id: part.id,
            number: next_document_number(tx)?,
            order: order.id(),
            item: part.item,
            planned: part.planned,
            replaces: None,
            held: part.is_held,
            seal: Some(&part.seal),
        });
    }
    let mut stored: Vec<TransferId> = parts.iter().map(|part| part.id).collect();
    let inserted = insert(tx, ONE_OF_ITEM, &new, now)?;
    if usize::try_from(inserted) != Ok(stored.len()) {
        let sql = "select id from transfers where order_id = ?1";
        let known: Vec<TransferId> = tx.rows(sql, params![order], |row| row.next())?;
        stored.retain(|id| known.contains(id));
    }
    Ok(stored)
}

/// Returns what accounts that were made after a moment have sent, and may still send, to an account since another moment. Until the end of the
/// unit of work nobody else adds up, so that what is planned at once is seen. One lock for all accounts: units that plan for several can't wait
/// for each other.
pub fn sum_of_young(
    tx: &mut Tx,
    recipient: &Iban,
    (since, made_after): (Timestamp, Timestamp),
) -> Result<Money> {
    tx.advisory_lock(b"sums of young accounts")?;
    tx.row(
        "select cast(coalesce(sum(t.amount), 0) as bigint) as sum
         from transfers t join orders o on o.id = t.order_id join notaries n on n.id = o.notary_id
         where t.recipient_iban = ?1 and t.created_at > ?2 and n.created_at > ?3
             and t.status in ('planned', 'sent', 'credited', 'disputed')",
        params![recipient, since, made_after],
        |row| row.next(),
    )
}

/// Plans the transfer that sends a returned one again, held or not. Returns false if another one replaces it already.
pub fn replace(
    tx: &mut Tx,
    id: TransferId,
    (locked, old): (&LockedTransfer<'_>, &Transfer),
    payee: &Payee,
    held: bool,
    now: Timestamp,
) -> Result<bool> {
    if replacement_of(tx, locked.id())?.is_some() {
        return Ok(false);
    }
    let number = next_document_number(tx)?;
    let planned = PlannedTransfer {
        payee: payee.clone(),
        ..old.planned.clone()
    };
    let new = New {
        id,
        number,
        order: old.order_id,
        item: old.item_id,
        planned: &planned,
        replaces: Some(locked.id()),
        held,
        seal: None,
    };
    Ok(insert(tx, ONE_OF_RETURNED, &[new], now)? == 1)
}

/// A transfer that is about to be stored.
struct New<'a> {
    id: TransferId,
    number: i64,
    order: OrderId,
    item: ItemId,
    planned: &'a PlannedTransfer,
    replaces: Option<TransferId>,
    held: bool,
    seal: Option<&'a [u8; 32]>,
}

/// A part of an item has one transfer at most.
const ONE_OF_ITEM: &str = "(item_id, role) where replaces is null";
/// A returned transfer is replaced by one at most.
const ONE_OF_RETURNED: &str = "(replaces) where replaces is not null";
/// The parameters of a transfer that is stored.
const INSERTED: usize = 17;

/// Stores planned transfers, without those of which there is `one` already. Returns the number of the others. Any other row that is there
/// already, one with this document number for instance, is an error.
fn insert(tx: &mut Tx, one: &str, new: &[New<'_>], now: Timestamp) -> Result<u64> {
    let rows: Vec<String> = (0..new.len())
        .map(|row| {
            format!(
                "({}, 'planned')",
                placeholders(1 + row * INSERTED, INSERTED)
            )
        })
        .collect();
    let sql = format!(
        "insert into transfers (id, order_id, item_id, role, amount, payer_code, payer_name, recipient_name,
             recipient_iban, recipient_code, purpose, held_at, created_at, updated_at, document_number, replaces, seal, status)
         values {}
         on conflict {one} do nothing",
        rows.join(", ")
    );
    let held_at: Vec<Option<Timestamp>> = new.iter().map(|new| new.held.then_some(now)).collect();
    let mut values = Vec::with_capacity(new.len() * INSERTED);
    for (new, held_at) in new.iter().zip(&held_at) {
        let planned = new.planned;
        values.extend_from_slice(params![
            new.id,
            new.order,
            new.item,
            planned.role,
            planned.amount,
            planned.actual_payer.inn,
            planned.actual_payer.name,
            planned.payee.name,
            planned.payee.iban,
            planned.payee.okpo,
            planned.payee.purpose,
            *held_at,
            now,
            now,
            new.number,
            new.replaces,
            new.seal,
        ]);
    }
    tx.execute(&sql, &values)
}

/// Returns the transfers of an order, by item.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Transfer>> {
    let sql = format!(
        "select {COLUMNS} from transfers where order_id = ?1 order by item_id, role, document_number"
    );
    tx.rows(&sql, params![order], read)
}

/// Returns the parts of an order that a bank has sent back, with what became of them, by document number.
pub fn returned_of(tx: &mut Tx, order: OrderId) -> Result<Vec<ReturnedPart>> {
    Ok(undelivered_of(tx, order)?.returned)
}

/// What of an order's transfers did not go the straight way to its recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// The parts that a bank has sent back, with what became of them, by document number.
    pub returned: Vec<ReturnedPart>,
    /// The parts that were given back to the card before a bank had them ([`given_back_parts`]).
    pub given_back: Vec<Transfer>,
}

impl Undelivered {
    /// Makes it of the transfers of one order that [`UNDELIVERED`] finds.
    pub(crate) fn of(transfers: &[Transfer]) -> Undelivered {
        Undelivered {
            returned: returned_parts(transfers),
            given_back: given_back_parts(transfers).cloned().collect(),
        }
    }
}

/// Returns what of an order's transfers did not go the straight way to its recipient.
pub fn undelivered_of(tx: &mut Tx, order: OrderId) -> Result<Undelivered> {
    let sql = format!("select {COLUMNS} from transfers where order_id = ?1 and {UNDELIVERED}");
    Ok(Undelivered::of(&tx.rows(&sql, params![order], read)?))
}

/// The condition for transfers that came back, that send such a one again, or that were called off.
pub(crate) const UNDELIVERED: &str =
    "(status in ('returned', 'called_off') or replaces is not null)";

/// Returns the transfer that sends a returned one again.
pub fn replacement_of(tx: &mut Tx, transfer: TransferId) -> Result<Option<Transfer>> {
    let sql = format!("select {COLUMNS} from transfers where replaces = ?1");
    tx.row_optional(&sql, params![transfer], read)
}

/// Keeps the request to give a returned transfer back to the card. Returns false if it is not returned, or was decided about before.
pub fn request_refund(tx: &mut Tx, transfer: &LockedTransfer<'_>, now: Timestamp) -> Result<bool> {
    let sql = "update transfers set refund_requested_at = ?2
               where id = ?1 and status = 'returned' and disputed_at is null and refund_requested_at is null
                   and not exists (select 1 from transfers n where n.replaces = ?1)";
    Ok(tx.execute(sql, params![transfer, now])? == 1)
}

/// Keeps the request while a refund of the transfer is under way, so that it stays if nothing is given back.
pub fn request_beside_refund(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update transfers set refund_requested_at = ?2
               where id = ?1 and status = 'returned' and refund_id is not null and refunded_at is null";
    tx.execute(sql, params![transfer, now]).map(|_| ())
}

/// Returns the transfers of paid orders that are to be given back to the card, the earliest request first. One whose refund is under
/// way, and one that the refund of all that pays its order gives back, are not among them.
pub fn refunds(tx: &mut Tx) -> Result<Vec<Transfer>> {
    let sql = format!(
        "select {COLUMNS} from transfers t where t.refund_requested_at is not null and t.refunded_at is null and t.refund_id is null
             and t.disputed_at is null and exists (select 1 from orders o where o.id = t.order_id and o.status = ?1)
             and not exists (select 1 from refunds r where r.order_id = t.order_id and {OF_WHOLE_CHARGE})
         order by t.refund_requested_at, t.id"
    );
    tx.rows(&sql, params![OrderStatus::Paid], read)
}

/// Marks a transfer as given back to the card. Returns false if nobody has asked for it, it was marked before, or a refund of it is under
/// way, which marks it by itself.
pub fn mark_refunded(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    reason: &Line,
    now: Timestamp,
) -> Result<bool> {
    // A command does this. The server looks for what commands have changed by `imported_at`.
    let sql = "update transfers set refunded_at = ?3, refund_reason = ?2, imported_at = ?3
               where id = ?1 and refund_requested_at is not null and refunded_at is null and refund_id is null and disputed_at is null";
    Ok(tx.execute(sql, params![transfer, reason, now])? == 1)
}

static BY_ID: LazyLock<String> =
    LazyLock::new(|| format!("select {COLUMNS} from transfers where id = ?1"));
static OF_ORDER: LazyLock<String> = LazyLock::new(|| format!("{} and order_id = ?2", *BY_ID));

fn read_with_id(row: &mut Row<'_>) -> Result<(TransferId, Transfer)> {
    let transfer = read(row)?;
    Ok((transfer.id, transfer))
}

/// Returns a transfer by id.
pub fn by_id(tx: &mut Tx, transfer: TransferId) -> Result<Option<Transfer>> {
    tx.row_optional(&BY_ID, params![transfer], read)
}

/// Locks a transfer of an order, and returns it.
pub fn lock_of<'t>(
    tx: &mut Tx,
    order: &LockedOrder<'t>,
    transfer: TransferId,
) -> Result<Option<(LockedTransfer<'t>, Transfer)>> {
    let params = params![transfer, order];
    locked_transfer_of(tx, order, &OF_ORDER, params, read_with_id)
}

/// Locks a transfer in a unit of work that locks no order, and returns it.
pub fn lock<'t>(
    tx: &mut WithoutOrder<'t>,
    transfer: TransferId,
) -> Result<Option<(LockedTransfer<'t>, Transfer)>> {
    locked_transfer(tx, &BY_ID, params![transfer], read_with_id)
}

/// Returns since when no transfer may be exported: since a server started on a restored copy.
pub fn stopped_since(tx: &mut Tx) -> Result<Option<Timestamp>> {
    counters::transfers_stopped_since(tx)
}

/// Lets transfers be exported. Returns false if they were not stopped.
pub fn resume(tx: &mut Tx) -> Result<bool> {
    counters::resume_transfers(tx)
}

/// Returns the planned transfers of paid orders that are not held, the earliest first, at most `limit`. `after` is the last transfer of the
/// previous page. Money of an order that is not paid, or that is being given back, must not be sent, whatever its transfers say. Neither
/// must that of an order of which an open alarm says that money went back for an unknown transfer.
pub fn to_send(tx: &mut Tx, after: Option<&Transfer>, limit: u32) -> Result<Vec<Transfer>> {
    let undoubted = alarms::none_holds_transfers();
    let sql = |condition: &str| {
        format!(
            "select {COLUMNS} from transfers t where t.status = ?1 and t.held_at is null and t.refund_id is null{condition}
                 and exists (select 1 from orders o where o.id = t.order_id and o.status = ?2 and {NONE_UNDER_WAY} and {undoubted})
             order by created_at, id limit ?3"
        )
    };
    let (planned, paid) = (TransferStatus::Planned, OrderStatus::Paid);
    match after {
        None => tx.rows(&sql(""), params![planned, paid, limit], read),
        Some(after) => {
            let sql = sql(" and (t.created_at, t.id) > (?4, ?5)");
            let values = params![planned, paid, limit, after.created_at, after.id];
            tx.rows(&sql, values, read)
        }
    }
}

/// Calls off the planned transfers of an order that were not sent yet, because its money was given back. Returns their
/// number.
pub fn call_off(tx: &mut Tx, order: &LockedOrder<'_>, now: Timestamp) -> Result<u64> {
    let (from, to) = (TransferStatus::Planned, TransferStatus::CalledOff);
    let sql =
        "update transfers set status = ?3, updated_at = ?4 where order_id = ?1 and status = ?2";
    tx.execute(sql, params![order, from, to, now])
}

/// Plans the transfers again that [`call_off`] has called off, because another charge pays the order. One that the operator has given
/// back stays called off. Returns their number.
pub fn plan_called_off(tx: &mut Tx, order: &LockedOrder<'_>, now: Timestamp) -> Result<u64> {
    let (from, to) = (TransferStatus::CalledOff, TransferStatus::Planned);
    let sql = "update transfers set status = ?3, updated_at = ?4, refund_id = null
               where order_id = ?1 and status = ?2 and given_back_at is null";
    tx.execute(sql, params![order, from, to, now])
}

/// The next status of a transfer, with what is known of it from then on.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The status that it has now.
    pub from: TransferStatus,
    /// The next status.
    pub to: TransferStatus,
    /// Why it was returned.
    pub reason: Option<&'a str>,
    /// Its value date; `None` keeps the known one.
    pub value_date: Option<Date>,
    /// All that banks have told of it.
    pub bank: &'a BankAnswer,
}

/// Changes the status of a transfer. Returns false if its status is not `from` any more, if there is no such step
/// ([`TransferStatus::may_become`]), or if it would be sent and is held, is being given back, is of an order that is not paid, or an open
/// alarm keeps the transfers of its order from being sent.
pub fn step(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    step: &Step<'_>,
    now: Timestamp,
) -> Result<bool> {
    if !step.from.may_become(step.to) {
        return Ok(false);
    }
    let bank = Told::of(step.bank);
    let value_date = step.value_date.map(|day| day.to_string());
    let undoubted = alarms::none_holds_transfers();
    let sql = format!(
        "update transfers set status = ?3, reason = ?4, value_date = coalesce(?5, value_date), uetr = ?6, bank_reference = ?7,
             credited_on = ?8, returned_on = ?9, imported_at = ?10, updated_at = ?10, booking_reference = ?11
         where id = ?1 and status = ?2 and (?3 <> 'sent' or held_at is null and refund_id is null
             and exists (select 1 from orders o where o.id = transfers.order_id and o.status = 'paid' and {undoubted}))"
    );
    let values = params![
        transfer,
        step.from,
        step.to,
        step.reason,
        value_date,
        bank.uetr,
        bank.reference,
        bank.credited_on,
        bank.returned_on,
        now,
        bank.booking
    ];
    let is_done = tx.execute(&sql, values)? == 1;
    if is_done && step.to == TransferStatus::Returned {
        refunds::mark_given_back(tx, transfer, now)?;
    }
    Ok(is_done)
}

/// Marks a transfer as disputed: what banks told contradicts itself. It counts as sent, so that nobody sends it again or gives it back; where
/// somebody has decided about it already, it stays returned. Returns false if it was disputed before, or was not given to a bank.
pub fn dispute(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    bank: &BankAnswer,
    now: Timestamp,
) -> Result<bool> {
    let bank = Told::of(bank);
    let undecided = "refund_requested_at is null and given_back_at is null and refund_id is null
                     and not exists (select 1 from transfers n where n.replaces = transfers.id)";
    let sql = format!(
        "update transfers set disputed_at = ?2, imported_at = ?2, updated_at = ?2, uetr = ?3, bank_reference = ?4, booking_reference = ?5,
             status = case when {undecided} then 'sent' else status end,
             reason = case when {undecided} then null else reason end,
             credited_on = case when {undecided} then null else credited_on end,
             returned_on = case when {undecided} then null else returned_on end
         where id = ?1 and disputed_at is null and status in ('sent', 'credited', 'returned')"
    );
    let values = params![transfer, now, bank.uetr, bank.reference, bank.booking];
    Ok(tx.execute(&sql, values)? == 1)
}

/// Ends the dispute about a transfer: its status is known. A wish to have it on the card of which nothing has come yet ends with the news that
/// the recipient has the money. Returns false if it is not disputed, or if its money went on before and it should not be returned.
pub fn settle_dispute(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    step: &Step<'_>,
    now: Timestamp,
) -> Result<bool> {
    let bank = Told::of(step.bank);
    let sql = "update transfers set disputed_at = null, status = ?2, reason = ?3, imported_at = ?4, updated_at = ?4, uetr = ?5,
                   bank_reference = ?6, booking_reference = ?7, credited_on = ?8, returned_on = ?9,
                   refund_requested_at = case when ?2 = 'credited' then null else refund_requested_at end
               where id = ?1 and disputed_at is not null and (status in ('sent', ?2)
                   or ?2 = 'credited' and refunded_at is null and given_back_at is null and refund_id is null
                   and not exists (select 1 from transfers n where n.replaces = transfers.id))";
    let values = params![
        transfer,
        step.to,
        step.reason,
        now,
        bank.uetr,
        bank.reference,
        bank.booking,
        bank.credited_on,
        bank.returned_on
    ];
    let is_done = tx.execute(sql, values)? == 1;
    if is_done && step.to == TransferStatus::Returned {
        refunds::mark_given_back(tx, transfer, now)?;
    }
    Ok(is_done)
}

/// Plans a transfer again that was marked as sent before `today` (Kyiv), and of which no bank has told anything, also not in an entry that the
/// operator left out of a file. Returns false if it is none like that. Of an order that is not paid it is called off: whoever gives the order back
/// at the same time calls off what is planned then.
pub fn take_back_mark(
    tx: &mut Tx,
    _order: &LockedOrder<'_>,
    transfer: &LockedTransfer<'_>,
    today: Date,
    now: Timestamp,
) -> Result<bool> {
    // A command does this. The server looks for what commands have changed by `imported_at`.
    let sql = "update transfers set value_date = null, imported_at = ?3, updated_at = ?3,
                   status = case when exists (select 1 from orders o where o.id = order_id and o.status = ?6) then ?4 else ?7 end
               where id = ?1 and status = ?5 and value_date < ?2
                   and uetr is null and bank_reference is null and credited_on is null and returned_on is null and disputed_at is null
                   and not exists (select 1 from bank_facts f where f.transfer_id = transfers.id)
                   and not exists (select 1 from audit_events e where e.order_id = transfers.order_id and e.action = ?8 and e.object_id = ?9)";
    let (today, object) = (today.to_string(), transfer.id().to_string());
    let values = params![
        transfer,
        today,
        now,
        TransferStatus::Planned,
        TransferStatus::Sent,
        OrderStatus::Paid,
        TransferStatus::CalledOff,
        AuditAction::BankEntryLeftOut,
        object
    ];
    let is_done = tx.execute(sql, values)? == 1;
    if is_done {
        refunds::mark_given_back(tx, transfer, now)?;
    }
    Ok(is_done)
}

/// Returns the numbers of the paid orders with planned transfers that nothing holds but a refund or an open alarm, so that [`to_send`]
/// leaves them out. The earliest first, at most `limit`.
pub fn withheld(tx: &mut Tx, limit: u32) -> Result<Vec<i64>> {
    let undoubted = alarms::none_holds_transfers();
    let sql = format!(
        "select o.number from orders o where o.status = ?2
             and exists (select 1 from transfers t where t.order_id = o.id and t.status = ?1 and t.held_at is null
                             and (t.refund_id is not null or not ({NONE_UNDER_WAY} and {undoubted})))
         order by o.number limit ?3"
    );
    let values = params![TransferStatus::Planned, OrderStatus::Paid, limit];
    tx.rows(&sql, values, |row| row.next())
}

/// Keeps all that banks have told of a transfer. Its status stays.
pub fn keep_answer(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    bank: &BankAnswer,
    now: Timestamp,
) -> Result<()> {
    let bank = Told::of(bank);
    let sql = "update transfers set uetr = ?2, bank_reference = ?3, credited_on = ?4, returned_on = ?5, imported_at = ?6,
                   booking_reference = ?7
               where id = ?1";
    let values = params![
        transfer,
        bank.uetr,
        bank.reference,
        bank.credited_on,
        bank.returned_on,
        now,
        bank.booking
    ];
    tx.execute(sql, values).map(|_| ())
}

/// What banks have told, as it is stored.
struct Told<'a> {
    uetr: Option<&'a Uetr>,
    reference: Option<&'a Line>,
    booking: Option<&'a Line>,
    credited_on: Option<String>,
    returned_on: Option<String>,
}

impl<'a> Told<'a> {
    fn of(bank: &'a BankAnswer) -> Told<'a> {
        let text = |day: Option<Date>| day.map(|day| day.to_string());
        Told {
            uetr: bank.uetr.as_ref(),
            reference: bank.bank_reference.as_ref(),
            booking: bank.booking_reference.as_ref(),
            credited_on: text(bank.credited_on),
            returned_on: text(bank.returned_on),
        }
    }
}

/// Returns the transfer with a UETR.
pub fn by_uetr(tx: &mut Tx, uetr: &Uetr) -> Result<Option<TransferId>> {
    let sql = "select id from transfers where uetr = ?1";
    tx.row_optional(sql, params![uetr], |row| row.next())
}

/// Returns the orders whose transfers a file has changed after a moment, with the moments, the earliest first.
pub fn imported_since(tx: &mut Tx, since: Timestamp) -> Result<Vec<(Timestamp, OrderId)>> {
    let sql = "select distinct imported_at, order_id from transfers where imported_at > ?1 order by imported_at, order_id";
    tx.rows(sql, params![since], |row| Ok((row.next()?, row.next()?)))
}

/// A transfer that waits for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldTransfer {
    /// The id.
    pub id: TransferId,
    /// The number of its document.
    pub document_number: i64,
    /// The sum.
    pub amount: Money,
    /// Since when it waits.
    pub held_at: Timestamp,
    /// Its order.
    pub order: OrderId,
    /// The short number of its order.
    pub order_number: i64,
    /// The order had been given up before it was paid.
    pub is_given_up: bool,
    /// QR codes were given for the order.
    pub has_codes: bool,
    /// It came back before the database was restored, or sends such a one again.
    pub is_of_copy: bool,
}

/// The condition for a held transfer `t` of a paid order about which the operator has to decide: it is planned, or came back and was neither
/// given back nor sent again.
macro_rules! waits_for_operator {
    () => {
        "t.held_at is not null and (t.status = 'planned' or t.status = 'returned' and t.refunded_at is null and t.given_back_at is null
                 and not exists (select 1 from transfers n where n.replaces = t.id))
             and exists (select 1 from orders p where p.id = t.order_id and p.status = 'paid')"
    };
}
pub(crate) use waits_for_operator;

/// Returns the transfers of paid orders that wait for the operator, the earliest first. Nothing else of an order is read: a damaged one keeps
/// no other from being decided.
pub fn held(tx: &mut Tx) -> Result<Vec<HeldTransfer>> {
    let sql = concat!(
        "select t.id, t.document_number, t.amount, t.held_at, o.id as order_id, o.number,
             coalesce(o.returned_to_cart_at, o.cancelled_at) as given_up_at, o.codes_given_at, t.status,
             (select r.held_at from transfers r where r.id = t.replaces) as replaced_held_at
         from transfers t join orders o on o.id = t.order_id where ",
        waits_for_operator!(),
        " order by t.held_at, t.id"
    );
    tx.rows(sql, params![], |row| {
        let (id, document_number) = (row.next()?, row.next()?);
        let (amount, held_at) = (row.next()?, row.next()?);
        let (order, order_number) = (row.next()?, row.next()?);
        let given_up_at: Option<Timestamp> = row.next()?;
        let codes_given_at: Option<Timestamp> = row.next()?;
        let status: TransferStatus = row.next()?;
        let replaced_held_at: Option<Timestamp> = row.next()?;
        Ok(HeldTransfer {
            id,
            document_number,
            amount,
            held_at,
            order,
            order_number,
            is_given_up: given_up_at.is_some(),
            has_codes: codes_given_at.is_some(),
            is_of_copy: status == TransferStatus::Returned || replaced_held_at.is_some(),
        })
    })
}

/// Returns whether a transfer of an order that is still to be sent waits for the operator. Does not lock.
pub fn has_held(tx: &mut Tx, order: OrderId) -> Result<bool> {
    let sql = "select 1 as held from transfers t where t.order_id = ?1 and t.held_at is not null and t.status = ?2 limit 1";
    let found = tx.row_optional(sql, params![order, TransferStatus::Planned], |_| Ok(()))?;
    Ok(found.is_some())
}

/// The condition for a transfer `t` that came back and about which nobody has decided: it is neither sent again nor given back, nor is its
/// refund under way.
macro_rules! is_undecided {
    () => {
        "t.status = 'returned' and t.disputed_at is null and t.refund_requested_at is null and t.refunded_at is null and t.given_back_at is null
             and exists (select 1 from orders o where o.id = t.order_id and o.status = 'paid')
             and not exists (select 1 from transfers n where n.replaces = t.id)
             and not exists (select 1 from refunds f where f.transfer_id = t.id and f.ended_at is null)"
    };
}
pub(crate) use is_undecided;

/// A returned transfer about which somebody has to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndecidedTransfer {
    /// The id.
    pub id: TransferId,
    /// The document number.
    pub document_number: i64,
    /// The sum.
    pub amount: Money,
    /// The short number of its order.
    pub order_number: i64,
    /// The notary of its order, who decides.
    pub notary: NotaryId,
    /// Which part of the price it is.
    pub role: Option<PartRole>,
    /// Name of the recipient.
    pub recipient: Option<Line>,
    /// Code of the recipient.
    pub recipient_code: Option<Okpo>,
    /// Why it came back, in the bank's words.
    pub reason: Option<String>,
    /// When it was learned that it came back.
    pub since: Timestamp,
}

/// Returns the returned transfers about which nobody has decided, the earliest first.
pub fn undecided(tx: &mut Tx) -> Result<Vec<UndecidedTransfer>> {
    let sql = concat!(
        "select t.id, t.document_number, t.amount, n.number as order_number, n.notary_id, t.role, t.recipient_name, t.recipient_code,
             t.reason, t.updated_at
         from transfers t join orders n on n.id = t.order_id where ",
        is_undecided!(),
        " order by t.updated_at, t.id"
    );
    tx.rows(sql, params![], |row| {
        Ok(UndecidedTransfer {
            id: row.next()?,
            document_number: row.next()?,
            amount: row.next()?,
            order_number: row.next()?,
            notary: row.next()?,
            role: row.next_shown()?,
            recipient: row.next_shown()?,
            recipient_code: row.next_shown()?,
            reason: row.next_shown()?,
            since: row.next()?,
        })
    })
}

/// Returns the paid orders of which money waits to leave, by id, at most `limit`: those with planned transfers, held ones too, and those with a
/// part that came back and about which nobody has decided. `after` is the last order of the previous page.
pub fn orders_to_leave(tx: &mut Tx, after: Option<OrderId>, limit: u32) -> Result<Vec<OrderId>> {
    let sql = |condition: &str| {
        format!(
            "select distinct t.order_id from transfers t where (t.status = ?1 or {}){condition}
                 and exists (select 1 from orders o where o.id = t.order_id and o.status = ?2)
             order by t.order_id limit ?3",
            is_undecided!()
        )
    };
    let (planned, paid) = (TransferStatus::Planned, OrderStatus::Paid);
    match after {
        None => tx.rows(&sql(""), params![planned, paid, limit], |row| row.next()),
        Some(after) => {
            let sql = sql(" and t.order_id > ?4");
            tx.rows(&sql, params![planned, paid, limit, after], |row| row.next())
        }
    }
}

/// Releases a held transfer. Returns false if it is not held, neither planned nor returned, or sent again.
pub fn release(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    reason: &Line,
    now: Timestamp,
) -> Result<bool> {
    // Where the bank tells no day, the last change of a returned one is the day on which it came back.
    // One that was sent again meanwhile is not released: what sends it again waits in its place.
    let sql = "update transfers set held_at = null, release_reason = ?3, updated_at = case when status = ?4 then ?2 else updated_at end
               where id = ?1 and held_at is not null
                   and (status = ?4 or status = ?5 and not exists (select 1 from transfers n where n.replaces = transfers.id))";
    let (planned, returned) = (TransferStatus::Planned, TransferStatus::Returned);
    let values = params![transfer, now, reason, planned, returned];
    Ok(tx.execute(sql, values)? == 1)
}
