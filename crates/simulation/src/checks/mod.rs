//! The invariants that are checked during a history and at its end.

mod bank;
mod carts;
mod during;
mod end;
mod thieves;

pub(crate) use during::{
    check_asked_payment, check_closed, check_other_pages, check_page, check_question,
    check_shown_order,
};
pub(crate) use end::check_end;
pub(crate) use thieves::check_recipients;
