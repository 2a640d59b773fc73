//! `GET /cart`, `GET /cart/items/count`, `GET /cart/client/last`.

use cabinet_domain::{Money, NotaryId};
use cabinet_reference::ReferenceData;
use cabinet_storage::cart::{CartGroup, CartItem};
use cabinet_storage::clients::Client;
use cabinet_storage::{StorageError, cart, clients};
use jiff::Timestamp;

use super::today::{Change, changes_of};
use crate::App;
use crate::refusal::{AppError, Outcome};

/// The whole cart.
#[derive(Clone, Debug)]
pub struct CartView {
    /// Grows with every change.
    pub version: i64,
    /// Rows.
    pub items_count: i64,
    /// One a client, oldest first.
    pub groups: Vec<CartGroupView>,
}

/// The items of one client.
#[derive(Clone, Debug)]
pub struct CartGroupView {
    /// For whom is paid.
    pub client: Client,
    /// Sum of the items' totals.
    pub amount: Money,
    /// Oldest first.
    pub items: Vec<CartItemView>,
}

/// An item and what is no longer right about it.
#[derive(Clone, Debug)]
pub struct CartItemView {
    /// The item.
    pub item: CartItem,
    /// `None`: it can be paid as it is.
    pub change: Option<Change>,
}

impl App {
    /// The cart by client.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn cart(&self, notary: NotaryId) -> Outcome<CartView> {
        let reference = self.reference()?;
        let (version, groups) = self
            .inner
            .store
            .read(move |tx| {
                Ok::<_, StorageError>((
                    cart::standing(tx, notary)?.version,
                    cart::groups_of(tx, notary)?,
                ))
            })
            .await?;
        view_of(version, groups, &reference, self.now())
    }

    /// Rows in the cart.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn cart_items_count(&self, notary: NotaryId) -> Outcome<i64> {
        Ok(self
            .inner
            .store
            .read(move |tx| cart::standing(tx, notary))
            .await?
            .items_count)
    }

    /// The client of the latest payment.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn last_client(&self, notary: NotaryId) -> Outcome<Option<Client>> {
        Ok(self
            .inner
            .store
            .read(move |tx| clients::last_of(tx, notary))
            .await?)
    }
}

fn view_of(
    version: i64,
    stored: Vec<CartGroup>,
    reference: &ReferenceData,
    now: Timestamp,
) -> Outcome<CartView> {
    let mut items_count = 0;
    let mut groups = Vec::with_capacity(stored.len());
    for group in stored {
        let amount = group.total().map_err(impossible)?;
        let mut items = Vec::with_capacity(group.items.len());
        for item in group.items {
            let change = changes_of(&item.content, reference, now);
            items.push(CartItemView { item, change });
            items_count += 1;
        }
        groups.push(CartGroupView {
            client: group.client,
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
