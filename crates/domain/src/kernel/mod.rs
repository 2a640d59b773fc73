//! What every subject is made of: money, identifiers, texts, time, languages and the keys of messages.

pub(crate) mod amount_in_words;
pub(crate) mod card_detection;
pub(crate) mod cbc;
pub(crate) mod client_code;
pub mod csv;
pub(crate) mod email;
pub(crate) mod env;
pub(crate) mod iban;
pub(crate) mod ids;
pub(crate) mod key;
pub(crate) mod kyiv;
pub(crate) mod locale;
pub(crate) mod money;
pub(crate) mod okpo;
pub(crate) mod origin;
pub(crate) mod person_name;
pub(crate) mod phone;
pub(crate) mod search;
pub(crate) mod text;
pub(crate) mod typed_sum;
pub(crate) mod words;
