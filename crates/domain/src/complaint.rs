//! Complaints of notaries about items.

use jiff::Timestamp;
use uuid::Uuid;

use crate::{ItemId, Line, NotaryId};

/// A complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The id.
    pub id: Uuid,
    /// The short number, to be said on the telephone.
    pub number: i64,
    /// The notary who complains.
    pub notary_id: NotaryId,
    /// The item; it may be in the cart, in an order, or deleted meanwhile.
    pub item_id: ItemId,
    /// What is wrong.
    pub text: Line,
    /// When it was made.
    pub created_at: Timestamp,
}
