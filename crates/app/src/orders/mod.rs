//! Orders: made of the cart, looked at, put on receipts, exported.

mod cards;
mod create;
mod export;
mod receipt_check;
pub(crate) mod receipt_facts;
mod receipts;
mod repeat;
mod view;

pub use cards::SavedCardView;
pub use create::OrderWish;
pub use receipt_check::CheckedReceipt;
pub use receipts::{ReceiptFile, ReceiptWish};
pub use repeat::RepeatView;
pub(crate) use view::not_found;
pub use view::{OrderPage, OrderSearch, OrderSummary, OrderView};
