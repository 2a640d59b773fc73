//! What a row asks for: the texts of its cells become the choices of the form.
//!
//! A text that names nothing is passed on as it is. The rules of the form then refuse it at its own field.

use cabinet_domain::{
    Count, Inn, Key, Locale, Money, MoneyError, PaymentKind, SheetColumn, comparable,
};
use cabinet_receipts::kind_name;
use cabinet_reference::{
    PaymentOption, PaymentType, ReferenceData, Region, Requisite, Template, Term,
};
use jiff::civil::Date;

use super::cells::SheetCells;
use super::read::names_kind;
use crate::cart::own_codes::Own;
use crate::cart::request::PaymentRequest;
use crate::kernel::refusal::FieldErrors;

/// A row as a request of the form.
#[derive(Default)]
pub(super) struct Recognised {
    pub(super) request: PaymentRequest,
    pub(super) count: Option<Count>,
    /// Cells that are not even texts of their field.
    pub(super) errors: FieldErrors,
}

/// Looks up the names of a row on a day.
pub(super) struct Recogniser<'r> {
    pub(super) reference: &'r ReferenceData,
    pub(super) own: &'r Own,
    pub(super) today: Date,
}

/// Returns the column at which a bad field of the form is shown.
pub(super) fn column_of_field(field: &str) -> SheetColumn {
    match field {
        "client.inn" => SheetColumn::ClientCode,
        "client.full_name" => SheetColumn::ClientName,
        "payment_type_option_id" | "requisites_template" => SheetColumn::Service,
        "payment_type_option_term_id" => SheetColumn::Term,
        "payment_type_region_id" => SheetColumn::Region,
        "payment_type_requisite_id" | "recipient_name" => SheetColumn::Recipient,
        other => SheetColumn::parse(other).unwrap_or(SheetColumn::PaymentType),
    }
}

impl<'r> Recogniser<'r> {
    pub(super) fn row(&self, cells: &SheetCells) -> Recognised {
        let text = |column: SheetColumn| cells.get(column).map(str::to_owned);
        let mut recognised = Recognised::default();
        let amount = cells.get(SheetColumn::Amount).map(Money::parse_typed);
        let amount = amount.and_then(|sum| {
            let sum = sum.map_err(MoneyError::key);
            recognised.errors.take("amount", sum)
        });
        let count = cells
            .get(SheetColumn::Count)
            .map_or(Ok(Count::ONE), count_of);
        recognised.count = recognised.errors.take("count", count);
        recognised.request = PaymentRequest {
            client_inn: text(SheetColumn::ClientCode),
            client_full_name: text(SheetColumn::ClientName),
            amount,
            ..PaymentRequest::default()
        };
        let payment_type = self.payment_type(cells);
        let request = &mut recognised.request;
        request.payment_type_id = payment_type
            .map(|payment_type| payment_type.id().to_string())
            .or_else(|| text(SheetColumn::PaymentType));
        match payment_type {
            Some(payment_type) if payment_type.kind().is_free_form() => {
                self.free_form(cells, request);
            }
            Some(payment_type) => self.fee(cells, payment_type, request),
            None => {}
        }
        recognised
    }

