//! What is paid for: the content of an item, the same in the cart and in an order.
//!
//! Everything that came from the reference data is copied into the item, names in both languages included: an item never
//! depends on the tables again.

use cabinet_domain::{
    BudgetCode, Count, Iban, Line, Locale, Money, MoneyError, Okpo, PaymentKind, Purpose,
};
use cabinet_domain::{OptionId, PaymentTypeId, RegionId, RequisiteId, TemplateId, TermId};

use crate::error::Result;
use crate::row::{FromColumn, Row};
use crate::value::{Bind, Value};

/// A name in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Ukrainian.
    pub uk: String,
    /// English.
    pub en: String,
}

impl Names {
    /// The name in a language.
    #[must_use]
    pub fn in_locale(&self, locale: Locale) -> &str {
        match locale {
            Locale::Uk => &self.uk,
            Locale::En => &self.en,
        }
    }
}

/// A row of the reference data that was chosen, with its name as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<Id> {
    /// The row's id.
    pub id: Id,
    /// Its name; for a term, its length in words.
    pub names: Names,
}

/// The recipient that was chosen, as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenRequisite {
    /// The row's id.
    pub id: RequisiteId,
    /// Name, the same in every language.
    pub name: String,
    /// Account.
    pub iban: Iban,
    /// Code.
    pub okpo: Okpo,
}

/// The content of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemContent {
    /// How many units.
    pub count: Count,
    /// Kind.
    pub kind: PaymentKind,
    /// The kind's row in the reference data.
    pub payment_type_id: PaymentTypeId,
    /// Service, where the kind has one.
    pub option: Option<Chosen<OptionId>>,
    /// Term, where the kind has one.
    pub term: Option<Chosen<TermId>>,
    /// Region, where the kind has one.
    pub region: Option<Chosen<RegionId>>,
    /// Recipient from the reference data, where the kind has one.
    pub requisite: Option<ChosenRequisite>,
    /// The template it was filled from.
    pub template_id: Option<TemplateId>,
    /// The price of one unit.
    pub price: ItemPrice,
    /// The notary's own account (`admin_payment`) or the recipient's (`requisites_payment`).
    pub iban: Option<Iban>,
    /// The code that belongs to `iban`.
    pub okpo: Option<Okpo>,
    /// The recipient of a payment to any requisites.
    pub recipient_name: Option<Line>,
    /// Purpose of the payment.
    pub purpose: Purpose,
    /// Budget code.
    pub cbc_code: Option<BudgetCode>,
}

/// The price of one unit of an item, with the tariff it was computed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemPrice {
    /// What the recipients get (`amount`, `sum_base`).
    pub amount: Money,
    /// What the service charges.
    pub commission: Money,
    /// The tariff's part of the amount, hundredths of a percent.
    pub tariff_basis_points: i64,
    /// The tariff's least commission of a part.
    pub tariff_minimum: Money,
}

impl ItemPrice {
    /// What one unit costs (`sum_full`).
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn sum(&self) -> Result<Money, MoneyError> {
        self.amount.plus(self.commission)
    }
}

impl ItemContent {
    /// What all units cost (`sum_total`).
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn total(&self) -> Result<Money, MoneyError> {
        self.price.sum()?.times(self.count)
    }

    /// What all units cost, in kopiykas, where it may be more than a sum can be.
    pub(crate) fn total_kopiykas(&self) -> i64 {
        let unit = self.price.amount.kopiykas() + self.price.commission.kopiykas();
        i64::from(self.count.get()) * unit
    }
}

/// The columns of the content, in the order of [`read`] and [`values`].
pub(crate) const COLUMNS: &str = "count, payment_kind, payment_type_id, option_id, option_name_uk, option_name_en, \
    term_id, term_period_uk, term_period_en, region_id, region_name_uk, region_name_en, requisite_id, requisite_name, \
    requisite_iban, requisite_okpo, template_id, amount, commission, tariff_basis_points, tariff_minimum, iban, okpo, \
    recipient_name, purpose, cbc_code";

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
        price: ItemPrice {
            amount: row.next()?,
            commission: row.next()?,
            tariff_basis_points: row.next()?,
            tariff_minimum: row.next()?,
        },
        iban: row.next()?,
        okpo: row.next()?,
        recipient_name: row.next()?,
        purpose: row.next()?,
        cbc_code: row.next()?,
    })
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

/// Appends the content's parameters.
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

/// Appends the price's parameters: amount, commission and the two of the tariff.
pub(crate) fn price_values<'a>(price: &'a ItemPrice, values: &mut Vec<Value<'a>>) {
    values.extend([
        price.amount.value(),
        price.commission.value(),
        price.tariff_basis_points.value(),
        price.tariff_minimum.value(),
    ]);
}

/// `$first, $first+1, …` for so many parameters.
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

/// How many columns the content has.
pub(crate) const COLUMN_COUNT: usize = 26;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_counted_right() {
        assert_eq!(COLUMNS.split(',').count(), COLUMN_COUNT);
        assert_eq!(placeholders(5, 3), "?5, ?6, ?7");
    }
}
