//! Tidying up: the worker removes old rows and tries again what failed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cabinet_domain::{Clock, Origin};
use cabinet_gateways::acquirer::Acquirers;
use cabinet_storage::account::{devices, login_operations, notaries, sessions};
use cabinet_storage::address_book::clients;
use cabinet_storage::audit::chain;
use cabinet_storage::cart::complaints;
use cabinet_storage::client_link::{client_links, receipt_consents};
use cabinet_storage::operator::erasure::{self, Age};
use cabinet_storage::order::orders;
use cabinet_storage::payment::{acquirer_reports, card_figures, payment_proofs, used_tickets};
use cabinet_storage::worker::outbox;
use cabinet_storage::{StorageError, Store, Tx, cart, lock_notary};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::account::{CodeWatch, DEVICE_KNOWN};
use crate::kernel::refusal::Result;
use crate::operator::erasure::Anonymiser;
use crate::payment::Settler;
use crate::settings::RetentionSettings;

/// A deleted item of a cart can be restored for so long.
const UNDO_TIME: SignedDuration = SignedDuration::from_hours(24);
/// A repeated request to add to a cart gets the first answer for so long.
const ADDITIONS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// An ended link of a client is shown to its notary for so long.
const LINKS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Where receipts are sent is forgotten so long after an order last changed: a bank may return money for weeks.
const CONSENTS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);
/// Rows that are kept for years are looked at after so long.
const LONG_ROUND: SignedDuration = SignedDuration::from_hours(1);
/// The most that our clock may differ from the acquirer's when rows are removed that were kept for years.
const CLOCK_DIFFERENCE_MAX: SignedDuration = SignedDuration::from_hours(24);
/// Payments that are made searchable in one unit of work.
const INDEXED_AT_ONCE: u32 = 200;
/// Rows that are removed or emptied in one unit of work.
const REMOVED_AT_ONCE: u32 = 2_000;
/// Such units of work in one round at most.
const REMOVALS_AT_ONCE: usize = 20;
/// Orders that lose their names in one round at most.
const ANONYMISED_MAX: u32 = 200;

/// Clients of an earlier version that get the key by which they are found in one round at most.
const KEYS_FILLED_MAX: u32 = 2_000;

/// Tidies up.
#[derive(Clone)]
pub struct Maintenance {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) acquirers: Acquirers,
    pub(crate) settler: Settler,
    pub(crate) codes: CodeWatch,
    pub(crate) anonymiser: Anonymiser,
    pub(crate) retention: RetentionSettings,
    /// When rows that are kept for years were last looked at.
    pub(crate) last_round: Arc<Mutex<Option<Timestamp>>>,
}

impl Maintenance {
    /// Plans transfers that could not be planned, removes old rows, and looks after the codes. Each step is taken
    /// whatever became of those before it.
    ///
    /// # Errors
    /// That of the first step that failed.
    pub async fn tidy_up(&self) -> Result<()> {
        let now = self.clock.now();
        let steps = [
            self.settler.plan_missing_transfers().await,
            self.purge(now).await,
            self.purge_carts(now - UNDO_TIME).await,
            self.take_long_round(now).await,
            self.index_clients().await,
            self.index_payments().await,
            self.prepare_report_months(now).await,
            self.codes.look().await,
        ];
        steps.into_iter().collect()
    }

