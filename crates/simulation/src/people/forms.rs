//! The form of a payment, filled in at random.

use cabinet_app::cart::PaymentRequest;
use cabinet_domain::{Money, PaymentKind, PaymentTypeId, kyiv_date};

use crate::database::{ACCOUNT, OWNERS};
use crate::history::History;

/// The clients.
pub(super) const CLIENTS: [(&str, &str); 2] = [
    ("3652504575", "Гнатюк Петро Олександрович"),
    ("32855961", "ТОВ «Ранкова зоря»"),
];

/// Returns a payment for a client, by code and name, to the recipient whom notaries type.
pub(super) fn payment_to_requisites(
    (inn, full_name): (&str, &str),
    payment_type: PaymentTypeId,
    amount: Money,
    purpose: String,
) -> PaymentRequest {
    PaymentRequest {
        client_inn: Some(inn.to_owned()),
        client_full_name: Some(full_name.to_owned()),
        payment_type_id: Some(payment_type.to_string()),
        iban: Some(ACCOUNT.to_owned()),
        amount: Some(amount),
        okpo: Some(OWNERS[1].to_owned()),
        recipient_name: Some("ТОВ «Ранкова зоря»".to_owned()),
        purpose: Some(purpose),
        ..PaymentRequest::default()
    }
}

impl History<'_> {
    /// Returns the row of a kind in today's tables.
    pub(super) fn payment_type(&self, kind: PaymentKind) -> Option<PaymentTypeId> {
        let reference = self.services.reference.current();
        let reference = reference.expect("reference data is loaded");
        Some(reference.payment_type_of(kind)?.id().clone())
    }

    /// Returns a random payment.
    pub(super) fn random_payment(&mut self) -> Option<PaymentRequest> {
        let (inn, full_name) = CLIENTS[self.chance.below(CLIENTS.len())];
        if !self.chance.percent(50) {
            let payment_type = self.payment_type(PaymentKind::RequisitesPayment)?;
            let amount = Money::from_kopiykas(self.chance.between(10_000, 300_000));
            let amount = amount.expect("a sum within its limits");
            let purpose = format!("Оплата послуг, {inn}");
            return Some(payment_to_requisites(
                (inn, full_name),
                payment_type,
                amount,
                purpose,
            ));
        }
        self.fee((inn, full_name))
    }

    /// Returns the payment of an administrative fee for a client, by code and name.
    pub(super) fn fee(&self, (inn, full_name): (&str, &str)) -> Option<PaymentRequest> {
        let reference = self.services.reference.current();
        let reference = reference.expect("reference data is loaded");
        let day = kyiv_date(self.time.of_cabinet());
        let payment_type = reference.payment_type_of(PaymentKind::AdminPayment)?;
        let option = *reference.options(payment_type.id(), day).first()?;
        let term = reference.terms(option.id(), day).first()?.term;
        let code = term.budget_code();
        let (region, requisite) = reference.regions().iter().find_map(|region| {
            let found = reference.requisites(region.id(), payment_type.id(), code, day);
            Some((region, found.first()?.id().to_string()))
        })?;
        Some(PaymentRequest {
            client_inn: Some(inn.to_owned()),
            client_full_name: Some(full_name.to_owned()),
            payment_type_id: Some(payment_type.id().to_string()),
            iban: Some(ACCOUNT.to_owned()),
            option_id: Some(option.id().to_string()),
            term_id: Some(term.id().to_string()),
            region_id: Some(region.id().to_string()),
            requisite_id: Some(requisite),
            okpo: Some(OWNERS[0].to_owned()),
            ..PaymentRequest::default()
        })
    }
}
