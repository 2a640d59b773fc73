//! What the tests of the aggregates begin with: a notary, a client, an item, an order.

use cabinet_domain::payment::{
    AcquirerName, Attempt, AttemptKind, AttemptState, NewAttempt, OrderFacts, PaymentState,
};
use cabinet_domain::{
    AttemptId, CartItem, Chosen, ChosenRequisite, Client, ClientId, Count, Iban, Inn, ItemContent,
    ItemId, Line, Locale, LoginStep, Money, Names, NewNotary, NewOrder, NotaryId, Okpo, OptionId,
    Order, OrderId, OrderStatus, PaymentKind, PaymentMethod, PaymentTypeId, PersonName, Phone,
    PlannedTransfer, Price, Purpose, RegionId, RegistryIdentifier, RequisiteId, Session, SessionId,
    StandingBy, TermId, TransferId,
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::account::notaries;
use crate::address_book::clients;
use crate::order::orders;
use crate::payment::{attempts, payments};
use crate::transfer::transfers::{self, PartToPlan};
use crate::{LockedNotary, LockedOrder, LockedTransfer, Result, Store, Tx, cart, lock_notary};

/// A moment so many seconds after the beginning of the tests' time.
pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000).unwrap() + SignedDuration::from_secs(seconds)
}

/// An id that can be told from others by its number.
pub(super) fn id(number: u64) -> Uuid {
    Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0000 + u128::from(number))
}

pub(super) fn phone(number: u64) -> Phone {
    Phone::parse(&format!("+38050{number:07}")).unwrap()
}

pub(super) fn new_notary(number: u64) -> NewNotary {
    NewNotary {
        id: NotaryId::new(id(number)),
        phone: phone(number),
        full_name: name("Коваль Олена Іванівна"),
        registry_identifier: identifier("NOTAR12345"),
        login_step: LoginStep::Otp,
        chooses_payment_method: true,
        agreed_terms_at: None,
        phone_verified_at: Some(at(0)),
        created_at: at(0),
        confirmation: Some(StandingBy::Setting),
    }
}

/// Stores a notary with a proven phone.
pub(super) async fn notary(store: &Store, number: u64) -> NotaryId {
    let new = new_notary(number);
    let id = new.id;
    assert!(
        store
            .write(move |tx| notaries::insert(tx, &new))
            .await
            .unwrap()
    );
    id
}

pub(super) fn session_until(id: SessionId, notary_id: NotaryId, expires_at: i64) -> Session {
    Session {
        id,
        notary_id,
        device_id: None,
        browser: None,
        network: None,
        created_at: at(0),
        last_used_at: at(0),
        expires_at: at(expires_at),
        ended_at: None,
        end_reason: None,
    }
}

pub(super) fn inn(text: &str) -> Inn {
    Inn::parse(text).unwrap()
}

pub(super) fn identifier(text: &str) -> RegistryIdentifier {
    RegistryIdentifier::parse_saved(text).unwrap()
}

pub(super) fn name(text: &str) -> PersonName {
    PersonName::parse(text).unwrap()
}

pub(super) async fn client(
    store: &Store,
    notary: NotaryId,
    number: u64,
    full_name: &'static str,
    code: &'static str,
) -> Client {
    let fresh = ClientId::new(id(number));
    store
        .write(locked(notary, move |tx, notary| {
            clients::upsert(tx, notary, fresh, &inn(code), &name(full_name), at(1))
        }))
        .await
        .unwrap()
}

