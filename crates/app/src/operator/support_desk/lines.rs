//! An order as the support sees it.

use cabinet_domain::payment::{
    AcquirerName, Alarm, AttemptKind, AttemptState, InvoiceStatus, PaymentState, Refund,
    RefundStage, RefundState,
};
use cabinet_domain::{
    AttemptId, BudgetCode, ClientLink, ItemId, KeptComplaint, Key, Money, NotaryId,
    OrderHistoryEvent, OrderId, OrderStatus, PartRole, PaymentKind, PaymentMethod, RefundId,
    TransferId, TransferStatus,
};
use jiff::Timestamp;
use jiff::civil::Date;

/// An order with everything that is known of it. Texts about people are masked unless they were asked for.
#[derive(Clone, Debug)]
pub struct OrderFile {
    /// The id.
    pub id: OrderId,
    /// The short number.
    pub number: i64,
    /// The status.
    pub status: OrderStatus,
    /// The state of its payment.
    pub payment_state: PaymentState,
    /// Why it is not paid.
    pub failure: Option<Key>,
    /// The charged sum.
    pub sum: Money,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The card, masked.
    pub card: Option<String>,
    /// Whether there is a page where it can be paid now.
    pub has_page: bool,
    /// When QR codes were given out.
    pub codes_given_at: Option<Timestamp>,
    /// When the notary marked it as paid by them.
    pub codes_paid_at: Option<Timestamp>,
    /// When a cancellation was begun that has not ended.
    pub cancel_begun_at: Option<Timestamp>,
    /// When it was cancelled.
    pub cancelled_at: Option<Timestamp>,
    /// When its items went back to the cart.
    pub returned_to_cart_at: Option<Timestamp>,
    /// Whether the names were taken out of it.
    pub is_anonymised: bool,
    /// The code on its receipts, if it was paid.
    pub receipt_code: Option<String>,
    /// Name of the client.
    pub client_name: String,
    /// Code of the client.
    pub client_code: String,
    /// The notary.
    pub notary: NotaryLine,
    /// The link for the client.
    pub link: Option<ClientLink>,
    /// What the acquirer said last.
    pub acquirer: Option<AcquirerWord>,
    /// In the order of the cart.
    pub items: Vec<ItemLine>,
    /// Its own attempts, the earliest first, then stray invoices.
    pub attempts: Vec<AttemptLine>,
    /// What the support gave or gives back to the card, the earliest first.
    pub refunds: Vec<RefundLine>,
    /// The acquirer's reports, the earliest first.
    pub reports: Vec<ReportLine>,
    /// What happened, the earliest first.
    pub events: Vec<OrderHistoryEvent>,
    /// By document number.
    pub transfers: Vec<TransferLine>,
    /// Open and closed.
    pub alarms: Vec<Alarm<String>>,
    /// About its items.
    pub complaints: Vec<KeptComplaint>,
}

/// The account of an order.
#[derive(Clone, Debug)]
pub struct NotaryLine {
    /// The id.
    pub id: NotaryId,
    /// Name.
    pub name: String,
    /// Phone.
    pub phone: String,
    /// Identifier in the register.
    pub identifier: String,
    /// Whether the owner may order.
    pub standing: &'static str,
    /// private, state or suspended.
    pub status: &'static str,
}

/// The latest thing that the acquirer told of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcquirerWord {
    /// The state of the invoice.
    pub status: InvoiceStatus,
    /// When it changed, by the acquirer's clock.
    pub at: Timestamp,
    /// The code of a failure.
    pub failure_code: Option<String>,
}

/// An item of an order.
#[derive(Clone, Debug)]
pub struct ItemLine {
    /// The id.
    pub id: ItemId,
    /// Place in the order.
    pub position: i64,
    /// What is paid for.
    pub kind: PaymentKind,
    /// Service, term and region.
    pub service: String,
    /// How many units.
    pub count: u16,
    /// Name of the recipient.
    pub recipient: Option<String>,
    /// Account of the recipient.
    pub account: Option<String>,
    /// Code of the recipient.
    pub code: Option<String>,
    /// The budget code.
    pub budget_code: Option<BudgetCode>,
    /// The purpose.
    pub purpose: String,
    /// Who gets what of one unit.
    pub parts: Vec<PartLine>,
    /// What the card is charged for all units.
    pub total: Option<Money>,
}

/// A part of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartLine {
    /// Who gets it.
    pub role: PartRole,
    /// What that one gets.
    pub amount: Money,
    /// What the service charges for it.
    pub commission: Money,
}

