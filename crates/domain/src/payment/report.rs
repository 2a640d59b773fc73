//! Reports of the acquirer, as they came.

use std::fmt;

use jiff::Timestamp;

use super::{AcquirerName, InvoiceId};
use crate::ReportId;

/// A report with a valid signature.
#[derive(Clone)]
pub struct NewReport {
    /// The id.
    pub id: ReportId,
    /// Who sent it.
    pub acquirer: AcquirerName,
    /// When it came.
    pub received_at: Timestamp,
    /// The invoice it is about, where it could be read.
    pub invoice_id: Option<InvoiceId>,
    /// The acquirer's own time of the change, where it could be read.
    pub modified_at: Option<Timestamp>,
    /// The body as it came.
    pub body: Vec<u8>,
    /// The signature as it came.
    pub signature: Option<String>,
    /// How it was handled, in one word.
    pub verdict: String,
}

/// Shows nothing of the body.
impl fmt::Debug for NewReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewReport")
            .field("id", &self.id)
            .field("verdict", &self.verdict)
            .finish_non_exhaustive()
    }
}
