//! Deals whose payments were put into the cart: what was calculated and decided, and the items that it became.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{
    AnsweredQuestion, Client, Deal, DealAnswerId, DealFactId, DealId, DealKindId, DealLineId,
    DealParty, DealPayer, DealPercent, DealRecord, ItemId, Names, NotaryId, OrderId, OrderStatus,
    Period, RecordedPayment, Share, kyiv_date,
};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::address_book::clients;
use crate::engine::error::{Result, StorageError};
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

/// What [`read`] reads.
const COLUMNS: &str = "id, created_at, kind_id, kind_uk, kind_en, calculated_on, tables_version, notary_status, price, valuation, \
    building_price, costs, objects, owners";

/// Stores a deal with the items that its payments became.
pub fn insert(tx: &mut Tx, notary: &LockedNotary, deal: &Deal) -> Result<()> {
    let record = &deal.record;
    tx.execute(
        "insert into deals (id, notary_id, created_at, kind_id, kind_uk, kind_en, calculated_on, tables_version, notary_status,
             price, valuation, building_price, costs, objects, owners)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        params![
            deal.id,
            notary,
            deal.created_at,
            record.kind,
            record.kind_names.uk,
            record.kind_names.en,
            record.date.to_string(),
            record.tables_version,
            record.status,
            record.price,
            record.valuation,
            record.building_price,
            record.costs,
            record.objects,
            record.owners,
        ],
    )?;
    for (position, answered) in (1_i64..).zip(&record.answers) {
        tx.execute(
            "insert into deal_answers (deal_id, position, fact_id, question_uk, question_en, answer_id, answer_uk, answer_en)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                deal.id,
                position,
                answered.fact,
                answered.question.uk,
                answered.question.en,
                answered.answer,
                answered.answer_names.uk,
                answered.answer_names.en,
            ],
        )?;
    }
    for (position, payment) in (1_i64..).zip(&record.payments) {
        insert_payment(tx, deal.id, position, payment)?;
    }
    Ok(())
}

fn insert_payment(
    tx: &mut Tx,
    deal: DealId,
    position: i64,
    payment: &RecordedPayment,
) -> Result<()> {
    let percent = payment.percent;
    tx.execute(
        "insert into deal_payments (deal_id, position, line_id, name_uk, name_en, payer, ground_uk, ground_en, unconfirmed, state,
             owed, base, base_sum, basis_points, minimum, maximum, action, sum, reason, recipient, payer_number, share_part, share_of, count)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)",
        params![
            deal,
            position,
            payment.line,
            payment.names.uk,
            payment.names.en,
            payment.payer.party,
            payment.ground.uk,
            payment.ground.en,
            payment.is_unconfirmed,
            payment.state,
            payment.owed,
            percent.map(|percent| percent.base),
            percent.map(|percent| percent.base_sum),
            percent.map(|percent| percent.basis_points),
            percent.and_then(|percent| percent.minimum),
            percent.and_then(|percent| percent.maximum),
            payment.action,
            payment.sum,
            payment.reason,
            payment.recipient,
            i64::from(payment.payer.number),
            payment.share.map(|share| i64::from(share.part())),
            payment.share.map(|share| i64::from(share.of())),
            payment.count,
        ],
    )?;
    match payment.item {
        Some(item) => insert_item(tx, item, deal, position),
        None => Ok(()),
    }
}

fn insert_item(tx: &mut Tx, item: ItemId, deal: DealId, position: i64) -> Result<()> {
    tx.execute(
        "insert into deal_items (item_id, deal_id, position) values (?1, ?2, ?3)",
        params![item, deal, position],
    )
    .map(|_| ())
}

/// A copy of an item belongs to the same deal.
pub fn carry_over(tx: &mut Tx, from: ItemId, to: ItemId) -> Result<()> {
    let sql = "select deal_id, position from deal_items where item_id = ?1";
    let found: Option<(DealId, i64)> =
        tx.row_optional(sql, params![from], |row| Ok((row.next()?, row.next()?)))?;
    match found {
        Some((deal, position)) => insert_item(tx, to, deal, position),
        None => Ok(()),
    }
}

/// A deal of which something was paid, with what the tax report needs.
#[derive(Clone, Debug)]
pub struct PaidDeal {
    /// The deal.
    pub deal: Deal,
    /// The day (Kyiv) on which the first of its payments was charged.
    pub paid_on: Date,
    /// The short number of that order.
    pub order_number: i64,
    /// Which of its payments were paid and not given back to the card.
    pub paid: BTreeSet<(DealLineId, DealPayer)>,
    /// Who pays, as far as payments name them.
    pub parties: Vec<(DealPayer, Client)>,
}

