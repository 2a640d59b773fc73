//! `GET /cart/sheet/template`: a workbook to fill in, with examples and with the names that may stand in its cells.

use cabinet_domain::{Locale, NotaryId, PaymentKind, SheetColumn, kyiv_date, sheet_name};
use cabinet_receipts::{PaymentSheet, kind_name, payment_sheet};
use cabinet_reference::{PaymentType, ReferenceData, Term};
use jiff::civil::Date;

use super::recognise::kinds_of;
use crate::cart::Cart;
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{AppError, Result};

/// A client of the examples: a code with a right check digit that names nobody.
const EXAMPLE_CODE: &str = "1759013776";
const EXAMPLE_NAME: &str = "Приклад Олена Іванівна";

impl Cart {
    /// Returns the template, with what the notary may order today.
    pub async fn sheet_template(&self, notary: NotaryId, locale: Locale) -> Result<DownloadFile> {
        let reference = self.reference.current()?;
        let own = self.own(notary).await?;
        let today = kyiv_date(self.clock.now());
        let kinds: Vec<PaymentKind> = kinds_of(&own).collect();
        let sheet = Names {
            reference: &reference,
            kinds: &kinds,
            today,
            locale,
        }
        .sheet();
        let written = tokio::task::spawn_blocking(move || payment_sheet(&sheet, today)).await;
        let written =
            written.map_err(|_| AppError::Broken("making a table broke off".to_owned()))?;
        let broken = |error| AppError::Broken(format!("the template of a sheet: {error}"));
        Ok(DownloadFile {
            name: "Payments.xlsx".to_owned(),
            bytes: written.map_err(broken)?,
        })
    }
}

/// The names of everything that may be ordered.
struct Names<'r> {
    reference: &'r ReferenceData,
    kinds: &'r [PaymentKind],
    today: Date,
    locale: Locale,
}

/// Names of services and terms, each with the name of what it belongs to.
struct Services {
    services: Vec<String>,
    kinds_of_services: Vec<String>,
    terms: Vec<String>,
    services_of_terms: Vec<String>,
}

