//! Charging a card: used by the payment page, saved cards and the test interface.

use crate::bank::{Card, ChargeResult, PayError};
use crate::sandbox::Sandbox;

impl Sandbox {
    /// Returns the address of an invoice's payment page.
    pub(crate) fn page_url(&self, id: &str) -> String {
        format!("{}/pay/{id}", self.settings().public_url)
    }

    /// Returns the address of the page where the holder confirms a payment.
    pub(crate) fn challenge_url(&self, id: &str) -> String {
        format!("{}/pay/{id}/3ds", self.settings().public_url)
    }

    /// Charges a card for an invoice.
    pub(crate) fn charge(
        &self,
        id: &str,
        card: &Card,
        save: bool,
    ) -> Result<ChargeResult, PayError> {
        let codes = self.operation_codes();
        let processing_time = self.settings().processing_time;
        let paid =
            self.with_bank(|bank, now| bank.pay(id, card, save, processing_time, codes, now))?;
        if paid == ChargeResult::Processing {
            self.finish_later(id.to_owned());
        }
        Ok(paid)
    }

    /// Records the holder's answer on the 3-D Secure page.
    pub(crate) fn answer_challenge(
        &self,
        id: &str,
        confirmed: bool,
    ) -> Result<ChargeResult, PayError> {
        self.with_bank(|bank, now| bank.answer_challenge(id, confirmed, now))
    }

    /// Lets slow payments from before a restart succeed, and carries out slow refunds.
    pub(crate) fn resume_slow_invoices(&self) {
        for id in self.with_bank(|bank, _| bank.slow_invoices()) {
            self.finish_later(id);
        }
    }

    pub(crate) fn finish_later(&self, id: String) {
        if self.settings().by_hand {
            return;
        }
        let sandbox = self.clone();
        // An advance before the task begins counts as well.
        let advanced = sandbox.settings().time.advanced();
        tokio::spawn(async move {
            let settings = sandbox.settings();
            let processing = settings.processing_time;
            settings
                .time
                .sleep_since_advance(advanced, processing)
                .await;
            sandbox.with_bank(|bank, now| bank.finish_slow(&id, now));
        });
    }
}
