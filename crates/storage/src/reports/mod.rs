//! What reports are made of: paid items and their transfers.

pub mod accounts;

use cabinet_domain::{
    BudgetCode, Count, Inn, Money, NotaryId, OrderId, OrderStatus, PaidItem, PaidPart, PartRole,
    PaymentKind, Period, PersonName, Price, TransferStatus, kyiv_date,
};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::error::{Result, StorageError};
use crate::row::Row;
use crate::tx::Tx;
use crate::value::params;

/// The columns of a transfer `t`, its item `i` and its order `o`, in the order of [`read_part`].
///
/// The tables are named in a `cross join`, because SQLite then reads them in that order: first the orders of the notary, by an index.
const PART_COLUMNS: &str = "t.item_id, i.payment_kind, t.role, t.document_number, t.amount, o.paid_at, t.status, t.credited_on, \
    t.returned_on, t.updated_at, t.refunded_at, \
    cast(case when t.replaces is not null and exists (select 1 from transfers e where e.order_id = t.order_id and e.item_id = t.item_id \
        and e.role = t.role and e.document_number < t.document_number and e.credited_on is not null) then 1 else 0 end as bigint) \
        as credited_before, i.count, i.amount as unit_amount, i.commission, i.tariff_basis_points, i.tariff_minimum";

fn read_part(row: &mut Row<'_>) -> Result<PaidPart> {
    let (item, kind, role) = (row.next()?, row.next()?, row.next()?);
    let (document_number, amount) = (row.next()?, row.next()?);
    let paid_at: Timestamp = row.next()?;
    let status = row.next()?;
    let (credited_on, returned_on) = (row.next()?, row.next()?);
    let updated_at: Timestamp = row.next()?;
    let refunded_at: Option<Timestamp> = row.next()?;
    let credited_before: i64 = row.next()?;
    let count: Count = row.next()?;
    let price = Price::stored(row.next()?, row.next()?, row.next()?, row.next()?);
    let commission = price
        .and_then(|price| commission_of(&price, kind, role)?.times(count))
        .map_err(|_| broken("order_items", "commission"))?;
    let commission = if credited_before == 0 {
        commission
    } else {
        Money::ZERO
    };
    Ok(PaidPart {
        item,
        kind,
        role,
        document_number,
        amount,
        commission,
        paid_on: kyiv_date(paid_at),
        status,
        credited_on,
        returned_on,
        changed_on: kyiv_date(updated_at),
        is_refunded: refunded_at.is_some(),
    })
}

/// Returns the commission of one part of a price, for one unit.
fn commission_of(
    price: &Price,
    kind: PaymentKind,
    role: PartRole,
) -> Result<Money, cabinet_domain::MoneyError> {
    let parts = price.parts(kind)?;
    let part = parts.iter().find(|part| part.role == role);
    Ok(part.map_or(Money::ZERO, |part| part.commission))
}

fn broken(table: &str, column: &str) -> StorageError {
    StorageError::Inconsistent {
        table: table.to_owned(),
        id: None,
        column: column.to_owned(),
        reason: "a sum is too large".to_owned(),
    }
}

/// Returns the items of a notary's orders that were paid in a period, also of those whose payment was given back.
pub fn items_paid(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<PaidItem>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = "select o.paid_at, o.status, i.payment_kind, i.count, i.amount, i.commission
        from orders o join order_items i on i.order_id = o.id
        where o.notary_id = ?1 and o.paid_at >= ?2 and o.paid_at < ?3";
    tx.rows(sql, params![notary, begin, end], |row| {
        let (paid_at, status): (Timestamp, OrderStatus) = (row.next()?, row.next()?);
        let (kind, count): (PaymentKind, Count) = (row.next()?, row.next()?);
        let (amount, commission): (Money, Money) = (row.next()?, row.next()?);
        let all = |sum: Money| {
            sum.times(count)
                .map_err(|_| broken("order_items", "amount"))
        };
        Ok(PaidItem {
            kind,
            amount: all(amount)?,
            commission: all(commission)?,
            paid_on: kyiv_date(paid_at),
            is_refunded: status == OrderStatus::Refunded,
        })
    })
}

/// Returns the transfers of a notary's orders that were paid in a period and not given back.
pub fn parts_paid(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<PaidPart>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "select {PART_COLUMNS} from orders o cross join transfers t cross join order_items i
         where t.order_id = o.id and i.id = t.item_id and o.notary_id = ?1 and o.paid_at >= ?2 and o.paid_at < ?3 and o.status = ?4"
    );
    tx.rows(
        &sql,
        params![notary, begin, end, OrderStatus::Paid],
        read_part,
    )
}

/// The transfers of a notary that were credited or came back in a period. Where the bank told no day, the caller decides by
/// the day of the change, so such transfers of any day are among them.
const MOVED: &str = "from orders o cross join transfers t cross join order_items i
    where t.order_id = o.id and i.id = t.item_id and o.notary_id = ?1 and o.paid_at is not null and t.status in (?4, ?5)
        and (t.credited_on between ?2 and ?3 or t.returned_on between ?2 and ?3
            or (t.status = ?4 and t.credited_on is null) or (t.status = ?5 and t.returned_on is null))";