/// Returns a notary's deals of which a payment is in an order that was paid in a period and not given back.
pub fn paid_in(tx: &mut Tx, notary: NotaryId, period: Period) -> Result<Vec<PaidDeal>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "select {COLUMNS} from deals where notary_id = ?1 and id in (
             select x.deal_id from orders o cross join order_items i cross join deal_items x
             where i.order_id = o.id and x.item_id = i.id and o.notary_id = ?1 and o.paid_at >= ?2 and o.paid_at < ?3 and o.status = ?4)
         order by created_at, id"
    );
    let deals = tx.rows(&sql, params![notary, begin, end, OrderStatus::Paid], read)?;
    let mut all = Vec::with_capacity(deals.len());
    for mut deal in deals {
        deal.record.payments = payments_of(tx, deal.id)?;
        let sql = "select o.paid_at, o.number, p.line_id, p.payer, p.payer_number, cast(case when exists (select 1 from transfers t where t.order_id = o.id
                 and t.item_id = i.id and (t.refunded_at is not null or t.given_back_at is not null)) then 1 else 0 end as bigint) as is_back
             from deal_items x join deal_payments p on p.deal_id = x.deal_id and p.position = x.position
                 join order_items i on i.id = x.item_id join orders o on o.id = i.order_id
             where x.deal_id = ?1 and o.status = ?2 and o.paid_at is not null order by o.paid_at, o.number";
        let mut first: Option<(Timestamp, i64)> = None;
        let mut paid = BTreeSet::new();
        tx.rows(sql, params![deal.id, OrderStatus::Paid], |row| {
            let order = (row.next()?, row.next()?);
            first.get_or_insert(order);
            let line = (row.next()?, read_payer(row)?);
            if row.next::<i64>()? == 0 {
                paid.insert(line);
            }
            Ok(())
        })?;
        let parties = parties_of(tx, notary, deal.id)?;
        all.extend(first.map(|(paid_at, order_number)| PaidDeal {
            deal,
            paid_on: kyiv_date(paid_at),
            order_number,
            paid,
            parties,
        }));
    }
    Ok(all)
}

