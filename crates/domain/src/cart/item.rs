//! What is paid for: the content of an item, the same in the cart and in an order.
//!
//! Whatever was chosen from the reference data is copied into the item, with names in both languages, so that an item
//! does not depend on later versions of the tables.

use crate::{
    BudgetCode, Count, FilingYear, Iban, Line, Locale, Money, MoneyError, Okpo, OptionId,
    PaymentKind, PaymentTypeId, Price, Purpose, RegionId, RequisiteId, TemplateId, TermId,
};

/// A name in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Ukrainian.
    pub uk: String,
    /// English.
    pub en: String,
}

impl Names {
    /// Returns the name in a language.
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
    /// Name; it has one form for all languages.
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
    pub price: Price,
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
    /// The year of filing whose fee it takes, where that was not the year of the day on which it was added.
    pub filing_year: Option<FilingYear>,
}

impl ItemContent {
    /// Returns the price of all units (`sum_total`).
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn total(&self) -> Result<Money, MoneyError> {
        self.price.total(self.count)
    }

    /// Returns the account of the recipient: the chosen one's, or the one that was typed. The own account of the notary, which gets
    /// her share of an administrative fee, is not it.
    #[must_use]
    pub fn recipient_account(&self) -> Option<&Iban> {
        match &self.requisite {
            Some(requisite) => Some(&requisite.iban),
            None => self.iban.as_ref(),
        }
    }

    /// Returns the name of the recipient.
    #[must_use]
    pub fn recipient_name(&self) -> &str {
        match (&self.requisite, &self.recipient_name) {
            (Some(requisite), _) => &requisite.name,
            (None, name) => name.as_ref().map_or("", Line::as_str),
        }
    }
}
