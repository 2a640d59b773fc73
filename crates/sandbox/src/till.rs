//! What all ways of paying share: the form, the saved card, the test interface.

use crate::sandbox::Sandbox;
use crate::world::{Card, NotPayable, Paid};

impl Sandbox {
    /// The payment page of an invoice.
    pub(crate) fn page_url(&self, id: &str) -> String {
        format!("{}/pay/{id}", self.settings().public_url)
    }

    /// The page where the holder confirms a payment.
    pub(crate) fn challenge_url(&self, id: &str) -> String {
        format!("{}/pay/{id}/3ds", self.settings().public_url)
    }

    /// Charges a card for an invoice.
    pub(crate) fn charge(&self, id: &str, card: &Card, save: bool) -> Result<Paid, NotPayable> {
        let marks = self.marks();
        let processing_time = self.settings().processing_time;
        let paid = self.act(|world, now| world.pay(id, card, save, processing_time, marks, now))?;
        if paid == Paid::Processing {
            self.settle_later(id.to_owned());
        }
        Ok(paid)
    }

    /// Takes the holder's answer on the 3-D Secure page.
    pub(crate) fn answer_challenge(&self, id: &str, confirmed: bool) -> Result<Paid, NotPayable> {
        self.act(|world, now| world.answer_challenge(id, confirmed, now))
    }

    /// Sees to it that slow payments of before a restart succeed, too.
    pub(crate) fn settle_what_was_on_its_way(&self) {
        for id in self.act(|world, _| world.unsettled()) {
            self.settle_later(id);
        }
    }

    fn settle_later(&self, id: String) {
        if self.settings().by_hand {
            return;
        }
        let sandbox = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(sandbox.settings().processing_time).await;
            sandbox.act(|world, now| world.settle(&id, now));
        });
    }
}