    /// Removes rows that are kept for hours, days or months.
    async fn purge(&self, now: Timestamp) -> Result<()> {
        let kept = self.retention.clone();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            cart::purge_additions(tx, now - ADDITIONS_KEPT)?;
            login_operations::purge(tx, now - kept.login_operations)?;
            payment_proofs::purge(tx, now - kept.login_operations)?;
            card_figures::purge(tx, now - kept.login_operations)?;
            sessions::purge(tx, now - kept.sessions)?;
            devices::purge(tx, now - DEVICE_KNOWN)?;
            notaries::purge_unproven(tx, now - kept.login_operations)?;
            outbox::purge(tx, now - kept.letters)?;
            client_links::purge(tx, now - LINKS_KEPT)?;
            receipt_consents::purge(tx, now - CONSENTS_KEPT)?;
            used_tickets::purge(tx, now)?;
            Ok(())
        };
        Ok(self.store.write(write).await?)
    }

    /// Looks at rows that are kept for years, once in a while.
    async fn take_long_round(&self, now: Timestamp) -> Result<()> {
        if !self.clock_is_confirmed(now) || !self.begins_long_round(now) {
            return Ok(());
        }
        let removed = self.remove_aged(now).await;
        if removed.is_err() {
            // Tried again with each round, the trouble is noticed within minutes.
            *self.last_long_round() = None;
        }
        removed
    }

    /// Gives clients of earlier versions the key by which they are found.
    async fn index_clients(&self) -> Result<()> {
        let some = |tx: &mut Tx| clients::fill_search_keys(tx, KEYS_FILLED_MAX);
        self.store.write(some).await?;
        Ok(())
    }

    /// Works out what a search finds the payments of earlier versions by, until none is left. Each unit of work is short.
    async fn index_payments(&self) -> Result<()> {
        let mut last = None;
        loop {
            let some = move |tx: &mut Tx| orders::index_items(tx, last, INDEXED_AT_ONCE);
            last = self.store.write(some).await?;
            if last.is_none() {
                return Ok(());
            }
        }
    }

    /// Makes the tables of the months in which reports of the acquirer will come.
    async fn prepare_report_months(&self, now: Timestamp) -> Result<()> {
        let write = move |tx: &mut Tx| acquirer_reports::prepare_months(tx, now);
        Ok(self.store.write(write).await?)
    }

    /// Returns whether the acquirer's clock is about where ours is. A clock that is years ahead would remove what must stay; while the
    /// acquirer has not answered yet, nothing confirms ours.
    fn clock_is_confirmed(&self, now: Timestamp) -> bool {
        let Some(theirs) = self.acquirers.time() else {
            return false;
        };
        let difference = now.duration_since(theirs);
        let is_confirmed = difference.abs() <= CLOCK_DIFFERENCE_MAX;
        if !is_confirmed {
            tracing::error!(
                difference.hours = difference.as_hours(),
                "Our clock differs from the acquirer's: nothing that is kept for years is removed"
            );
        }
        is_confirmed
    }

    /// Returns whether rows that are kept for years are looked at now. Also after the clock was set back.
    fn begins_long_round(&self, now: Timestamp) -> bool {
        let mut last = self.last_long_round();
        let is_due = last.is_none_or(|last| now < last || now - LONG_ROUND >= last);
        if is_due {
            *last = Some(now);
        }
        is_due
    }

    fn last_long_round(&self) -> MutexGuard<'_, Option<Timestamp>> {
        self.last_round
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes what was kept for its years. Each step is taken whatever became of those before it.
    async fn remove_aged(&self, now: Timestamp) -> Result<()> {
        let steps = [
            self.remove_complaints(now).await,
            self.empty_reports(now).await,
            self.remove_events(now).await,
            self.anonymise(now).await,
        ];
        steps.into_iter().collect()
    }

    async fn remove_complaints(&self, now: Timestamp) -> Result<()> {
        let Some(kept) = self.retention.complaints else {
            return Ok(());
        };
        let write = move |tx: &mut Tx| complaints::purge(tx, now - kept);
        self.store.write(write).await?;
        Ok(())
    }

    async fn empty_reports(&self, now: Timestamp) -> Result<()> {
        let Some(kept) = self.retention.reports else {
            return Ok(());
        };
        self.some_at_a_time(move |tx| erasure::empty_reports(tx, now - kept, REMOVED_AT_ONCE))
            .await
    }

    /// Removes the events of the audit trail of whole months.
    async fn remove_events(&self, now: Timestamp) -> Result<()> {
        let Some(kept) = self.retention.audit else {
            return Ok(());
        };
        let begin = move |tx: &mut Tx| begin_trail(tx, now - kept, now);
        self.store.write(begin).await?;
        self.some_at_a_time(|tx| chain::remove_before_start(tx, REMOVED_AT_ONCE))
            .await
    }

    /// Repeats a short unit of work until it finds nothing to do: a long one would end at the database's time limit, or keep others
    /// waiting. What is left after some of them is done in the next round, so that the worker sees to payments meanwhile.
    async fn some_at_a_time(
        &self,
        some: impl Fn(&mut Tx) -> Result<u64, StorageError> + Clone + Send + 'static,
    ) -> Result<()> {
        for _ in 0..REMOVALS_AT_ONCE {
            if self.store.write(some.clone()).await? == 0 {
                return Ok(());
            }
        }
        *self.last_long_round() = None;
        Ok(())
    }

    async fn anonymise(&self, now: Timestamp) -> Result<()> {
        let age = Age {
            before: now - self.retention.bookkeeping,
            all: self.retention.anonymises_orders,
        };
        let origin = Origin::worker();
        let count = self
            .anonymiser
            .run(age, now, &origin, ANONYMISED_MAX)
            .await?;
        if count > 0 {
            tracing::info!(orders = count, "Orders have lost their names");
        }
        Ok(())
    }

    /// Removes deleted items, and clients that nothing names any more. Each cart is a unit of work of its own, because its
    /// notary is locked.
    async fn purge_carts(&self, before: Timestamp) -> Result<()> {
        let read = move |tx: &mut Tx| cart::owners_of_deleted(tx, before);
        for notary in self.store.read(read).await? {
            let write = move |tx: &mut Tx| {
                let notary = lock_notary(tx, notary)?;
                cart::purge_deleted(tx, &notary, before)
            };
            self.store.write(write).await?;
        }
        Ok(())
    }
}

/// Makes the audit trail begin with the month of a moment. Each beginning leaves a row, so there is one a month.
fn begin_trail(tx: &mut Tx, before: Timestamp, now: Timestamp) -> Result<(), StorageError> {
    let month = before.to_zoned(TimeZone::UTC).date().first_of_month();
    let Ok(start) = month.to_zoned(TimeZone::UTC) else {
        return Ok(());
    };
    let start = start.timestamp();
    if chain::oldest(tx)?.is_some_and(|oldest| oldest < start) {
        chain::begin_at(tx, start, now)?;
    }
    Ok(())
}
