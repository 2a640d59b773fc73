//! The people: notaries with several tabs, payers, the acquirer's clerk who refunds payments, the support
//! that does so, too, the accountant with her bank, and thieves.

mod carts;
mod clerks;
mod clients;
mod forms;
mod notaries;
mod payers;
mod support;
mod thieves;

use crate::database::NOTARIES;
use crate::history::History;

/// In how many percent of the steps a notary besides changes her cart in several windows, where a history has that.
const CARTS_BESIDES: u32 = 30;
/// In how many percent of the steps somebody besides uses links and codes.
const CLIENTS_BESIDES: u32 = 60;

impl History<'_> {
    /// Lets somebody do something with carts, links and codes, whatever else happens at this step.
    pub(crate) fn let_someone_act_besides(&mut self) {
        if let Some(page) = self.browsers.opened.pop() {
            self.pay_on(&page);
        }
        if self.weather.carts && self.chance.percent(CARTS_BESIDES) {
            let number = self.chance.below(NOTARIES);
            self.edit_cart(number);
        }
        let has_order = !self.browsers.archive.is_empty();
        if has_order && self.weather.clients && self.chance.percent(CLIENTS_BESIDES) {
            self.use_links_and_codes();
        }
    }

    /// Lets a notary or a payer do something.
    pub(crate) fn let_someone_act(&mut self) {
        let number = self.chance.below(NOTARIES);
        if let Some(order) = self.browsers.declined.pop() {
            let known = self.browsers.archive.iter().find(|known| known.1 == order);
            if let Some((owner, order)) = known.copied() {
                return self.ask_for_link_of(owner, order);
            }
        }
        let (has_page, has_order) = (!self.pages.is_empty(), !self.browsers.archive.is_empty());
        let has_try = !self.browsers.unanswered_orders.is_empty();
        let weights = [
            2,
            // The more orders there are, the less often new ones are made.
            if self.browsers.archive.len() < 2 {
                8
            } else {
                2
            },
            if has_page { 14 } else { 0 },
            if has_order { 6 } else { 0 },
            if has_order { 8 } else { 0 },
            if has_try { 4 } else { 0 },
            if self.weather.carts { 6 } else { 1 },
            if has_order { 2 } else { 0 },
            if has_order && self.weather.clients {
                6
            } else {
                0
            },
        ];
        match self.chance.weighted(&weights) {
            0 => self.add(number),
            1 => self.order(number),
            2 => self.pay(),
            3 => self.look(),
            4 => self.ask_for_link(),
            5 => self.try_again(),
            6 => self.edit_cart(number),
            7 => self.cancel(),
            _ => self.use_links_and_codes(),
        }
    }
}
