//! Orders: made of the cart, looked at, exported, repeated.

mod act;
mod create;
mod details;
mod export;
pub(crate) mod notarial_act;
pub(crate) mod own_order;
mod pay_again;
mod repeat;
mod request;
mod search;
pub(crate) mod span;
pub(crate) mod summary;
mod unfinished;
mod view;

use std::sync::Arc;

use cabinet_domain::{AccountLimits, Clock, RegisterNumberRule};
use cabinet_storage::Store;
use tokio::sync::Semaphore;

use crate::catalogue::reference::Reference;
use crate::kernel::ids::Ids;
use crate::payment::Payments;
use crate::payment::approval::Approvals;
use crate::payment::saved_cards::SavedCards;

pub use details::OrderDetails;
pub use pay_again::PayAgainRequest;
pub use repeat::RepeatView;
pub use request::OrderRequest;
pub use search::OrderSearch;
pub use summary::OrderSummary;
pub use view::{OrderPage, OrderView};

pub use cabinet_storage::order::unfinished::UnfinishedOrder;

/// Makes orders and shows them.
#[derive(Clone)]
pub struct Orders {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) reference: Reference,
    pub(crate) payments: Payments,
    pub(crate) saved_cards: SavedCards,
    pub(crate) account_limits: AccountLimits,
    pub(crate) approvals: Approvals,
    /// What numbers of acts it takes.
    pub(crate) register_number: RegisterNumberRule,
    /// Held while a workbook is made. A large one takes tens of megabytes, so they are made one after the other.
    pub(crate) workbook_permit: Arc<Semaphore>,
}
