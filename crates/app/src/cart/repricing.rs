//! Whether an item of the cart can still be paid as it is. Fees and accounts change while a cart waits.

use cabinet_domain::{ItemContent, Key, Money, Okpo, Price, kyiv_date, price};
use cabinet_reference::ReferenceData;
use jiff::Timestamp;

use super::fee::{account_on, check_account, fee_amount};
use super::own_codes::OwnCodes;

/// Why an item can't be paid as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repricing {
    /// `price_changed`, `requisite_expired`, `fee_not_in_force`, `fee_of_last_year`, `filing_year_invalid` or `payment_type_not_for_status`, or the key of the rule that its accounts, codes and
    /// purpose break by now.
    pub key: Key,
    /// Today's price, where there is one.
    pub price: Option<Price>,
}

/// Compares an item with today's fees, accounts and tariff. `None`: it can be paid as it is.
///
/// Where another account has replaced the recipient's, the result has the price for that account, which the notary can accept.
pub(crate) fn repricing(
    content: &ItemContent,
    reference: &ReferenceData,
    own_codes: &OwnCodes,
    now: Timestamp,
) -> Option<Repricing> {
    let today = match todays_payment(content, reference, own_codes, now) {
        Ok(today) => today,
        Err(key) => return Some(Repricing { key, price: None }),
    };
    // An amount that had a price once has one today. If it has none, it can't be paid.
    let Ok(price) = price(
        content.kind,
        today.amount,
        reference.tariffs().in_force(now),
    ) else {
        return Some(Repricing {
            key: Key::FeeNotInForce,
            price: None,
        });
    };
    let key = if today.has_other_account {
        Key::RequisiteExpired
    } else if price.amount != content.price.amount || price.commission != content.price.commission {
        Key::PriceChanged
    } else {
        return None;
    };
    Some(Repricing {
        key,
        price: Some(price),
    })
}

/// The same for an item that is about to be ordered, which must also be of a kind that its notary may order. An order whose page
/// is open can be paid all the same.
pub(crate) fn refusal_today(
    content: &ItemContent,
    reference: &ReferenceData,
    own_codes: &OwnCodes,
    now: Timestamp,
) -> Option<Repricing> {
    match own_codes.status.kind_rule(content.kind) {
        Err(key) => Some(Repricing { key, price: None }),
        Ok(()) => repricing(content, reference, own_codes, now),
    }
}

/// What the same payment would be today.
struct TodaysPayment {
    amount: Money,
    /// Whether the money would go to another account than the one in the cart.
    has_other_account: bool,
}

fn todays_payment(
    content: &ItemContent,
    reference: &ReferenceData,
    own_codes: &OwnCodes,
    now: Timestamp,
) -> Result<TodaysPayment, Key> {
    let date = kyiv_date(now);
    check_accounts(content, reference, own_codes)?;
    if content.kind.is_free_form() {
        return Ok(TodaysPayment {
            amount: content.price.amount,
            has_other_account: false,
        });
    }
    let option = content
        .option
        .as_ref()
        .and_then(|chosen| reference.option(&chosen.id))
        .ok_or(Key::FeeNotInForce)?;
    let chosen = content.requisite.as_ref().ok_or(Key::RequisiteExpired)?;
    let known = reference
        .requisite(&chosen.id)
        .ok_or(Key::RequisiteExpired)?;
    let requisite = account_on(reference, known, date).ok_or(Key::RequisiteExpired)?;
    let region = content
        .region
        .as_ref()
        .and_then(|chosen| reference.region(&chosen.id))
        .ok_or(Key::RequisiteExpired)?;
    let term = content
        .term
        .as_ref()
        .filter(|_| content.kind.needs_term())
        .and_then(|chosen| reference.term(&chosen.id));
    check_account(requisite, Some(region), term, date).map_err(|_| Key::RequisiteExpired)?;
    if content.kind.needs_term() && term.is_none() {
        return Err(Key::FeeNotInForce);
    }
    Ok(TodaysPayment {
        amount: fee_amount(reference, option, term, date, content.filing_year)?,
        has_other_account: *requisite.id() != chosen.id
            || *requisite.iban() != chosen.iban
            || *requisite.okpo() != chosen.okpo,
    })
}

/// Checks the accounts of an item with their codes, and the purpose of a payment to any requisites. Items of earlier versions may
/// break these rules, and so may older ones once other reference data are loaded.
fn check_accounts(
    content: &ItemContent,
    reference: &ReferenceData,
    own_codes: &OwnCodes,
) -> Result<(), Key> {
    let (Some(iban), Some(okpo)) = (&content.iban, &content.okpo) else {
        return Ok(());
    };
    if !content.kind.is_free_form() {
        okpo.private_notary_rule()?;
        iban.own_account_rule(Some(okpo))?;
        return okpo.own_code_rule(own_codes.of_account().as_ref());
    }
    let account = reference.account(iban);
    Okpo::of_recipient(okpo.as_str(), Some(iban), account)?;
    if let Some(code) = &content.cbc_code {
        code.account_rule(iban, Some(okpo), content.recipient_name.as_ref(), account)?;
    }
    if iban.is_budget_account() {
        content
            .purpose
            .check_payment_code(reference.payment_codes())?;
    }
    Ok(())
}
