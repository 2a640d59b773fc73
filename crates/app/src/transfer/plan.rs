//! The transfers that follow from a paid item.

use cabinet_domain::{
    ActualPayer, Client, ItemContent, Line, Money, Order, Payee, PersonName, PlannedTransfer,
    Transfer, TransferParties, plan_item_transfers,
};

use cabinet_reference::purpose_of_notary_part;
use cabinet_storage::account::notaries;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};

/// Longest name and purpose that a transfer carries, in characters.
const LINE_CHARS_MAX: usize = 420;

/// Returns the transfers that the payment of an order would make. `None`: its stored content is inconsistent.
pub(crate) fn planned_of_order(
    tx: &mut Tx,
    order: &Order,
) -> Result<Option<Vec<PlannedTransfer>>, StorageError> {
    let Some(name) = notaries::full_name_of(tx, order.notary_id)? else {
        return Ok(None);
    };
    let items = orders::items_of(tx, order.id)?;
    let planned: Option<Vec<Vec<PlannedTransfer>>> = items
        .iter()
        .map(|item| transfers_of(&item.content, &order.client, &name))
        .collect();
    Ok(planned.map(|parts| parts.into_iter().flatten().collect()))
}

/// Returns what the payment of a transfer would plan in its place now. `None`: its stored content is inconsistent.
pub(crate) fn planned_again(
    tx: &mut Tx,
    transfer: &Transfer,
) -> Result<Option<PlannedTransfer>, StorageError> {
    match orders::by_id(tx, transfer.order_id)? {
        Some(order) => planned_by(tx, &order, transfer),
        None => Ok(None),
    }
}

/// The same by the order of the transfer.
pub(crate) fn planned_by(
    tx: &mut Tx,
    order: &Order,
    transfer: &Transfer,
) -> Result<Option<PlannedTransfer>, StorageError> {
    let Some(name) = notaries::full_name_of(tx, order.notary_id)? else {
        return Ok(None);
    };
    let items = orders::items_of(tx, order.id)?;
    let item = items.iter().find(|item| item.id == transfer.item_id);
    let planned = item.and_then(|item| transfers_of(&item.content, &order.client, &name));
    let mut planned = planned.into_iter().flatten();
    Ok(planned.find(|part| part.role == transfer.planned.role))
}

/// Whether a transfer says what its payment does of its account, code and amount. One that is sent again says something else where its
/// notary has corrected it.
pub(crate) fn agrees(planned: &PlannedTransfer, of_payment: &PlannedTransfer) -> bool {
    let of = |one: &PlannedTransfer| (one.payee.iban.clone(), one.payee.okpo.clone(), one.amount);
    of(planned) == of(of_payment)
}

/// Returns the transfers of one item. `None`: its stored content is inconsistent.
pub(crate) fn transfers_of(
    content: &ItemContent,
    client: &Client,
    notary_name: &PersonName,
) -> Option<Vec<PlannedTransfer>> {
    let actual_payer = ActualPayer {
        inn: client.inn.clone(),
        name: client.full_name.clone(),
    };
    let recipient = recipient_of(content)?;
    let notary = if content.kind.has_notary_share() {
        Some(notary_of(content, &actual_payer, notary_name)?)
    } else {
        None
    };
    // The tariff is stored with the item, so the parts are the same as when it was added.
    let parts = content.price.parts(content.kind).ok()?;
    let commission = Money::sum(parts.iter().map(|part| part.commission));
    if commission != Ok(content.price.commission) {
        return None;
    }
    plan_item_transfers(
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

fn recipient_of(content: &ItemContent) -> Option<Payee> {
    let purpose = content.purpose.to_line();
    Some(match &content.requisite {
        Some(requisite) => Payee {
            // What is stored may have characters that are refused by now.
            name: Line::parse_saved(&requisite.name, LINE_CHARS_MAX).ok()?,
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
    })
}

/// Returns the notary as the payee of her own part.
fn notary_of(
    content: &ItemContent,
    payer: &ActualPayer,
    notary_name: &PersonName,
) -> Option<Payee> {
    let service = content.option.as_ref()?.names.uk.as_str();
    let period = content.term.as_ref().map(|term| term.names.uk.as_str());
    let payer = (&payer.name, &payer.inn);
    let purpose = purpose_of_notary_part(content.purpose.as_str(), (service, period), payer);
    Some(Payee {
        name: notary_name.to_line(),
        iban: content.iban.clone()?,
        okpo: content.okpo.clone()?,
        purpose: Line::parse_saved(&purpose, LINE_CHARS_MAX).ok()?,
    })
}
