//! `GET /cart`, `GET /cart/items/count`, `GET /cart/client/last`.

use std::collections::HashMap;

use cabinet_domain::{
    CartGroup, CartItem, Client, ItemId, Money, NotarialAct, NotaryId, PlannedTransfer,
};
use cabinet_reference::ReferenceData;
use cabinet_storage::address_book::clients;
use cabinet_storage::{Tx, cart};
use jiff::Timestamp;

use super::Cart;
use super::own_codes::OwnCodes;
use super::repricing::{Repricing, refusal_today};
use crate::kernel::asker::Asker;
use crate::kernel::refusal::{AppError, Result};
use crate::transfer::plan::transfers_of;

/// The whole cart.
#[derive(Clone, Debug)]
pub struct CartView {
    /// Grows with every change.
    pub version: i64,
    /// Rows.
    pub items_count: i64,
    /// One for each client, oldest first.
    pub groups: Vec<CartGroupView>,
}

/// The items of one client.
#[derive(Clone, Debug)]
pub struct CartGroupView {
    /// The client.
    pub client: Client,
    /// The notarial act that the payments are for.
    pub act: NotarialAct,
    /// The sum of the items' totals, with commissions.
    pub amount: Money,
    /// Oldest first.
    pub items: Vec<CartItemView>,
}

/// An item, and whether it can still be paid.
#[derive(Clone, Debug)]
pub struct CartItemView {
    /// The item.
    pub item: CartItem,
    /// `None`: it can be paid as it is.
    pub repricing: Option<Repricing>,
    /// The number of the latest complaint about it.
    pub complaint: Option<i64>,
    /// The transfers that its payment would make. Empty where its stored content is inconsistent: then it can't be paid.
    pub transfers: Vec<PlannedTransfer>,
}

impl Cart {
    /// Returns the cart, grouped by client.
    pub async fn view(&self, asker: impl Into<Asker>) -> Result<CartView> {
        let (asker, now) = (asker.into(), self.clock.now());
        let read = move |tx: &mut Tx| {
            let (notary, own_codes) = asker.own_codes(tx, now)?;
            Ok::<_, AppError>((
                cart::summary(tx, notary)?.version,
                cart::groups_and_complaints(tx, notary)?,
                OwnCodes::from(own_codes),
            ))
        };
        let (version, (groups, complaints), own_codes) = self.store.read(read).await?;
        let reference = self.reference.current()?;
        view_of(version, groups, (&reference, &own_codes, &complaints), now)
    }

    /// Returns the number of rows in the cart.
    pub async fn items_count(&self, notary: NotaryId) -> Result<i64> {
        Ok(self
            .store
            .read(move |tx| cart::summary(tx, notary))
            .await?
            .items_count)
    }

    /// Returns the client of the latest payment.
    pub async fn last_client(&self, notary: NotaryId) -> Result<Option<Client>> {
        Ok(self
            .store
            .read(move |tx| clients::last_of(tx, notary))
            .await?)
    }
}

fn view_of(
    version: i64,
    stored: Vec<CartGroup>,
    (reference, own_codes, complaints): (&ReferenceData, &OwnCodes, &HashMap<ItemId, i64>),
    now: Timestamp,
) -> Result<CartView> {
    let mut items_count = 0;
    let mut groups = Vec::with_capacity(stored.len());
    for group in stored {
        let amount = group.total().map_err(impossible)?;
        let mut items = Vec::with_capacity(group.items.len());
        for item in group.items {
            let repricing = refusal_today(&item.content, reference, own_codes, now);
            let transfers = own_codes
                .name
                .as_ref()
                .and_then(|name| transfers_of(&item.content, &group.client, name));
            items.push(CartItemView {
                complaint: complaints.get(&item.id).copied(),
                transfers: transfers.unwrap_or_default(),
                item,
                repricing,
            });
            items_count += 1;
        }
        groups.push(CartGroupView {
            client: group.client,
            act: group.act,
            amount,
            items,
        });
    }
    Ok(CartView {
        version,
        items_count,
        groups,
    })
}

fn impossible(error: cabinet_domain::MoneyError) -> AppError {
    AppError::Broken(format!("the cart's sums do not add up: {error}"))
}
