//! The cart.

pub mod act;
pub mod add;
pub mod complaint;
pub mod delete_item;
pub mod edit_item;
pub mod get;
pub mod items_count;
pub mod last_client;
pub mod refresh_item;
pub mod restore_item;
pub mod set_item_count;
pub mod sheet;
