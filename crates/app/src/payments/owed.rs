//! Who is owed what out of a paid item.

use cabinet_domain::{
    ActualPayer, Line, Payee, PaymentKind, PlannedTransfer, Tariff, TransferFacts, plan_transfers,
    price,
};
use cabinet_storage::clients::Client;
use cabinet_storage::items::ItemContent;

use crate::cart::of_notary_part;

/// Returns the transfers of one item; `None` where its stored content contradicts itself.
pub(crate) fn transfers_of(
    content: &ItemContent,
    client: &Client,
    notary_name: &str,
) -> Option<Vec<PlannedTransfer>> {
    let actual_payer = ActualPayer {
        inn: client.inn.clone(),
        name: client.full_name.clone(),
    };
    let purpose = content.purpose.to_line();
    let recipient = match &content.requisite {
        Some(requisite) => Payee {
            name: Line::parse(&requisite.name, 420).ok()?,
            iban: requisite.iban.clone(),
            okpo: requisite.okpo.clone(),
            purpose,
        },
        None => Payee {
            name: content.recipient_name.clone()?,
            iban: content.iban.clone()?,
            okpo: content.okpo.clone()?,
            purpose,
        },
    };
    let notary = match content.kind {
        PaymentKind::AdminPayment => {
            let service = content
                .option
                .as_ref()
                .map(|option| option.names.uk.as_str())?;
            let purpose = of_notary_part(service, (&actual_payer.name, &actual_payer.inn));
            Some(Payee {
                name: Line::parse(notary_name, 140).ok()?,
                iban: content.iban.clone()?,
                okpo: content.okpo.clone()?,
                purpose: Line::parse(&purpose, 420).ok()?,
            })
        }
        PaymentKind::AdminGovernmentPayment
        | PaymentKind::RegistryPayment
        | PaymentKind::RequisitesPayment => None,
    };
    // The tariff of the moment of adding is kept with the item, so the parts come out as they were shown.
    let tariff = Tariff {
        valid_from: None,
        basis_points: content.price.tariff_basis_points,
        minimum: content.price.tariff_minimum,
    };
    let parts = price(content.kind, content.price.amount, &tariff).ok()?;
    if parts.commission != content.price.commission {
        return None;
    }
    plan_transfers(
        &TransferFacts {
            recipient,
            notary,
            actual_payer,
        },
        &parts.parts,
        content.count,
    )
    .ok()
}
