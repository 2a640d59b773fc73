//! What notaries do with the items of their carts, in several windows.

use cabinet_app::cart::{CartItemView, ItemEdit};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::{Money, OrderId, PaymentKind, SessionId};

use super::forms::payment_to_requisites;
use crate::action::{Action, Outcome};
use crate::carts::{OpenForm, Write};
use crate::database::{NOTARIES, notary};
use crate::history::History;

/// Whether the form of an item has a purpose and an amount.
fn is_free(view: &CartItemView) -> bool {
    view.item.content.kind == PaymentKind::RequisitesPayment
}

impl History<'_> {
    /// Changes something in a cart.
    pub(super) fn edit_cart(&mut self, number: usize) {
        let weights = if self.weather.carts {
            [2, 2, 3, 2, 2, 5]
        } else {
            [1, 0, 0, 0, 0, 0]
        };
        if self.tariffs > 0
            && self.chance.percent(90)
            && let Some((number, view)) = self.pick_item_of_other_price()
        {
            return self.edit_at_once(number, &view);
        }
        match self.chance.weighted(&weights) {
            0 => self.change_count(number),
            1 => {
                if let Some(item) = self.pick_free_item(number) {
                    self.open_form(number, &item);
                }
            }
            2 => {
                if !self.carts.forms.is_empty() {
                    let place = self.chance.below(self.carts.forms.len());
                    self.save_form(place, false);
                }
            }
            3 => self.undo_deletion(),
            4 => self.repeat_order(),
            _ => {
                if let Some(view) = self.pick_free_item(number) {
                    self.edit_at_once(number, &view);
                }
            }
        }
    }

    /// Returns an item, whose form has a purpose and an amount, that has another price today, with the number of its notary.
    fn pick_item_of_other_price(&mut self) -> Option<(usize, CartItemView)> {
        let mut found = Vec::new();
        for number in 0..NOTARIES {
            let groups = self.groups(number).into_iter();
            let items = groups.flat_map(|group| group.items);
            let items = items.filter(|view| is_free(view) && view.repricing.is_some());
            found.extend(items.map(|view| (number, view)));
        }
        self.chance.pick(&found).cloned()
    }

    /// Returns an item whose form has a purpose and an amount.
    fn pick_free_item(&mut self, number: usize) -> Option<CartItemView> {
        let group = self.pick_group(number)?;
        let free: Vec<_> = group.items.into_iter().filter(is_free).collect();
        self.chance.pick(&free).cloned()
    }

    /// Changes one item in several windows at the same moment.
    fn edit_at_once(&mut self, number: usize, view: &CartItemView) {
        let item = view.item.id;
        let windows = if self.chance.percent(50) { 2 } else { 1 };
        for _ in 0..windows {
            self.open_form(number, view);
        }
        let forms = self.carts.forms.iter().enumerate();
        let mut forms: Vec<usize> = forms
            .filter(|(_, form)| form.item == item)
            .map(|(place, _)| place)
            .collect();
        forms.reverse();
        let is_repriced = view.repricing.is_some() || self.chance.percent(30);
        let other = self.chance.below(5);
        self.at_once(|history| {
            for place in forms.into_iter().take(2) {
                history.save_form(place, is_repriced);
            }
            if is_repriced {
                history.reprice(number, item);
            }
            match other {
                0 => history.write_count(number, view),
                1 => history.order(number),
                _ => {}
            }
        });
    }

    /// Changes how many units are paid, or deletes the item.
    fn change_count(&mut self, number: usize) {
        let Some(group) = self.pick_group(number) else {
            return;
        };
        let Some(view) = self.chance.pick(&group.items) else {
            return;
        };
        self.write_count(number, view);
    }

    fn write_count(&mut self, number: usize, view: &CartItemView) {
        let item = view.item.id;
        self.carts.shown(item, &view.item.content, self.step);
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
    fn open_form(&mut self, number: usize, view: &CartItemView) {
        let item = view.item.id;
        let (services, id) = (self.services.clone(), notary(number));
        let opened = self
            .executor
            .run(async move { services.cart.editable(id, &item.to_string()).await });
        let Ok(opened) = opened else { return };
        self.carts.shown(item, &opened.item.content, self.step);
        let client = &opened.client;
        self.carts.forms.push(OpenForm {
            notary: number,
            item,
            version: opened.version,
            is_with_other_price: view.repricing.is_some(),
            client: (
                client.inn.as_str().to_owned(),
                client.full_name.as_str().to_owned(),
            ),
        });
    }

    /// Saves a form that is open. `is_repriced`: another window takes today's price meanwhile.
    fn save_form(&mut self, place: usize, is_repriced: bool) {
        let mut form = self.carts.forms.remove(place);
        form.is_with_other_price &= is_repriced;
        let amount = Money::from_kopiykas(self.chance.between(10_000, 300_000));
        let amount = amount.expect("a sum within its limits");
        let (inn, full_name) = &form.client;
        let number = self.chance.between(1, 1_000_000);
        let purpose = format!("Оплата послуг, {inn}, запис {number}");
        let Some(payment) = self.payment_type(PaymentKind::RequisitesPayment) else {
            return;
        };
        let payment = payment_to_requisites((inn, full_name), payment, amount, purpose.clone());
        let (services, id, item) = (self.services.clone(), notary(form.notary), form.item);
        let edit = ItemEdit {
            item: Some(item.to_string()),
            version: Some(form.version.clone()),
            payment,
        };
        let words = Write::Words(purpose, amount);
        let ticket = self.carts.begin(item, words, self.step);
        self.start(Action::SaveForm { ticket, form }, async move {
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
        self.start(Action::Undo { ticket }, async move {
            let (item, errors) = (Some(item.to_string()), FieldErrors::new());
            let who = (id, SessionId::new(id.uuid()));
            services.cart.restore(who, item, errors).await?;
            Ok(Outcome::Done)
        });
    }

    /// Puts the payments of an order into the cart again, sometimes with two presses.
    fn repeat_order(&mut self) {
        if let Some((number, order)) = self.pick_order() {
            self.repeat(number, order);
        }
    }

    pub(super) fn repeat(&mut self, number: usize, order: OrderId) {
        let key = self.browsers.fresh_key();
        let presses = if self.chance.percent(40) { 2 } else { 1 };
        let despite_codes = self.chance.percent(30);
        let question = self.question_about_items(order, despite_codes);
        self.at_once(|history| {
            for _ in 0..presses {
                let (services, id) = (history.services.clone(), notary(number));
                let action = Action::Repeat {
                    order,
                    key: key.clone(),
                    question,
                };
                let key = key.clone();
                history.start(action, async move {
                    let who = (id, SessionId::new(id.uuid()));
                    let order = order.to_string();
                    let repeating =
                        services
                            .cart
                            .repeat_order(who, &order, Some(&key), despite_codes);
                    Ok(Outcome::Repeated(repeating.await?.items_count))
                });
            }
        });
    }
}
