//! How the content of an item is stored, the same in the cart and in an order.

use cabinet_domain::{
    Chosen, ChosenRequisite, ItemContent, Names, NotaryId, OptionId, Price, RegionId, RequisiteId,
    TermId,
};

use crate::engine::error::Result;
use crate::engine::row::{FromColumn, Row};
use crate::engine::tx::Tx;
use crate::engine::value::{Bind, Value, params};

/// The columns of the content, in the order of [`read`] and [`values`].
pub(crate) const COLUMNS: &str = "count, payment_kind, payment_type_id, option_id, option_name_uk, option_name_en, \
    term_id, term_period_uk, term_period_en, region_id, region_name_uk, region_name_en, requisite_id, requisite_name, \
    requisite_iban, requisite_okpo, template_id, amount, commission, tariff_basis_points, tariff_minimum, iban, okpo, \
    recipient_name, purpose, cbc_code, filing_year";

/// Reads the content from the next columns.
pub(crate) fn read(row: &mut Row<'_>) -> Result<ItemContent> {
    Ok(ItemContent {
        count: row.next()?,
        kind: row.next()?,
        payment_type_id: row.next()?,
        option: chosen(row)?,
        term: chosen(row)?,
        region: chosen(row)?,
        requisite: requisite(row)?,
        template_id: row.next()?,
        price: price(row)?,
        iban: row.next()?,
        okpo: row.next()?,
        recipient_name: row.next()?,
        purpose: row.next()?,
        cbc_code: row.next()?,
        filing_year: row.next()?,
    })
}

fn price(row: &mut Row<'_>) -> Result<Price> {
    let price = Price::stored(row.next()?, row.next()?, row.next()?, row.next()?);
    price.map_err(|_| row.inconsistent("commission", "amount and commission make no sum"))
}

fn chosen<Id: FromColumn>(row: &mut Row<'_>) -> Result<Option<Chosen<Id>>> {
    match (row.next()?, row.next()?, row.next()?) {
        (Some(id), Some(uk), Some(en)) => Ok(Some(Chosen {
            id,
            names: Names { uk, en },
        })),
        (None, None, None) => Ok(None),
        _ => Err(row.inconsistent(
            "option_id, term_id or region_id",
            "an id and its names must stand together",
        )),
    }
}

fn requisite(row: &mut Row<'_>) -> Result<Option<ChosenRequisite>> {
    match (row.next()?, row.next()?, row.next()?, row.next()?) {
        (Some(id), Some(name), Some(iban), Some(okpo)) => Ok(Some(ChosenRequisite {
            id,
            name,
            iban,
            okpo,
        })),
        (None, None, None, None) => Ok(None),
        _ => Err(row.inconsistent(
            "requisite_id",
            "an id, its name, account and code must stand together",
        )),
    }
}

/// Of how many orders the recipients are remembered.
const REMEMBERED_ORDERS: i64 = 50;

/// Returns regions and recipients of the fees in a notary's cart and latest orders, the latest first.
pub fn last_recipients(tx: &mut Tx, notary: NotaryId) -> Result<Vec<(RegionId, RequisiteId)>> {
    let mut read = |sql: &str| {
        tx.rows(sql, params![notary, REMEMBERED_ORDERS], |row| {
            Ok((row.next()?, row.next()?))
        })
    };
    let mut recipients = read(
        "select region_id, requisite_id from cart_items
             where notary_id = ?1 and deleted_at is null and region_id is not null and requisite_id is not null
             order by created_at desc, id desc limit ?2",
    )?;
    recipients.extend(read(
        "select i.region_id, i.requisite_id
             from (select id, created_at from orders where notary_id = ?1 order by created_at desc, id desc limit ?2) o
             join order_items i on i.order_id = o.id
             where i.region_id is not null and i.requisite_id is not null
             order by o.created_at desc, o.id desc, i.position desc",
    )?);
    Ok(recipients)
}

/// Returns the term of the latest fee for an option in a notary's cart or among the latest orders.
pub fn last_term(tx: &mut Tx, notary: NotaryId, option: &OptionId) -> Result<Option<TermId>> {
    let in_cart = tx.row_optional(
        "select term_id from cart_items
             where notary_id = ?1 and option_id = ?2 and deleted_at is null and term_id is not null
             order by created_at desc, id desc limit 1",
        params![notary, option],
        |row| row.next(),
    )?;
    if in_cart.is_some() {
        return Ok(in_cart);
    }
    tx.row_optional(
        "select i.term_id
             from (select id, created_at from orders where notary_id = ?1 order by created_at desc, id desc limit ?3) o
             join order_items i on i.order_id = o.id
             where i.option_id = ?2 and i.term_id is not null
             order by o.created_at desc, o.id desc, i.position desc limit 1",
        params![notary, option, REMEMBERED_ORDERS],
        |row| row.next(),
    )
}

/// Appends the parameters of the content.
pub(crate) fn values<'a>(content: &'a ItemContent, values: &mut Vec<Value<'a>>) {
    values.extend([
        content.count.value(),
        content.kind.value(),
        content.payment_type_id.value(),
    ]);
    chosen_values(content.option.as_ref(), values);
    chosen_values(content.term.as_ref(), values);
    chosen_values(content.region.as_ref(), values);
    match &content.requisite {
        Some(requisite) => values.extend([
            requisite.id.value(),
            requisite.name.value(),
            requisite.iban.value(),
            requisite.okpo.value(),
        ]),
        None => values.extend([Value::Null; 4]),
    }
    values.push(content.template_id.value());
    price_values(&content.price, values);
    values.extend([
        content.iban.value(),
        content.okpo.value(),
        content.recipient_name.value(),
        content.purpose.value(),
        content.cbc_code.value(),
        content.filing_year.value(),
    ]);
}

fn chosen_values<'a, Id: Bind>(chosen: Option<&'a Chosen<Id>>, values: &mut Vec<Value<'a>>) {
    match chosen {
        Some(chosen) => values.extend([
            chosen.id.value(),
            chosen.names.uk.value(),
            chosen.names.en.value(),
        ]),
        None => values.extend([Value::Null; 3]),
    }
}

/// Appends the parameters of the price: amount, commission and the two of the tariff.
fn price_values<'a>(price: &'a Price, values: &mut Vec<Value<'a>>) {
    values.extend([
        price.amount.value(),
        price.commission.value(),
        price.tariff_basis_points.value(),
        price.tariff_minimum.value(),
    ]);
}

/// Returns `?first, ?first+1, …` for so many parameters.
pub(crate) fn placeholders(first: usize, count: usize) -> String {
    let mut text = String::new();
    for number in first..first + count {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&format!("?{number}"));
    }
    text
}

/// The number of columns of the content.
pub(crate) const COLUMN_COUNT: usize = 27;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_counted_right() {
        assert_eq!(COLUMNS.split(',').count(), COLUMN_COUNT);
        assert_eq!(placeholders(5, 3), "?5, ?6, ?7");
    }
}
