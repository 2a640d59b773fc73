//! The worker's round: asking about each attempt of which more can come.

use std::time::Instant;

use cabinet_domain::AttemptId;
use cabinet_domain::payment::{News, NextCall, next_call};
use cabinet_storage::payment::attempts;
use jiff::SignedDuration;
use tracing::Instrument as _;

use super::Payments;
use crate::kernel::refusal::Result;
use crate::order::span::span_of;

/// Attempts of one round at most, give or take one portion.
const ROUND_MAX: usize = 50;
/// Attempts that are claimed and asked about at once, so that one slow answer does not hold up the others.
const AT_ONCE: u32 = 8;
/// A claimed attempt is left alone by other workers for so long: longer than all its calls may take.
const CLAIM: SignedDuration = SignedDuration::from_secs(120);

impl Payments {
    /// Asks about every attempt and every refund that is due. Returns how many there were.
    ///
    /// # Errors
    /// Fails where the database can't be used. A single attempt's failure is logged, and it is tried again later.
    pub async fn poll_due(&self) -> Result<usize> {
        self.finish_cancellations().await?;
        let refunds = self.poll_refunds().await?;
        let mut count = 0;
        while count < ROUND_MAX {
            let now = self.clock.now();
            // Claimed in small portions, because a claim could expire while it waits for others.
            let due = self
                .store
                .write(move |tx| attempts::claim_due(tx, now, now + CLAIM, AT_ONCE))
                .await?;
            if due.is_empty() {
                break;
            }
            count += due.len();
            let asked = due.iter().map(|(attempt, order)| {
                let asking = async {
                    if let Err(error) = self.poll(*attempt).await {
                        error.log("An order can't be asked about", Instant::now());
                        self.settler.call_about(*order, &error).await;
                    }
                    self.heartbeat.record();
                };
                asking.instrument(span_of(*order))
            });
            futures_util::future::join_all(asked).await;
        }
        Ok(count + refunds)
    }

    /// Makes the next call about one attempt.
    async fn poll(&self, attempt: AttemptId) -> Result<()> {
        // Read again: others came before it in this round, and a report may have come meanwhile.
        let Some((case, attempt)) = self.case_with(attempt).await? else {
            return Ok(());
        };
        match next_call(&case, &attempt) {
            NextCall::Nothing => Ok(()),
            NextCall::GiveUpUnsent => {
                let news = News::GivenUpUnsent(attempt.id);
                self.settler.settle(case.order.id, news).await.map(drop)
            }
            NextCall::SearchStatement => {
                if self.search_statement(&attempt).await? {
                    self.resubmit(attempt.id).await?;
                }
                Ok(())
            }
            NextCall::AskState => self.ask_state(attempt.id).await.map(drop),
            NextCall::Withdraw => self.withdraw(&attempt).await.map(drop),
        }
    }
}
