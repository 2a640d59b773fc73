//! What reports are made of: paid items and their transfers, added up by the database where only their sums are told.

pub mod accountant;

use cabinet_domain::{
    Balance, BudgetCode, CodesItems, Count, DealId, DealParty, DealPayer, Inn, Money, Month,
    MovedParts, NotaryId, OrderId, OrderStatus, PaidItems, PaidPart, PartRole, PaymentKind, Period,
    PersonName, Price, StandingParts, TransferStatus, kyiv_date,
};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::deal::deals::payer_of;
use crate::engine::error::{Result, StorageError};
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::order::orders::PAID_BY_CODES;

/// Whether an earlier transfer of the part of a transfer `t` was credited.
const CREDITED_BEFORE: &str = "(t.replaces is not null and exists (select 1 from transfers e where e.order_id = t.order_id \
    and e.item_id = t.item_id and e.role = t.role and e.document_number < t.document_number and e.credited_on is not null))";

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

/// Returns an expression for the place of a moment or a day among the months of a period. `first` is the literal for the beginning of a
/// month. Days of Kyiv can't be computed in one SQL text for both databases.
fn place_among(months: &[Month], column: &str, first: impl Fn(Period) -> Option<String>) -> String {
    let later = months.iter().enumerate().skip(1).rev();
    let cases: String = later
        .filter_map(|(place, month)| Some((place, first(month.days()?)?)))
        .map(|(place, first)| format!(" when {column} >= {first} then {place}"))
        .collect();
    if cases.is_empty() {
        "0".to_owned()
    } else {
        format!("case{cases} else 0 end")
    }
}

fn place_of_moment(months: &[Month], column: &str) -> String {
    place_among(months, column, |days| {
        Some(days.moments()?.0.as_microsecond().to_string())
    })
}

fn place_of_day(months: &[Month], column: &str) -> String {
    place_among(months, column, |days| Some(format!("'{}'", days.from())))
}

fn month_at(months: &[Month], place: i64) -> Result<Month> {
    let month = usize::try_from(place)
        .ok()
        .and_then(|place| months.get(place));
    month.copied().ok_or_else(|| broken("orders", "paid_at"))
}

fn count(row: &mut Row<'_>) -> Result<u64> {
    row.next::<i64>()
        .map(|count| u64::try_from(count).unwrap_or_default())
}

fn balance(row: &mut Row<'_>) -> Result<Balance> {
    row.next().map(Balance::from_kopiykas)
}

/// Adds up the items of a notary's orders that were paid in a period, also of those whose payment was given back.
pub fn items_paid(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<PaidItems>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let months = period.months();
    let sql = format!(
        "select g.place, g.payment_kind, g.status, count(*), cast(sum(g.amount) as bigint), cast(sum(g.commission) as bigint)
         from (select cast({} as bigint) as place, i.payment_kind, o.status, i.amount * i.count as amount, i.commission * i.count as commission
             from orders o cross join order_items i
             where i.order_id = o.id and o.notary_id = ?1 and o.paid_at >= ?2 and o.paid_at < ?3) g
         group by g.place, g.payment_kind, g.status",
        place_of_moment(&months, "o.paid_at")
    );
    tx.rows(&sql, params![notary, begin, end], |row| {
        let (place, kind) = (row.next()?, row.next()?);
        let status: OrderStatus = row.next()?;
        Ok(PaidItems {
            month: month_at(&months, place)?,
            kind,
            count: count(row)?,
            amount: balance(row)?,
            commission: balance(row)?,
            is_refunded: status == OrderStatus::Refunded,
        })
    })
}

