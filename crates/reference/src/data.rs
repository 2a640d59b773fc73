//! The loaded reference data and what can be asked of it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use crate::choices::TableChoices;
use crate::deals::Deals;
use crate::model::{DatedFee, Name, PaymentOption, PaymentType, Region, Term, TermInForce};
use crate::problem::DoubtfulRow;
use crate::recipients::{Requisite, Template};
use crate::rows::{Located, Rows};
use cabinet_domain::{
    BudgetCode, Iban, KnownAccount, Locale, OptionId, PaymentCode, PaymentKind, PaymentTypeId,
    RegionId, RequisiteId, TariffTable, TaxKind, TemplateId, TermId,
};

/// Rows in the order of their file, found by identifier.
#[derive(Clone, Debug)]
struct Catalog<K, T> {
    rows: Vec<T>,
    place_of: BTreeMap<K, usize>,
}

impl<K: Ord + Clone, T> Catalog<K, T> {
    fn new(located: Vec<Located<T>>, id: impl Fn(&T) -> &K) -> Self {
        let rows: Vec<T> = located.into_iter().map(|row| row.value).collect();
        let place_of = rows
            .iter()
            .enumerate()
            .map(|(place, row)| (id(row).clone(), place))
            .collect();
        Self { rows, place_of }
    }

    fn get(&self, id: &K) -> Option<&T> {
        self.rows.get(*self.place_of.get(id)?)
    }
}

/// Everything that can be paid, for how much and to whom, on any day.
///
/// Only [`parse`](crate::parse) makes it. So every reference points to a row, and no day has two values.
/// Days are civil days in Kyiv; take them from [`kyiv_date`](crate::kyiv_date).
#[derive(Clone, Debug)]
pub struct ReferenceData {
    payment_types: Catalog<PaymentTypeId, PaymentType>,
    options: Catalog<OptionId, PaymentOption>,
    pub(crate) option_tariffs: BTreeMap<OptionId, Vec<DatedFee>>,
    terms: Catalog<TermId, Term>,
    terms_of_option: BTreeMap<OptionId, Vec<usize>>,
    pub(crate) term_taxes: BTreeMap<TermId, Vec<DatedFee>>,
    regions: Catalog<RegionId, Region>,
    requisites: Catalog<RequisiteId, Requisite>,
    requisites_of_region: BTreeMap<RegionId, Vec<usize>>,
    templates: Catalog<TemplateId, Template>,
    tells_confirmations: bool,
    accounts: BTreeMap<Iban, KnownAccount>,
    payment_codes: BTreeSet<PaymentCode>,
    tariffs: TariffTable,
    tax_codes: BTreeMap<BudgetCode, TaxKind>,
    banks: BTreeMap<String, Name>,
    treasury_last_days: BTreeMap<i16, Date>,
    pub(crate) deals: Deals,
    doubtful_rows: Vec<DoubtfulRow>,
    pub(crate) choices: TableChoices,
}

impl ReferenceData {
    /// Puts checked rows together.
    pub(crate) fn new(rows: Rows, tariffs: TariffTable, doubtful_rows: Vec<DoubtfulRow>) -> Self {
        let options = Catalog::new(rows.options, PaymentOption::id);
        let mut terms = Catalog::new(rows.terms, Term::id);
        let mut terms_of_option: BTreeMap<OptionId, Vec<usize>> = BTreeMap::new();
        for (place, term) in terms.rows.iter_mut().enumerate() {
            if term.budget_code.is_none() {
                let option = options.get(&term.option);
                term.budget_code = option.and_then(|option| option.budget_code.clone());
            }
            terms_of_option
                .entry(term.option.clone())
                .or_default()
                .push(place);
        }
        let regions = Catalog::new(rows.regions, Region::id);
        let requisites = Catalog::new(rows.requisites, Requisite::id);
        let requisites_of_region = regions
            .rows
            .iter()
            .map(|region| {
                let here = requisites.rows.iter().enumerate();
                let places = here
                    .filter(|(_, requisite)| requisite.is_in(region))
                    .map(|(place, _)| place)
                    .collect();
                (region.id().clone(), places)
            })
            .collect();
        let templates = Catalog::new(rows.templates, Template::id);
        Self {
            accounts: known_accounts(&requisites.rows, &templates.rows),
            payment_codes: rows
                .payment_codes
                .into_iter()
                .map(|row| row.value)
                .collect(),
            payment_types: Catalog::new(rows.payment_types, PaymentType::id),
            options,
            option_tariffs: series(rows.option_tariffs),
            terms,
            terms_of_option,
            term_taxes: series(rows.term_taxes),
            regions,
            requisites,
            requisites_of_region,
            tells_confirmations: rows.tells_confirmations,
            templates,
            tariffs,
            tax_codes: rows
                .tax_codes
                .into_iter()
                .filter_map(|row| Some((row.value.0, row.value.1?)))
                .collect(),
            banks: rows
                .banks
                .into_iter()
                .map(|row| (row.value.code, row.value.name))
                .collect(),
            treasury_last_days: rows.treasury_last_days,
            deals: rows.deals.tables(),
            doubtful_rows,
            choices: TableChoices::default(),
        }
    }

