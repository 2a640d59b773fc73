//! The rows of each table: how a line becomes a value.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::cells::Cells;
use crate::deals::{DealAnswer, DealFact, DealKind, DealLine, DealRule, Deals};
use crate::demonstration::{is_demonstration_account, is_demonstration_name};
use crate::model::{DatedFee, Name, PaymentOption, PaymentType, Region, Term};
use crate::multiple::multiple;
use crate::problem::Reason;
use crate::recipients::{RegionScope, Requisite, Template};
use cabinet_domain::{
    BudgetCode, Iban, OptionId, PaymentCode, PaymentKind, RegionId, Tariff, TaxKind, TermId,
};

/// The longest words of an option for a purpose, in characters. Whether a whole purpose fits is checked with its terms.
const PURPOSE_CHARS_MAX: usize = 400;
/// The longest short name of an option, in characters: with it every purpose fits.
const SHORT_NAME_CHARS_MAX: usize = 80;

/// A value with the line it was read from.
#[derive(Debug)]
pub(crate) struct Located<T> {
    pub(crate) line: usize,
    pub(crate) value: T,
}

/// The rows that are right by themselves. Whether they fit together is checked later.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) payment_types: Vec<Located<PaymentType>>,
    pub(crate) options: Vec<Located<PaymentOption>>,
    pub(crate) option_tariffs: Vec<Located<(OptionId, DatedFee)>>,
    pub(crate) terms: Vec<Located<Term>>,
    pub(crate) term_taxes: Vec<Located<(TermId, DatedFee)>>,
    pub(crate) regions: Vec<Located<Region>>,
    pub(crate) requisites: Vec<Located<Requisite>>,
    /// Whether the recipients' table has the column `confirmed_on`.
    pub(crate) tells_confirmations: bool,
    pub(crate) templates: Vec<Located<Template>>,
    pub(crate) tariffs: Vec<Located<Tariff>>,
    pub(crate) payment_codes: Vec<Located<PaymentCode>>,
    pub(crate) tax_codes: Vec<Located<(BudgetCode, Option<TaxKind>)>>,
    pub(crate) banks: Vec<Located<Bank>>,
    /// The Treasury's last days by their years.
    pub(crate) treasury_last_days: BTreeMap<i16, Date>,
    pub(crate) deals: DealRows,
}

/// A bank by its code.
#[derive(Debug)]
pub(crate) struct Bank {
    pub(crate) code: String,
    pub(crate) name: Name,
    /// Whether it keeps the accounts of the budget.
    pub(crate) is_treasury: bool,
}

/// The rows of the tables of deals that are right by themselves.
#[derive(Debug)]
pub(crate) struct DealRows {
    pub(crate) kinds: Vec<Located<DealKind>>,
    pub(crate) facts: Vec<Located<DealFact>>,
    pub(crate) answers: Vec<Located<DealAnswer>>,
    pub(crate) lines: Vec<Located<DealLine>>,
    pub(crate) rules: Vec<Located<DealRule>>,
}

impl DealRows {
    /// Returns the tables without the lines of their files.
    pub(crate) fn tables(&self) -> Deals {
        fn values<T: Clone>(rows: &[Located<T>]) -> Vec<T> {
            rows.iter().map(|row| row.value.clone()).collect()
        }
        Deals {
            kinds: values(&self.kinds),
            facts: values(&self.facts),
            answers: values(&self.answers),
            lines: values(&self.lines),
            rules: values(&self.rules),
        }
    }
}

pub(crate) fn payment_type(cells: &mut Cells<'_>) -> Option<PaymentType> {
    let id = cells.id("id");
    let kind = match cells.raw("slug") {
        "" => cells.refuse(Reason::Empty { column: "slug" }),
        slug => PaymentKind::from_slug(slug).or_else(|| cells.refuse(Reason::SlugUnknown)),
    };
    Some(PaymentType {
        id: id?,
        kind: kind?,
    })
}

pub(crate) fn option(cells: &mut Cells<'_>) -> Option<PaymentOption> {
    let id = cells.id("id");
    let payment_types = cells.ids("payment_types");
    let name = cells.name("name_uk", "name_en");
    let purpose = cells.optional_words("purpose_uk", PURPOSE_CHARS_MAX);
    let short_name = cells.optional_words("short_uk", SHORT_NAME_CHARS_MAX);
    let budget_code = cells.optional_budget_code("budget_code");
    Some(PaymentOption {
        id: id?,
        payment_types: payment_types?,
        name: name?,
        purpose: purpose?,
        short_name: short_name?,
        budget_code: budget_code?,
    })
}

pub(crate) fn term(cells: &mut Cells<'_>) -> Option<Term> {
    let id = cells.id("id");
    let option = cells.id("option_id");
    let period = cells.name("period_uk", "period_en");
    let budget_code = cells.optional_budget_code("budget_code");
    Some(Term {
        id: id?,
        option: option?,
        period: period?,
        budget_code: budget_code?,
    })
}

