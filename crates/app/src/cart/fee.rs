//! What a state or registry fee costs on a day, and which account takes it. An item is checked by these rules when it enters
//! the cart, and again while it waits there.

use cabinet_domain::{FilingYear, Key, Money, fee_day};
use cabinet_reference::{
    PaymentOption, ReferenceData, Region, Requisite, Term, requisite_serves_term,
};
use jiff::civil::Date;

/// Returns the amount of one unit on a day, or in a year of filing that lies ahead: the tax of the term, or the tariff of the service if its
/// kind has no terms.
///
/// # Errors
/// `fee_not_in_force`; `fee_of_last_year` from the day on which the operator refuses fees of an earlier year; `filing_year_invalid` where
/// the fee of a year ahead is not loaded.
pub(super) fn fee_amount(
    reference: &ReferenceData,
    option: &PaymentOption,
    term: Option<&Term>,
    today: Date,
    filing_year: Option<FilingYear>,
) -> Result<Money, Key> {
    let date = fee_day(today, filing_year);
    let fee = match term {
        Some(term) => reference.term_fee(term.id(), date),
        None => reference.option_fee(option.id(), date),
    };
    let fee = fee.ok_or(Key::FeeNotInForce)?;
    if date > today && fee.stale.is_some() {
        return Err(Key::FilingYearInvalid);
    }
    if fee.stale.is_some_and(|stale| stale.is_refused_on(date)) {
        return Err(Key::FeeOfLastYear);
    }
    Ok(fee.sum)
}

/// Checks that an account takes the fees of a region and a term on a day. A region or a term that is not known is not checked.
///
/// # Errors
/// Returns the first of `requisite_not_for_region`, `requisite_expired` and `requisite_not_for_term`.
pub(super) fn check_account(
    requisite: &Requisite,
    region: Option<&Region>,
    term: Option<&Term>,
    date: Date,
) -> Result<(), Key> {
    if region.is_some_and(|region| !requisite.is_in(region)) {
        Err(Key::RequisiteNotForRegion)
    } else if !requisite.is_valid_on(date) {
        Err(Key::RequisiteExpired)
    } else if term.is_some_and(|term| !requisite_serves_term(requisite, term)) {
        Err(Key::RequisiteNotForTerm)
    } else {
        Ok(())
    }
}

/// Returns the account that takes the place of a chosen one on a day: itself while it is valid, otherwise its replacement.
pub(crate) fn account_on<'a>(
    reference: &'a ReferenceData,
    chosen: &'a Requisite,
    date: Date,
) -> Option<&'a Requisite> {
    if chosen.is_valid_on(date) {
        Some(chosen)
    } else {
        reference.replacement(chosen, date)
    }
}