    /// Returns the same tables under other decisions of the operator.
    #[must_use]
    pub fn with_choices(self, choices: TableChoices) -> Self {
        Self { choices, ..self }
    }

    /// Returns what the operator has decided about the tables.
    #[must_use]
    pub fn choices(&self) -> &TableChoices {
        &self.choices
    }

    /// Rows that were loaded although the operator should look at them.
    #[must_use]
    pub fn doubtful_rows(&self) -> &[DoubtfulRow] {
        &self.doubtful_rows
    }

    /// The four payment types in the order they are offered.
    #[must_use]
    pub fn payment_types(&self) -> &[PaymentType] {
        &self.payment_types.rows
    }

    /// A payment type.
    #[must_use]
    pub fn payment_type(&self, id: &PaymentTypeId) -> Option<&PaymentType> {
        self.payment_types.get(id)
    }

    /// The payment type of a kind; there is exactly one.
    #[must_use]
    pub fn payment_type_of(&self, kind: PaymentKind) -> Option<&PaymentType> {
        self.payment_types
            .rows
            .iter()
            .find(|payment_type| payment_type.kind() == kind)
    }

    /// The options of a payment type that can be paid on a day: those with a tariff in force, or with a term whose fee
    /// is in force.
    #[must_use]
    pub fn options(&self, payment_type: &PaymentTypeId, date: Date) -> Vec<&PaymentOption> {
        let Some(kind) = self.payment_type(payment_type).map(PaymentType::kind) else {
            return Vec::new();
        };
        let options = self.options.rows.iter();
        options
            .filter(|option| option.is_of(payment_type))
            .filter(|option| {
                if kind.needs_term() {
                    !self.terms(option.id(), date).is_empty()
                } else {
                    self.option_tariff(option.id(), date).is_some()
                }
            })
            .collect()
    }

    /// An option, whether or not it is offered today.
    #[must_use]
    pub fn option(&self, id: &OptionId) -> Option<&PaymentOption> {
        self.options.get(id)
    }

