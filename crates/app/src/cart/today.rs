//! Whether an item of the cart can still be paid as it is: fees and accounts move, and a cart may wait over the turn of a year.

use cabinet_domain::reference::{ReferenceData, requisite_serves_term};
use cabinet_domain::{Key, Money, Price, kyiv_date, price};
use cabinet_storage::items::ItemContent;
use jiff::Timestamp;

/// What is no longer right about an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// `price_changed`, `requisite_expired` or `fee_not_in_force`.
    pub key: Key,
    /// Today's price, where there is one.
    pub price: Option<Price>,
}

/// Compares an item with today's fees, accounts and tariff. `None`: it can be paid as it is.
pub fn changes_of(
    content: &ItemContent,
    reference: &ReferenceData,
    now: Timestamp,
) -> Option<Change> {
    let amount = match amount_today(content, reference, now) {
        Ok(amount) => amount,
        Err(key) => return Some(Change { key, price: None }),
    };
    // A sum that was priced once can be priced again; were it not so, it could not be paid either.
    let Ok(today) = price(content.kind, amount, reference.tariffs().in_force(now)) else {
        return Some(Change {
            key: Key::FeeNotInForce,
            price: None,
        });
    };
    let same = today.amount == content.price.amount && today.commission == content.price.commission;
    (!same).then_some(Change {
        key: Key::PriceChanged,
        price: Some(today),
    })
}

fn amount_today(
    content: &ItemContent,
    reference: &ReferenceData,
    now: Timestamp,
) -> Result<Money, Key> {
    let today = kyiv_date(now);
    if content.kind.is_free_form() {
        return Ok(content.price.amount);
    }
    let option = content
        .option
        .as_ref()
        .and_then(|chosen| reference.option(&chosen.id))
        .ok_or(Key::FeeNotInForce)?;
    let chosen = content.requisite.as_ref().ok_or(Key::RequisiteExpired)?;
    let requisite = reference
        .requisite(&chosen.id)
        .filter(|requisite| {
            requisite.is_valid_on(today)
                && *requisite.iban() == chosen.iban
                && *requisite.okpo() == chosen.okpo
        })
        .ok_or(Key::RequisiteExpired)?;
    let region = content
        .region
        .as_ref()
        .and_then(|chosen| reference.region(&chosen.id));
    if region.is_none_or(|region| !requisite.is_in(region)) {
        return Err(Key::RequisiteExpired);
    }
    let amount = if content.kind.needs_term() {
        let term = content
            .term
            .as_ref()
            .and_then(|chosen| reference.term(&chosen.id))
            .ok_or(Key::FeeNotInForce)?;
        if !requisite_serves_term(requisite, term) {
            return Err(Key::RequisiteExpired);
        }
        reference.term_tax(term.id(), today)
    } else {
        reference.option_tariff(option.id(), today)
    };
    amount.ok_or(Key::FeeNotInForce)
}
