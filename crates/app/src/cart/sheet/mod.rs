//! Payments from a sheet: what is read of a file, what of its rows is right, and adding the right ones to the cart.
//!
//! Nothing is stored by reading. The texts of the cells are all that comes back with an edited or added row: they are recognised anew,
//! so a row can't say something else than it shows.

mod add;
mod cells;
mod choices;
mod markup;
mod parts;
mod payment;
mod read;
mod recognise;
mod references;
mod report;
mod template;
mod workbook;

pub use add::SheetRowToAdd;
pub use cells::{CELL_CHARS_MAX, SheetCells, SheetRow};
pub use payment::SheetPayment;
pub use read::{ReadSheet, SHEET_ROWS_MAX, read_sheet, read_sheet_text};
pub use report::{Finding, RowReport};
