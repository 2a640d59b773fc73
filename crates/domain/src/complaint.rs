//! What notaries say is wrong with an item.

use jiff::Timestamp;
use uuid::Uuid;

use crate::{ItemId, Line, NotaryId};

/// A complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Names the complaint.
    pub id: Uuid,
    /// Who complains.
    pub notary_id: NotaryId,
    /// About what; the item may be in the cart, in an order or deleted meanwhile.
    pub item_id: ItemId,
    /// What is wrong.
    pub text: Line,
    /// When.
    pub created_at: Timestamp,
}
