//! The paying bank: the operator's own bank, through which the cabinet's transfers are paid out. (The bank that issues the payers'
//! cards is another one: [`crate::bank`].)
//!
//! It takes payment files, checks each instruction, executes them on its next day, and writes statements. It reads the documented
//! formats by itself and knows nothing of the cabinet, so that a file which only the cabinet understands is refused here.

mod checks;
mod codes;
mod days;
mod files;
mod instruction;
mod interface;
mod known_accounts;
mod settings;
mod state;
mod statements;
mod taking;
mod xml;

pub(crate) use files::Format;
pub(crate) use interface::routes;
pub use settings::{Customer, PayingBankSettings};
pub(crate) use state::{
    AnswerResult, BookingKind, Line, PayingBank, Payment, PaymentStatus, Return, Ruling, Side,
    TakenFile,
};