/// An administrative fee of 340 UAH with everything chosen from the reference data.
pub(super) fn fee() -> ItemContent {
    let names = |uk: &str, en: &str| Names {
        uk: uk.to_owned(),
        en: en.to_owned(),
    };
    ItemContent {
        count: Count::ONE,
        kind: PaymentKind::AdminPayment,
        payment_type_id: PaymentTypeId::parse("admin_payment").unwrap(),
        option: Some(Chosen {
            id: OptionId::parse("real-right").unwrap(),
            names: names("Реєстрація права", "Registration of a right"),
        }),
        term: Some(Chosen {
            id: TermId::parse("real-right-5").unwrap(),
            names: names("5 робочих днів", "5 working days"),
        }),
        region: Some(Chosen {
            id: RegionId::parse("kyiv").unwrap(),
            names: names("Київ", "Kyiv"),
        }),
        requisite: Some(ChosenRequisite {
            id: RequisiteId::parse("kyiv-22012600").unwrap(),
            name: "ГУК у м.Києві".to_owned(),
            iban: Iban::parse("UA213223130000026007233566001").unwrap(),
            okpo: Okpo::parse("37993783").unwrap(),
        }),
        template_id: None,
        price: price(34_000, 2_000),
        iban: Some(Iban::parse("UA213223130000026007233566001").unwrap()),
        okpo: Some(Okpo::parse("3068208400").unwrap()),
        recipient_name: None,
        purpose: Purpose::parse("101 Адмінзбір за 3068208400 Коваль О. І.").unwrap(),
        cbc_code: None,
        filing_year: cabinet_domain::FilingYear::stored(2027),
    }
}

/// A payment to any requisites: nothing chosen from the reference data.
pub(super) fn free_payment(amount: i64, commission: i64) -> ItemContent {
    ItemContent {
        kind: PaymentKind::RequisitesPayment,
        payment_type_id: PaymentTypeId::parse("requisites_payment").unwrap(),
        option: None,
        term: None,
        region: None,
        requisite: None,
        recipient_name: Some(Line::parse("ТОВ «Ґанок» & сини", 140).unwrap()),
        price: price(amount, commission),
        ..fee()
    }
}

/// A price by a tariff of 1.5 %, at least 10 UAH.
pub(super) fn price(amount: i64, commission: i64) -> Price {
    let sum = |kopiykas| Money::from_kopiykas(kopiykas).unwrap();
    Price::stored(sum(amount), sum(commission), 150, sum(1_000)).unwrap()
}

pub(super) fn item(number: u64, second: i64, content: ItemContent) -> CartItem {
    CartItem {
        id: ItemId::new(id(number)),
        created_at: at(second),
        content,
    }
}

/// A unit of work that locks a notary first.
pub(super) fn locked<T>(
    notary: NotaryId,
    mut work: impl FnMut(&mut Tx, &LockedNotary) -> Result<T>,
) -> impl FnMut(&mut Tx) -> Result<T> {
    move |tx| {
        let notary = lock_notary(tx, notary)?;
        work(tx, &notary)
    }
}

/// Puts an item into the cart.
pub(super) async fn add(
    store: &Store,
    notary: NotaryId,
    client: ClientId,
    item: CartItem,
) -> ItemId {
    let added = item.id;
    store
        .write(locked(notary, move |tx, notary| {
            cart::add(tx, notary, client, &item)
        }))
        .await
        .unwrap();
    added
}

pub(super) fn new_order(number: u64, second: i64) -> NewOrder {
    NewOrder {
        id: OrderId::new(id(number)),
        created_at: at(second),
        sum: Money::from_hryvnias(360).unwrap(),
        locale: Locale::Uk,
        method: PaymentMethod::CardPage,
        pan: None,
        idempotency_key: format!("key-{number}"),
        request_fingerprint: [7; 32],
    }
}

/// Makes an order out of a group of the cart, for what the group costs.
pub(super) fn create_order(
    tx: &mut Tx,
    notary: &LockedNotary,
    client: ClientId,
    order: &NewOrder,
) -> Result<Option<Order>> {
    let Some(group) = cart::group_of(tx, notary.id(), client)? else {
        return Ok(None);
    };
    let order = NewOrder {
        sum: group.total().unwrap(),
        ..order.clone()
    };
    let (_, made) = orders::create_from_cart(tx, notary, &order, &group)?;
    Ok(Some(made))
}

/// Stores an order of one item for 360 UAH.
pub(super) async fn order(
    store: &Store,
    number: u64,
    notary: NotaryId,
    client: ClientId,
    second: i64,
) -> Order {
    add(store, notary, client, item(number, second, fee())).await;
    let new = new_order(number, second);
    store
        .write(locked(notary, move |tx, notary| {
            create_order(tx, notary, client, &new)
        }))
        .await
        .unwrap()
        .unwrap()
}

