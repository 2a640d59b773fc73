//! Several acquirers: who is asked for a new payment page, and who for everything later about it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{
    Acquirer, AcquirerError, AcquirerName, CardKeeper, Invoice, InvoiceId, InvoiceRequest,
    InvoiceState, PaymentReference, RefundAnswer, RefundRequest, ReportError, Statements,
};

/// The acquirers of an installation. Cloning is cheap.
#[derive(Clone)]
pub struct Acquirers {
    /// All that can be called.
    known: Vec<Arc<dyn Acquirer>>,
    /// Those that are asked for a new payment page, in this order; never empty.
    order: Vec<AcquirerName>,
    cards: Arc<dyn CardKeeper>,
    /// Those that give a statement.
    statements: Vec<Arc<dyn Statements>>,
}

impl Acquirers {
    /// Returns one acquirer, which is asked for everything.
    pub fn only<A: CardKeeper + Statements + 'static>(acquirer: Arc<A>) -> Self {
        Self {
            order: vec![acquirer.name()],
            known: vec![Arc::clone(&acquirer) as Arc<dyn Acquirer>],
            cards: Arc::clone(&acquirer) as Arc<dyn CardKeeper>,
            statements: vec![acquirer],
        }
    }

    /// Adds an acquirer. It is asked about what it was asked for; for new pages only where the order names it.
    #[must_use]
    pub fn and(mut self, acquirer: Arc<dyn Acquirer>) -> Self {
        self.known.push(acquirer);
        self
    }

    /// Adds an acquirer's statement to those with which payments are compared.
    #[must_use]
    pub fn with_statement(mut self, acquirer: Arc<dyn Statements>) -> Self {
        self.statements.push(acquirer);
        self
    }

    /// Sets who is asked for new payment pages, in this order. Names of acquirers that can't be called are left out; if none is left, the
    /// order stays.
    #[must_use]
    pub fn in_order(mut self, order: &[AcquirerName]) -> Self {
        let is_known = |name: &AcquirerName| self.known.iter().any(|known| known.name() == *name);
        let order: Vec<AcquirerName> = order.iter().copied().filter(is_known).collect();
        if !order.is_empty() {
            self.order = order;
        }
        self
    }

    /// Returns an acquirer. One that can't be called, because its keys are not set any more, answers nothing.
    #[must_use]
    pub fn of(&self, name: AcquirerName) -> Arc<dyn Acquirer> {
        let known = self.known.iter().find(|known| known.name() == name);
        known.map_or_else(|| Arc::new(Absent(name)) as _, Arc::clone)
    }

    /// Returns who is asked first for a new payment page.
    #[must_use]
    pub fn first(&self) -> AcquirerName {
        self.order
            .first()
            .copied()
            .unwrap_or_else(|| self.cards.name())
    }

    /// Returns who is asked next, after one to which certainly nothing was sent.
    #[must_use]
    pub fn after(&self, name: AcquirerName) -> Option<AcquirerName> {
        let position = self.order.iter().position(|known| *known == name)?;
        self.order.get(position + 1).copied()
    }

    /// Returns the acquirer that keeps the saved cards.
    #[must_use]
    pub fn cards(&self) -> Arc<dyn CardKeeper> {
        Arc::clone(&self.cards)
    }

    /// Returns the acquirers that give a statement.
    #[must_use]
    pub fn statements(&self) -> Vec<Arc<dyn Statements>> {
        self.statements.clone()
    }

    /// Returns the present time by an acquirer's clock, once one has told it.
    #[must_use]
    pub fn time(&self) -> Option<Timestamp> {
        self.known.iter().find_map(|known| known.time())
    }
}

impl fmt::Debug for Acquirers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Acquirers")
            .field("order", &self.order)
            .finish_non_exhaustive()
    }
}

/// An acquirer whose keys are not set. Nothing is sent to it, so what is open there stays open.
struct Absent(AcquirerName);

impl Absent {
    fn error(&self) -> AcquirerError {
        tracing::error!(
            "A payment is with {}, whose keys are not in the settings: nothing can be asked about it",
            self.0.as_str()
        );
        AcquirerError::Unavailable
    }
}

#[async_trait]
impl Acquirer for Absent {
    fn name(&self) -> AcquirerName {
        self.0
    }

    async fn create_invoice(&self, _: &InvoiceRequest) -> Result<Invoice, AcquirerError> {
        Err(self.error())
    }

    async fn invoice_status(&self, _: &InvoiceId) -> Result<InvoiceState, AcquirerError> {
        Err(self.error())
    }

    async fn remove_invoice(&self, _: &InvoiceId) -> Result<(), AcquirerError> {
        Err(self.error())
    }

    async fn refund(&self, _: &RefundRequest) -> Result<RefundAnswer, AcquirerError> {
        Err(self.error())
    }

    async fn find_by_payment_reference(
        &self,
        _: &PaymentReference,
        _: Timestamp,
        _: Timestamp,
    ) -> Result<Vec<InvoiceId>, AcquirerError> {
        Err(self.error())
    }

    async fn verify_report(&self, _: Option<&str>, _: &[u8]) -> Result<InvoiceState, ReportError> {
        Err(ReportError::KeyUnavailable)
    }
}
