//! The people: notaries with several tabs, payers, and the acquirer's clerk who refunds payments.

use cabinet_app::cart::{CartGroupView, PaymentRequest};
use cabinet_app::orders::OrderRequest;
use cabinet_app::refusal::FieldErrors;
use cabinet_domain::{Money, OrderId, PaymentKind, kyiv_date};
use jiff::{SignedDuration, Timestamp};

use crate::checks;
use crate::database::{NOTARIES, notary};
use crate::doing::{Doing, Told};
use crate::history::{Acknowledged, History, Page};
use crate::world::invoice_of_page;

/// The clients.
const CLIENTS: [(&str, &str); 2] = [
    ("3652504575", "Гнатюк Петро Олександрович"),
    ("32855961", "ТОВ «Ранкова зоря»"),
];
const ACCOUNT: &str = "UA223052990000026001234567890";

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
const THREE_D_SECURE: &str = "4000000000003063";
const SLOW: &str = "4000000000000259";

/// What the notaries' browsers remember.
#[derive(Default)]
pub(crate) struct People {
    keys: u32,
    /// The order of each idempotency key.
    made: Vec<(usize, String, OrderId)>,
    /// Orders in a notary's archive.
    known: Vec<(usize, OrderId)>,
    /// Orders without an answer, which are tried again with the same key.
    tries: Vec<Try>,
    /// Orders whose card was declined, for which a new link is asked.
    declined: Vec<OrderId>,
    /// Orders whose new link was refused, and when to ask again.
    patient: Vec<(OrderId, Timestamp)>,
    /// Saved cards.
    tokens: Vec<(usize, String)>,
}

struct Try {
    notary: usize,
    key: String,
    client: String,
    token: Option<String>,
}

impl People {
    pub(crate) fn know(&mut self, notary: usize, order: OrderId) {
        if !self.known.contains(&(notary, order)) {
            self.known.push((notary, order));
        }
    }

    pub(crate) fn remember_try(
        &mut self,
        notary: usize,
        key: String,
        client: String,
        token: Option<String>,
    ) {
        self.tries.push(Try {
            notary,
            key,
            client,
            token,
        });
    }

    /// A refused link is not asked for again at once.
    pub(crate) fn wait_for_link(&mut self, order: OrderId, now: Timestamp) {
        self.patient
            .push((order, now + SignedDuration::from_secs(60)));
    }

