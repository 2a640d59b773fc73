//! How an order is paid: attempts at the acquirer, what the acquirer reports, and what follows.
//!
//! [`decide_settlement`] alone decides what a fact about a payment does to an order. [`next_call`] decides what the acquirer is
//! asked next, [`renewal`] whether an order gets a fresh payment page, and [`admit_refund`] whether money may be given back. All are pure
//! functions of the stored data and the moment.

mod absence;
mod acquirer;
mod alarm;
mod attempt;
pub(crate) mod card;
pub(crate) mod card_figures;
mod case;
mod client_standing;
mod codes_mark;
mod comparison;
mod decline;
mod delays;
mod diagram;
mod ending;
mod facts;
mod invoice;
pub(crate) mod proof;
mod refund;
mod refused_page;
pub(crate) mod removed_card;
mod renewal;
mod report;
mod schedule;
mod settlement;
mod state;
mod statement_window;

pub use absence::{Absence, Clocks, Evidence, Expected, Missing};
pub use acquirer::AcquirerName;
pub use alarm::{Alarm, AlarmKind};
pub use attempt::{Attempt, AttemptKind, AttemptState, NewAttempt, Told};
pub use case::{Case, NextCall, OrderFacts, next_call};
pub use client_standing::ClientStanding;
pub use codes_mark::{CodesMark, codes_mark, may_undo_codes_mark};
pub use comparison::{ComparisonFinding, StatementDay, StatementLine, compare};
pub use delays::{AcquirerDelays, Delays};
pub use diagram::diagrams;
pub use ending::{Blamed, PaymentEnding};
pub use invoice::{CardDetails, InvoiceId, InvoiceNews, InvoiceStatus};
pub use refund::{
    KnownPart, NextRefundCall, OpenDoubts, Refund, RefundAnswer, RefundEnd, RefundNews,
    RefundRefusal, RefundScope, RefundStage, RefundState, RefundWish, admit_known_refund,
    admit_refund, by_hand, next_refund_call, unexplained,
};
pub use refused_page::{PageFault, RefusedPage};
pub use renewal::{Renewal, renewal};
pub use report::NewReport;
pub use settlement::{
    Answer, Effect, News, Search, Settlement, SettlementVerdict, decide_settlement,
};
pub use state::PaymentState;
pub use statement_window::statement_window;