/// The columns of a fee, the sum being in `column`.
pub(crate) fn fee(cells: &mut Cells<'_>, column: &'static str) -> Option<DatedFee> {
    let sum = cells.money(column);
    let period = cells.period();
    let is_fixed = cells.yes_or_empty("fixed");
    let reading = cells.reading();
    // It makes the sum of another year; that of this one is in the row.
    let multiple = multiple(cells);
    multiple?;
    Some(DatedFee {
        sum: sum?,
        period: period?,
        is_fixed: is_fixed?,
        reading: reading?,
    })
}

pub(crate) fn region(cells: &mut Cells<'_>) -> Option<Region> {
    let id = cells.id("id");
    let iso_code = match cells.raw("iso_code") {
        "" => cells.refuse(Reason::Empty { column: "iso_code" }),
        code if is_iso_code(code) => Some(code.to_owned()),
        _ => cells.refuse(Reason::IsoCodeInvalid),
    };
    let name = cells.name("name_uk", "name_en");
    let has_recipients = cells.yes_no("has_recipients");
    Some(Region {
        id: id?,
        iso_code: iso_code?,
        name: name?,
        has_recipients: has_recipients?,
    })
}

/// `UA-` and two digits.
fn is_iso_code(text: &str) -> bool {
    text.strip_prefix("UA-")
        .is_some_and(|digits| digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(crate) fn requisite(cells: &mut Cells<'_>) -> Option<Requisite> {
    let id = cells.id("id");
    let scope = match cells.raw("region_id") {
        "*" => Some(RegionScope::Everywhere),
        _ => cells.id::<RegionId>("region_id").map(RegionScope::Only),
    };
    let payment_types = cells.ids("payment_types");
    let budget_codes = cells.budget_codes("budget_codes");
    let name = cells.text("recipient_name");
    let account = cells.account();
    let period = cells.period();
    let confirmed_on = cells.optional_date("confirmed_on");
    // For whoever keeps the table.
    let confirmed_source = cells.optional_text("confirmed_source");
    let marked = cells.yes_no("demonstration");
    confirmed_source?;
    let ((iban, okpo), name) = (account?, name?);
    let demonstration = marked? || is_invented(&iban, &name);
    Some(Requisite {
        id: id?,
        scope: scope?,
        payment_types: payment_types?,
        budget_codes: budget_codes?,
        name,
        okpo,
        iban,
        period: period?,
        confirmed_on: confirmed_on?,
        demonstration,
    })
}

/// Whether a recipient is a known invented one, also where the mark of its row was taken away.
fn is_invented(iban: &Iban, name: &str) -> bool {
    is_demonstration_account(iban) || is_demonstration_name(name)
}

pub(crate) fn template(cells: &mut Cells<'_>) -> Option<Template> {
    let id = cells.id("id");
    let title = cells.name("title_uk", "title_en");
    let amount = cells.optional_money("amount");
    let recipient_name = cells.text("recipient_name");
    let account = cells.account();
    let budget_code = cells.optional_budget_code("budget_code");
    let unconfirmed = cells.optional_text("unconfirmed");
    let comment = cells.long_text("comment");
    let period = cells.period();
    let marked = cells.yes_no("demonstration");
    let ((iban, okpo), recipient_name) = (account?, recipient_name?);
    let demonstration = marked? || is_invented(&iban, &recipient_name);
    Some(Template {
        id: id?,
        title: title?,
        amount: amount?,
        recipient_name,
        iban,
        okpo,
        budget_code: budget_code?,
        is_unconfirmed: unconfirmed?.is_some(),
        comment: comment?,
        period: period?,
        demonstration,
    })
}

pub(crate) fn tariff(cells: &mut Cells<'_>) -> Option<Tariff> {
    let valid_from = match cells.raw("valid_from") {
        "" => Some(None),
        _ => cells.date("valid_from").map(Some),
    };
    let basis_points = cells.basis_points();
    let minimum = cells.money_or_zero("minimum");
    Some(Tariff {
        valid_from: valid_from?,
        basis_points: basis_points?,
        minimum: minimum?,
    })
}

/// The three digits with which a purpose to the budget begins.
pub(crate) fn payment_code(cells: &mut Cells<'_>) -> Option<PaymentCode> {
    let code = match cells.raw("code") {
        "" => cells.refuse(Reason::Empty { column: "code" }),
        code => PaymentCode::parse(code).or_else(|| cells.refuse(Reason::PaymentCodeInvalid)),
    };
    // The names explain the codes to whoever reads the table.
    let name = cells.name("name_uk", "name_en");
    code.filter(|_| name.is_some())
}

/// The six digits at characters 5 to 10 of an IBAN.
pub(crate) fn bank_code(cells: &mut Cells<'_>) -> Option<String> {
    match cells.raw("code") {
        "" => cells.refuse(Reason::Empty { column: "code" }),
        code if code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(code.to_owned())
        }
        _ => cells.refuse(Reason::BankCodeInvalid),
    }
}
