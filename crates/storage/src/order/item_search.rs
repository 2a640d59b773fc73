//! What a search of the archive finds the payments of orders by.

use std::collections::BTreeSet;

use cabinet_domain::{ItemContent, ItemId, fold_for_search};

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Longest text in bytes. PostgreSQL takes no more than about 2,700 into an index.
const BYTES_MAX: usize = 2_000;

/// Stands between the parts, so that two codes beside each other can't look like the number of a card.
const BETWEEN: &str = " | ";

/// Returns the text that a search looks into: the sums, then recipient, codes and service, folded like the search itself. Each part
/// stands between spaces.
pub(crate) fn search_text(content: &ItemContent) -> String {
    let price = &content.price;
    let sums: BTreeSet<String> = [Some(price.amount), Some(price.sum), content.total().ok()]
        .into_iter()
        .flatten()
        .map(|sum| sum.decimal())
        .collect();
    let mut parts: Vec<&str> = sums.iter().map(String::as_str).collect();
    if let Some(code) = &content.cbc_code {
        parts.push(code.as_str());
    }
    if let Some(requisite) = &content.requisite {
        let (iban, code) = (requisite.iban.as_str(), requisite.okpo.as_str());
        parts.extend([requisite.name.as_str(), code, iban]);
    } else {
        parts.extend(content.recipient_name.as_ref().map(|name| name.as_str()));
        parts.extend(content.okpo.as_ref().map(|code| code.as_str()));
        parts.extend(content.iban.as_ref().map(|iban| iban.as_str()));
    }
    if let Some(option) = &content.option {
        parts.extend([option.names.uk.as_str(), option.names.en.as_str()]);
    }
    let mut text = format!(" {} ", fold_for_search(&parts.join(BETWEEN)));
    text.truncate(text.floor_char_boundary(BYTES_MAX));
    text
}

/// Works out what payments of orders are found by.
pub(crate) fn keep<'a>(
    tx: &mut Tx,
    mut items: impl Iterator<Item = (ItemId, &'a ItemContent)>,
) -> Result<()> {
    items.try_for_each(|(item, content)| {
        tx.execute(
            "update order_items set search_text = ?2 where id = ?1",
            params![item, search_text(content)],
        )
        .map(|_| ())
    })
}