/// Adds up the items of a notary's orders that were marked in a period as paid by QR codes, and that no card has paid.
pub fn items_paid_by_codes(
    tx: &mut Tx,
    notary: NotaryId,
    period: Period,
) -> Result<Vec<CodesItems>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let months = period.months();
    // An order is made before it is marked, so the index of the notary's orders bounds them on one side.
    let sql = format!(
        "select g.place, g.payment_kind, count(*), cast(sum(g.amount) as bigint)
         from (select cast({} as bigint) as place, i.payment_kind, i.amount * i.count as amount
             from orders o cross join order_items i
             where i.order_id = o.id and o.notary_id = ?1 and o.created_at < ?3 and o.codes_paid_at >= ?2 and o.codes_paid_at < ?3
                 and {PAID_BY_CODES}) g
         group by g.place, g.payment_kind",
        place_of_moment(&months, "o.codes_paid_at")
    );
    tx.rows(&sql, params![notary, begin, end], |row| {
        let (place, kind) = (row.next()?, row.next()?);
        Ok(CodesItems {
            month: month_at(&months, place)?,
            kind,
            count: count(row)?,
            amount: balance(row)?,
        })
    })
}

/// Adds up the last transfers of the parts of a notary's orders that were paid in a period and not given back. Only a returned transfer
/// may have another after it.
pub fn parts_paid(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<StandingParts>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let months = period.months();
    let sql = format!(
        "select g.place, g.payment_kind, g.role, g.status, g.refunded, cast(sum(g.amount) as bigint)
         from (select cast({} as bigint) as place, i.payment_kind, t.role, t.status,
                 cast(case when t.refunded_at is null and t.given_back_at is null then 0 else 1 end as bigint) as refunded, t.amount
             from orders o cross join transfers t cross join order_items i
             where t.order_id = o.id and i.id = t.item_id and o.notary_id = ?1 and o.paid_at >= ?2 and o.paid_at < ?3 and o.status = ?4
                 and (t.status <> ?5 or not exists (select 1 from transfers l where l.replaces = t.id))) g
         group by g.place, g.payment_kind, g.role, g.status, g.refunded",
        place_of_moment(&months, "o.paid_at")
    );
    let values = params![
        notary,
        begin,
        end,
        OrderStatus::Paid,
        TransferStatus::Returned
    ];
    tx.rows(&sql, values, |row| {
        let place = row.next()?;
        Ok(StandingParts {
            month: month_at(&months, place)?,
            kind: row.next()?,
            role: row.next()?,
            status: row.next()?,
            is_refunded: row.next::<i64>()? == 1,
            amount: balance(row)?,
        })
    })
}

/// The transfers of a notary that may have moved. Tables are named in a `cross join`, because SQLite then reads them in that order: first
/// the orders of the notary, by an index.
const OF_NOTARY: &str = "t.order_id = o.id and o.notary_id = ?1 and o.paid_at is not null and t.status in ('credited', 'returned')";

/// Whether a transfer was credited in a period. Where the bank told no day, the moment of the change counts; a crediting whose day is
/// unknown is forgotten when the money comes back.
const CREDITED: &str = "(t.credited_on between ?2 and ?3
    or (t.status = 'credited' and t.credited_on is null and t.updated_at >= ?4 and t.updated_at < ?5))";

/// Whether a transfer came back in a period.
const RETURNED: &str = "(t.status = 'returned' and (t.returned_on between ?2 and ?3
    or (t.returned_on is null and t.updated_at >= ?4 and t.updated_at < ?5)))";

/// The period of these conditions.
struct Moved {
    from: String,
    to: String,
    begin: Timestamp,
    end: Timestamp,
}

impl Moved {
    fn of(period: Period) -> Option<Self> {
        let (begin, end) = period.moments()?;
        Some(Self {
            from: period.from().to_string(),
            to: period.to().to_string(),
            begin,
            end,
        })
    }
}

