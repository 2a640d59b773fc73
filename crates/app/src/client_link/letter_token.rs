//! The token by which the receiver of a letter takes the consent back.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_domain::OrderId;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use crate::kernel::keys::Keys;

/// Bytes of the id of an order.
const ID_BYTES: usize = 16;

/// Returns the token by which the receiver of a letter takes the consent back: the order and a proof, so that nothing is stored for it.
pub(super) fn letter_token(keys: &Keys, order: OrderId) -> String {
    let mut bytes = order.uuid().as_bytes().to_vec();
    bytes.extend(keys.receipt_letter_proof(order));
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the order of such a token.
pub(super) fn order_of_letter(keys: &Keys, token: &SecretString) -> Option<OrderId> {
    let bytes = URL_SAFE_NO_PAD.decode(token.expose_secret()).ok()?;
    let (id, proof) = bytes.split_at_checked(ID_BYTES)?;
    let order = OrderId::new(Uuid::from_slice(id).ok()?);
    keys.proves_receipt_letter(order, proof).then_some(order)
}
