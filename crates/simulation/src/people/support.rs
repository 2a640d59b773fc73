//! What the support does: gives money of paid orders back to cards.

use std::sync::Arc;

use cabinet_app::audit::Recorder;
use cabinet_app::kernel::refusal::AppError;
use cabinet_app::operator::support_desk::{DeskError, RefundOrder, RefundOrderWish};
use cabinet_domain::payment::{KnownPart, RefundWish};
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

    /// Says what a clerk gave back in LiqPay's cabinet beside refunds that are under way: LiqPay tells only how much went back in all.
    pub(crate) fn say_what_the_clerk_gave_back(&mut self) {
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
                        let invoice = invoice.as_str().to_owned();
                        open.push((*id, number, invoice, refund.given_back_before.kopiykas()));
                    }
                }
            }
            Ok(open)
        };
        let open = self
            .executor
            .run(async move { store.read_long(read).await })
            .expect("the refunds can be read");
        for (order, number, invoice, before) in open {
            let mut given_back = 0;
            for (place, entry) in self.acquirer.ledger().into_iter().enumerate() {
                if entry.invoice_id != invoice || entry.kind != LedgerKind::Refund {
                    continue;
                }
                if given_back >= before && self.by_clerk_of_liqpay.contains(&place) {
                    let part = Money::from_kopiykas(entry.amount).unwrap_or(Money::ZERO);
                    let wish = RefundOrderWish::Record(KnownPart::Sum(part));
                    self.start_refund(order, number, wish);
                }
                given_back += entry.amount;
            }
        }
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
