//! What thieves do who have a notary's session: a stolen one, or her own on a laptop that she left open, which are the same to the cabinet; or
//! one that they opened on another device.

use std::net::{IpAddr, Ipv4Addr};

use cabinet_app::account::{
    Account, ActToProve, CardFiguresRequest, ConfirmationStart, PasskeyToProve, ProfileChange,
    ProfileRequest, RecipientChange, Visitor,
};
use cabinet_app::address_book::RecipientRequest;
use cabinet_app::cart::PaymentRequest;
use cabinet_app::client_link::LinkRequest;
use cabinet_app::kernel::refusal::{AppError, FieldErrors};
use cabinet_app::order::{OrderRequest, PayAgainRequest};
use cabinet_app::transfer::returns::PayeeRequest;
use cabinet_app::{ProofSubject, Signer};
use cabinet_domain::{
    CardFigures, ClientId, Email, Iban, Key, Line, Locale, Money, Okpo, OperationId, OrderId,
    PaymentKind, Phone, RegistryIdentifier, Session, SessionId, Transfer,
};
use cabinet_storage::Tx;
use cabinet_storage::account::sessions;
use secrecy::ExposeSecret as _;

use super::forms::payment_to_requisites;
use super::payers::DECLINED;
use crate::acquirer::invoice_of_page;
use crate::action::{Action, Outcome};
use crate::database::{NOTARIES, OWNERS, notary, origin_of, phone, session, signer};
use crate::gates::Passage;
use crate::history::History;
use crate::thieves::{EnteredCode, OrderOfThieves, Pretence, Theft};

/// In how many percent of the steps a thief tries something.
const THEFTS: u32 = 10;
/// In how many percent of the times when parts have come back a thief tries to have one.
const REDIRECTIONS: u32 = 45;
/// In how many percent of his calls the acquirer answers a thief at once. Otherwise other things happen meanwhile.
const AT_ONCE: u32 = 75;

/// The account of the thieves.
const OF_THIEVES: &str = "UA913223130000026007233566002";
/// The account to which a notary proves that she pays.
const PROVED: &str = "UA213223130000026007233566001";
/// The code of the owner of both.
const OWNER: &str = "32855961";
/// What both are called in the address book, and the name of their owner.
const TITLE: &str = "Оренда";
const NAME: &str = "ТОВ «Зоря»";
/// The end of the account that a notary proves, as she is told it.
const PROVED_END: &str = "6001";

/// The clients of these payments, so that the carts that notaries order otherwise stay as they filled them.
const CLIENT_OF_THIEVES: (&str, &str) = ("37993783", "ТОВ «Тінь»");
const CLIENT_OF_PROVED: (&str, &str) = ("1759013776", "Мельник Ганна Іванівна");

/// A theft that is ready.
enum Plan {
    /// A saved card pays a group of the cart.
    Group(ClientId),
    /// A saved card pays an order.
    Order(OrderId),
    /// An order without a saved card.
    Page(ClientId),
    FreshPage(OrderId),
    Link(OrderId),
    /// A returned part, by its id.
    Part(String, PayeeRequest),
    Profile(Box<ProfileRequest>, Box<ProfileChange>),
    OwnAccount(Box<PaymentRequest>, Account),
    Recipient,
    Figures(CardFigures),
    Passkey,
    EndSessions,
}

fn iban(text: &str) -> Iban {
    Iban::parse(text).expect("an account")
}

fn okpo(text: &str) -> Okpo {
    Okpo::parse(text).expect("a code")
}

fn account(of: &str, owner: Option<&str>) -> Account {
    Account {
        iban: Some(iban(of)),
        okpo: owner.map(okpo),
    }
}

/// Returns the act that saves an account in the address book.
fn recipient(of: &str) -> ActToProve {
    let line = |text| Line::parse(text, 100).expect("a line");
    ActToProve::Recipient(Box::new(RecipientChange {
        id: None,
        title: line(TITLE),
        recipient_name: line(NAME),
        account: account(of, Some(OWNER)),
    }))
}

