//! What is stored of a checked payment.

use cabinet_domain::{Chosen, ChosenRequisite, Count, ItemContent, Locale, Names};

use super::check::CheckedPayment;

/// Returns what is stored of a payment: everything that was chosen, with its names and prices at this moment.
pub(crate) fn content_of(checked: &CheckedPayment<'_>, count: Count) -> ItemContent {
    let fee = checked.fee.as_ref();
    ItemContent {
        count,
        kind: checked.payment_type.kind(),
        payment_type_id: checked.payment_type.id().clone(),
        option: fee.map(|fee| Chosen {
            id: fee.option.id().clone(),
            names: names(|locale| fee.option.name(locale)),
        }),
        term: fee.and_then(|fee| fee.term).map(|term| Chosen {
            id: term.id().clone(),
            names: names(|locale| term.period(locale)),
        }),
        region: fee.map(|fee| Chosen {
            id: fee.region.id().clone(),
            names: names(|locale| fee.region.name(locale)),
        }),
        requisite: fee.map(|fee| ChosenRequisite {
            id: fee.requisite.id().clone(),
            name: fee.requisite.name().to_owned(),
            iban: fee.requisite.iban().clone(),
            okpo: fee.requisite.okpo().clone(),
        }),
        template_id: checked.template.clone(),
        price: checked.price,
        iban: checked.iban.clone(),
        okpo: checked.okpo.clone(),
        recipient_name: checked.recipient_name.clone(),
        purpose: checked.purpose.clone(),
        cbc_code: checked.cbc_code.clone(),
        filing_year: checked.filing_year,
    }
}

fn names<'a>(name: impl Fn(Locale) -> &'a str) -> Names {
    Names {
        uk: name(Locale::Uk).to_owned(),
        en: name(Locale::En).to_owned(),
    }
}
