//! `POST /cart/sheet/choices`: the names that a cell of a row may have.

use std::collections::BTreeMap;

use cabinet_domain::{Locale, NotaryId, SheetColumn, kyiv_date};
use cabinet_receipts::kind_name;

use super::cells::SheetCells;
use super::recognise::{Recogniser, kinds_of};
use crate::cart::Cart;
use crate::kernel::refusal::Result;

impl Cart {
    /// Returns the names that may stand in the cells of a row, by column, as far as its other cells decide about them.
    pub async fn choices_of_row(
        &self,
        notary: NotaryId,
        mut cells: SheetCells,
        locale: Locale,
    ) -> Result<BTreeMap<SheetColumn, Vec<String>>> {
        let reference = self.reference.current()?;
        let own = self.own(notary).await?;
        let today = kyiv_date(self.clock.now());
        let recogniser = Recogniser {
            reference: &reference,
            own: &own,
            today,
        };
        let owned = |name: &str| name.to_owned();
        let mut choices = BTreeMap::new();
        let kinds = kinds_of(&own).map(|kind| owned(kind_name(kind, locale)));
        choices.insert(SheetColumn::PaymentType, kinds.collect());
        let Some(payment_type) = recogniser.payment_type(&cells) else {
            return Ok(choices);
        };
        if payment_type.kind().is_free_form() {
            let templates = reference.templates(today).into_iter();
            let titles = templates.map(|template| owned(template.title(locale)));
            choices.insert(SheetColumn::Service, titles.collect());
            return Ok(choices);
        }
        let options = reference.options(payment_type.id(), today).into_iter();
        let names = options.map(|option| owned(option.name(locale)));
        choices.insert(SheetColumn::Service, names.collect());
        if payment_type.kind().needs_term() {
            let terms = recogniser.terms(&cells, payment_type).into_iter();
            let periods = terms.map(|term| owned(term.period(locale)));
            choices.insert(SheetColumn::Term, periods.collect());
        }
        let regions = reference.regions().iter();
        let regions = regions.filter(|region| region.has_recipients());
        let names = regions.map(|region| owned(region.name(locale)));
        choices.insert(SheetColumn::Region, names.collect());
        cells.set(SheetColumn::Recipient, "");
        cells.set(SheetColumn::Account, "");
        let recipients = recogniser.recipients(&cells, payment_type).into_iter();
        let names = recipients.map(|requisite| owned(requisite.name()));
        choices.insert(SheetColumn::Recipient, names.collect());
        Ok(choices)
    }
}
