//! Clients: the people and entities on whose behalf a notary pays.

use crate::{ClientId, Inn, PersonName};

/// A client of a notary. The same code with another name is another client, so that earlier payments keep their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The id, also of the client's group in the cart.
    pub id: ClientId,
    /// Code.
    pub inn: Inn,
    /// Name.
    pub full_name: PersonName,
}
