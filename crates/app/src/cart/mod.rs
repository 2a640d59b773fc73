//! The cart: payments of one notary, grouped by client.

mod add;
mod check;
mod complaint;
mod edit;
mod list;
mod purpose_text;
mod room;
mod today;

pub use add::AddedItem;
pub use check::{CheckedPayment, Fee, PaymentWish, check};
pub use edit::CountChange;
pub use list::{CartGroupView, CartItemView, CartView};
pub use today::{Change, changes_of};

pub(crate) use add::content_of;
pub(crate) use purpose_text::of_notary_part;
pub(crate) use room::must_have_room;
