//! Letters and complaints that name somebody.

use cabinet_domain::{Notary, fold_for_search};
use cabinet_storage::operator::erasure::NamedOrder;
use cabinet_storage::worker::outbox;
use cabinet_storage::{StorageError, Tx};
use serde_json::Value;
use uuid::Uuid;

/// Returns whether a text contains one of some names, codes or addresses, however they are written. Both are folded.
pub(super) fn mentions(text: &str, wanted: &[String]) -> bool {
    let text = fold_for_search(text);
    wanted
        .iter()
        .any(|wanted| text.contains(&fold_for_search(wanted)))
}

/// Returns the letters of a notary that are not delivered: those to her, and those to the support that name her account. With
/// `about`, those that mention one of its texts.
pub(super) fn open_letters(
    tx: &mut Tx,
    notary: &Notary,
    about: Option<&[String]>,
) -> Result<Vec<Uuid>, StorageError> {
    let mut owner = vec![notary.id.to_string(), notary.phone.as_str().to_owned()];
    owner.extend(
        notary
            .profile
            .email
            .iter()
            .map(|email| email.as_str().to_owned()),
    );
    let mut found = Vec::new();
    for row in outbox::open(tx)? {
        let text = text_of(&row.payload);
        if mentions(&text, &owner) && about.is_none_or(|about| mentions(&text, about)) {
            found.push(row.id);
        }
    }
    Ok(found)
}

/// Returns the messages to clients about some orders that are not delivered.
pub(super) fn open_letters_about(
    tx: &mut Tx,
    orders: &[NamedOrder],
) -> Result<Vec<Uuid>, StorageError> {
    let ids: Vec<String> = orders.iter().map(|order| order.id.to_string()).collect();
    let is_about = |payload: &str| {
        let read: Option<Value> = serde_json::from_str(payload).ok();
        let order = read.and_then(|payload| Some(payload.get("order")?.as_str()?.to_owned()));
        order.is_some_and(|order| ids.contains(&order))
    };
    let open = outbox::open(tx)?.into_iter();
    Ok(open
        .filter(|row| is_about(&row.payload))
        .map(|row| row.id)
        .collect())
}

/// Returns the texts of a payload without the marks of JSON. A payload that can't be read is searched as it is.
fn text_of(payload: &str) -> String {
    match serde_json::from_str(payload) {
        Ok(Value::Object(fields)) => {
            let texts: Vec<&str> = fields.values().filter_map(Value::as_str).collect();
            texts.join("\n")
        }
        _ => payload.to_owned(),
    }
}