    pub(super) fn payment_type(&self, cells: &SheetCells) -> Option<&'r PaymentType> {
        let text = cells.get(SheetColumn::PaymentType)?;
        let mut known = self.reference.payment_types().iter();
        known.find(|payment_type| names_kind(payment_type.kind(), text))
    }

    /// Returns the cells with the names of what they mean in the language of who reads them: a spreadsheet may be written in another
    /// one. They stay as they are where other names would mean something else.
    pub(super) fn in_language(&self, cells: SheetCells, locale: Locale) -> SheetCells {
        let Some(payment_type) = self.payment_type(&cells) else {
            return cells;
        };
        let kind = payment_type.kind();
        let service = if kind.is_free_form() {
            self.template(&cells).map(|found| found.title(locale))
        } else {
            let option = self.option(&cells, payment_type);
            option.map(|found| found.name(locale))
        };
        let term = self.term(&cells, payment_type);
        let mut named = cells.clone();
        for (column, name) in [
            (SheetColumn::PaymentType, Some(kind_name(kind, locale))),
            (SheetColumn::Service, service),
            (SheetColumn::Term, term.map(|found| found.period(locale))),
            (
                SheetColumn::Region,
                self.region(&cells).map(|found| found.name(locale)),
            ),
        ] {
            if let Some(name) = name {
                named.set(column, name);
            }
        }
        let is_same = self.row(&named).request == self.row(&cells).request;
        if is_same { named } else { cells }
    }

    fn fee(&self, cells: &SheetCells, payment_type: &PaymentType, request: &mut PaymentRequest) {
        let text = |column: SheetColumn| cells.get(column).map(str::to_owned);
        let (kind, term) = (payment_type.kind(), self.term(cells, payment_type));
        let option = self.option(cells, payment_type);
        let id = option.map(|option| option.id().to_string());
        request.option_id = id.or_else(|| text(SheetColumn::Service));
        if kind.needs_term() {
            let id = term.map(|term| term.id().to_string());
            request.term_id = id.or_else(|| text(SheetColumn::Term));
        }
        let region = self.region(cells);
        let id = region.map(|region| region.id().to_string());
        request.region_id = id.or_else(|| text(SheetColumn::Region));
        let named = text(SheetColumn::Recipient).or_else(|| text(SheetColumn::Account));
        request.requisite_id = match &*self.recipients(cells, payment_type) {
            [only] => Some(only.id().to_string()),
            _ => named,
        };
        if kind.has_notary_share() {
            let (iban, okpo) = (&self.own.iban, self.own.codes.of_account());
            request.iban = iban.as_ref().map(|iban| iban.as_str().to_owned());
            request.okpo = okpo.map(|okpo| okpo.as_str().to_owned());
        }
    }

    /// Fills what the row leaves empty from its template.
    fn free_form(&self, cells: &SheetCells, request: &mut PaymentRequest) {
        let text = |column: SheetColumn| cells.get(column).map(str::to_owned);
        request.iban = text(SheetColumn::Account);
        request.okpo = text(SheetColumn::RecipientCode);
        request.recipient_name = text(SheetColumn::Recipient);
        request.cbc_code = text(SheetColumn::BudgetCode);
        request.purpose = text(SheetColumn::Purpose);
        request.template_id = text(SheetColumn::Service);
        let Some(template) = self.template(cells) else {
            return;
        };
        let fill = |field: &mut Option<String>, value: &str| {
            field.get_or_insert_with(|| value.to_owned());
        };
        request.template_id = Some(template.id().to_string());
        fill(&mut request.iban, template.iban().as_str());
        fill(&mut request.okpo, template.okpo().as_str());
        fill(&mut request.recipient_name, template.recipient_name());
        if let Some(code) = template.budget_code() {
            fill(&mut request.cbc_code, code.as_str());
        }
        let code = request.client_inn.as_deref().unwrap_or_default();
        let code = Inn::parse(code).map_or(code.to_owned(), |inn| inn.as_str().to_owned());
        let name = request.client_full_name.as_deref().unwrap_or_default();
        fill(&mut request.purpose, &template.purpose_for(name, &code));
        if cells.get(SheetColumn::Amount).is_none() {
            request.amount = template.amount();
        }
    }

    fn template(&self, cells: &SheetCells) -> Option<&'r Template> {
        let text = cells.get(SheetColumn::Service)?;
        let templates = self.reference.templates(self.today).into_iter();
        only(templates.filter(|template| is_named(text, |locale| template.title(locale))))
    }

    fn option(&self, cells: &SheetCells, of: &PaymentType) -> Option<&'r PaymentOption> {
        let text = cells.get(SheetColumn::Service)?;
        let options = self.reference.options(of.id(), self.today).into_iter();
        only(options.filter(|option| {
            is_named(text, |locale| option.name(locale))
                || option
                    .short_name()
                    .is_some_and(|name| comparable(name) == comparable(text))
        }))
    }

    pub(super) fn terms(&self, cells: &SheetCells, of: &PaymentType) -> Vec<&'r Term> {
        let Some(option) = self.option(cells, of) else {
            return Vec::new();
        };
        let terms = self.reference.terms(option.id(), self.today).into_iter();
        terms.map(|row| row.term).collect()
    }

    fn term(&self, cells: &SheetCells, of: &PaymentType) -> Option<&'r Term> {
        let text = cells.get(SheetColumn::Term)?;
        let terms = self.terms(cells, of).into_iter();
        only(terms.filter(|term| is_named(text, |locale| term.period(locale))))
    }

    pub(super) fn region(&self, cells: &SheetCells) -> Option<&'r Region> {
        let text = cells.get(SheetColumn::Region)?;
        let wanted = comparable(text);
        let spellings = [
            wanted.clone(),
            format!("{wanted}область"),
            format!("м{wanted}"),
            format!("{}область", wanted.strip_suffix("обл").unwrap_or_default()),
        ];
        let regions = self.reference.regions().iter();
        only(regions.filter(|region| {
            let mut names = Locale::ALL.into_iter();
            comparable(region.iso_code()) == wanted
                || names.any(|locale| spellings.contains(&comparable(region.name(locale))))
        }))
    }

    /// Returns the recipients of a fee that the row may mean: those of its region and term, with the name and account that it has.
    pub(super) fn recipients(&self, cells: &SheetCells, of: &PaymentType) -> Vec<&'r Requisite> {
        let Some(region) = self.region(cells) else {
            return Vec::new();
        };
        let term = self.term(cells, of);
        if of.kind().needs_term() && term.is_none() {
            return Vec::new();
        }
        let code = term.and_then(Term::budget_code);
        let listed = self
            .reference
            .requisites(region.id(), of.id(), code, self.today);
        let fits = |requisite: &&Requisite, column: SheetColumn| {
            cells.get(column).is_none_or(|text| {
                let wanted = comparable(text);
                comparable(requisite.name()) == wanted
                    || comparable(requisite.iban().as_str()) == wanted
            })
        };
        let columns = [SheetColumn::Recipient, SheetColumn::Account];
        listed
            .into_iter()
            .filter(|requisite| columns.iter().all(|column| fits(requisite, *column)))
            .collect()
    }
}

fn is_named<'a>(text: &str, name: impl Fn(Locale) -> &'a str) -> bool {
    let wanted = comparable(text);
    Locale::ALL
        .into_iter()
        .any(|locale| comparable(name(locale)) == wanted)
}

/// Returns the only one; nothing where several would do.
fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn count_of(text: &str) -> Result<Count, Key> {
    let count = text.parse().map_err(|_| Key::CountInvalid)?;
    Count::new(count)
}

/// The kinds of payment that a notary of this status may order.
pub(super) fn kinds_of(own: &Own) -> impl Iterator<Item = PaymentKind> {
    let status = own.codes.status;
    let kinds = PaymentKind::ALL.into_iter();
    kinds.filter(move |kind| status.kind_rule(*kind).is_ok())
}
