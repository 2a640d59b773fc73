//! The parts of an order with what can be done about them.

use std::collections::BTreeMap;

use cabinet_domain::{
    Iban, ItemContent, ItemId, Line, NotaryId, Okpo, OrderStatus, PartRole, Payee, Profile,
    ReturnApplication, Transfer, TransferId, TransferStatus, kyiv_date,
};
use cabinet_reference::ReferenceData;
use cabinet_storage::account::notaries;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::civil::Date;

use super::Returns;
use crate::cart::account_on;
use crate::kernel::refusal::Result;
use crate::order::own_order::{not_found, own_order};

/// An account that a returned part can be sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedPayee {
    /// Name of the recipient.
    pub name: String,
    /// The account.
    pub iban: Iban,
    /// Code of the recipient.
    pub okpo: Okpo,
}

/// A transfer of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderPart {
    /// The transfer.
    pub transfer: Transfer,
    /// The number of the returned transfer that it sends again.
    pub replaces: Option<i64>,
    /// The number of the transfer that sends it again.
    pub replaced_by: Option<i64>,
    /// Today's account of the recipient, where it differs and the part can be sent again.
    pub offered: Option<OfferedPayee>,
    /// Whether the notary can still decide about it.
    pub is_undecided: bool,
    /// The application for its return, if one can be made.
    pub application: Option<ReturnApplication>,
}

/// What is read of an order.
struct Found {
    transfers: Vec<Transfer>,
    contents: BTreeMap<ItemId, ItemContent>,
    profile: Option<Profile>,
}

impl Returns {
    /// Returns the transfers of an order, by document number. An order whose names were taken out has none to show.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn parts(&self, notary: NotaryId, order: &str) -> Result<Vec<OrderPart>> {
        let order = own_order(&self.store, notary, order).await?;
        let id = order.id;
        let read = move |tx: &mut Tx| -> Result<Option<Found>, StorageError> {
            if erasure::is_anonymised(tx, id)? {
                return Ok(None);
            }
            let items = orders::items_of(tx, id)?.into_iter();
            Ok(Some(Found {
                transfers: transfers::of_order(tx, id)?,
                contents: items.map(|item| (item.id, item.content)).collect(),
                profile: notaries::by_id(tx, notary)?.map(|notary| notary.profile),
            }))
        };
        let found = self.store.read(read).await?.ok_or_else(not_found)?;
        let reference = self.reference.current()?;
        let today = kyiv_date(self.clock.now());
        let numbers: BTreeMap<TransferId, i64> = found
            .transfers
            .iter()
            .map(|transfer| (transfer.id, transfer.document_number))
            .collect();
        let replaced: BTreeMap<TransferId, i64> = found
            .transfers
            .iter()
            .filter_map(|transfer| Some((transfer.replaces?, transfer.document_number)))
            .collect();
        let mut parts: Vec<OrderPart> = found
            .transfers
            .iter()
            .map(|transfer| {
                let is_undecided = order.status.has_money()
                    && order.status == OrderStatus::Paid
                    && transfer.status == TransferStatus::Returned
                    && transfer.refund.is_none()
                    && !replaced.contains_key(&transfer.id);
                let offered = is_undecided
                    .then(|| offered(transfer, &found, &reference, today))
                    .flatten();
                OrderPart {
                    replaces: transfer.replaces.and_then(|id| numbers.get(&id).copied()),
                    replaced_by: replaced.get(&transfer.id).copied(),
                    offered,
                    is_undecided,
                    application: found
                        .contents
                        .get(&transfer.item_id)
                        .filter(|_| order.status == OrderStatus::Paid)
                        .and_then(|content| {
                            transfer.return_application(content.kind, content.cbc_code.as_ref())
                        }),
                    transfer: transfer.clone(),
                }
            })
            .collect();
        parts.sort_by_key(|part| part.transfer.document_number);
        Ok(parts)
    }
}

/// Returns the account that the recipient has today, where it differs from the one that the transfer went to: of the profile for the
/// notary's own part, of the reference data for any other.
fn offered(
    transfer: &Transfer,
    found: &Found,
    reference: &ReferenceData,
    today: Date,
) -> Option<OfferedPayee> {
    let payee = &transfer.planned.payee;
    let offered = match transfer.planned.role {
        PartRole::Notary => own_account(found.profile.as_ref()?)?,
        PartRole::Recipient => {
            let content = found.contents.get(&transfer.item_id)?;
            recipient_today(content, payee, reference, today)?
        }
    };
    let is_same = offered.iban == payee.iban
        && offered.okpo == payee.okpo
        && offered.name == payee.name.as_str();
    (!is_same).then_some(offered)
}

fn own_account(profile: &Profile) -> Option<OfferedPayee> {
    Some(OfferedPayee {
        name: profile.full_name.as_str().to_owned(),
        iban: profile.iban.clone()?,
        okpo: profile.okpo.clone()?,
    })
}

fn recipient_today(
    content: &ItemContent,
    payee: &Payee,
    reference: &ReferenceData,
    today: Date,
) -> Option<OfferedPayee> {
    if let Some(chosen) = &content.requisite {
        let known = reference.requisite(&chosen.id)?;
        let account = account_on(reference, known, today)?;
        return Some(OfferedPayee {
            name: account.name().to_owned(),
            iban: account.iban().clone(),
            okpo: account.okpo().clone(),
        });
    }
    // The account of a payment to any requisites may be known with another code.
    let known = reference.account(&payee.iban)?;
    Some(OfferedPayee {
        name: payee.name.as_str().to_owned(),
        iban: payee.iban.clone(),
        okpo: known.okpo.clone(),
    })
}

/// Returns the notary's name as a payee has it.
pub(super) fn own_name(profile: &Profile) -> Line {
    profile.full_name.to_line()
}