/// Adds up what was credited or came back of a notary's payments in a period.
pub fn parts_moved(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<MovedParts>> {
    let Some(moved) = Moved::of(period) else {
        return Ok(Vec::new());
    };
    let months = period.months();
    let place = |day: &str| {
        format!(
            "cast(case when {day} is null then {} else {} end as bigint)",
            place_of_moment(&months, "t.updated_at"),
            place_of_day(&months, day)
        )
    };
    // The commission of an item with two parts follows from its price.
    let price = |column: &str| {
        format!("case when i.payment_kind = 'admin_payment' then {column} else 0 end")
    };
    let sql = format!(
        "select g.is_return, g.place, g.payment_kind, g.role, g.is_first, g.unit_amount, g.unit_commission, g.basis_points, g.minimum,
             count(*), cast(sum(g.count) as bigint), cast(sum(g.amount) as bigint), cast(sum(g.commission) as bigint)
         from (select cast(0 as bigint) as is_return, {} as place, i.payment_kind, t.role,
                 cast(case when {CREDITED_BEFORE} then 0 else 1 end as bigint) as is_first,
                 {} as unit_amount, {} as unit_commission, {} as basis_points, {} as minimum,
                 i.count, t.amount, i.commission * i.count as commission
             from orders o cross join transfers t cross join order_items i where {OF_NOTARY} and i.id = t.item_id and {CREDITED}
             union all
             select cast(1 as bigint), {}, i.payment_kind, t.role, cast(0 as bigint), 0, 0, 0, 0, i.count, t.amount, 0
             from orders o cross join transfers t cross join order_items i where {OF_NOTARY} and i.id = t.item_id and {RETURNED}) g
         group by g.is_return, g.place, g.payment_kind, g.role, g.is_first, g.unit_amount, g.unit_commission, g.basis_points, g.minimum",
        place("t.credited_on"),
        price("i.amount"),
        price("i.commission"),
        price("i.tariff_basis_points"),
        price("i.tariff_minimum"),
        place("t.returned_on"),
    );
    tx.rows(
        &sql,
        params![notary, moved.from, moved.to, moved.begin, moved.end],
        |row| {
            let (is_return, place): (i64, i64) = (row.next()?, row.next()?);
            let (kind, role): (PaymentKind, PartRole) = (row.next()?, row.next()?);
            let is_first = row.next::<i64>()? == 1;
            let price: [i64; 4] = [row.next()?, row.next()?, row.next()?, row.next()?];
            let (count, units): (u64, i64) = (count(row)?, row.next()?);
            let (amount, all) = (balance(row)?, balance(row)?);
            let commission = if !is_first {
                Balance::ZERO
            } else if kind.has_notary_share() {
                let unit = unit_commission(price, kind, role)?;
                Balance::from_kopiykas(unit.kopiykas().saturating_mul(units))
            } else {
                all
            };
            Ok(MovedParts {
                month: month_at(&months, place)?,
                kind,
                role,
                is_return: is_return == 1,
                count,
                amount,
                commission,
            })
        },
    )
}

/// Returns the commission of one part of a stored price (amount, commission, basis points and minimum), for one unit.
fn unit_commission(price: [i64; 4], kind: PaymentKind, role: PartRole) -> Result<Money> {
    let [amount, commission, basis_points, minimum] = price;
    let money = |kopiykas| Money::from_kopiykas(kopiykas);
    let commission = || {
        let price = Price::stored(
            money(amount)?,
            money(commission)?,
            basis_points,
            money(minimum)?,
        )?;
        commission_of(&price, kind, role)
    };
    commission().map_err(|_| broken("order_items", "commission"))
}

/// A transfer of the notary's share with what the income book names.
#[derive(Clone, Debug)]
pub struct BookedPart {
    /// The transfer.
    pub part: PaidPart,
    /// The short number of its order.
    pub order_number: i64,
    /// The client's code.
    pub client_code: Inn,
    /// The client's name.
    pub client_name: PersonName,
    /// The service, in Ukrainian and in English.
    pub service: Option<(String, String)>,
}

/// Returns how many entries the income book of a period has: shares that were credited, and those that came back after that.
pub fn shares_counted(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<u64> {
    let Some(moved) = Moved::of(period) else {
        return Ok(0);
    };
    let sql = format!(
        "select cast(coalesce(sum((case when {CREDITED} then 1 else 0 end)
             + (case when {RETURNED} and t.credited_on is not null then 1 else 0 end)), 0) as bigint)
         from orders o cross join transfers t where {OF_NOTARY} and t.role = 'notary'"
    );
    let counted = tx.row_optional(
        &sql,
        params![notary, moved.from, moved.to, moved.begin, moved.end],
        count,
    )?;
    Ok(counted.unwrap_or_default())
}