impl Names<'_> {
    fn sheet(&self) -> PaymentSheet {
        let locale = self.locale;
        let by_locale = |uk: &str, en: &str| match locale {
            Locale::Uk => uk.to_owned(),
            Locale::En => en.to_owned(),
        };
        let heading = |column: SheetColumn| column.heading(locale).to_owned();
        let headings = SheetColumn::ALL.map(|column| (heading(column), width_of(column)));
        let kinds = self
            .kinds
            .iter()
            .map(|kind| kind_name(*kind, locale).to_owned());
        let Services {
            services,
            kinds_of_services,
            terms,
            services_of_terms,
        } = self.services_with_terms();
        let (names, recipients) = self.regions_with_recipients();
        let (recipients, regions_of_recipients) = recipients.into_iter().unzip();
        PaymentSheet {
            name: sheet_name(locale).to_owned(),
            headings: headings.to_vec(),
            examples_name: by_locale("Приклади", "Examples"),
            examples: self.examples(),
            values_name: by_locale("Значення", "Values"),
            values: vec![
                (heading(SheetColumn::PaymentType), kinds.collect()),
                (heading(SheetColumn::Service), services),
                (
                    by_locale("Для виду платежу", "For payment type"),
                    kinds_of_services,
                ),
                (heading(SheetColumn::Term), terms),
                (by_locale("Для послуги", "For service"), services_of_terms),
                (heading(SheetColumn::Region), names),
                (heading(SheetColumn::Recipient), recipients),
                (
                    by_locale("Для регіону", "For region"),
                    regions_of_recipients,
                ),
            ],
            choices: vec![
                (SheetColumn::PaymentType as u16, 0),
                (SheetColumn::Region as u16, 5),
            ],
        }
    }

    fn services_with_terms(&self) -> Services {
        let locale = self.locale;
        let (mut services, mut kinds_of_services) = (Vec::new(), Vec::new());
        let (mut terms, mut services_of_terms) = (Vec::new(), Vec::new());
        for kind in self.kinds {
            for (service, of_service) in self.services(*kind) {
                for term in of_service {
                    terms.push(term.period(locale).to_owned());
                    services_of_terms.push(service.clone());
                }
                services.push(service);
                kinds_of_services.push(kind_name(*kind, locale).to_owned());
            }
        }
        Services {
            services,
            kinds_of_services,
            terms,
            services_of_terms,
        }
    }

    /// The names of the regions, and of the recipients, each with its region.
    fn regions_with_recipients(&self) -> (Vec<String>, Vec<(String, String)>) {
        let locale = self.locale;
        let regions = self.reference.regions().iter();
        let regions = regions.filter(|region| region.has_recipients());
        let mut recipients: Vec<(String, String)> = Vec::new();
        let mut names = Vec::new();
        for region in regions {
            let name = region.name(locale).to_owned();
            for payment_type in self.payment_types() {
                let (id, of) = (region.id(), payment_type.id());
                for requisite in self.reference.requisites(id, of, None, self.today) {
                    let row = (requisite.name().to_owned(), name.clone());
                    if !recipients.contains(&row) {
                        recipients.push(row);
                    }
                }
            }
            names.push(name);
        }
        (names, recipients)
    }

    fn payment_types(&self) -> impl Iterator<Item = &PaymentType> {
        let kinds = self.kinds.iter();
        kinds.filter_map(|kind| self.reference.payment_type_of(*kind))
    }

    /// Returns the services of a kind with their terms, or the titles of templates.
    fn services(&self, kind: PaymentKind) -> Vec<(String, Vec<&Term>)> {
        let (reference, today, locale) = (self.reference, self.today, self.locale);
        if kind.is_free_form() {
            let templates = reference.templates(today).into_iter();
            return templates
                .map(|template| (template.title(locale).to_owned(), Vec::new()))
                .collect();
        }
        let of_kind = reference.payment_type_of(kind);
        let options = of_kind.map(|of| reference.options(of.id(), today));
        let options = options.unwrap_or_default().into_iter();
        options
            .map(|option| {
                let terms = if kind.needs_term() {
                    let terms = reference.terms(option.id(), today).into_iter();
                    terms.map(|row| row.term).collect()
                } else {
                    Vec::new()
                };
                (option.name(locale).to_owned(), terms)
            })
            .collect()
    }

    /// Returns a row for each kind that has anything to order.
    fn examples(&self) -> Vec<Vec<String>> {
        let kinds = self.kinds.iter();
        kinds
            .filter_map(|kind| {
                let (service, terms) = self.services(*kind).into_iter().next()?;
                let region = self.reference.regions().first()?;
                let payment_type = self.reference.payment_type_of(*kind)?;
                let code = terms.first().and_then(|term| term.budget_code());
                let of = payment_type.id();
                let recipients = self.reference.requisites(region.id(), of, code, self.today);
                let cells = SheetColumn::ALL.map(|column| match column {
                    SheetColumn::PaymentType => kind_name(*kind, self.locale).to_owned(),
                    SheetColumn::ClientCode => EXAMPLE_CODE.to_owned(),
                    SheetColumn::ClientName => EXAMPLE_NAME.to_owned(),
                    SheetColumn::Service => service.clone(),
                    SheetColumn::Term => terms
                        .first()
                        .map(|term| term.period(self.locale).to_owned())
                        .unwrap_or_default(),
                    SheetColumn::Region if !kind.is_free_form() => {
                        region.name(self.locale).to_owned()
                    }
                    SheetColumn::Recipient => recipients
                        .first()
                        .map(|requisite| requisite.name().to_owned())
                        .unwrap_or_default(),
                    SheetColumn::Amount if kind.is_free_form() => "340,00".to_owned(),
                    SheetColumn::Count => "1".to_owned(),
                    _ => String::new(),
                });
                Some(cells.to_vec())
            })
            .collect()
    }
}

/// Returns the width of a column in characters.
const fn width_of(column: SheetColumn) -> u8 {
    match column {
        SheetColumn::Count => 11,
        SheetColumn::Amount | SheetColumn::Term => 15,
        SheetColumn::ClientCode | SheetColumn::RecipientCode | SheetColumn::BudgetCode => 18,
        SheetColumn::Region => 24,
        SheetColumn::PaymentType | SheetColumn::ClientName | SheetColumn::Account => 34,
        SheetColumn::Recipient | SheetColumn::Service | SheetColumn::Purpose => 48,
    }
}