/// Does something of an order that is there, under its lock.
pub(super) fn of_order<T>(
    tx: &mut Tx,
    order: OrderId,
    work: impl FnOnce(&mut Tx, &LockedOrder<'_>) -> Result<T>,
) -> Result<T> {
    let tx = &mut tx.without_notary();
    let (locked, _) = orders::lock(tx, order)?.unwrap();
    work(tx, &locked)
}

/// Does something of a transfer that is there, under its lock.
pub(super) fn of_transfer<T>(
    tx: &mut Tx,
    transfer: TransferId,
    work: impl FnOnce(&mut Tx, &LockedTransfer<'_>) -> Result<T>,
) -> Result<T> {
    let tx = &mut tx.without_order();
    let (locked, _) = transfers::lock(tx, transfer)?.unwrap();
    work(tx, &locked)
}

/// Changes the status of a transfer. Returns false if it stays.
pub(super) fn step_transfer(
    tx: &mut Tx,
    transfer: TransferId,
    step: &transfers::Step<'_>,
    now: Timestamp,
) -> Result<bool> {
    of_transfer(tx, transfer, |tx, transfer| {
        transfers::step(tx, transfer, step, now)
    })
}

/// Stores an attempt.
pub(super) fn save_attempt(tx: &mut Tx, attempt: &Attempt, now: Timestamp) -> Result<()> {
    of_order(tx, attempt.order_id, |tx, order| {
        attempts::save(tx, order, attempt, now)
    })
}

/// Begins an attempt for an order.
pub(super) fn begin_attempt(
    tx: &mut Tx,
    number: u64,
    order: &Order,
    second: i64,
) -> Result<AttemptId> {
    let attempt = NewAttempt {
        id: AttemptId::new(id(number)),
        order_id: order.id,
        acquirer: AcquirerName::Monobank,
        kind: AttemptKind::Invoice,
        amount: order.sum,
        created_at: at(second),
    }
    .prepared();
    save_attempt(tx, &attempt, at(0))?;
    Ok(attempt.id)
}

/// Ends an attempt as paid.
pub(super) fn pay_attempt(tx: &mut Tx, attempt: AttemptId, second: i64) -> Result<()> {
    let Some(begun) = attempts::by_id(tx, attempt)? else {
        return Ok(());
    };
    let paid = Attempt {
        state: AttemptState::Finished,
        outcome: Some(OrderStatus::Paid),
        charged_at: Some(at(second)),
        next_check_at: None,
        ..begun
    };
    save_attempt(tx, &paid, at(second))
}

/// Moves an order from one status to another. `false` if it is not in the first.
pub(super) fn step(
    tx: &mut Tx,
    order: OrderId,
    from: OrderStatus,
    to: OrderStatus,
    now: Timestamp,
) -> Result<bool> {
    let Some(case) = payments::case_of(tx, order)? else {
        return Ok(false);
    };
    let facts = OrderFacts {
        status: to,
        payment_state: PaymentState::of(to, None, false),
        paid_at: case.order.paid_at.or(to.has_money().then_some(now)),
        ..case.order
    };
    of_order(tx, order, |tx, locked| {
        payments::save_order(tx, locked, &facts, from, now)
    })
}

/// Runs the same unit of work so many times at once, and gives all answers.
pub(super) async fn at_once<T, F>(store: &Store, times: u64, work: impl Fn(u64) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: FnMut(&mut Tx) -> Result<T> + Send + 'static,
{
    let tasks: Vec<_> = (0..times)
        .map(|number| {
            let (store, work) = (store.clone(), work(number));
            tokio::spawn(async move { store.write(work).await })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap().unwrap());
    }
    answers
}

/// Plans one transfer. Returns false if the part of the item has one already.
pub(super) fn plan(
    tx: &mut Tx,
    id: TransferId,
    (order, item): (OrderId, ItemId),
    planned: &PlannedTransfer,
    now: Timestamp,
) -> Result<bool> {
    let part = PartToPlan {
        id,
        item,
        planned,
        is_held: false,
        seal: [7; 32],
    };
    let stored = of_order(tx, order, |tx, order| {
        transfers::plan_all(tx, order, &[part], now)
    });
    Ok(stored? == [id])
}