/// Returns the transfers of the notary's share that were credited or came back in a period, by the number of their document.
pub fn shares_booked(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<BookedPart>> {
    let Some(moved) = Moved::of(period) else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "select i.payment_kind, t.role, t.document_number, t.amount, t.status, t.credited_on, t.returned_on, t.updated_at,
             cast(case when {CREDITED_BEFORE} then 1 else 0 end as bigint) as credited_before, i.count, i.amount as unit_amount,
             i.commission, i.tariff_basis_points, i.tariff_minimum, o.number, c.inn, c.full_name, i.option_name_uk, i.option_name_en
         from orders o cross join transfers t cross join order_items i cross join clients c
         where {OF_NOTARY} and t.role = 'notary' and i.id = t.item_id and c.id = o.client_id and ({CREDITED} or {RETURNED})
         order by t.document_number"
    );
    tx.rows(
        &sql,
        params![notary, moved.from, moved.to, moved.begin, moved.end],
        |row| {
            Ok(BookedPart {
                part: read_part(row)?,
                order_number: row.next()?,
                client_code: row.next()?,
                client_name: row.next()?,
                service: Option::zip(row.next()?, row.next()?),
            })
        },
    )
}

fn read_part(row: &mut Row<'_>) -> Result<PaidPart> {
    let (kind, role) = (row.next()?, row.next()?);
    let (document_number, amount, status) = (row.next()?, row.next()?, row.next()?);
    let (credited_on, returned_on) = (row.next()?, row.next()?);
    let updated_at: Timestamp = row.next()?;
    let is_first = row.next::<i64>()? == 0;
    let units: Count = row.next()?;
    let price = [row.next()?, row.next()?, row.next()?, row.next()?];
    let commission = if is_first {
        let unit = unit_commission(price, kind, role)?;
        unit.times(units)
            .map_err(|_| broken("order_items", "commission"))?
    } else {
        Money::ZERO
    };
    Ok(PaidPart {
        role,
        document_number,
        amount,
        commission,
        status,
        credited_on,
        returned_on,
        changed_on: kyiv_date(updated_at),
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
    /// The deal that it comes from, and as whom the client pays there.
    pub deal: Option<(DealId, DealPayer)>,
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
            coalesce(t.purpose, i.purpose) as purpose, x.deal_id, p.payer, p.payer_number
        from orders o join clients c on c.id = o.client_id join order_items i on i.order_id = o.id
            left join transfers t on t.order_id = o.id and t.item_id = i.id and not exists (
                select 1 from transfers n
                where n.order_id = t.order_id and n.item_id = t.item_id and n.role = t.role and n.document_number > t.document_number)
            left join deal_items x on x.item_id = i.id
            left join deal_payments p on p.deal_id = x.deal_id and p.position = x.position
        where o.notary_id = ?1 and o.paid_at >= ?2 and o.paid_at < ?3 and o.status = ?4 and i.payment_kind = ?5
            and t.refunded_at is null and t.given_back_at is null
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
            deal: read_deal(row)?,
        })
    })
}

fn read_deal(row: &mut Row<'_>) -> Result<Option<(DealId, DealPayer)>> {
    let (deal, party, number): (Option<DealId>, Option<DealParty>, Option<i64>) =
        (row.next()?, row.next()?, row.next()?);
    let (Some(deal), Some(party), Some(number)) = (deal, party, number) else {
        return Ok(None);
    };
    Ok(Some((deal, payer_of(party, number)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_on_sqlite;

    #[test]
    fn a_report_reads_the_orders_of_its_notary_and_no_row_of_a_transfer() {
        run_on_sqlite(|store| async move {
            let sql = format!(
                "explain query plan select count(*) from orders o cross join transfers t where {OF_NOTARY} and ({CREDITED} or {RETURNED})"
            );
            let plan = store
                .read(move |tx| {
                    let notary = NotaryId::new(uuid::Uuid::nil());
                    let day: Date = "2026-03-01".parse().unwrap();
                    let moved = Moved::of(Period::new(day, day).unwrap()).unwrap();
                    tx.rows(
                        &sql,
                        params![notary, moved.from, moved.to, moved.begin, moved.end],
                        |row| row.get::<String>("detail"),
                    )
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
