//! Reports of a notary and her books.

pub mod income_book;
pub mod overview;
mod period_query;
pub mod tax_quarter;
