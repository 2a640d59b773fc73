//! The end of a test that pays: the database is compared with its invariants and with the acquirer's ledger.

use std::collections::BTreeMap;

use cabinet_app::payment::proved_orders;
use cabinet_domain::payment::{Attempt, RefundScope};
use cabinet_domain::{Clock as _, Order, OrderStatus};
use cabinet_sandbox::LedgerKind;
use cabinet_storage::audit::chain;
use cabinet_storage::operator::invariants::{self, Extent};
use cabinet_storage::order::orders;
use cabinet_storage::payment::attempts;
use cabinet_storage::payment::refunds;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{Result, Tx};
use jiff::Timestamp;

use crate::TestApp;

/// Rounds of the worker after which nothing may be due.
const ROUNDS_MAX: usize = 20;

impl TestApp {
    /// Ends all faults, lets the worker finish, and checks the database's invariants and the acquirer's ledger: every paid order was
    /// charged once and in full, and nothing else was charged.
    pub async fn finish_and_check(&self) {
        self.skip_final_check();
        self.outside().sandbox.set_faults(Vec::new());
        self.let_reports_through();
        let mut rounds = 0;
        while self.work().await > 0 {
            rounds += 1;
            assert!(
                rounds < ROUNDS_MAX,
                "the worker asks about the same orders again and again"
            );
        }
        self.check_invariants().await;
        self.check_audit_trail().await;
        self.compare_ledgers().await;
    }

    /// Checks every invariant of the data.
    pub async fn check_invariants(&self) {
        let services = self.services();
        let check =
            invariants::examine(&services.store, self.installation.clock.now(), Extent::Full)
                .await
                .expect("the database can be examined");
        let broken: Vec<_> = check
            .findings()
            .iter()
            .filter(|finding| finding.count > 0)
            .collect();
        assert!(
            broken.is_empty(),
            "promises about the data are broken: {broken:#?}"
        );
        let unsealed = services.transfers.unsealed().await;
        let unsealed = unsealed.expect("the transfers can be read");
        assert!(
            unsealed.is_empty(),
            "transfers without a seal that fits: {unsealed:#?}"
        );
        let proved = proved_orders(&services.store, &services.keys).await;
        let proved = proved.expect("the proofs can be read");
        assert!(
            proved.as_ref().is_some_and(|proved| proved.changed == 0),
            "orders that say something else than what was proved: {proved:?}"
        );
    }

    /// Checks that the audit trail is sealed and is what was sealed.
    pub async fn check_audit_trail(&self) {
        let services = self.services();
        let sealed = services.audit.seal().await;
        sealed.expect("the audit trail can be sealed");
        let check = chain::check(&services.store, None, chain::Keeps::Unknown).await;
        let check = check.expect("the audit trail can be read");
        assert_eq!(check.breaks, [], "the audit trail is broken");
    }

    async fn compare_ledgers(&self) {
        let services = self.services();
        let ours = services
            .store
            .read_long(attempts_of_orders)
            .await
            .expect("the orders can be read");
        let mut orders: BTreeMap<i64, (&Order, i64, i64, usize)> = BTreeMap::new();
        let mut by_reference = BTreeMap::new();
        // What went back to the card: parts that came back or were never sent, and sums out of the commission.
        let mut given_back = BTreeMap::new();
        for (attempt, order, amount) in &ours {
            given_back.insert(order.number, *amount);
            orders.entry(order.number).or_insert((order, 0, 0, 0));
            by_reference.insert(attempt.payment_reference.to_string(), order.number);
        }
        for line in self.outside().ledger() {
            let number = by_reference.get(&line.reference).unwrap_or_else(|| {
                panic!("the acquirer charged for a payment nobody here knows: {line:?}")
            });
            if let Some((_, charged, refunded, charges)) = orders.get_mut(number) {
                match line.kind {
                    LedgerKind::Charge => {
                        *charged += line.amount;
                        *charges += 1;
                    }
                    LedgerKind::Refund => *refunded += line.amount,
                }
            }
        }
        for (number, (order, charged, refunded, charges)) in orders {
            let sum = order.sum.kopiykas();
            let told = (charged, refunded, charges);
            let expected = match order.status {
                OrderStatus::Paid => (sum, given_back.get(&number).copied().unwrap_or_default(), 1),
                OrderStatus::Refunded => (sum, sum, 1),
                OrderStatus::InProgress
                | OrderStatus::Pending
                | OrderStatus::Failed
                | OrderStatus::Expired => (0, 0, 0),
            };
            assert_eq!(
                told,
                expected,
                "order {number} is {} for {sum}: charged, refunded, charges at the acquirer",
                order.status.as_str()
            );
        }
    }
}

/// Returns all attempts with their orders, and what of each order went back to the card in parts and in sums.
fn attempts_of_orders(tx: &mut Tx) -> Result<Vec<(Attempt, Order, i64)>> {
    let mut all = Vec::new();
    for attempt in attempts::begun_between(tx, Timestamp::MIN, Timestamp::MAX)? {
        let order = orders::by_id(tx, attempt.order_id)?.expect("an attempt has its order");
        let of_sums: i64 = refunds::of_order(tx, order.id)?
            .iter()
            .filter(|refund| refund.is_done() && refund.scope == RefundScope::Sum)
            .map(|refund| refund.amount.kopiykas())
            .sum();
        let of_parts: i64 = transfers::of_order(tx, order.id)?
            .iter()
            .filter(|part| {
                part.refund
                    .is_some_and(|refund| refund.refunded_at.is_some())
            })
            .map(|part| part.planned.amount.kopiykas())
            .sum();
        all.push((attempt, order, of_parts + of_sums));
    }
    Ok(all)
}
