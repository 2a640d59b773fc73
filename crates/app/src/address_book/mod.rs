//! The address book of a notary: clients that were paid for, and recipients that the notary has saved.

mod clients;
mod recipients;

use std::sync::Arc;

use cabinet_domain::Clock;
use cabinet_storage::Store;

use crate::kernel::ids::Ids;
use crate::kernel::notifier::Notifier;
use crate::payment::approval::Approvals;

pub use clients::{BookClient, ClientPage, ClientSearch};
pub use recipients::RecipientRequest;

/// The address books of the notaries.
#[derive(Clone)]
pub struct AddressBook {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) approvals: Approvals,
    pub(crate) notifier: Notifier,
}
