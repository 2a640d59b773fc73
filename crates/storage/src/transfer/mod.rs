//! Transfers: what a paid item owes to whom, and what banks have told of each.

pub mod bank_facts;
pub mod seals;
pub mod transfer_list;
pub mod transfer_lists;
pub mod transfer_search;
pub mod transfers;
pub mod transfers_of_day;