    fn fresh_key(&mut self) -> String {
        self.keys += 1;
        format!("key-{:08}", self.keys)
    }
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
            let token = self.world.save_card(wallet.as_str(), card);
            self.people.tokens.push((number, token));
        }
    }

    pub(crate) fn let_somebody_act(&mut self) {
        let number = self.chance.below(NOTARIES);
        if let Some(order) = self.people.declined.pop() {
            let known = self.people.known.iter().find(|known| known.1 == order);
            if let Some((owner, order)) = known.copied() {
                return self.ask_for_link_of(owner, order);
            }
        }
        let (has_page, has_order) = (!self.pages.is_empty(), !self.people.known.is_empty());
        let has_try = !self.people.tries.is_empty();
        let weights = [
            2,
            // The more orders there are, the less often new ones are made.
            if self.people.known.len() < 2 { 8 } else { 2 },
            if has_page { 14 } else { 0 },
            if has_order { 6 } else { 0 },
            if has_order { 8 } else { 0 },
            if has_try { 4 } else { 0 },
            1,
        ];
        match self.chance.weighted(&weights) {
            0 => self.add(number),
            1 => self.order(number),
            2 => self.pay(),
            3 => self.look(),
            4 => self.ask_for_link(),
            5 => self.try_again(),
            _ => self.edit_cart(number),
        }
    }

    fn add(&mut self, number: usize) {
        let Some(request) = self.random_payment() else {
            return;
        };
        let key = self.people.fresh_key();
        let (services, id) = (self.services.clone(), notary(number));
        let doing = Doing::Add {
            notary: number,
            key: key.clone(),
        };
        self.start(doing, async move {
            let errors = FieldErrors::new();
            let added = services.cart.add(id, request, Some(&key), errors).await;
            added.map(Told::Added)
        });
    }

    /// Returns a random payment.
    fn random_payment(&mut self) -> Option<PaymentRequest> {
        let reference = self
            .services
            .reference
            .current()
            .expect("reference data is loaded");
        let day = kyiv_date(self.time.of_cabinet());
        let (inn, full_name) = CLIENTS[self.chance.below(CLIENTS.len())];
        let is_fee = self.chance.percent(50);
        let kind = if is_fee {
            PaymentKind::AdminPayment
        } else {
            PaymentKind::RequisitesPayment
        };
        let payment_type = reference.payment_type_of(kind)?;
        let mut request = PaymentRequest {
            client_inn: Some(inn.to_owned()),
            client_full_name: Some(full_name.to_owned()),
            payment_type_id: Some(payment_type.id().to_string()),
            iban: Some(ACCOUNT.to_owned()),
            ..PaymentRequest::default()
        };
        if is_fee {
            let option = *reference.options(payment_type.id(), day).first()?;
            let term = reference.terms(option.id(), day).first()?.term;
            let code = term.budget_code();
            let (region, requisite) = reference.regions().iter().find_map(|region| {
                let found = reference.requisites(region.id(), payment_type.id(), code, day);
                Some((region, found.first()?.id().to_string()))
            })?;
            request.option_id = Some(option.id().to_string());
            request.term_id = Some(term.id().to_string());
            request.region_id = Some(region.id().to_string());
            request.requisite_id = Some(requisite);
            request.okpo = Some("3068208400".to_owned());
        } else {
            let amount = self.chance.between(10_000, 300_000);
            request.amount = Some(Money::from_kopiykas(amount).expect("a sum within its limits"));
            request.okpo = Some("32855961".to_owned());
            request.recipient_name = Some("ТОВ «Ранкова зоря»".to_owned());
            request.purpose = Some(format!("Оплата послуг, {inn}"));
        }
        Some(request)
    }

    /// Returns a random group of the notary's cart.
    fn pick_group(&mut self, number: usize) -> Option<CartGroupView> {
        let (services, id) = (self.services.clone(), notary(number));
        let cart = self
            .executor
            .run(async move { services.cart.view(id).await });
        let groups = cart.expect("the cart can be read").groups;
        self.chance.pick(&groups).cloned()
    }

    fn order(&mut self, number: usize) {
        let Some(group) = self.pick_group(number) else {
            return self.add(number);
        };
        let changed: Vec<String> = group
            .items
            .iter()
            .filter(|view| view.repricing.is_some())
            .map(|view| view.item.id.to_string())
            .collect();
        if !changed.is_empty() && self.chance.percent(70) {
            for item in changed {
                let (services, id) = (self.services.clone(), notary(number));
                self.start(Doing::Edit, async move {
                    services
                        .cart
                        .reprice(id, Some(item), FieldErrors::new())
                        .await?;
                    Ok(Told::Done)
                });
            }
            return;
        }
        let own = self.people.tokens.iter().find(|token| token.0 == number);
        let token = own.map(|token| token.1.clone());
        let token = token.filter(|_| self.chance.percent(50));
        let (key, client) = (self.people.fresh_key(), group.client.id.to_string());
        let shown = Some(group.amount);
        self.start_order(number, &key, &client, token.clone(), shown);
        if self.chance.percent(20) {
            // The button is pressed twice.
            self.start_order(number, &key, &client, token, shown);
        } else if self.chance.percent(10) {
            // It is pressed in another tab too.
            let key = self.people.fresh_key();
            self.start_order(number, &key, &client, None, shown);
        }
    }

    fn start_order(
        &mut self,
        number: usize,
        key: &str,
        client: &str,
        token: Option<String>,
        sum: Option<Money>,
    ) {
        let (services, id) = (self.services.clone(), notary(number));
        let request = OrderRequest {
            client_id: Some(client.to_owned()),
            token_id: token.clone(),
            sum,
            idempotency_key: Some(key.to_owned()),
            ..OrderRequest::default()
        };
        let doing = Doing::Order {
            notary: number,
            key: key.to_owned(),
            client: client.to_owned(),
            token,
        };
        self.start(doing, async move {
            let made = services
                .orders
                .create(id, request, FieldErrors::new())
                .await;
            made.map(Told::Ordered)
        });
    }

    /// Tries again if there was no answer, or none with an order.
    fn try_again(&mut self) {
        let position = self.chance.below(self.people.tries.len());
        let again = self.people.tries.remove(position);
        // No sum is sent, because the group may have changed since the first try.
        self.start_order(again.notary, &again.key, &again.client, again.token, None);
    }

    /// Pays on a new or old page.
    fn pay(&mut self) {
        // Sometimes the page can't be paid any more.
        let open: Vec<Page> = if self.chance.percent(90) {
            let invoices = self.world.invoices();
            let is_open = |page: &&Page| {
                let mut own = invoices.iter().filter(|one| one.id == page.invoice);
                own.any(|one| one.is_payable || one.status == "processing")
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
        let name = self.trace.name("invoice", &page.invoice);
        let confirm = self.chance.percent(75);
        let confirmed = self.world.confirm(&page.invoice, confirm);
        if matches!(confirmed.as_str(), "success" | "failure") {
            self.trace.note(format!(
                "the bank's question about {name} is answered: {confirmed}"
            ));
            return;
        }
        let cards = [GOOD, DECLINED, THREE_D_SECURE, SLOW];
        let card = cards[self.chance.weighted(&[5, 5, 2, 2])];
        let save = self.chance.percent(20);
        let said = self.world.pay(&page.invoice, card, save);
        self.trace
            .note(format!("a card is typed into the page of {name}: {said}"));
        if said == "failure" && self.chance.percent(50) {
            self.people.declined.push(page.order);
        }
    }

    /// Returns an order of the archive, mostly the latest.
    fn pick_order(&mut self) -> Option<(usize, OrderId)> {
        if self.chance.percent(50) {
            self.people.known.last().copied()
        } else {
            self.chance.pick(&self.people.known).copied()
        }
    }

    fn look(&mut self) {
        let Some((number, order)) = self.pick_order() else {
            return;
        };
        let charged = !checks::is_forgetful(self) && checks::is_charged(self, order);
        let strictly = self.chance.percent(50);
        let doing = Doing::Look {
            notary: number,
            order,
            charged,
            strictly,
        };
        let (services, id) = (self.services.clone(), notary(number));
        self.start(doing, async move {
            let order = order.to_string();
            let view = if strictly {
                services.orders.status(id, &order).await?
            } else {
                services.orders.view(id, &order, true).await?
            };
            Ok(Told::Looked(Box::new(view)))
        });
    }

    fn ask_for_link(&mut self) {
        let Some((number, order)) = self.pick_order() else {
            return;
        };
        let now = self.time.truth();
        let mut patient = self.people.patient.iter();
        if patient.any(|(waiting, until)| *waiting == order && now < *until) {
            return self.look();
        }
        self.ask_for_link_of(number, order);
    }

    fn ask_for_link_of(&mut self, number: usize, order: OrderId) {
        let times = if self.chance.percent(15) { 2 } else { 1 };
        for _ in 0..times {
            let doing = Doing::Link {
                notary: number,
                order,
            };
            let (services, id) = (self.services.clone(), notary(number));
            self.start(doing, async move {
                services
                    .payments
                    .renew_invoice(id, &order.to_string())
                    .await
                    .map(Told::Link)
            });
        }
    }

    fn edit_cart(&mut self, number: usize) {
        let Some(group) = self.pick_group(number) else {
            return;
        };
        let Some(view) = self.chance.pick(&group.items) else {
            return;
        };
        let item = view.item.id;
        let (services, id) = (self.services.clone(), notary(number));
        let count = self.chance.between(0, 3);
        if count == 0 {
            // From now on it may be removed.
            self.items.retain(|known| known.what != item);
        }
        self.start(Doing::Edit, async move {
            let (item, errors) = (Some(item.to_string()), FieldErrors::new());
            if count == 0 {
                services.cart.delete(id, item, errors).await?;
            } else {
                services
                    .cart
                    .set_count(id, item, Some(count), errors)
                    .await?;
            }
            Ok(Told::Done)
        });
    }

    /// Refunds a payment at the acquirer.
    pub(crate) fn give_back(&mut self) {
        let paid: Vec<String> = self
            .world
            .invoices()
            .into_iter()
            .filter(|invoice| invoice.status == "success")
            .map(|invoice| invoice.id)
            .collect();
        let Some(invoice) = self.chance.pick(&paid).cloned() else {
            return;
        };
        let part = self
            .chance
            .percent(30)
            .then(|| self.chance.between(100, 5_000));
        let said = self.world.refund(&invoice, part);
        let name = self.trace.name("invoice", &invoice);
        let what = part.map_or("all".to_owned(), |part| format!("{part} kopiykas"));
        self.trace
            .note(format!("{what} of {name} is given back: {said}"));
    }

    /// Records an order that was answered to the browser.
    pub(crate) fn note_order(&mut self, number: usize, key: &str, order: OrderId) {
        let before = self
            .people
            .made
            .iter()
            .find(|made| made.0 == number && made.1 == key)
            .map(|made| made.2);
        if before.is_some_and(|before| before != order) && self.restores.is_empty() {
            self.broken.push(format!("{key} has made two orders"));
        }
        self.people.made.push((number, key.to_owned(), order));
        self.people.know(number, order);
        self.orders.push(Acknowledged {
            what: order,
            notary: number,
            step: self.step,
        });
    }

    /// Records a page that a browser is sent to, where somebody may pay from now on.
    pub(crate) fn show(&mut self, order: OrderId, address: Option<&str>) {
        let Some(address) = address else { return };
        let invoice = invoice_of_page(address).to_owned();
        checks::one_way_to_pay(self, order, &invoice);
        if self.pages.iter().any(|page| page.invoice == invoice) {
            return;
        }
        self.pages.push(Page {
            order,
            invoice,
            step: self.step,
        });
    }
}
