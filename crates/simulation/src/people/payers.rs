//! What payers do on the acquirer's pages, and refunds at the acquirer.

use crate::acquirer::Invoice;
use crate::browsers::Page;
use crate::database::{NOTARIES, notary};
use crate::deeds::Deed;
use crate::history::History;

const GOOD: &str = "4242424242424242";
pub(super) const DECLINED: &str = "4000000000000002";
const THREE_D_SECURE: &str = "4000000000003063";
const SLOW: &str = "4000000000000259";

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
