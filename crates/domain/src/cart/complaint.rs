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
    /// The notary wants to be called back.
    pub call_back: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A complaint as the support sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptComplaint {
    /// The id.
    pub id: Uuid,
    /// The short number. `None` for a complaint of an earlier version.
    pub number: Option<i64>,
    /// The notary who complains.
    pub notary_id: NotaryId,
    /// The item.
    pub item_id: ItemId,
    /// The number of the order that has the item. `None`: it is in the cart, or was deleted.
    pub order_number: Option<i64>,
    /// What is wrong.
    pub text: Line,
    /// The notary wants to be called back. `None` of a complaint of an earlier version: its letter says so.
    pub call_back: Option<bool>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was answered, or closed without an answer.
    pub closed_at: Option<Timestamp>,
    /// What the notary was told.
    pub answer: Option<Line>,
}
