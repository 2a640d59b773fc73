//! The item that a request about the cart names.

use cabinet_domain::{ItemId, Key};

use crate::kernel::refusal::{AppError, FieldErrors, Refusal};

/// Reads the id of an item.
pub(super) fn read_item(text: Option<&str>, errors: &mut FieldErrors) -> Option<ItemId> {
    if errors.has("cart_item_id") {
        return None;
    }
    let text = text.filter(|text| !text.is_empty());
    errors.take(
        "cart_item_id",
        text.ok_or(Key::FieldRequired)
            .and_then(|text| ItemId::parse(text).ok_or(Key::CartItemNotFound)),
    )
}

/// There is no such item in the notary's cart.
pub(super) fn item_not_found() -> AppError {
    Refusal::not_found(Key::CartItemNotFound)
        .on("cart_item_id")
        .into()
}
