//! The message services: the interfaces of TurboSMS and of SMS Club, and the inbox behind both.

mod api;
mod club;
mod inbox;

pub(crate) use api::routes;
pub(crate) use club::routes as club_routes;
pub(crate) use inbox::Inbox;
pub use inbox::Message;
