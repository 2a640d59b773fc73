//! What the cabinet is asked to do, and what it answers.

use cabinet_app::cart::AddedItem;
use cabinet_app::kernel::refusal::AppError;
use cabinet_app::operator::support_desk::RefundOrderWish;
use cabinet_app::order::{OrderSummary, OrderView};
use cabinet_app::payment::ReportOutcome;
use cabinet_domain::{Money, OrderId};
use cabinet_sandbox::SignedReport;
use jiff::Timestamp;

use crate::browsers::ClientLink;
use crate::carts::{OpenForm, Ticket};
use crate::executor::Operation;
use crate::thieves::{Pretence, Theft};

/// How often a report is sent until it is accepted.
const REPORT_TRIES: u32 = 3;

/// What the cabinet is asked to do.
pub(crate) enum Action {
    Add {
        notary: usize,
        key: String,
        /// Purpose and amount, where the notary typed them.
        words: Option<(String, Money)>,
    },
    /// An item of a cart is changed.
    Edit {
        ticket: Option<Ticket>,
    },
    /// An item that was deleted is put back.
    Undo {
        ticket: Ticket,
    },
    /// A form that was filled with an item is saved.
    SaveForm {
        ticket: Ticket,
        form: OpenForm,
    },
    Order {
        notary: usize,
        key: String,
        client: String,
        token: Option<String>,
    },
    Link {
        notary: usize,
        order: OrderId,
        question: Question,
    },
    /// All payments of an order go into the cart again.
    Repeat {
        order: OrderId,
        key: String,
        question: Question,
    },
    /// A notary makes a link for a client.
    MakeLink {
        notary: usize,
        order: OrderId,
    },
    WithdrawLink {
        order: OrderId,
    },
    /// A client asks for the acquirer's page by a link.
    ClientPays {
        link: ClientLink,
        question: Question,
    },
    /// A notary or a client asks for the QR codes of an order.
    Codes {
        order: OrderId,
    },
    /// A notary marks an order as paid by its QR codes.
    MarkCodes {
        order: OrderId,
    },
    UndoMark {
        order: OrderId,
        was_marked: bool,
    },
    Cancel {
        notary: usize,
        order: OrderId,
        question: Question,
    },
    /// Another saved card is charged for an order that was not paid.
    PayAgain {
        notary: usize,
        order: OrderId,
        question: Question,
    },
    Look {
        notary: usize,
        order: OrderId,
        /// Whether the order had been charged before.
        charged: bool,
        /// Whether only a fresh answer of the acquirer is accepted.
        strictly: bool,
    },
    /// The support gives money back.
    GiveBack {
        order: OrderId,
        wish: RefundOrderWish,
    },
    /// A notary decides about a part that came back: it is sent again, or given back to the card.
    Decide {
        document_number: i64,
        again: bool,
    },
    /// A thief tries something.
    Steal {
        notary: usize,
        what: (Theft, Pretence),
    },
    Report(ReportDelivery),
    Work,
    Compare,
}

/// Whether somebody has to be asked first whether the QR codes of an order were paid: they were given out, and nobody says that they were not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) is_due: bool,
}

/// The answer of the cabinet.
pub(crate) enum Outcome {
    Added(AddedItem),
    Ordered(OrderSummary),
    Link(String),
    /// The token of a client's link.
    ClientLink(String),
    /// The payments of an order are in the cart again, which has so many items.
    Repeated(i64),
    /// A client's link opens nothing.
    OpensNothing,
    /// QR codes.
    Codes,
    Cancelled,
    PaidAgain(OrderSummary),
    Looked(Box<OrderView>),
    /// How far a refund has come.
    GivenBack(String),
    Report(ReportOutcome),
    Due(usize),
    Done,
}

/// A report that is being delivered.
#[derive(Clone)]
pub(crate) struct ReportDelivery {
    pub(crate) report: SignedReport,
    tries: u32,
}

impl ReportDelivery {
    pub(crate) fn new(report: SignedReport) -> ReportDelivery {
        ReportDelivery { report, tries: 0 }
    }

    /// Returns the next try after one that failed, unless it was the last.
    pub(crate) fn next_try(mut self) -> Option<ReportDelivery> {
        self.tries += 1;
        (self.tries < REPORT_TRIES).then_some(self)
    }
}

/// An action that has not ended.
pub(crate) struct Running {
    pub(crate) started: Timestamp,
    pub(crate) operation: Operation<Result<Outcome, AppError>>,
    pub(crate) action: Action,
}