    /// The terms of an option whose fee is in force on a day, with that fee.
    #[must_use]
    pub fn terms(&self, option: &OptionId, date: Date) -> Vec<TermInForce<'_>> {
        let places = self.terms_of_option.get(option).into_iter().flatten();
        places
            .filter_map(|place| self.terms.rows.get(*place))
            .filter_map(|term| {
                let fee = self.term_fee(term.id(), date)?;
                Some(TermInForce {
                    term,
                    tax: fee.sum,
                    stale: fee.stale,
                    outdated_from: fee.outdated_from,
                    next_year: fee.next_year,
                })
            })
            .collect()
    }

    /// A term, whether or not it is offered today.
    #[must_use]
    pub fn term(&self, id: &TermId) -> Option<&Term> {
        self.terms.get(id)
    }

    /// All regions in the order they are offered, also those without recipients.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions.rows
    }

    /// A region.
    #[must_use]
    pub fn region(&self, id: &RegionId) -> Option<&Region> {
        self.regions.get(id)
    }

    /// The recipients of a region for a payment type whose accounts are valid on a day. With a budget code, only those
    /// whose account takes it.
    #[must_use]
    pub fn requisites(
        &self,
        region: &RegionId,
        payment_type: &PaymentTypeId,
        budget_code: Option<&BudgetCode>,
        date: Date,
    ) -> Vec<&Requisite> {
        let places = self.requisites_of_region.get(region).into_iter().flatten();
        places
            .filter_map(|place| self.requisites.rows.get(*place))
            .filter(|requisite| {
                requisite.is_of(payment_type)
                    && requisite.is_valid_on(date)
                    && requisite.takes_code(budget_code)
            })
            .collect()
    }

    /// A recipient's account, whether or not it is valid today.
    #[must_use]
    pub fn requisite(&self, id: &RequisiteId) -> Option<&Requisite> {
        self.requisites.get(id)
    }

    /// Returns the account that replaces `of` on a day: the row of the same name in the same region, for the same payment
    /// type and budget code. `None` where `of` itself is valid on that day, or nothing replaces it.
    #[must_use]
    pub fn replacement(&self, of: &Requisite, date: Date) -> Option<&Requisite> {
        if of.is_valid_on(date) {
            return None;
        }
        let mut requisites = self.requisites.rows.iter();
        requisites.find(|requisite| requisite.is_valid_on(date) && requisite.takes_the_place_of(of))
    }

    /// Whether the tables can say when a recipient's account was last confirmed. Sets from before the column `confirmed_on` can't.
    #[must_use]
    pub fn tells_confirmations(&self) -> bool {
        self.tells_confirmations
    }

    /// Returns the recipients whose accounts are valid on a day and were not confirmed in its year. Nobody confirms invented ones.
    pub fn unconfirmed_requisites(&self, date: Date) -> impl Iterator<Item = &Requisite> {
        let requisites = self.requisites.rows.iter();
        requisites.filter(move |row| row.is_valid_on(date) && row.is_unconfirmed_on(date))
    }

    /// The templates that are offered on a day.
    #[must_use]
    pub fn templates(&self, date: Date) -> Vec<&Template> {
        let templates = self.templates.rows.iter();
        templates
            .filter(|template| template.period().contains(date) && self.may_be_used(template))
            .collect()
    }

    /// Whether a template is confirmed, or offered all the same by the operator's decision.
    #[must_use]
    pub fn may_be_used(&self, template: &Template) -> bool {
        !template.is_unconfirmed() || self.choices.unconfirmed_templates.contains(template.id())
    }

    /// Returns the unconfirmed templates, offered or not.
    #[must_use]
    pub fn unconfirmed_templates(&self) -> Vec<&Template> {
        let templates = self.templates.rows.iter();
        templates
            .filter(|template| template.is_unconfirmed())
            .collect()
    }

    /// A template, whether or not it is valid today.
    #[must_use]
    pub fn template(&self, id: &TemplateId) -> Option<&Template> {
        self.templates.get(id)
    }

    /// Returns what a budget code is for in a report of a tax agent. A row whose code ends with three zeros stands for its group.
    #[must_use]
    pub fn tax_of(&self, code: &BudgetCode) -> Option<TaxKind> {
        let group = || BudgetCode::parse(&format!("{}000", code.as_str().get(..5)?)).ok();
        let own = self.tax_codes.get(code);
        own.or_else(|| self.tax_codes.get(&group()?)).copied()
    }

    /// What is known of an account: the code it stands with, and the budget codes it takes. Accounts that have ended count too.
    #[must_use]
    pub fn account(&self, iban: &Iban) -> Option<&KnownAccount> {
        self.accounts.get(iban)
    }

    /// The payment codes in force.
    #[must_use]
    pub fn payment_codes(&self) -> &BTreeSet<PaymentCode> {
        &self.payment_codes
    }

    /// How many recipients and templates have an invented account, which only the sandbox may pay to.
    #[must_use]
    pub fn demonstrations(&self) -> usize {
        let requisites = self.requisites.rows.iter();
        let templates = self.templates.rows.iter();
        requisites.filter(|row| row.is_demonstration()).count()
            + templates.filter(|row| row.is_demonstration()).count()
    }

    /// The last day of a year on which the Treasury takes payments; `None` where the tables lack it.
    #[must_use]
    pub fn treasury_last_day(&self, year: i16) -> Option<Date> {
        self.treasury_last_days.get(&year).copied()
    }

    /// The commission by date.
    #[must_use]
    pub fn tariffs(&self) -> &TariffTable {
        &self.tariffs
    }

    /// The name of the bank at which an account is kept. `None` for a code that is not in the table: codes of merged
    /// banks live on in accounts, so an unknown one must never stop a payment.
    #[must_use]
    pub fn bank_name(&self, iban: &Iban, locale: Locale) -> Option<&str> {
        let name = self.banks.get(iban.bank_code())?;
        Some(name.in_locale(locale))
    }
}

/// The accounts of recipients and templates. An account stands with one code only, which the checks have made sure of.
fn known_accounts(
    requisites: &[Requisite],
    templates: &[Template],
) -> BTreeMap<Iban, KnownAccount> {
    let requisites = requisites
        .iter()
        .map(|row| (row.iban(), row.okpo(), row.budget_codes()));
    let templates = templates.iter().map(|row| {
        let codes = row.budget_code().map_or(&[][..], std::slice::from_ref);
        (row.iban(), row.okpo(), codes)
    });
    let mut accounts: BTreeMap<Iban, KnownAccount> = BTreeMap::new();
    for (iban, okpo, codes) in requisites.chain(templates) {
        let account = accounts
            .entry(iban.clone())
            .or_insert_with(|| KnownAccount {
                okpo: okpo.clone(),
                budget_codes: BTreeSet::new(),
            });
        account.budget_codes.extend(codes.iter().cloned());
    }
    accounts
}

/// Fees by what they belong to.
fn series<K: Ord>(rows: Vec<Located<(K, DatedFee)>>) -> BTreeMap<K, Vec<DatedFee>> {
    let mut series: BTreeMap<K, Vec<DatedFee>> = BTreeMap::new();
    for row in rows {
        let (key, fee) = row.value;
        series.entry(key).or_default().push(fee);
    }
    series
}
