//! Deals: their kinds, what one needs to be paid for, and its payments in the cart.

pub mod calculate;
pub mod cart;
pub mod kinds;
