//! Identifiers of reference data: short stable texts chosen by the editor of the tables.
//!
//! To everyone else an identifier is opaque. Browsers send it back, and carts and orders store it, so it must never get
//! a second meaning.

use std::fmt;
use std::str::FromStr;

use crate::TextError;

/// The longest identifier, in characters.
const ID_CHARS_MAX: usize = 64;

/// Returns whether a text may be an identifier: 1 to 64 of `a-z`, `0-9`, `-`, `.` and `_`.
fn is_id(text: &str) -> bool {
    (1..=ID_CHARS_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_'))
}

macro_rules! text_ids {
    ($($(#[$meaning:meta])* $name:ident;)+) => {$(
        $(#[$meaning])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Parses an identifier; `None` if the text is empty, longer than 64 characters or has characters other
            /// than `a-z`, `0-9`, `-`, `.` and `_`. The row need not exist.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                is_id(text).then(|| Self(text.to_owned()))
            }

            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = TextError;

            fn from_str(text: &str) -> Result<Self, TextError> {
                Self::parse(text).ok_or(TextError::NotAllowed)
            }
        }
    )+};
}

text_ids! {
    /// A payment type, such as the administrative fee of a private notary.
    PaymentTypeId;
    /// What is paid for within a payment type: a service or an extract.
    OptionId;
    /// How fast a service is rendered; the fee depends on it.
    TermId;
    /// A region of Ukraine.
    RegionId;
    /// A recipient's account; a new account of the same recipient is a new row with an identifier of its own.
    RequisiteId;
    /// A ready-made set of requisites for a payment to arbitrary requisites.
    TemplateId;
    /// A kind of deal, such as the sale of a home.
    DealKindId;
    /// A question that decides on the payments of a deal.
    DealFactId;
    /// An answer to such a question; no two questions share one.
    DealAnswerId;
    /// A payment that a deal may need, such as the income tax.
    DealLineId;
    /// A rule by which a payment of a deal is calculated.
    DealRuleId;
}