/// Returns the transfers of a notary that were credited or came back in a period, and some of other days
/// ([`PaidPart::movements`] tells the days).
pub fn parts_moved(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<PaidPart>> {
    let sql = format!("select {PART_COLUMNS} {MOVED}");
    let (from, to) = (period.from().to_string(), period.to().to_string());
    let (credited, returned) = (TransferStatus::Credited, TransferStatus::Returned);
    let values = params![notary, from, to, credited, returned];
    tx.rows(&sql, values, read_part)
}

/// A transfer of the notary's share with what the income book names.
#[derive(Clone, Debug)]
pub struct BookedPart {
    /// The transfer.
    pub part: PaidPart,
    /// The order.
    pub order_id: OrderId,
    /// Its short number.
    pub order_number: i64,
    /// The client's code.
    pub client_code: Inn,
    /// The client's name.
    pub client_name: PersonName,
    /// The service, in Ukrainian and in English.
    pub service: Option<(String, String)>,
}

/// Returns the transfers of the notary's share that were credited or came back in a period, and some of other days, by the
/// number of their document.
pub fn shares_booked(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<BookedPart>> {
    let moved = MOVED.replace(
        "where",
        "cross join clients c where c.id = o.client_id and t.role = ?6 and",
    );
    let sql = format!(
        "select {PART_COLUMNS}, o.id as order_id, o.number, c.inn, c.full_name, i.option_name_uk, i.option_name_en {moved}
         order by t.document_number"
    );
    let (from, to) = (period.from().to_string(), period.to().to_string());
    let (credited, returned) = (TransferStatus::Credited, TransferStatus::Returned);
    let values = params![notary, from, to, credited, returned, PartRole::Notary];
    tx.rows(&sql, values, |row| {
        Ok(BookedPart {
            part: read_part(row)?,
            order_id: row.next()?,
            order_number: row.next()?,
            client_code: row.next()?,
            client_name: row.next()?,
            service: Option::zip(row.next()?, row.next()?),
        })
    })
}

/// A payment to any requisites with what the tax report needs.
#[derive(Clone, Debug)]
pub struct PaidRequisites {
    /// The order.
    pub order_id: OrderId,
    /// Its short number.
    pub order_number: i64,
    /// The day (Kyiv) of the charge.
    pub paid_on: Date,
    /// The client's code.
    pub client_code: Inn,
    /// The client's name.
    pub client_name: PersonName,
    /// The budget code.
    pub budget_code: Option<BudgetCode>,
    /// The amount for all units.
    pub amount: Money,
    /// The number of its last transfer's document.
    pub document_number: Option<i64>,
    /// The status of its last transfer.
    pub transfer_status: Option<TransferStatus>,
    /// The purpose of its last transfer, which the notary may have corrected.
    pub purpose: String,
}

/// Returns a notary's payments to any requisites in orders that were paid in a period, order by order, without what was given back to
/// the card: whole orders, and parts that a bank had returned.
pub fn requisites_paid(
    tx: &mut Tx,
    notary: NotaryId,
    period: Period,
) -> Result<Vec<PaidRequisites>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = "select o.id, o.number, o.paid_at, c.inn, c.full_name, i.cbc_code, i.amount, i.count, t.document_number, t.status,
            coalesce(t.purpose, i.purpose) as purpose
        from orders o join clients c on c.id = o.client_id join order_items i on i.order_id = o.id
            left join transfers t on t.item_id = i.id and not exists (
                select 1 from transfers n where n.item_id = t.item_id and n.role = t.role and n.document_number > t.document_number)
        where o.notary_id = ?1 and o.paid_at >= ?2 and o.paid_at < ?3 and o.status = ?4 and i.payment_kind = ?5
            and t.refunded_at is null
        order by o.paid_at, o.number, i.position";
    let kind = PaymentKind::RequisitesPayment;
    let values = params![notary, begin, end, OrderStatus::Paid, kind];
    tx.rows(sql, values, |row| {
        let (order_id, order_number) = (row.next()?, row.next()?);
        let paid_at: Timestamp = row.next()?;
        let (client_code, client_name, budget_code) = (row.next()?, row.next()?, row.next()?);
        let (amount, count): (Money, Count) = (row.next()?, row.next()?);
        Ok(PaidRequisites {
            order_id,
            order_number,
            paid_on: kyiv_date(paid_at),
            client_code,
            client_name,
            budget_code,
            amount: amount
                .times(count)
                .map_err(|_| broken("order_items", "amount"))?,
            document_number: row.next()?,
            transfer_status: row.next()?,
            purpose: row.next()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_on_sqlite;

    #[test]
    fn a_report_reads_the_orders_of_its_notary_and_no_row_of_a_transfer() {
        run_on_sqlite(|store| async move {
            let sql = format!("explain query plan select {PART_COLUMNS} {MOVED}");
            let plan = store
                .read(move |tx| {
                    let notary = NotaryId::new(uuid::Uuid::nil());
                    let (from, to) = ("2026-03-01".to_owned(), "2026-03-31".to_owned());
                    let (credited, returned) = (TransferStatus::Credited, TransferStatus::Returned);
                    let values = params![notary, from, to, credited, returned];
                    tx.rows(&sql, values, |row| row.get::<String>("detail"))
                })
                .await
                .unwrap();
            for (at, index) in ["orders_by_payment", "COVERING INDEX transfers_for_reports"]
                .into_iter()
                .enumerate()
            {
                assert!(plan[at].contains(index), "{plan:#?}");
            }
        });
    }
}
