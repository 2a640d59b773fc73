//! Finding what a restored copy of the database lacks.

use std::sync::{MutexGuard, PoisonError};

use cabinet_domain::OrderId;
use cabinet_domain::payment::{Absence, Case, Clocks, Expected, Missing};
use cabinet_storage::Tx;
use cabinet_storage::engine::restored;
use cabinet_storage::payment::payments;
use cabinet_storage::transfer::transfers;
use jiff::{SignedDuration, Timestamp};

use super::comparison::Comparison;
use super::told_orders::ToldOrders;
use super::{DAYS_BACK, Reconciliation};
use crate::kernel::refusal::Result;
use crate::worker::leases::LeasedWork;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Orders of which the ids are read at once.
const READ_AT_ONCE: u32 = 100;
/// Orders about which the acquirers are asked at once. There may be as many orders as were paid on a day.
const ASKED_AT_ONCE: usize = 8;

impl Reconciliation {
    /// Looks on the statement for what a restored copy of the database lacks, unless all of that was found: compares the charges of the last
    /// month up to now. [`Reconciliation::recover_again`] repeats and ends it. `None`: there is nothing to find.
    ///
    /// # Errors
    /// Fails if the statement can't be read. Then it has to be tried again.
    pub async fn recover_after_restore(&self) -> Result<Option<Comparison>> {
        if self.store.read(restored::is_recovering).await? {
            self.compare_month().await.map(Some)
        } else {
            Ok(None)
        }
    }

    /// Continues with [`Reconciliation::recover_after_restore`] if no other process compares now. It is done when
    /// the acquirers must show everything of before the start on the copy ([`Absence::read`]), once every invoice that had to be asked about
    /// was told. Then also the orders are asked about whose money would leave next. `None`: there is nothing to find, or another process does it.
    ///
    /// # Errors
    /// As there, and if what an acquirer tells can't be stored.
    pub async fn recover_again(&self) -> Result<Option<Comparison>> {
        let Some(since) = self.store.read(restored::recovering_since).await? else {
            return Ok(None);
        };
        if !self.leases.take(LeasedWork::Statement).await? {
            return Ok(None);
        }
        if !self.told(since).is_proved {
            // The month is compared at the start and at the end. Meanwhile only its last charges may appear.
            let found = self.compare_since(self.clock.now() - DAY).await?;
            if !self.read_once_more(since) {
                return Ok(Some(found));
            }
        }
        let mut found = self.compare_month().await?;
        if found.unasked == 0 && self.ask_before_sending(since, &mut found).await? {
            self.end_recovery(since).await?;
        }
        Ok(Some(found))
    }

    /// The orders of which the acquirers have told in this recovery.
    fn told(&self, since: Timestamp) -> MutexGuard<'_, ToldOrders> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.since != Some(since) {
            *told = ToldOrders::since(since);
        }
        told
    }

    /// Counts that every statement was read. Returns whether each must have shown all that was before the start on the copy.
    fn read_once_more(&self, since: Timestamp) -> bool {
        let mut told = self.told(since);
        let mut is_proved = true;
        for acquirer in &self.acquirers {
            let name = acquirer.name();
            let expected = Expected {
                since: Clocks {
                    ours: since,
                    // Which time it was there is not known. Where the clocks agree now, they did so then.
                    theirs: Some(since),
                },
                // A refund that the copy has lost may be told later than a charge.
                within: self.settler.delays.of(name).longest(),
            };
            let known = told.readings.get(&name).copied();
            let at = self.clocks_of(name);
            let (absence, evidence) = Absence::read(known, Missing::Charge, at, expected);
            told.readings.insert(name, absence);
            is_proved &= evidence.is_proof();
        }
        told.is_proved = is_proved;
        is_proved
    }

    async fn compare_month(&self) -> Result<Comparison> {
        let month = SignedDuration::from_hours(24 * DAYS_BACK);
        self.compare_since(self.clock.now() - month).await
    }

    async fn end_recovery(&self, since: Timestamp) -> Result<()> {
        let write = move |tx: &mut Tx| restored::end_recovery(tx, since);
        Ok(self.store.write(write).await?)
    }

    /// Asks the acquirers about each order whose money would leave next. A refund that is still open there stands on no statement, and the copy
    /// may not know it: it opens an alarm, which holds the transfers. Returns whether all was told.
    async fn ask_before_sending(&self, since: Timestamp, found: &mut Comparison) -> Result<bool> {
        let mut last = None;
        loop {
            let read = move |tx: &mut Tx| transfers::orders_to_leave(tx, last, READ_AT_ONCE);
            let orders = self.store.read_long(read).await?;
            last = orders.last().copied();
            let mut untold = orders;
            untold.retain(|order| !self.told(since).orders.contains(order));
            for some in untold.chunks(ASKED_AT_ONCE) {
                let before = found.unasked;
                self.ask_about_all(some, since, found).await?;
                // Where nobody answers, the next round goes on.
                if found.unasked - before == some.len() {
                    return Ok(false);
                }
            }
            if last.is_none() {
                return Ok(found.unasked == 0);
            }
            // Without the lease another process has begun anew, and does all of it.
            if !self.leases.take(LeasedWork::Statement).await? {
                return Ok(false);
            }
        }
    }

    async fn ask_about_all(
        &self,
        orders: &[OrderId],
        since: Timestamp,
        found: &mut Comparison,
    ) -> Result<()> {
        let asked = orders.iter().map(|order| self.ask_about(*order));
        let answers = futures_util::future::join_all(asked).await;
        for (order, answer) in orders.iter().zip(answers) {
            match answer {
                Ok(true) => {
                    self.told(since).orders.insert(*order);
                }
                Ok(false) => found.unasked += 1,
                // One order that can't be read keeps no other from being asked about.
                Err(error) if error.is_lasting() => {
                    found.unsettled += 1;
                    self.settler.call_about(*order, &error).await;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Asks the acquirer about the charge that counts of an order, and settles what it tells. Returns false if it does not tell.
    async fn ask_about(&self, order: OrderId) -> Result<bool> {
        let read = move |tx: &mut Tx| payments::case_of(tx, order);
        let case = self.store.read(read).await?;
        let Some(charge) = case.as_ref().and_then(Case::counting_charge) else {
            return Ok(true);
        };
        let Some(invoice) = &charge.invoice_id else {
            return Ok(true);
        };
        let acquirer = self.callable.of(charge.acquirer);
        match acquirer.invoice_status(invoice).await {
            Ok(state) => {
                self.settler
                    .settle_state(order, &state, acquirer.as_ref())
                    .await?;
                Ok(true)
            }
            Err(error) => {
                tracing::warn!(order.id = %order, %error, "An order whose transfers wait can't be asked about after a restore");
                let charged_at = charge.charged_at.unwrap_or(charge.created_at);
                self.raise_not_compared(charged_at).await?;
                Ok(false)
            }
        }
    }
}
