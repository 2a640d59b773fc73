//! What must hold of the items in carts and orders: each is as the last press on it that was answered has made it.

use std::collections::BTreeMap;

use cabinet_domain::{ItemContent, ItemId};
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx, cart};

use crate::carts::Write;
use crate::database::{NOTARIES, notary};
use crate::history::History;

/// Where an item is.
struct Found {
    content: ItemContent,
    is_ordered: bool,
}

fn find(tx: &mut Tx, items: &[ItemId]) -> Result<BTreeMap<ItemId, Found>, StorageError> {
    let mut all = BTreeMap::new();
    for item in items {
        for owner in (0..NOTARIES).map(notary) {
            if let Some((_, found)) = cart::item_of(tx, owner, *item)? {
                let content = found.content;
                all.insert(
                    *item,
                    Found {
                        content,
                        is_ordered: false,
                    },
                );
            } else if let Some((_, found)) = orders::item_of(tx, owner, *item)? {
                let content = found.content;
                all.insert(
                    *item,
                    Found {
                        content,
                        is_ordered: true,
                    },
                );
            }
        }
    }
    Ok(all)
}

/// Checks every item that was ever acknowledged.
pub(super) fn check_carts(history: &History<'_>, broken: &mut Vec<String>) {
    let known = history.carts.items();
    let kept = known.filter(|(_, steps)| !steps.iter().any(|step| history.is_forgotten(*step)));
    let kept: Vec<ItemId> = kept.map(|(item, _)| item).collect();
    let (store, items) = (history.store.clone(), kept.clone());
    let found = history.executor.run(async move {
        let read = move |tx: &mut Tx| find(tx, &items);
        store.read_long(read).await
    });
    let found = found.expect("the items can be read");
    for item in kept {
        let name = history.trace.name("item", &item.to_string());
        let may_be = |write: &Write| history.carts.may_be(item, write).unwrap_or(true);
        let Some(Found {
            content,
            is_ordered,
        }) = found.get(&item)
        else {
            if !may_be(&Write::Presence(false)) {
                broken.push(format!("{name} is missing"));
            }
            continue;
        };
        // What was ordered is there, also where somebody pressed to delete it meanwhile and got no answer.
        if !is_ordered && !may_be(&Write::Presence(true)) {
            broken.push(format!("{name} is in the cart, and was deleted"));
        }
        let count = Write::Count(content.count.get().into());
        let words = Write::Words(content.purpose.as_str().to_owned(), content.price.amount);
        for write in [count, words] {
            if !may_be(&write) {
                broken.push(format!("{name} has {write:?}, and nobody wrote that last"));
            }
        }
    }
}
