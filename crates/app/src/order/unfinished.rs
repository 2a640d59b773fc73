//! Orders that still want something of their notary.

use cabinet_domain::NotaryId;
use cabinet_storage::order::unfinished::{self, UnfinishedOrder};
use jiff::SignedDuration;

use super::Orders;
use crate::kernel::refusal::Result;

/// Orders that are told at most.
const TOLD_MAX: u32 = 50;
/// How long an order that was not paid is told: who has not paid it anew by then will not.
const UNPAID_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long a payment page is open at most: 30 days, and a day in which its end is learnt.
const OPEN_FOR: SignedDuration = SignedDuration::from_hours(31 * 24);

impl Orders {
    /// Returns the notary's newest orders that wait for the payer, or that were not paid in the last seven days and not given up.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn unfinished(&self, notary: NotaryId) -> Result<Vec<UnfinishedOrder>> {
        let now = self.clock.now();
        let (since, unpaid_since) = (now - OPEN_FOR, now - UNPAID_FOR);
        let read = move |tx: &mut cabinet_storage::Tx| {
            unfinished::of_notary(tx, notary, since, unpaid_since, now, TOLD_MAX)
        };
        Ok(self.store.read(read).await?)
    }
}
