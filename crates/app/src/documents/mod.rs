//! Receipts of paid orders: what they name, the documents, and checking one.

mod application;
mod check;
mod code;
mod codes_receipt;
mod deal;
mod extract;
mod facts;
mod many;
mod printed;
mod receipts;

use std::sync::Arc;

use cabinet_domain::Clock;
use cabinet_storage::Store;

use crate::kernel::ids::Ids;
use crate::kernel::keys::Keys;

pub use application::ApplicationRequest;
pub use check::{CheckedCodesPart, CheckedReceipt, CheckedReturn, CheckedTransfer, PrintedField};
pub(crate) use check::{public_client_name, public_name, public_purpose};
pub(crate) use code::{code_of, proves, read_code};
pub(crate) use facts::{ReceiptFactsRecorder, ReceiptParties, anonymise_facts};
pub use many::GrowingFile;
pub use receipts::ReceiptRequest;

/// Makes and checks receipts.
#[derive(Clone)]
pub struct Receipts {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) keys: Arc<Keys>,
    pub(crate) facts: ReceiptFactsRecorder,
    pub(crate) public_url: Arc<str>,
    /// Whether receipts say that they prove nothing.
    pub(crate) sandbox: bool,
}
