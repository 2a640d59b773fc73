//! Carts that were answered a moment ago.
//!
//! Every page asks for the cart, and mostly it is as it was. The database tells at each call whether it is, so nothing is ever
//! answered late; what is saved is the work of reading and writing down the same items again.

use cabinet_app::cart::CartStamp;
use cabinet_domain::{Locale, NotaryId};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::json::WrittenJson;
use crate::wire::Cart;

/// Memory for all of them, in bytes: a thousand usual carts. Those that are asked for least go first.
const BYTES_MAX: u64 = 4 * 1024 * 1024;
/// How many carts that usually is.
const CARTS_USUAL: usize = 1024;

/// An answer, and what it was made from.
pub type KeptCart = (CartStamp, WrittenJson<Cart>);

/// The answers, by notary and language.
pub struct KeptCarts(Cache<(NotaryId, Locale), KeptCart, ByBytes>);

#[derive(Clone)]
struct ByBytes;

impl Weighter<(NotaryId, Locale), KeptCart> for ByBytes {
    fn weight(&self, _: &(NotaryId, Locale), (_, cart): &KeptCart) -> u64 {
        u64::try_from(cart.bytes_count()).unwrap_or(u64::MAX)
    }
}

impl KeptCarts {
    /// None yet.
    pub fn new() -> KeptCarts {
        KeptCarts(Cache::with_weighter(CARTS_USUAL, BYTES_MAX, ByBytes))
    }

    /// What this notary was answered last in this language, unless it had to go.
    pub fn of(&self, notary: NotaryId, locale: Locale) -> Option<KeptCart> {
        self.0.get(&(notary, locale))
    }

    /// Keeps an answer in place of the one before.
    pub fn keep(&self, notary: NotaryId, locale: Locale, cart: KeptCart) {
        self.0.insert((notary, locale), cart);
    }
}