/// Returns a returned part with another account.
fn redirection(part: &Transfer) -> Plan {
    let payee = &part.planned.payee;
    let request = PayeeRequest {
        iban: Some(OF_THIEVES.to_owned()),
        okpo: Some(payee.okpo.as_str().to_owned()),
        recipient_name: Some(payee.name.as_str().to_owned()),
        purpose: Some(payee.purpose.as_str().to_owned()),
    };
    Plan::Part(part.id.to_string(), request)
}

fn visitor() -> Visitor {
    Visitor {
        address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
        browser: None,
        device_token: None,
        refresh_token: None,
    }
}

/// Whether a refusal asks for a proof, or says that nothing proves it there.
fn is_for_want_of_proof(error: &AppError) -> bool {
    let keys = [
        Key::ConfirmationRequired,
        Key::DeviceTooNew,
        Key::DeviceTooNewForPart,
        Key::DeviceTooNewForAct,
    ];
    matches!(error, AppError::Refused(refusal) if keys.contains(&refusal.key))
}

impl History<'_> {
    /// Lets a thief try one of the calls, now and then.
    pub(crate) fn let_thief_try(&mut self) {
        if !self.thieves.chance.percent(THEFTS) {
            return;
        }
        let number = self.thieves.chance.below(NOTARIES);
        let theft = self.pick_theft(number);
        self.try_theft(number, theft, None);
    }

    /// Lets a thief redirect one of the parts that came back, now and then, before anybody decides about it.
    pub(super) fn let_thief_redirect(&mut self, parts: &[(usize, Transfer)]) {
        if !self.thieves.chance.percent(REDIRECTIONS) {
            return;
        }
        if let Some((number, part)) = self.thieves.chance.pick(parts).cloned() {
            self.try_theft(number, Theft::PartToOtherAccount, Some(&part));
        }
    }

    /// Lets a thief try it, with one of the pretences.
    fn try_theft(&mut self, number: usize, theft: Theft, part: Option<&Transfer>) {
        let pretence = Pretence::ALL[self.thieves.chance.below(Pretence::ALL.len())];
        let own = self.thieves.entered.iter();
        let has_old_code = own.filter(|code| code.notary == number).count() > 0;
        let is_payment_proved = match pretence {
            Pretence::OtherProof => self.let_notary_prove(number),
            Pretence::OldCode if !has_old_code => self.let_notary_prove(number),
            _ => false,
        };
        let thief = if self.thieves.chance.percent(75) {
            signer(number)
        } else {
            self.open_session(number)
        };
        let plan = match part {
            Some(part) => Some(redirection(part)),
            None => self.plan(number, thief, theft),
        };
        if let Some(plan) = plan {
            if matches!(pretence, Pretence::GuessedCode | Pretence::OldCode) && !theft.is_free() {
                self.enter_codes(number, thief, &plan, pretence);
            }
            self.steal(number, thief, plan, (theft, pretence));
            if self.thieves.chance.percent(AT_ONCE) {
                self.let_through(self.operations);
            }
        }
        if is_payment_proved && self.thieves.chance.percent(60) {
            self.pay_proved(number);
        }
    }

    /// Signs a thief in as a notary on another device.
    fn open_session(&mut self, number: usize) -> Signer {
        let now = self.time.of_cabinet();
        let opened = Session {
            id: SessionId::new(self.thieves.chance.id()),
            device_id: None,
            created_at: now,
            ..session(number, now)
        };
        let (store, id) = (self.store.clone(), opened.id);
        let write = move |tx: &mut Tx| sessions::insert(tx, &opened);
        let opening = self.executor.run(async move { store.write(write).await });
        opening.expect("a session can be opened");
        Signer {
            notary: notary(number),
            session: id,
        }
    }

    fn saved_card_of(&self, number: usize) -> Option<String> {
        let mut cards = self.browsers.saved_cards.iter();
        let card = cards.find(|(owner, _)| *owner == number)?;
        Some(card.1.clone())
    }

    fn pick_theft(&mut self, number: usize) -> Theft {
        let has_card = self.saved_card_of(number).is_some();
        let has_order = self.thieves.orders.iter().any(|one| one.notary == number);
        let weight = |theft: &Theft| match theft {
            Theft::ChargesPayment | Theft::AddsToPayment => 3 * u32::from(has_card),
            Theft::RepeatsOrder | Theft::ChargesOrder => 5 * u32::from(has_card && has_order),
            Theft::FreshPage | Theft::ClientLink => 2 * u32::from(has_order),
            Theft::OrdersByPage => 2,
            // It is tried when one came back.
            Theft::PartToOtherAccount => 0,
            _ => 1,
        };
        let weights: Vec<u32> = Theft::ALL.iter().map(weight).collect();
        Theft::ALL[self.thieves.chance.weighted(&weights)]
    }

    /// Prepares a theft. `None`: there is nothing for it.
    fn plan(&mut self, number: usize, thief: Signer, theft: Theft) -> Option<Plan> {
        let profile = |change: ProfileChange, request: ProfileRequest| {
            Some(Plan::Profile(Box::new(request), Box::new(change)))
        };
        let second_phone = "+380501119999";
        match theft {
            Theft::ChargesPayment => {
                let group = self.put_into_cart(number, thief, CLIENT_OF_THIEVES, OF_THIEVES);
                group.map(Plan::Group)
            }
            Theft::AddsToPayment => {
                let group = self.put_into_cart(number, thief, CLIENT_OF_PROVED, OF_THIEVES);
                group.map(Plan::Group)
            }
            Theft::OrdersByPage => {
                let group = self.put_into_cart(number, thief, CLIENT_OF_THIEVES, OF_THIEVES);
                group.map(Plan::Page)
            }
            Theft::RepeatsOrder => {
                let order = self.pick_order_of_thieves(number)?.order.to_string();
                let (services, key) = (self.services.clone(), self.thieves.fresh_key());
                let who = (thief.notary, thief.session);
                let repeated = self.executor.run(async move {
                    let cart = &services.cart;
                    cart.repeat_order(who, &order, Some(&key), true).await
                });
                repeated.ok()?;
                self.group_of(number, CLIENT_OF_THIEVES).map(Plan::Group)
            }
            Theft::ChargesOrder => {
                let order = self.pick_order_of_thieves(number)?;
                self.have_declined(&order);
                Some(Plan::Order(order.order))
            }
            Theft::FreshPage => {
                let order = self.pick_order_of_thieves(number)?;
                Some(Plan::FreshPage(order.order))
            }
            Theft::ClientLink => {
                let order = self.pick_order_of_thieves(number)?;
                Some(Plan::Link(order.order))
            }
            Theft::PartToOtherAccount => None,
            Theft::OwnAccount => profile(
                ProfileChange {
                    account: Some(account(OF_THIEVES, None)),
                    ..ProfileChange::default()
                },
                ProfileRequest {
                    iban: Some(OF_THIEVES.to_owned()),
                    ..ProfileRequest::default()
                },
            ),
            Theft::Email => {
                let email = "thief@example.com";
                profile(
                    ProfileChange {
                        email: Some(Some(Email::parse(email).expect("an address"))),
                        ..ProfileChange::default()
                    },
                    ProfileRequest {
                        email: Some(email.to_owned()),
                        ..ProfileRequest::default()
                    },
                )
            }
            Theft::SecondPhone => profile(
                ProfileChange {
                    phone_additional: Some(Some(Phone::parse(second_phone).expect("a phone"))),
                    ..ProfileChange::default()
                },
                ProfileRequest {
                    phone_additional: Some(second_phone.to_owned()),
                    ..ProfileRequest::default()
                },
            ),
            Theft::Identifier => {
                let identifier = "NOTAR29999";
                let parsed = RegistryIdentifier::parse(identifier).expect("an identifier");
                profile(
                    ProfileChange {
                        registry_identifier: Some(parsed),
                        ..ProfileChange::default()
                    },
                    ProfileRequest {
                        registry_identifier: Some(identifier.to_owned()),
                        ..ProfileRequest::default()
                    },
                )
            }
            Theft::OwnAccountInPayment => {
                let request = PaymentRequest {
                    iban: Some(OF_THIEVES.to_owned()),
                    ..self.fee(CLIENT_OF_THIEVES)?
                };
                let of = account(OF_THIEVES, Some(OWNERS[0]));
                Some(Plan::OwnAccount(Box::new(request), of))
            }
            Theft::SavedRecipient => Some(Plan::Recipient),
            Theft::LargerFigures => Some(Plan::Figures(CardFigures {
                daily_unproved_max: Money::MAX,
                told_from: Money::MAX,
            })),
            Theft::Passkey => Some(Plan::Passkey),
            Theft::EndsSessions => {
                // Where nothing else is open nothing ends, and no proof is asked for.
                self.open_session(number);
                Some(Plan::EndSessions)
            }
        }
    }

    fn pick_order_of_thieves(&mut self, number: usize) -> Option<OrderOfThieves> {
        let mut own = self.thieves.orders.clone();
        own.retain(|one| one.notary == number);
        self.thieves.chance.pick(&own).cloned()
    }

    /// Types a card into the page of a thief's order, which is declined: an order whose page waits is paid by nothing else.
    fn have_declined(&self, order: &OrderOfThieves) {
        if let Some(page) = &order.page {
            self.acquirer.open(page);
            self.acquirer.pay(&invoice_of_page(page), DECLINED, false);
        }
    }

    /// Puts a payment to an account into the cart. Returns the client's group.
    fn put_into_cart(
        &mut self,
        number: usize,
        who: Signer,
        client: (&str, &str),
        to: &str,
    ) -> Option<ClientId> {
        let kind = self.payment_type(PaymentKind::RequisitesPayment)?;
        let amount = Money::from_kopiykas(self.thieves.chance.between(10_000, 300_000));
        let amount = amount.expect("a sum within its limits");
        let purpose = format!("Оплата послуг, {}", client.0);
        let request = PaymentRequest {
            iban: Some(to.to_owned()),
            ..payment_to_requisites(client, kind, amount, purpose)
        };
        let services = self.services.clone();
        let added = self.executor.run(async move {
            let (errors, asker) = (FieldErrors::new(), who.notary.into());
            let cart = &services.cart;
            cart.add(asker, who.session, request, None, errors).await
        });
        added.ok()?;
        self.group_of(number, client)
    }

    fn group_of(&self, number: usize, client: (&str, &str)) -> Option<ClientId> {
        let groups = self.all_groups(number).into_iter();
        let mut own = groups.filter(|group| group.client.inn.as_str() == client.0);
        own.next().map(|group| group.client.id)
    }

    /// Lets a notary prove something. Returns whether it is a payment.
    fn let_notary_prove(&mut self, number: usize) -> bool {
        if self.saved_card_of(number).is_some() && self.thieves.chance.percent(60) {
            self.prove_payment(number)
        } else {
            self.prove_recipient(number);
            false
        }
    }

    /// Lets a notary prove a payment to an account that is new to her, if the message names that and nothing else.
    fn prove_payment(&mut self, number: usize) -> bool {
        self.throw_out_what_is_not_hers(number);
        let group = self.group_of(number, CLIENT_OF_PROVED);
        let group = match group {
            Some(group) => Some(group),
            None => self.put_into_cart(number, signer(number), CLIENT_OF_PROVED, PROVED),
        };
        let Some(group) = group else { return false };
        let started = self.ask_for_code(signer(number), ProofSubject::Group(group));
        let Some(started) = started else { return false };
        let is_hers = started.proof.as_ref().is_some_and(|asked| {
            let largest = asked.largest.as_ref();
            asked.new_recipients < 2
                && largest.is_none_or(|largest| largest.account_end == PROVED_END)
        });
        let is_proved = is_hers && self.enter_own_code(number, started.start.operation);
        if is_proved {
            self.trace
                .note(format!("notary {number} proves a payment by a code"));
            let pair = (number, iban(PROVED), okpo(OWNER));
            self.thieves.proved.insert(pair);
        }
        is_proved
    }

    /// Deletes what a thief has put among the payments that a notary proves.
    fn throw_out_what_is_not_hers(&self, number: usize) {
        let groups = self.all_groups(number).into_iter();
        let own = groups.filter(|group| group.client.inn.as_str() == CLIENT_OF_PROVED.0);
        for view in own.flat_map(|group| group.items) {
            let to = view.item.content.iban.as_ref();
            if to.is_some_and(|iban| iban.as_str() == OF_THIEVES) {
                let (services, id) = (self.services.clone(), notary(number));
                let item = Some(view.item.id.to_string());
                let deleted = self.executor.run(async move {
                    let cart = &services.cart;
                    cart.delete(id, item, FieldErrors::new()).await
                });
                deleted.expect("what is in the cart can be deleted");
            }
        }
    }

    /// Lets a notary prove a recipient of her book, and perhaps save it.
    fn prove_recipient(&mut self, number: usize) {
        let who = signer(number);
        let act = recipient(PROVED);
        let Some(started) = self.ask_for_code(who, ProofSubject::Act(act)) else {
            return;
        };
        if !self.enter_own_code(number, started.start.operation) {
            return;
        }
        self.trace
            .note(format!("notary {number} proves a recipient by a code"));
        if self.thieves.chance.percent(50) {
            let saved = self.save_recipient(who, PROVED);
            if let Err(error) = saved {
                let text = format!("a recipient that was proved is not saved: {error}");
                self.broken.push(text);
            }
        }
    }

    fn save_recipient(&self, who: Signer, to: &str) -> Result<(), AppError> {
        let request = RecipientRequest {
            title: Some(TITLE.to_owned()),
            recipient_name: Some(NAME.to_owned()),
            iban: Some(to.to_owned()),
            okpo: Some(OWNER.to_owned()),
            ..RecipientRequest::default()
        };
        let services = self.services.clone();
        let saved = self.executor.run(async move {
            let (errors, origin) = (FieldErrors::new(), origin_of(who.notary));
            let book = &services.address_book;
            book.save_recipient(who, request, errors, origin).await
        });
        saved.map(drop)
    }

    /// Lets a notary pay with her saved card what she has proved.
    fn pay_proved(&mut self, number: usize) {
        let group = self.group_of(number, CLIENT_OF_PROVED);
        let (Some(group), Some(card)) = (group, self.saved_card_of(number)) else {
            return;
        };
        let key = self.browsers.fresh_key();
        self.start_order(number, &key, &group.to_string(), Some(card), None);
    }

    /// Asks for the code of a payment or an act. `None`: none is sent now.
    fn ask_for_code(&self, who: Signer, subject: ProofSubject) -> Option<ConfirmationStart> {
        let services = self.services.clone();
        let started = self.executor.run(async move {
            let (accounts, visitor) = (&services.accounts, visitor());
            accounts
                .start_proof(who, subject, &visitor, Locale::Uk)
                .await
        });
        started.ok()
    }

    fn enter_code(
        &self,
        who: Signer,
        operation: OperationId,
        code: String,
    ) -> Result<(), AppError> {
        let services = self.services.clone();
        let entered = self.executor.run(async move {
            let (errors, origin) = (FieldErrors::new(), origin_of(who.notary));
            let (code, operation) = (Some(code), Some(operation.to_string()));
            let accounts = &services.accounts;
            accounts
                .confirm_by_code(who, code, operation, errors, origin)
                .await
        });
        entered.map(drop)
    }

    /// Lets a notary enter the code that came to her phone.
    fn enter_own_code(&mut self, number: usize, operation: OperationId) -> bool {
        let Some(code) = self.messages.last_code(&phone(number)) else {
            return false;
        };
        let entered = self.enter_code(signer(number), operation, code.clone());
        let is_right = entered.is_ok();
        if is_right {
            self.thieves.entered.push(EnteredCode {
                notary: number,
                operation,
                code,
            });
        }
        is_right
    }

    /// Has the code sent that a theft needs, which comes to the notary's phone, and enters others.
    fn enter_codes(&mut self, number: usize, thief: Signer, plan: &Plan, pretence: Pretence) {
        let Some(operation) = self.ask_for_code_of(thief, plan) else {
            return;
        };
        let Some(right) = self.messages.last_code(&phone(number)) else {
            return;
        };
        let mut tries = Vec::new();
        if pretence == Pretence::GuessedCode {
            for _ in 0..3 {
                let guess = self.thieves.chance.between(0, 9_999);
                tries.push((operation, format!("{guess:04}")));
            }
        } else {
            let mut old = self.thieves.entered.iter();
            if let Some(old) = old.rfind(|code| code.notary == number) {
                tries.push((old.operation, old.code.clone()));
                tries.push((operation, old.code.clone()));
            }
        }
        tries.retain(|(of, code)| *of != operation || *code != right);
        for (operation, code) in tries {
            if self.enter_code(thief, operation, code).is_ok() {
                self.broken
                    .push(format!("a code proves that is a {pretence:?}"));
            }
        }
    }

    fn ask_for_code_of(&self, thief: Signer, plan: &Plan) -> Option<OperationId> {
        let services = self.services.clone();
        let subject = match plan {
            Plan::Group(client) | Plan::Page(client) => ProofSubject::Group(*client),
            Plan::Order(order) | Plan::FreshPage(order) | Plan::Link(order) => {
                ProofSubject::Order(*order)
            }
            Plan::Part(transfer, payee) => {
                let (transfer, payee) = (transfer.clone(), payee.clone());
                let subject = self.executor.run(async move {
                    let (returns, errors) = (&services.returns, FieldErrors::new());
                    returns
                        .to_prove(thief.notary, &transfer, payee, errors)
                        .await
                });
                subject.ok()?
            }
            Plan::Profile(_, change) => ProofSubject::Act(ActToProve::Profile(change.clone())),
            Plan::OwnAccount(_, account) => {
                ProofSubject::Act(ActToProve::OwnAccount(account.clone()))
            }
            Plan::Recipient => ProofSubject::Act(recipient(OF_THIEVES)),
            Plan::Figures(figures) => ProofSubject::CardFigures(*figures),
            Plan::EndSessions => ProofSubject::Act(ActToProve::EndSessions(None)),
            Plan::Passkey => {
                let started = self.executor.run(async move {
                    let (accounts, visitor) = (&services.accounts, visitor());
                    let (who, add) = ((thief.notary, thief.session), PasskeyToProve::Add);
                    accounts
                        .start_passkey_proof(who, add, &visitor, Locale::Uk)
                        .await
                });
                return started.ok().map(|started| started.start.operation);
            }
        };
        let started = self.ask_for_code(thief, subject)?;
        Some(started.start.operation)
    }

    /// Tries it.
    fn steal(&mut self, number: usize, thief: Signer, plan: Plan, what: (Theft, Pretence)) {
        let services = self.services.clone();
        let (id, origin) = (thief.notary, origin_of(thief.notary));
        let errors = FieldErrors::new();
        let action = Action::Steal {
            notary: number,
            what,
        };
        let card = self.saved_card_of(number);
        let key = self.thieves.fresh_key();
        let of_group = move |client: ClientId, card: Option<String>| OrderRequest {
            client_id: Some(client.to_string()),
            token_id: card,
            idempotency_key: Some(key),
            ..OrderRequest::default()
        };
        match plan {
            Plan::Group(client) => self.start(action, async move {
                let request = of_group(client, card);
                let made = services.orders.create(thief, request, errors, origin);
                made.await.map(Outcome::Ordered)
            }),
            Plan::Page(client) => self.start(action, async move {
                let request = of_group(client, None);
                let made = services.orders.create(thief, request, errors, origin);
                made.await.map(Outcome::Ordered)
            }),
            Plan::Order(order) => self.start(action, async move {
                let order = order.to_string();
                let request = PayAgainRequest {
                    token_id: card,
                    pan: None,
                };
                let paying = services
                    .orders
                    .pay_again(thief, &order, request, errors, origin);
                paying.await.map(Outcome::PaidAgain)
            }),
            Plan::FreshPage(order) => self.start(action, async move {
                let order = order.to_string();
                let renewing = services.payments.renew_invoice(id, &order, true, origin);
                renewing.await.map(Outcome::Link)
            }),
            Plan::Link(order) => self.start(action, async move {
                let (order, request) = (order.to_string(), LinkRequest::default());
                let links = &services.client_links;
                let made = links.make(id, &order, request, errors, origin).await?;
                let token = made.token.expose_secret().to_owned();
                Ok(Outcome::ClientLink(token))
            }),
            Plan::Part(part, payee) => self.start(action, async move {
                let sending = services
                    .returns
                    .send_again(thief, &part, payee, errors, origin);
                sending.await.map(|()| Outcome::Done)
            }),
            Plan::Profile(request, _) => self.start(action, async move {
                let saving = services
                    .accounts
                    .save_profile(thief, *request, errors, origin);
                saving.await.map(|_| Outcome::Done)
            }),
            Plan::OwnAccount(request, _) => self.start(action, async move {
                let cart = &services.cart;
                let adding = cart.add(id.into(), thief.session, *request, None, errors);
                adding.await.map(|_| Outcome::Done)
            }),
            Plan::Recipient => {
                let saved = self.save_recipient(thief, OF_THIEVES);
                self.start(action, async move { saved.map(|()| Outcome::Done) });
            }
            Plan::Figures(figures) => self.start(action, async move {
                let wanted = CardFiguresRequest {
                    daily_unproved_max: Some(figures.daily_unproved_max),
                    told_from: Some(figures.told_from),
                };
                let figures = wanted.read(errors)?;
                let setting = services.accounts.set_card_figures(thief, figures, origin);
                setting.await.map(|_| Outcome::Done)
            }),
            Plan::Passkey => self.start(action, async move {
                let asking = services.accounts.new_passkey_options(id, thief.session);
                asking.await.map(|_| Outcome::Done)
            }),
            Plan::EndSessions => self.start(action, async move {
                let ending = services.accounts.end_other_sessions(thief, origin);
                ending.await.map(|_| Outcome::Done)
            }),
        }
    }

    /// Opens the gates before an operation until it ends.
    fn let_through(&mut self, operation: u32) {
        loop {
            let closed = self.gates.closed();
            let Some(gate) = closed.iter().find(|gate| gate.operation == operation) else {
                return;
            };
            self.gates.open(gate.id, Passage::Through);
            self.continue_woken();
        }
    }

    /// Records what became of it. `None`: it was done.
    pub(crate) fn record_theft(
        &mut self,
        (theft, pretence): (Theft, Pretence),
        refused: Option<&AppError>,
    ) {
        let counts = match refused {
            Some(error) => is_for_want_of_proof(error),
            None => theft.is_free(),
        };
        if counts {
            *self.thieves.thefts.entry(theft).or_default() += 1;
            *self.thieves.pretences.entry(pretence).or_default() += 1;
        }
        // Of charges the acquirer's ledger tells.
        if refused.is_none() && !theft.is_free() && !theft.is_charge() {
            self.broken
                .push(format!("a thief {theft:?} with {pretence:?}"));
        }
    }
}
