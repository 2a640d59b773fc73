//! What payers do on the acquirer's pages, and refunds at the acquirer.

use cabinet_app::operator::support_desk::RefundOrderWish;
use cabinet_domain::payment::RefundWish;
use cabinet_domain::{OrderId, OrderStatus};
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments;
use cabinet_storage::{StorageError, Tx};

use crate::acquirer::Invoice;
use crate::action::{Action, Outcome};
use crate::browsers::Page;
use crate::database::{NOTARIES, notary, origin_of};
use crate::deeds::Deed;
use crate::history::History;
use crate::ledger;

const GOOD: &str = "4242424242424242";
pub(super) const DECLINED: &str = "4000000000000002";
const THREE_D_SECURE: &str = "4000000000003063";
const SLOW: &str = "4000000000000259";

/// A page that was closed and that a browser still shows.
#[derive(Clone)]
struct KeptPage {
    owner: usize,
    order: OrderId,
    number: i64,
    /// Whether nothing of the order was paid.
    is_to_be_paid: bool,
    invoice: String,
}

impl History<'_> {
    /// Saves cards for some notaries.
    pub(crate) fn save_cards(&mut self) {
        if !self.weather.saved_cards {
            return;
        }
        for number in 0..NOTARIES {
            let wallet = self.services.keys.wallet(notary(number));
            let wallet = wallet.expect("a wallet has a name");
            let cards = [GOOD, DECLINED, THREE_D_SECURE, SLOW];
            let card = cards[self.chance.weighted(&[4, 1, 2, 1])];
            let token = self.acquirer.save_card(wallet.as_str(), card);
            self.browsers.saved_cards.push((number, token));
        }
    }

    /// Pays on a new or old page.
    pub(super) fn pay(&mut self) {
        // Sometimes the page can't be paid any more.
        let open: Vec<Page> = if self.chance.percent(90) {
            let invoices = self.acquirer.invoices();
            let is_open = |page: &&Page| {
                let known = invoices.iter().find(|one| one.id == page.invoice);
                // A page of LiqPay is not known before it is opened.
                known.is_none_or(|one| one.is_payable || one.status == "processing")
            };
            self.pages.iter().filter(is_open).cloned().collect()
        } else {
            self.pages.clone()
        };
        let page = if self.chance.percent(50) {
            open.last().cloned()
        } else {
            self.chance.pick(&open).cloned()
        };
        if let Some(page) = page {
            self.pay_on(&page);
        }
    }

    /// Pays on a page, or answers the bank's question there.
    pub(super) fn pay_on(&mut self, page: &Page) {
        self.acquirer.open(&page.address);
        let name = self.trace.name("invoice", &page.invoice);
        let confirm = self.chance.percent(75);
        let confirmed = self.acquirer.confirm(&page.invoice, confirm);
        if matches!(confirmed.as_str(), "success" | "failure") {
            self.trace.note(format!(
                "the bank's question about {name} is answered: {confirmed}"
            ));
            return self.count_link(page, &confirmed);
        }
        let cards = [GOOD, DECLINED, THREE_D_SECURE, SLOW];
        // A client goes on to her own card, and mostly pays.
        let weights = if page.is_by_link {
            [14, 1, 2, 1]
        } else {
            [5, 5, 2, 2]
        };
        let card = cards[self.chance.weighted(&weights)];
        let save = self.chance.percent(20);
        let said = self.acquirer.pay(&page.invoice, card, save);
        self.trace
            .note(format!("a card is typed into the page of {name}: {said}"));
        self.count_link(page, &said);
        if said == "failure" && self.chance.percent(50) {
            self.browsers.declined.push(page.order);
        }
    }

    /// Pays on a page that was closed and that a browser still shows, after the support has given back all that was paid on another page of the
    /// same order. The acquirer takes that payment, late or at the moment of the refund.
    pub(crate) fn pay_on_a_page_that_was_kept(&mut self) {
        if self.is_forgetful() || self.chance.percent(30) {
            return;
        }
        let all = self.orders_with_a_closed_page();
        let Some(kept) = self.chance.pick(&all).cloned() else {
            return;
        };
        if kept.is_to_be_paid && !self.pay_on_a_fresh_page(&kept) {
            return;
        }
        let (order, number) = (kept.order, kept.number);
        self.start_refund(order, number, RefundOrderWish::Ask(RefundWish::Whole));
        let accounts = ledger::accounts_of(&self.acquirer, order);
        if accounts.is_empty() || accounts.iter().any(|(_, account)| account.stands()) {
            return;
        }
        if self.chance.percent(50) {
            self.run_rounds(2, 5);
        }
        if self.acquirer.pay_on_closed_page(&kept.invoice, GOOD) {
            let name = self.trace.name("invoice", &kept.invoice);
            self.trace
                .note(format!("a card is typed into the closed page of {name}"));
            self.count(Deed::PaidAfterRefund);
            self.paid_after_refund.insert(order);
        }
        self.run_rounds(2, 5);
    }

    /// Returns the orders that were paid on one page at most and have another one, closed.
    fn orders_with_a_closed_page(&self) -> Vec<KeptPage> {
        let archive = self.browsers.archive.clone();
        let store = self.store.clone();
        let read = move |tx: &mut Tx| -> Result<Vec<_>, StorageError> {
            let mut all = Vec::new();
            for (owner, id) in &archive {
                if let (Some(case), Some(number)) =
                    (payments::case_of(tx, *id)?, orders::number_of(tx, *id)?)
                {
                    all.push((*owner, number, case));
                }
            }
            Ok(all)
        };
        let read = self
            .executor
            .run(async move { store.read_long(read).await });
        let invoices = self.acquirer.invoices();
        let is_closed = |id: &str| {
            let mut all = invoices.iter();
            all.any(|one| one.id == id && one.status == "expired" && !one.is_liqpay)
        };
        let all = read.expect("the orders can be read").into_iter();
        let kept = all.filter_map(|(owner, number, case)| {
            let order = &case.order;
            let is_to_be_paid = match order.status {
                OrderStatus::Failed | OrderStatus::Expired => true,
                OrderStatus::Paid => false,
                _ => return None,
            };
            let mut closed = case.attempts.iter().filter_map(|attempt| {
                let invoice = attempt.invoice_id.as_ref()?.as_str();
                is_closed(invoice).then(|| invoice.to_owned())
            });
            Some(KeptPage {
                owner,
                order: order.id,
                number,
                is_to_be_paid,
                invoice: closed.next()?,
            })
        });
        kept.collect()
    }

    /// Pays an order on a page that its notary asks for. Returns whether it was charged.
    fn pay_on_a_fresh_page(&mut self, kept: &KeptPage) -> bool {
        let (order, id) = (kept.order, notary(kept.owner));
        let action = Action::Link {
            notary: kept.owner,
            order,
            question: self.question_about(order, true),
        };
        let services = self.services.clone();
        self.start(action, async move {
            services
                .payments
                .renew_invoice(id, &order.to_string(), true, origin_of(id))
                .await
                .map(Outcome::Link)
        });
        let mut pages = self.pages.iter();
        let fresh = pages.rfind(|page| page.order == order && page.invoice != kept.invoice);
        let Some(page) = fresh.cloned() else {
            return false;
        };
        self.acquirer.open(&page.address);
        let is_charged = self.acquirer.pay(&page.invoice, GOOD, false) == "success";
        self.run_rounds(2, 2);
        is_charged
    }

    fn count_link(&mut self, page: &Page, said: &str) {
        if said == "success" && page.is_by_link {
            self.count(Deed::PaidByLink);
        }
    }

    /// Refunds a payment in the acquirer's cabinet.
    pub(crate) fn refund(&mut self) {
        let paid: Vec<Invoice> = self
            .acquirer
            .invoices()
            .into_iter()
            .filter(|invoice| invoice.status == "success")
            .collect();
        let Some(invoice) = self.chance.pick(&paid).cloned() else {
            return;
        };
        let is_part = self.chance.percent(if invoice.is_liqpay { 70 } else { 30 });
        // A part at LiqPay is one of the commission, of which somebody may have to say what it was.
        let most = if invoice.is_liqpay { 300 } else { 5_000 };
        let part = is_part.then(|| self.chance.between(100, most));
        let said = if invoice.is_liqpay {
            let is_done = self.acquirer.give_back_at_liqpay(&invoice.id, part);
            if is_done {
                let last = self.acquirer.ledger().len() - 1;
                self.by_clerk_of_liqpay.insert(last);
            }
            is_done.to_string()
        } else {
            self.acquirer.refund(&invoice.id, part)
        };
        let name = self.trace.name("invoice", &invoice.id);
        let what = part.map_or("all".to_owned(), |part| format!("{part} kopiykas"));
        self.trace
            .note(format!("{what} of {name} is given back: {said}"));
    }
}
