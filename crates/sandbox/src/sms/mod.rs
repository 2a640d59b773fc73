//! The message service: TurboSMS's interface and the inbox behind it.

mod api;
mod inbox;

pub(crate) use api::routes;
pub(crate) use inbox::Inbox;
pub use inbox::Message;
