//! A notary's client on the wire.

use cabinet_domain::Client as DomainClient;
use schemars::JsonSchema;
use serde::Serialize;

/// A client of the notary.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Client {
    /// Opaque; names the cart group in `POST /order/create`.
    pub id: String,
    /// Tax id, EDRPOU, ID card or passport.
    pub inn: String,
    /// Name of the person or entity.
    pub full_name: String,
}

impl From<&DomainClient> for Client {
    fn from(client: &DomainClient) -> Client {
        Client {
            id: client.id.to_string(),
            inn: client.inn.as_str().to_owned(),
            full_name: client.full_name.as_str().to_owned(),
        }
    }
}
