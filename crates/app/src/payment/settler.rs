//! Settling news in units of work. After the commit what came of it is logged and counted.

use std::sync::Arc;
use std::time::Instant;

use cabinet_domain::payment::{AlarmKind, Delays, News};
use cabinet_domain::{AccountLimits, CardFigures, Clock, OrderId, Origin};
use cabinet_gateways::acquirer::{Acquirer, InvoiceState};
use cabinet_storage::operator::alarms;
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::payment::refunds;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;
use tracing::Instrument as _;

use super::bookkeeping::{Planning, plan_order_transfers};
use super::invoice_news::news_of;
use super::store_settlement::{Settled, SettlementContext, settle_order};
use crate::documents::ReceiptFactsRecorder;
use crate::kernel::ids::Ids;
use crate::kernel::keys::SealKeys;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::{AppError, Result};
use crate::operator::alarms::{Alarms, log};
use crate::order::span::span_of;

/// The subject of an alarm about no order.
const INSTALLATION: &str = "installation";

/// Settles what became known about orders.
#[derive(Clone)]
pub(crate) struct Settler {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) receipt_facts: ReceiptFactsRecorder,
    pub(crate) account_limits: AccountLimits,
    /// Seal the transfers.
    pub(crate) seals: SealKeys,
    /// How late the acquirers show what has happened.
    pub(crate) delays: Delays,
    pub(crate) notifier: Notifier,
    /// The figures for saved cards of notaries who have set none.
    pub(crate) card_figures: CardFigures,
}

impl Settler {
    /// Returns the context of a settlement that begins now.
    pub(crate) fn context(&self) -> SettlementContext {
        self.context_at(self.clock.now())
    }

    /// Returns the context of a settlement that takes place at a moment.
    pub(crate) fn context_at(&self, now: Timestamp) -> SettlementContext {
        SettlementContext {
            unit: self.ids.unit_at(now),
            receipt_facts: self.receipt_facts.clone(),
            account_limits: self.account_limits,
            seals: self.seals.clone(),
            delays: self.delays,
            with_bookkeeping: true,
            notifier: self.notifier.clone(),
            card_figures: self.card_figures,
            origin: Origin::worker(),
        }
    }

    /// Settles news about an order, and logs and counts what came of it. Returns `None` if there is no such order.
    pub(crate) async fn settle(&self, order: OrderId, news: News) -> Result<Option<Settled>> {
        let work = |context: SettlementContext| {
            let news = news.clone();
            move |tx: &mut Tx| settle_order(&mut tx.without_notary(), &context, order, &news)
        };
        let settling = async {
            let settled = self.write(work).await?;
            if let Some(settled) = &settled {
                log(&settled.committed);
            }
            Ok(settled)
        };
        settling.instrument(span_of(order)).await
    }

    /// Settles a state of an invoice that the acquirer has just answered, by the acquirer's time if that is known.
    pub(crate) async fn settle_state(
        &self,
        order: OrderId,
        state: &InvoiceState,
        acquirer: &dyn Acquirer,
    ) -> Result<Option<Settled>> {
        let fresh = self.ids.attempt_id(order);
        let as_of = acquirer.time().unwrap_or_else(|| self.clock.now());
        let news = News::Told(
            Box::new(news_of(acquirer.name(), state, Some(as_of))),
            fresh,
        );
        self.settle(order, news).await
    }

    /// Calls a person about an order of which nothing can be stored, if repeating does not help.
    pub(crate) async fn call_about(&self, order: OrderId, error: &AppError) {
        if !error.is_lasting() {
            return;
        }
        let alarms = Alarms {
            store: self.store.clone(),
            ids: self.ids.clone(),
        };
        let raised = alarms.raise_about_order(AlarmKind::OrderNotSettled, order);
        if let Err(error) = raised.await {
            error.log("An alarm can't be opened", Instant::now());
        }
    }

    /// Calls a person, once in all, because an acquirer's clock and ours differ.
    pub(super) async fn call_about_clocks(&self) -> Result<()> {
        let alarms = Alarms {
            store: self.store.clone(),
            ids: self.ids.clone(),
        };
        let subject = INSTALLATION.to_owned();
        alarms.raise(AlarmKind::ClocksDiffer, subject).await
    }

    /// Runs a unit of work with a settlement. Where its bookkeeping meets inconsistent data, it runs again without: a payment
    /// is recorded in any case.
    pub(super) async fn write<T, F>(&self, work: impl Fn(SettlementContext) -> F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx) -> Result<T, StorageError> + Send + 'static,
    {
        let context = self.context();
        match self.store.write(work(context.clone())).await {
            Err(error @ (StorageError::Inconsistent { .. } | StorageError::Constraint { .. })) => {
                tracing::error!(%error, "A payment is recorded without its transfers");
                let alone = SettlementContext {
                    with_bookkeeping: false,
                    ..context
                };
                Ok(self.store.write(work(alone)).await?)
            }
            written => Ok(written?),
        }
    }

    /// Plans transfers that could not be planned when their order was paid, and closes their alarms. Where the money was given back
    /// meanwhile, only the alarm is closed.
    pub(crate) async fn plan_missing_transfers(&self) -> Result<()> {
        let read = |tx: &mut Tx| alarms::open_of_kind(tx, AlarmKind::TransfersNotPlanned);
        for alarm in self.store.read(read).await? {
            let Some(order) = alarm.order_id else {
                continue;
            };
            let context = self.context();
            let write = move |tx: &mut Tx| -> Result<(), StorageError> {
                let mut unit = context.unit.clone();
                let tx = &mut tx.without_notary();
                let Some((locked, OrderCase { order, case, .. })) = payments::lock_case(tx, order)?
                else {
                    return Ok(());
                };
                let by = (&context.account_limits, &context.seals);
                let note = match plan_order_transfers(tx, &mut unit, (&locked, &order), by)? {
                    Planning::Inconsistent => return Ok(()),
                    Planning::NotPaid => "The payment was given back.",
                    Planning::Planned(parties) => {
                        refunds::hold_planned_late(tx, &locked)?;
                        let facts = &context.receipt_facts;
                        facts.record(tx, &order, &case, Some(parties), unit.now)?;
                        "The transfers were planned."
                    }
                };
                alarms::close(tx, alarm.id, note, unit.now)?;
                Ok(())
            };
            // Inconsistent data of one order keep no other from being planned.
            if let Err(error) = self.store.write(write).await {
                tracing::error!(order.id = %order, %error, "Transfers can't be planned");
            }
        }
        Ok(())
    }
}