/// An attempt to have an order paid.
#[derive(Clone, Debug)]
pub struct AttemptLine {
    /// The id, which is our reference at the acquirer unless it is a stray invoice.
    pub id: AttemptId,
    /// Who was asked.
    pub acquirer: AcquirerName,
    /// What was requested.
    pub kind: AttemptKind,
    /// The state.
    pub state: AttemptState,
    /// The outcome.
    pub outcome: Option<OrderStatus>,
    /// Whether the cabinet did not know its invoice.
    pub is_stray: bool,
    /// The acquirer's invoice.
    pub invoice: Option<String>,
    /// The sum to be charged.
    pub amount: Money,
    /// When it was begun.
    pub created_at: Timestamp,
    /// The latest state that the acquirer told, and its time.
    pub told: Option<(InvoiceStatus, Timestamp)>,
    /// When the money was charged.
    pub charged_at: Option<Timestamp>,
    /// When all of it was given back.
    pub reversed_at: Option<Timestamp>,
    /// What was given back so far.
    pub refunded: Money,
    /// When its page was closed at our request.
    pub withdrawn_at: Option<Timestamp>,
    /// The card, masked.
    pub card: Option<String>,
    /// The reference of the card operation.
    pub rrn: Option<String>,
    /// Authorisation code of the issuing bank.
    pub approval_code: Option<String>,
    /// The acquirer's code of a failure.
    pub failure_code: Option<String>,
    /// How often the acquirer was asked.
    pub checks: i64,
    /// When it is asked next.
    pub next_check_at: Option<Timestamp>,
    /// The latest error.
    pub last_error: Option<String>,
}

/// A refund that the support asked for.
#[derive(Clone, Debug)]
pub struct RefundLine {
    /// The id, which is our reference at the acquirer.
    pub id: RefundId,
    /// What of the charge: `whole`, `sum` or `transfer`.
    pub scope: &'static str,
    /// The document number of the transfer.
    pub document: Option<i64>,
    /// The sum.
    pub amount: Money,
    /// How far it has come.
    pub state: RefundState,
    /// Why the acquirer did not carry it out.
    pub code: Option<String>,
    /// Why it was asked for.
    pub reason: String,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When its end became known.
    pub ended_at: Option<Timestamp>,
    /// When the money went back, by the acquirer's clock.
    pub done_at: Option<Timestamp>,
    /// How often the acquirer was asked.
    pub checks: i64,
    /// When it is asked next.
    pub next_check_at: Option<Timestamp>,
    /// The latest error.
    pub last_error: Option<String>,
}

impl RefundLine {
    /// Returns a refund as it is shown; `document` is the number of its transfer.
    pub(super) fn of(refund: &Refund, document: Option<i64>) -> RefundLine {
        let stage = &refund.stage;
        RefundLine {
            id: refund.id,
            scope: refund.scope.as_str(),
            document,
            amount: refund.amount,
            state: stage.state(),
            code: stage.code().map(str::to_owned),
            reason: refund.reason.as_str().to_owned(),
            created_at: refund.created_at,
            ended_at: stage.ended_at(),
            done_at: match stage {
                RefundStage::Done { at } => Some(*at),
                _ => None,
            },
            checks: refund.checks,
            next_check_at: stage.next_check_at(),
            last_error: stage.last_error().map(str::to_owned),
        }
    }
}

/// A report of the acquirer.
#[derive(Clone, Debug)]
pub struct ReportLine {
    /// When it came.
    pub received_at: Timestamp,
    /// The invoice.
    pub invoice: Option<String>,
    /// The acquirer's time of the change.
    pub modified_at: Option<Timestamp>,
    /// What became of it.
    pub verdict: String,
    /// The state that it tells. `None`: its body can't be read, or is not kept any more.
    pub status: Option<InvoiceStatus>,
    /// The sum of the invoice.
    pub amount: Option<Money>,
    /// What was charged less what was given back.
    pub final_amount: Option<Money>,
    /// Code and words of a failure.
    pub failure: Option<String>,
    /// The reference of the card operation.
    pub rrn: Option<String>,
    /// Refunds: status and sum of each.
    pub refunds: Vec<(String, Option<Money>)>,
}

/// A transfer of an order.
#[derive(Clone, Debug)]
pub struct TransferLine {
    /// The id.
    pub id: TransferId,
    /// The number of its document.
    pub document_number: i64,
    /// Whose part it is.
    pub role: PartRole,
    /// The sum.
    pub amount: Money,
    /// The state.
    pub status: TransferStatus,
    /// Name of the recipient.
    pub recipient: String,
    /// Account of the recipient.
    pub account: String,
    /// Since when it waits for the operator.
    pub held_at: Option<Timestamp>,
    /// The day on which the bank was given it.
    pub value_date: Option<Date>,
    /// The day on which it was credited.
    pub credited_on: Option<Date>,
    /// The day on which it came back.
    pub returned_on: Option<Date>,
    /// The bank's reason.
    pub reason: Option<String>,
    /// The number of the returned transfer that it sends again.
    pub replaces: Option<i64>,
    /// When the notary asked for it to go back to the card.
    pub refund_asked_at: Option<Timestamp>,
    /// When it went back to the card.
    pub refunded_at: Option<Timestamp>,
}
