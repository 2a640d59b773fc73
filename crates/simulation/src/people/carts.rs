//! What notaries do with the items of their carts, in several windows.

use cabinet_app::cart::ItemEdit;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::{Money, PaymentKind, SessionId};

use super::forms::payment_to_requisites;
use crate::action::{Action, Outcome};
use crate::carts::Write;
use crate::database::notary;
use crate::history::History;

impl History<'_> {
    /// Changes something in a cart.
    pub(super) fn edit_cart(&mut self, number: usize) {
        let weights = if self.weather.carts {
            [3, 4, 4, 2, 2, 1]
        } else {
            [1, 0, 0, 0, 0, 0]
        };
        match self.chance.weighted(&weights) {
            0 => self.change_count(number),
            1 => self.open_form(number),
            2 => self.save_form(),
            3 => self.undo_deletion(),
            4 => self.repeat_order(),
            _ => self.take_price_of_today(number),
        }
    }

    /// Changes how many units are paid, or deletes the item.
    fn change_count(&mut self, number: usize) {
        let Some(group) = self.pick_group(number) else {
            return;
        };
        let Some(view) = self.chance.pick(&group.items) else {
            return;
        };
        let item = view.item.id;
        let (services, id) = (self.services.clone(), notary(number));
        let count = self.chance.between(0, 3);
        let write = if count == 0 {
            self.carts.deleted.push((number, item));
            Write::Presence(false)
        } else {
            Write::Count(count)
        };
        let ticket = self.carts.begin(item, write, self.step);
        self.start(
            Action::Edit {
                ticket: Some(ticket),
            },
            async move {
                let (item, errors) = (Some(item.to_string()), FieldErrors::new());
                if count == 0 {
                    services.cart.delete(id, item, errors).await?;
                } else {
                    services
                        .cart
                        .set_count(id, item, Some(count), errors)
                        .await?;
                }
                Ok(Outcome::Done)
            },
        );
    }

    /// Fills a form with an item. It is saved later, perhaps after another window has changed the item.
    fn open_form(&mut self, number: usize) {
        let Some(group) = self.pick_group(number) else {
            return;
        };
        let free = group.items.iter().map(|view| &view.item);
        let free: Vec<_> = free
            .filter(|item| item.content.kind == PaymentKind::RequisitesPayment)
            .map(|item| item.id)
            .collect();
        let Some(item) = self.chance.pick(&free).copied() else {
            return;
        };
        let (services, id) = (self.services.clone(), notary(number));
        let opened = self
            .executor
            .run(async move { services.cart.editable(id, &item.to_string()).await });
        let Ok(opened) = opened else { return };
        let client = &opened.client;
        let client = (
            client.inn.as_str().to_owned(),
            client.full_name.as_str().to_owned(),
        );
        self.carts.opened(number, item, opened.version, client);
    }

    /// Saves a form that is open.
    fn save_form(&mut self) {
        if self.carts.forms.is_empty() {
            return;
        }
        let place = self.chance.below(self.carts.forms.len());
        let form = self.carts.forms.remove(place);
        let amount = Money::from_kopiykas(self.chance.between(10_000, 300_000));
        let amount = amount.expect("a sum within its limits");
        let purpose = format!("Оплата послуг, запис {}", self.chance.between(1, 1_000_000));
        let Some(payment) = self.payment_type(PaymentKind::RequisitesPayment) else {
            return;
        };
        let (inn, full_name) = &form.client;
        let payment = payment_to_requisites((inn, full_name), payment, amount, purpose.clone());
        let (services, id, item) = (self.services.clone(), notary(form.notary), form.item);
        let edit = ItemEdit {
            item: Some(item.to_string()),
            version: Some(form.version.clone()),
            payment,
        };
        let unseen = self.carts.unseen_words(&form);
        let ticket = self
            .carts
            .begin(item, Write::Words(purpose, amount), self.step);
        let action = Action::SaveForm { ticket, unseen };
        self.start(action, async move {
            let session = SessionId::new(id.uuid());
            let (who, errors) = ((id, session), FieldErrors::new());
            services.cart.edit_item(who, edit, errors).await?;
            Ok(Outcome::Done)
        });
    }

    /// Takes back that an item was deleted.
    fn undo_deletion(&mut self) {
        let Some((number, item)) = self.carts.deleted.pop() else {
            return;
        };
        let (services, id) = (self.services.clone(), notary(number));
        let ticket = self.carts.begin(item, Write::Presence(true), self.step);
        self.start(
            Action::Edit {
                ticket: Some(ticket),
            },
            async move {
                let (item, errors) = (Some(item.to_string()), FieldErrors::new());
                services.cart.restore(id, item, errors).await?;
                Ok(Outcome::Done)
            },
        );
    }

    /// Puts the payments of an order into the cart again, sometimes with two presses.
    fn repeat_order(&mut self) {
        let Some((number, order)) = self.pick_order() else {
            return;
        };
        let key = self.browsers.fresh_key();
        let presses = if self.chance.percent(25) { 2 } else { 1 };
        for _ in 0..presses {
            let (services, id, key) = (self.services.clone(), notary(number), key.clone());
            self.start(Action::Repeat { order }, async move {
                let who = (id, SessionId::new(id.uuid()));
                let order = order.to_string();
                let repeated = services.cart.repeat_order(who, &order, Some(&key), false);
                repeated.await?;
                Ok(Outcome::Done)
            });
        }
    }

    /// Takes today's price for an item, whether it has changed or not.
    fn take_price_of_today(&mut self, number: usize) {
        let Some(group) = self.pick_group(number) else {
            return;
        };
        let Some(view) = self.chance.pick(&group.items) else {
            return;
        };
        self.reprice(number, view.item.id);
    }
}