/// Returns the deals that payments of an order come from, the earliest first.
pub fn of_order(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<Vec<Deal>> {
    let sql = format!("select {COLUMNS} from deals where notary_id = ?1
                   and id in (select d.deal_id from order_items i join deal_items d on d.item_id = i.id where i.order_id = ?2)
               order by created_at, id");
    let mut deals = tx.rows(&sql, params![notary, order], read)?;
    for deal in &mut deals {
        deal.record.answers = answers_of(tx, deal.id)?;
        deal.record.payments = payments_of(tx, deal.id)?;
    }
    Ok(deals)
}

fn read(row: &mut Row<'_>) -> Result<Deal> {
    Ok(Deal {
        id: row.next()?,
        created_at: row.next()?,
        record: DealRecord {
            kind: row.next()?,
            kind_names: read_names(row)?,
            date: row.next()?,
            tables_version: row.next()?,
            status: row.next()?,
            price: row.next()?,
            valuation: row.next()?,
            building_price: row.next()?,
            costs: row.next()?,
            objects: row.next()?,
            owners: row.next()?,
            answers: Vec::new(),
            payments: Vec::new(),
        },
    })
}

fn read_names(row: &mut Row<'_>) -> Result<Names> {
    Ok(Names {
        uk: row.next()?,
        en: row.next()?,
    })
}

fn answers_of(tx: &mut Tx, deal: DealId) -> Result<Vec<AnsweredQuestion>> {
    let sql = "select fact_id, question_uk, question_en, answer_id, answer_uk, answer_en from deal_answers
               where deal_id = ?1 order by position";
    tx.rows(sql, params![deal], |row| {
        Ok(AnsweredQuestion {
            fact: row.next()?,
            question: read_names(row)?,
            answer: row.next()?,
            answer_names: read_names(row)?,
        })
    })
}

fn payments_of(tx: &mut Tx, deal: DealId) -> Result<Vec<RecordedPayment>> {
    // An item that returned from an unpaid order has a younger copy; ids grow with time.
    let sql = "select p.line_id, p.name_uk, p.name_en, p.payer, p.payer_number, p.ground_uk, p.ground_en, p.unconfirmed, p.state, p.owed, p.base,
                   p.base_sum, p.basis_points, p.minimum, p.maximum, p.action, p.sum, p.reason, p.recipient, p.share_part, p.share_of, p.count,
                   (select d.item_id from deal_items d where d.deal_id = p.deal_id and d.position = p.position
                    order by d.item_id desc limit 1) as item_id
               from deal_payments p where p.deal_id = ?1 order by p.position";
    tx.rows(sql, params![deal], |row| {
        Ok(RecordedPayment {
            line: row.next()?,
            names: read_names(row)?,
            payer: read_payer(row)?,
            ground: read_names(row)?,
            is_unconfirmed: row.next()?,
            state: row.next()?,
            owed: row.next()?,
            percent: read_percent(row)?,
            action: row.next()?,
            sum: row.next()?,
            reason: row.next()?,
            recipient: row.next()?,
            share: read_share(row)?,
            count: row.next()?,
            item: row.next()?,
        })
    })
}

/// Reads the party and the number of a payer, in this order.
fn read_payer(row: &mut Row<'_>) -> Result<DealPayer> {
    let party = row.next()?;
    payer_of(party, row.next()?)
}

/// Returns a payer by the number that is stored.
pub(crate) fn payer_of(party: DealParty, number: i64) -> Result<DealPayer> {
    let number = u8::try_from(number).map_err(|_| StorageError::Inconsistent {
        table: "deal_payments".to_owned(),
        id: None,
        column: "payer_number".to_owned(),
        reason: "there are not so many payers".to_owned(),
    })?;
    Ok(DealPayer { party, number })
}

fn read_share(row: &mut Row<'_>) -> Result<Option<Share>> {
    let (part, of): (Option<i64>, Option<i64>) = (row.next()?, row.next()?);
    Ok(part.zip(of).and_then(|(part, of)| Share::new(part, of)))
}

fn read_percent(row: &mut Row<'_>) -> Result<Option<DealPercent>> {
    let (base, base_sum, basis_points) = (row.next()?, row.next()?, row.next()?);
    let (minimum, maximum) = (row.next()?, row.next()?);
    let (Some(base), Some(base_sum), Some(basis_points)) = (base, base_sum, basis_points) else {
        return Ok(None);
    };
    Ok(Some(DealPercent {
        base,
        base_sum,
        basis_points,
        minimum,
        maximum,
    }))
}

/// Returns who pays, as the items that a deal became name them. A party whose names were taken out is missing.
pub fn parties_of(tx: &mut Tx, notary: NotaryId, deal: DealId) -> Result<Vec<(DealPayer, Client)>> {
    let sql = "select p.payer, p.payer_number, c.id, c.inn, c.full_name
               from deal_items d join deal_payments p on p.deal_id = d.deal_id and p.position = d.position
                   left join cart_items k on k.id = d.item_id and k.deleted_at is null
                   left join order_items i on i.id = d.item_id left join orders o on o.id = i.order_id
                   join clients c on c.id = coalesce(k.client_id, o.client_id)
               where d.deal_id = ?2 and c.notary_id = ?1 and o.anonymised_at is null
               order by p.position, d.item_id desc";
    tx.rows(sql, params![notary, deal], |row| {
        Ok((read_payer(row)?, clients::read(row)?))
    })
}

/// The answers of a notary's latest deal of each kind, the latest kind first.
pub type LastAnswers = Vec<(DealKindId, BTreeMap<DealFactId, DealAnswerId>)>;

/// Returns the answers of the notary's latest deal of each kind.
pub fn last_answers(tx: &mut Tx, notary: NotaryId) -> Result<LastAnswers> {
    let sql = "select d.kind_id, a.fact_id, a.answer_id
               from (select kind_id, max(created_at) as latest from deals where notary_id = ?1 group by kind_id) l
                   join deals d on d.notary_id = ?1 and d.kind_id = l.kind_id and d.created_at = l.latest
                   left join deal_answers a on a.deal_id = d.id
               order by d.created_at desc, d.id";
    let mut last = LastAnswers::new();
    tx.rows(sql, params![notary], |row| {
        let (kind, fact, answer): (DealKindId, _, _) = (row.next()?, row.next()?, row.next()?);
        let place = last.iter().position(|(known, _)| *known == kind);
        let place = place.unwrap_or_else(|| {
            last.push((kind, BTreeMap::new()));
            last.len() - 1
        });
        if let (Some((_, answers)), Some(fact), Some(answer)) = (last.get_mut(place), fact, answer)
        {
            answers.insert(fact, answer);
        }
        Ok(())
    })?;
    Ok(last)
}
