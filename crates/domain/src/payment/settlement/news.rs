//! What becomes known about a payment.

use jiff::{SignedDuration, Timestamp};

use crate::payment::{InvoiceId, InvoiceNews, NewAttempt, Refund, RefundAnswer, RefusedPage};
use crate::{AttemptId, CancelledItems, MaskedPan, RefundId};

/// The acquirer's answer to a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It made an invoice.
    Invoice {
        /// The invoice.
        invoice_id: InvoiceId,
        /// Where it is paid, or why that page is shown to nobody.
        page: Result<String, RefusedPage>,
        /// When it was made, by the acquirer's clock, where that is known.
        made_at: Option<Timestamp>,
        /// The id for the attempt that this invoice displaces, if any.
        fresh: AttemptId,
    },
    /// It accepted the charge of a saved card.
    Charge {
        /// The invoice.
        invoice_id: InvoiceId,
        /// The page where the payer confirms it, if that is needed, or why that page is shown to nobody.
        page: Option<Result<String, RefusedPage>>,
    },
    /// The sender knows that the request did not reach it, or was rejected before anything was done.
    NotSent,
    /// It refused: nothing was charged and nothing will be.
    Refused {
        /// Its code.
        code: String,
    },
    /// No answer came: it may have executed the request.
    Unknown {
        /// What went wrong, without personal data.
        error: String,
        /// The minimal pause before it is asked again.
        pause: SignedDuration,
    },
}

/// The result of reading the acquirer's statement for an attempt's charge: it is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The acquirer's time of the answer, if known.
    pub as_of: Option<Timestamp>,
}

/// Something that became known about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The request is about to be sent. The second field is the acquirer's time, where it is known.
    Submitting(AttemptId, Option<Timestamp>),
    /// Nobody has sent the request in time, so the attempt is given up. It says nothing about an attempt that was sent meanwhile:
    /// the sender's own certainty is [`Answer::NotSent`].
    GivenUpUnsent(AttemptId),
    /// The acquirer answered a submission, or did not.
    Answered(AttemptId, Answer),
    /// The state of an invoice. The id is for the attempt of the invoice, if the cabinet does not know it.
    Told(Box<InvoiceNews>, AttemptId),
    /// The acquirer does not know the attempt's invoice. The second field is its time, where that is known.
    Missing(AttemptId, Option<Timestamp>),
    /// Nothing was sent to the attempt's acquirer for certain, and the new attempt asks the next one.
    AskedElsewhere(AttemptId, NewAttempt),
    /// The acquirer's statement was read completely for the time around the attempt, and has nothing under its
    /// reference.
    NotOnStatement(AttemptId, Search),
    /// A request about the attempt got no answer.
    Silent {
        /// The attempt.
        attempt: AttemptId,
        /// What went wrong, without personal data.
        error: String,
        /// The minimal pause before the acquirer is asked again.
        pause: SignedDuration,
        /// Whether the acquirer refused to answer.
        is_refusal: bool,
    },
    /// The acquirer closed the attempt's page.
    Withdrawn(AttemptId),
    /// The acquirer did not close the attempt's page.
    NotWithdrawn(AttemptId),
    /// The notary requested a fresh payment page, or to charge this saved card, and [`crate::payment::renewal`] allowed it.
    Renewed(NewAttempt, Option<MaskedPan>),
    /// The order cannot be paid at its old price or account; its items are returned to the cart.
    ReturnedToCart,
    /// The notary cancelled the order, and [`crate::payment::renewal`] has shown that no page of it is open.
    Cancelled(CancelledItems),
    /// Money is to be given back to the card, and [`crate::payment::admit_refund`] allowed it.
    RefundAsked(Box<Refund>),
    /// The operator knows that money went back to the card, and [`crate::payment::admit_known_refund`] has found it in what the acquirer told.
    RefundKnown(Box<Refund>),
    /// The request for a refund is about to be sent. The second field is the acquirer's time, where it is known.
    RefundSubmitting(RefundId, Option<Timestamp>),
    /// Nobody has sent the request for a refund in time, so it is given up.
    RefundGivenUpUnsent(RefundId),
    /// The acquirer answered the request for a refund, or did not.
    RefundAnswered(RefundId, RefundAnswer),
    /// A question about a refund got no answer.
    RefundSilent {
        /// The refund.
        refund: RefundId,
        /// What went wrong, without personal data.
        error: String,
        /// The minimal pause before the acquirer is asked again.
        pause: SignedDuration,
    },
    /// An alarm about the order was opened or closed outside of a settlement.
    Reviewed,
}
