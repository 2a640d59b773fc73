//! Receipts and other documents of orders as PDF, the ZIP archive of receipts, and tables as spreadsheets.
//!
//! The functions are pure: [`ReceiptOrder`] contains everything that a receipt shows, and the same input gives the same bytes.
//!
//! There are two receipts (specification, point 4). [`payment_receipt`] shows what was paid to the recipients, with a slip for
//! each transfer that has the requisites of a payment instruction. [`commission_receipt`] shows what the service charged. Both
//! are tagged PDF/A-2a and PDF/UA-1. [`receipts_document`] and [`receipts_zip`] put those of many orders together.
//!
//! The other documents are [`extract()`], for the notarial file, [`application()`], for the return of money, [`deal_calculation`], and
//! [`payment_codes()`], the QR codes of an unpaid order; [`personal_data()`] is for a person who asks. The spreadsheets are [`payments_workbook`], [`payment_sheet`],
//! [`acts_workbook`], [`income_book`] and [`tax_quarter`].
//!
//! How a receipt is made: `order` checks that the figures add up. `payment` and `commission` say what the receipt
//! contains, and `parties` who pays. `codes_paid` says the same of orders that were paid
//! by QR codes. `draft`, `items_table`, `slip`, `verification` and `frame` lay it out on `sheet`s as
//! `marks`. `text` cleans and breaks text, `font` measures it. `paint` writes the sheets as PDF. To add a line to a slip, add its
//! label to `wording` in both languages and the pair to the `lines` of the slip.

mod act_wording;
mod application;
mod application_wording;
mod archive;
mod codes_paid;
mod codes_wording;
mod commission;
mod deal;
mod deal_wording;
mod draft;
mod error;
mod extract;
mod font;
mod format;
mod frame;
mod items_table;
mod many;
mod marks;
mod names;
mod order;
mod paint;
mod parties;
mod payment;
mod payment_codes;
mod personal_data;
mod row;
mod sheet;
mod slip;
mod structure;
mod style;
mod text;
mod transfer_code;
mod units;
mod verification;
mod wording;
mod workbook;

#[cfg(test)]
mod any_text;
// The samples, which unit tests share with the integration tests, use the crate by its name.
#[cfg(test)]
extern crate self as cabinet_receipts;

pub use application::{Application, application, application_name};
pub use archive::{ArchiveEntry, receipts_zip};
pub use commission::commission_receipt;
pub use deal::{DealCalculation, PrintedDeal, deal_calculation, deal_calculation_name};
pub use error::ReceiptError;
pub use extract::{extract, extract_name};
pub use many::{receipts_document, receipts_name};
pub use names::{
    ReceiptKind, archive_name, archived_commission_name, archived_item_name, item_receipt_name,
    order_receipt_name, safe_file_name,
};
pub use order::{
    Fiscal, Operator, PaidByCodes, Provider, ReceiptItem, ReceiptOrder, ReceiptTransfer, Returned,
    Selection, SlipTitles, Vat, Verification,
};
pub use payment::payment_receipt;
pub use payment_codes::{CodedTransfer, PaymentCodes, payment_codes, payment_codes_name};
pub use personal_data::{
    PersonalData, PersonalDataOfNotary, PersonalRecord, personal_data, personal_data_value,
    personal_data_word,
};
pub use transfer_code::{Symbol, TransferLink};
pub use wording::{kind_name, receipt_kind_name, transfer_status_name};
pub use workbook::{
    ActRow, BookRow, PaymentRow, PaymentSheet, TaxMark, TaxRow, WorkbookError, acts_workbook,
    income_book, payment_sheet, payments_workbook, tax_quarter, workbook_name,
};
