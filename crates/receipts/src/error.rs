//! Errors of receipts.

use cabinet_domain::ItemId;

/// Why a receipt could not be made. No variant contains personal data, so all of them may be logged.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// The item asked for is not in the order.
    #[error("item {0} is not in the order")]
    NoSuchItem(ItemId),
    /// The order has no items.
    #[error("the order has no items")]
    NothingPaid,
    /// The sums of an item do not add up: (amount + commission) × count must be the total, and its transfers must add up to
    /// amount × count.
    #[error("the sums of item {0} do not add up")]
    SumsDisagree(ItemId),
    /// The total of the items is larger than the largest sum.
    #[error("the sums of the order are too large")]
    SumTooLarge,
    /// A time is outside of the calendar.
    #[error("a time of the order cannot be shown in Kyiv time")]
    Time,
    /// A font inside the program could not be read.
    #[error("a font of the receipts cannot be read")]
    FontUnreadable,
    /// The PDF library failed. The text contains nothing of the receipt.
    #[error("the PDF could not be written: {0}")]
    Pdf(String),
    /// The archive could not be written, mostly because the receiver is gone.
    #[error("the archive could not be written")]
    Archive(#[from] zip::result::ZipError),
}
