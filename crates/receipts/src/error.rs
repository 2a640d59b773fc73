//! Why a receipt could not be made.

use cabinet_domain::ItemId;

/// Why there is no receipt. No variant carries personal data, so all of them may be logged.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// The item asked for is not in the order.
    #[error("item {0} is not in the order")]
    NoSuchItem(ItemId),
    /// The order has no items, so there is nothing to confirm.
    #[error("the order has no items")]
    NothingPaid,
    /// The figures of an item do not add up: (amount + commission) × count must be the total, and its transfers must add
    /// up to amount × count. A receipt with such figures must not leave the house.
    #[error("the sums of item {0} do not add up")]
    SumsDisagree(ItemId),
    /// The sums of the items together are larger than a sum can be.
    #[error("the sums of the order are too large")]
    SumTooLarge,
    /// A time cannot be shown: it is outside the calendar or Kyiv's time rules are missing.
    #[error("a time of the order cannot be shown in Kyiv time")]
    Time,
    /// A font that stands in the program could not be read: the program was built wrongly.
    #[error("a font of the receipts cannot be read")]
    FontUnreadable,
    /// The PDF library refused the document; the text names its reason without any text of the receipt.
    #[error("the PDF could not be written: {0}")]
    Pdf(String),
    /// The archive could not be written, mostly because whoever receives it has gone.
    #[error("the archive could not be written")]
    Archive(#[from] zip::result::ZipError),
}
