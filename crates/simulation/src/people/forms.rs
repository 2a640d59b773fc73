//! The form of a payment, filled in at random.

use cabinet_app::cart::PaymentRequest;
use cabinet_domain::{Money, PaymentKind, kyiv_date};

use crate::database::{ACCOUNT, OWNERS};
use crate::history::History;

/// The clients.
const CLIENTS: [(&str, &str); 2] = [
    ("3652504575", "Гнатюк Петро Олександрович"),
    ("32855961", "ТОВ «Ранкова зоря»"),
];

impl History<'_> {
    /// Returns a random payment.
    pub(super) fn random_payment(&mut self) -> Option<PaymentRequest> {
        let reference = self
            .services
            .reference
            .current()
            .expect("reference data is loaded");
        let day = kyiv_date(self.time.of_cabinet());
        let (inn, full_name) = CLIENTS[self.chance.below(CLIENTS.len())];
        let is_fee = self.chance.percent(50);
        let kind = if is_fee {
            PaymentKind::AdminPayment
        } else {
            PaymentKind::RequisitesPayment
        };
        let payment_type = reference.payment_type_of(kind)?;
        let mut request = PaymentRequest {
            client_inn: Some(inn.to_owned()),
            client_full_name: Some(full_name.to_owned()),
            payment_type_id: Some(payment_type.id().to_string()),
            iban: Some(ACCOUNT.to_owned()),
            ..PaymentRequest::default()
        };
        if is_fee {
            let option = *reference.options(payment_type.id(), day).first()?;
            let term = reference.terms(option.id(), day).first()?.term;
            let code = term.budget_code();
            let (region, requisite) = reference.regions().iter().find_map(|region| {
                let found = reference.requisites(region.id(), payment_type.id(), code, day);
                Some((region, found.first()?.id().to_string()))
            })?;
            request.option_id = Some(option.id().to_string());
            request.term_id = Some(term.id().to_string());
            request.region_id = Some(region.id().to_string());
            request.requisite_id = Some(requisite);
            request.okpo = Some(OWNERS[0].to_owned());
        } else {
            let amount = self.chance.between(10_000, 300_000);
            request.amount = Some(Money::from_kopiykas(amount).expect("a sum within its limits"));
            request.okpo = Some(OWNERS[1].to_owned());
            request.recipient_name = Some("ТОВ «Ранкова зоря»".to_owned());
            request.purpose = Some(format!("Оплата послуг, {inn}"));
        }
        Some(request)
    }
}
