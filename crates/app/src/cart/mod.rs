//! The cart: payments of one notary, grouped by client.

mod act;
mod add;
mod add_deal;
mod capacity;
mod change_item;
mod check;
mod complaint;
mod conflicts;
mod content;
mod deal_draft;
mod deal_request;
mod duplicate;
pub(crate) mod duplicate_payment;
mod edit;
mod fee;
mod fee_rules;
mod free_form_rules;
mod item_id;
mod last_choices;
mod last_recipients;
mod offered;
mod own_account;
mod own_codes;
mod payee;
mod repeat_order;
mod repricing;
mod request;
mod rules;
pub mod sheet;
mod version;
mod view;

use std::sync::Arc;

use cabinet_domain::{Clock, RegisterNumberRule};
use cabinet_storage::Store;

use crate::catalogue::reference::Reference;
use crate::kernel::ids::Ids;
use crate::kernel::keys::Keys;

pub use add::AddedItem;
pub use change_item::{EditableItem, ItemEdit};
pub use deal_draft::DealDraft;
pub use deal_request::{DealToAdd, RequestedDealLine, RequestedParty};
pub use edit::CountChange;
pub use last_choices::LastChoices;
pub use last_recipients::{LastRecipient, LastRecipients};
pub use offered::OfferedToday;
pub use repeat_order::RepeatedOrder;
pub use repricing::Repricing;
pub use request::PaymentRequest;
pub use view::{CartGroupView, CartItemView, CartView};

pub(crate) use capacity::check_room_for;
pub(crate) use check::check;
pub(crate) use content::content_of;
pub(crate) use fee::account_on;
pub(crate) use offered::offered_today;
pub(crate) use own_account::OwnAccounts;
pub(crate) use own_codes::OwnCodes;
pub(crate) use payee::{PayeeContext, corrected_payee};
pub(crate) use repricing::{refusal_today, repricing};

/// The carts of the notaries.
#[derive(Clone)]
pub struct Cart {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) own_accounts: OwnAccounts,
    pub(crate) keys: Arc<Keys>,
    pub(crate) reference: Reference,
    /// What numbers of acts it takes.
    pub(crate) register_number: RegisterNumberRule,
}
