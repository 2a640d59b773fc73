//! What payers do on the acquirer's pages, and refunds at the acquirer.

use crate::database::{NOTARIES, notary};
use crate::history::{History, Page};

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
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
        let Some(page) = page else { return };
        self.acquirer.open(&page.address);
        let name = self.trace.name("invoice", &page.invoice);
        let confirm = self.chance.percent(75);
        let confirmed = self.acquirer.confirm(&page.invoice, confirm);
        if matches!(confirmed.as_str(), "success" | "failure") {
            self.trace.note(format!(
                "the bank's question about {name} is answered: {confirmed}"
            ));
            return;
        }
        let cards = [GOOD, DECLINED, THREE_D_SECURE, SLOW];
        let card = cards[self.chance.weighted(&[5, 5, 2, 2])];
        let save = self.chance.percent(20);
        let said = self.acquirer.pay(&page.invoice, card, save);
        self.trace
            .note(format!("a card is typed into the page of {name}: {said}"));
        if said == "failure" && self.chance.percent(50) {
            self.browsers.declined.push(page.order);
        }
    }

    /// Refunds a payment at monobank. LiqPay tells of its clerk's refunds only once, by a callback that may be lost.
    pub(crate) fn refund(&mut self) {
        let paid: Vec<String> = self
            .acquirer
            .invoices()
            .into_iter()
            .filter(|invoice| invoice.status == "success" && !invoice.is_liqpay)
            .map(|invoice| invoice.id)
            .collect();
        let Some(invoice) = self.chance.pick(&paid).cloned() else {
            return;
        };
        let part = self
            .chance
            .percent(30)
            .then(|| self.chance.between(100, 5_000));
        let said = self.acquirer.refund(&invoice, part);
        let name = self.trace.name("invoice", &invoice);
        let what = part.map_or("all".to_owned(), |part| format!("{part} kopiykas"));
        self.trace
            .note(format!("{what} of {name} is given back: {said}"));
    }
}
