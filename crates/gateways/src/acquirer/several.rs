//! Several acquirers: who is asked for a new payment page, and who for everything later about it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{
    Acquirer, AcquirerError, AcquirerName, CardKeeper, Invoice, InvoiceId, InvoiceRequest,
    InvoiceState, PaymentReference, RefundAnswer, RefundRequest, ReportError, Statements,
};

/// Why acquirers can't be asked in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AcquirerOrderError {
    /// Nobody is named.
    #[error("no acquirer is named for new payments")]
    Empty,
    /// Somebody who is named can't be called.
    #[error("{} is named for new payments and is not set up", .0.as_str())]
    Unknown(AcquirerName),
}

/// The acquirers of an installation. Cloning is cheap.
#[derive(Clone)]
pub struct Acquirers {
    /// All that can be called.
    known: Vec<Arc<dyn Acquirer>>,
    /// Who is asked first for a new payment page.
    first: AcquirerName,
    /// Those that are asked then, in this order.
    next: Vec<AcquirerName>,
    cards: Arc<dyn CardKeeper>,
    /// Those that give a statement.
    statements: Vec<Arc<dyn Statements>>,
}

impl Acquirers {
    /// Returns one acquirer, which is asked for everything.
    pub fn only<A: CardKeeper + Statements + 'static>(acquirer: Arc<A>) -> Self {
        Self {
            first: acquirer.name(),
            next: Vec::new(),
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

    /// Sets who is asked for new payment pages, in this order.
    ///
    /// # Errors
    /// Nobody is named, or somebody who can't be called.
    pub fn in_order(mut self, order: &[AcquirerName]) -> Result<Self, AcquirerOrderError> {
        let (first, next) = order.split_first().ok_or(AcquirerOrderError::Empty)?;
        let is_unknown = |name: &AcquirerName| !self.known.iter().any(|one| one.name() == *name);
        if let Some(unknown) = order.iter().copied().find(is_unknown) {
            return Err(AcquirerOrderError::Unknown(unknown));
        }
        (self.first, self.next) = (*first, next.to_vec());
        Ok(self)
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
        self.first
    }

    /// Returns who is asked next, after one to which certainly nothing was sent.
    #[must_use]
    pub fn after(&self, name: AcquirerName) -> Option<AcquirerName> {
        let order = || std::iter::once(self.first).chain(self.next.iter().copied());
        order().skip_while(|known| *known != name).nth(1)
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
            .field("first", &self.first)
            .field("next", &self.next)
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

#[cfg(test)]
mod tests {
    use AcquirerName::{LiqPay, Monobank};
    use secrecy::SecretString;

    use super::*;
    use crate::monobank::{self, MonobankSettings};
    use crate::outbound::BaseUrl;

    fn monobank_only() -> Acquirers {
        let address = BaseUrl::parse("https://bank.example").unwrap();
        let settings = MonobankSettings::new(address, SecretString::from("token"));
        Acquirers::only(Arc::new(monobank::Monobank::new(settings).unwrap()))
    }

    #[test]
    fn nobody_is_asked_in_the_place_of_an_acquirer_that_is_not_set_up() {
        let order = |names: &[AcquirerName]| monobank_only().in_order(names).map(|_| ());
        let unknown = Err(AcquirerOrderError::Unknown(LiqPay));
        assert_eq!(order(&[LiqPay]), unknown);
        assert_eq!(order(&[Monobank, LiqPay]), unknown);
        assert_eq!(order(&[]), Err(AcquirerOrderError::Empty));
        assert_eq!(order(&[Monobank]), Ok(()));
    }

    #[test]
    fn acquirers_are_asked_in_their_order() {
        let acquirers = monobank_only().and(Arc::new(Absent(LiqPay)));
        assert_eq!(
            (acquirers.first(), acquirers.after(Monobank)),
            (Monobank, None)
        );
        let acquirers = acquirers.in_order(&[LiqPay, Monobank]).unwrap();
        assert_eq!(
            (acquirers.first(), acquirers.after(LiqPay)),
            (LiqPay, Some(Monobank))
        );
        assert_eq!(acquirers.after(Monobank), None);
        let acquirers = acquirers.in_order(&[LiqPay]).unwrap();
        // What was begun there before ends there, and nobody comes after it.
        assert_eq!(acquirers.after(Monobank), None);
    }
}
