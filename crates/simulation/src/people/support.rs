//! What the support does: gives money of paid orders back to cards.

use std::sync::Arc;

use cabinet_app::audit::Recorder;
use cabinet_app::kernel::refusal::AppError;
use cabinet_app::operator::support_desk::{DeskError, RefundOrder, RefundOrderWish};
use cabinet_domain::payment::{KnownPart, Refund, RefundWish};
use cabinet_domain::{Money, OperatorReason, OrderId, OrderStatus, Origin, Transfer};
use cabinet_sandbox::LedgerKind;
use cabinet_storage::order::orders;
use cabinet_storage::payment::{attempts, refunds};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};

use crate::action::{Action, Outcome};
use crate::history::History;
use crate::time::CabinetClock;

impl History<'_> {
    /// Gives money back, sometimes with two presses.
    pub(crate) fn give_back(&mut self) {
        let all: Vec<OrderId> = self.browsers.archive.iter().map(|known| known.1).collect();
        let store = self.store.clone();
        let read = move |tx: &mut Tx| -> Result<Vec<_>, StorageError> {
            let mut paid = Vec::new();
            for id in &all {
                if let Some(order) = orders::by_id(tx, *id)?
                    && order.status == OrderStatus::Paid
                {
                    paid.push((order.id, order.number, transfers::of_order(tx, order.id)?));
                }
            }
            Ok(paid)
        };
        let paid = self
            .executor
            .run(async move { store.read_long(read).await })
            .expect("the orders can be read");
        let Some((order, number, of_order)) = self.chance.pick(&paid).cloned() else {
            return;
        };
        let wish = self.random_wish(&of_order);
        let presses = if self.chance.percent(25) { 2 } else { 1 };
        for _ in 0..presses {
            self.start_refund(order, number, RefundOrderWish::Ask(wish));
        }
    }

    /// Says what went back at LiqPay beside refunds that are under way, because LiqPay tells only how much went back in all. It is what a clerk
    /// gave back in LiqPay's cabinet, and what a refund gave back of which a restored copy does not know.
    pub(crate) fn say_what_went_back_beside_refunds(&mut self) {
        let all: Vec<OrderId> = self.browsers.archive.iter().map(|known| known.1).collect();
        let store = self.store.clone();
        let read = move |tx: &mut Tx| -> Result<Vec<_>, StorageError> {
            let mut open = Vec::new();
            for id in &all {
                for refund in refunds::of_order(tx, *id)? {
                    let charge = attempts::by_id(tx, refund.attempt_id)?;
                    let invoice = charge.and_then(|charge| charge.invoice_id);
                    let number = orders::number_of(tx, *id)?;
                    if let (true, Some(number), Some(invoice)) =
                        (refund.is_under_way(), number, invoice)
                    {
                        open.push((number, invoice, refund, transfers::of_order(tx, *id)?));
                    }
                }
            }
            Ok(open)
        };
        let open = self
            .executor
            .run(async move { store.read_long(read).await })
            .expect("the refunds can be read");
        for (number, invoice, refund, of_order) in open {
            for amount in self.went_back_beside(invoice.as_str(), &refund) {
                let same = |transfer: &&Transfer| transfer.planned.amount == amount;
                let part = match of_order.iter().find(same) {
                    Some(transfer) if !self.is_by_clerk(invoice.as_str(), amount) => {
                        KnownPart::Transfer(transfer.document_number)
                    }
                    _ => KnownPart::Sum(amount),
                };
                self.start_refund(refund.order_id, number, RefundOrderWish::Record(part));
            }
        }
    }

    /// Returns the sums that went back of an invoice at LiqPay since a refund was admitted, without the one that is the refund's own.
    fn went_back_beside(&self, invoice: &str, refund: &Refund) -> Vec<Money> {
        let own = refund.amount.kopiykas();
        let (mut before, mut is_own_seen) = (0, false);
        let mut beside = Vec::new();
        for (place, entry) in self.acquirer.ledger().into_iter().enumerate() {
            if entry.invoice_id != invoice || entry.kind != LedgerKind::Refund {
                continue;
            }
            let is_by_clerk = self.by_clerk_of_liqpay.contains(&place);
            if before < refund.given_back_before.kopiykas() {
                before += entry.amount;
            } else if entry.amount == own && !is_by_clerk && !is_own_seen {
                is_own_seen = true;
            } else if is_by_clerk || self.is_forgetful() {
                beside.push(Money::from_kopiykas(entry.amount).unwrap_or(Money::ZERO));
            }
        }
        beside
    }

    fn is_by_clerk(&self, invoice: &str, amount: Money) -> bool {
        let ledger = self.acquirer.ledger();
        let by_clerk = self.by_clerk_of_liqpay.iter();
        by_clerk
            .filter_map(|place| ledger.get(*place))
            .any(|entry| entry.invoice_id == invoice && entry.amount == amount.kopiykas())
    }

    fn random_wish(&mut self, of_order: &[Transfer]) -> RefundWish {
        let transfer = self.chance.pick(of_order).cloned();
        match (self.chance.weighted(&[4, 3, 2]), transfer) {
            (1, Some(transfer)) => RefundWish::Transfer(transfer.document_number),
            (2, _) => RefundWish::Sum {
                amount: Money::from_kopiykas(self.chance.between(1, 1_500)).unwrap_or(Money::ZERO),
                is_again: true,
            },
            _ => RefundWish::Whole,
        }
    }

    pub(super) fn start_refund(&mut self, order: OrderId, number: i64, wish: RefundOrderWish) {
        let clock = Arc::new(CabinetClock(Arc::clone(&self.time)));
        let origin = Origin::operator("support".to_owned());
        let recorder = Recorder::new(clock, Arc::clone(&self.bytes) as _, origin);
        let actions = self.services.order_actions(recorder);
        let refund = RefundOrder {
            number,
            wish,
            reason: OperatorReason::parse("SD-1").expect("a reason"),
        };
        self.start(Action::GiveBack { order, wish }, async move {
            match actions.refund(&refund).await {
                Ok(came) => Ok(Outcome::GivenBack(came.state.as_str().to_owned())),
                Err(DeskError::Storage(error)) => Err(AppError::Storage(error)),
                Err(DeskError::Broken(text)) => Err(AppError::Broken(text)),
                Err(error) => Ok(Outcome::GivenBack(format!("nothing: {error}"))),
            }
        });
    }
}
