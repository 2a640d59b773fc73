//! Who is owed what out of a paid item.

use cabinet_domain::{
    ActualPayer, Line, Money, Payee, PaymentKind, PersonName, PlannedTransfer, TransferParties,
    plan_transfers,
};
use cabinet_storage::clients::Client;
use cabinet_storage::items::ItemContent;

use crate::cart::of_notary_part;

/// Returns the transfers of one item; `None` where its stored content contradicts itself.
pub(crate) fn transfers_of(
    content: &ItemContent,
    client: &Client,
    notary_name: &PersonName,
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
                name: notary_name.to_line(),
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
    let parts = content.price.parts(content.kind).ok()?;
    let commission = Money::sum(parts.iter().map(|part| part.commission));
    if commission != Ok(content.price.commission) {
        return None;
    }
    plan_transfers(
        &TransferParties {
            recipient,
            notary,
            actual_payer,
        },
        &parts,
        content.count,
    )
    .ok()
}
