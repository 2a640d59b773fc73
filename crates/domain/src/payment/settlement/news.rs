//! What becomes known about a payment.

use jiff::{SignedDuration, Timestamp};

use crate::AttemptId;
use crate::payment::{InvoiceId, InvoiceNews, NewAttempt};

/// What the acquirer answered to a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It made an invoice. `page` is `None` where its page is on a host that must not be opened.
    Invoice {
        /// The invoice.
        invoice_id: InvoiceId,
        /// Where it is paid.
        page: Option<String>,
        /// When it was made, by the acquirer's clock, where that is known.
        made_at: Option<Timestamp>,
        /// Names the row of the invoice that this one takes the place of, should there be one.
        fresh: AttemptId,
    },
    /// It took the charge of a saved card.
    Charge {
        /// The invoice.
        invoice_id: InvoiceId,
        /// Where the payer confirms it, if she must.
        page: Option<String>,
        /// It named such a page on a host that must not be opened.
        is_page_unlisted: bool,
    },
    /// The request certainly did not reach it, or was turned away before anything was done.
    NotSent,
    /// It refused: nothing was charged and nothing will be.
    Refused {
        /// Its code.
        code: String,
    },
    /// No answer came: it may have done what was asked.
    Unknown {
        /// What went wrong, without personal data.
        error: String,
        /// How long it is left alone at least.
        pause: SignedDuration,
    },
}

/// What was read of the acquirer's statement while looking for an attempt's charge: nothing stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The acquirer's time of the answer, where it told one.
    pub as_of: Option<Timestamp>,
}

/// Something that became known about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The request is about to be sent. The second field is the acquirer's time, where it is known.
    Submitting(AttemptId, Option<Timestamp>),
    /// The acquirer answered a submission, or did not.
    Answered(AttemptId, Answer),
    /// The acquirer told the state of an invoice. The id names the row of the invoice, should the cabinet not know it.
    Told(Box<InvoiceNews>, AttemptId),
    /// The acquirer does not know the attempt's invoice.
    Missing(AttemptId),
    /// The acquirer's statement was read whole for the time around the attempt, and nothing stands there under its
    /// reference.
    NotOnStatement(AttemptId, Search),
    /// A question about the attempt got no answer.
    Silent {
        /// The attempt.
        attempt: AttemptId,
        /// What went wrong, without personal data.
        error: String,
        /// How long the acquirer is left alone at least.
        pause: SignedDuration,
        /// The acquirer refused to tell.
        is_refusal: bool,
    },
    /// The acquirer closed the attempt's page, or does not know its invoice any more.
    Withdrawn(AttemptId),
    /// The acquirer would not close the attempt's page.
    NotWithdrawn(AttemptId),
    /// The notary asked for a fresh way to pay, and [`crate::payment::renewal`] allowed it.
    Renewed(NewAttempt),
    /// The order can't be paid at its old price or account, and its items go back to the cart.
    ReturnedToCart,
    /// An alarm about the order was opened or closed outside of a settlement.
    Reviewed,
}
