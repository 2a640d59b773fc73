//! Past orders of the sandbox's notaries.

use cabinet_domain::payment::{
    AcquirerName, AttemptKind, CardDetails, InvoiceId, InvoiceNews, InvoiceStatus, NewAttempt, News,
};
use cabinet_domain::{
    AttemptId, CartItem, ClientId, EventId, Inn, ItemContent, ItemId, Locale, MaskedPan, Money,
    NewOrder, NotaryId, OrderEventKind, OrderHistoryEvent, OrderId, OrderStatus, PaymentKind,
    PaymentMethod, PersonName,
};
use cabinet_storage::address_book::clients;
use cabinet_storage::order::order_list::{self, OrderFilter};
use cabinet_storage::order::{order_events, orders};
use cabinet_storage::payment::{attempts, payment_proofs, payments};
use cabinet_storage::{StorageError, Tx, cart, lock_notary};
use jiff::{SignedDuration, Timestamp};

use super::SandboxData;
use super::people::{SANDBOX_NOTARIES, SandboxNotary};
use crate::kernel::refusal::{AppError, Result};
use crate::payment::{SettlementContext, settle_found};
/// A past payment that the sandbox's acquirer is told of.
pub struct SandboxPayment {
    /// Our reference.
    pub payment_reference: String,
    /// The sum in kopiykas.
    pub sum: i64,
    /// What the payment page showed.
    pub destination: String,
    /// The moment of the payment.
    pub at: Timestamp,
}

/// Whom a notary paid so long ago is known to her, as with an upgrade.
const PROVED_AFTER: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The past orders of a notary: kind, or the other administrative fee where hers is the other one, days ago, final status, client.
const HISTORY: [(PaymentKind, i64, OrderStatus, (&str, &str)); 5] = [
    (
        PaymentKind::AdminPayment,
        1,
        OrderStatus::Paid,
        ("3652504575", "Гнатюк Петро Олександрович"),
    ),
    (
        PaymentKind::RequisitesPayment,
        3,
        OrderStatus::Expired,
        ("32855961", "ТОВ «Ранкова зоря»"),
    ),
    (
        PaymentKind::RegistryPayment,
        8,
        OrderStatus::Paid,
        ("АВ123456", "Лисенко Марія Степанівна"),
    ),
    (
        PaymentKind::AdminGovernmentPayment,
        21,
        OrderStatus::Paid,
        ("1759013776", "Кравець Богдан Юрійович"),
    ),
    (
        PaymentKind::AdminPayment,
        40,
        OrderStatus::Paid,
        ("3068208400", "Ґалаґан Єва Їржівна"),
    ),
];

/// Returns the kind of a past order that the notary could have made.
fn kind_of(notary: &SandboxNotary, kind: PaymentKind) -> PaymentKind {
    match kind {
        _ if notary.status.offers(kind) => kind,
        PaymentKind::AdminPayment => PaymentKind::AdminGovernmentPayment,
        PaymentKind::AdminGovernmentPayment => PaymentKind::AdminPayment,
        PaymentKind::RegistryPayment | PaymentKind::RequisitesPayment => kind,
    }
}

impl SandboxData {
    /// Adds past orders to each notary of the sandbox. `pay` tells the acquirer of a payment and returns its invoice.
    pub async fn add_history(&self, pay: impl Fn(&SandboxPayment) -> Option<String>) -> Result<()> {
        for notary in &SANDBOX_NOTARIES {
            let (id, filter) = (notary.id(), OrderFilter::default());
            let known = self
                .store
                .read(move |tx| order_list::page_of(tx, id, &filter, 1))
                .await?;
            if !known.is_empty() {
                continue;
            }
            for (kind, days, ending, client) in HISTORY.iter().rev() {
                let at = self.clock.now()
                    - SignedDuration::from_hours(24 * days)
                    - SignedDuration::from_mins(7 * days);
                let (inn, full_name, content) =
                    self.past_item(notary, kind_of(notary, *kind), at, *client)?;
                let order = self.past_order(id, at, (inn, full_name), content)?;
                let invoice = if *ending == OrderStatus::Paid {
                    pay(&order.payment()).and_then(|invoice| InvoiceId::parse(&invoice))
                } else {
                    None
                };
                self.add_past_order(order, invoice).await?;
            }
            let before = self.clock.now() - PROVED_AFTER;
            let prove = move |tx: &mut Tx| {
                let notary = lock_notary(tx, id)?;
                payment_proofs::add_paid_before(tx, &notary, before)
            };
            self.store.write(prove).await?;
        }
        Ok(())
    }

    fn past_order(
        &self,
        notary: NotaryId,
        at: Timestamp,
        (inn, full_name): (Inn, PersonName),
        content: ItemContent,
    ) -> Result<PastOrder> {
        let (client, item, order) = (
            ClientId::new(self.ids.new_id()),
            ItemId::new(self.ids.new_id()),
            OrderId::new(self.ids.new_id()),
        );
        let attempt = self.ids.attempt_id(order);
        let sum = content.total().map_err(|error| {
            AppError::Broken(format!("a payment of the sandbox has no sum: {error}"))
        })?;
        Ok(PastOrder {
            notary,
            client,
            inn,
            full_name,
            item,
            content,
            order,
            attempt,
            sum,
            at,
            paid_at: at + SignedDuration::from_secs(95),
        })
    }

    async fn add_past_order(&self, past: PastOrder, invoice: Option<InvoiceId>) -> Result<()> {
        let context = self.settler.context_at(past.paid_at);
        let fresh = self.ids.attempt_id(past.order);
        let event = EventId::new(self.ids.new_id());
        let news = match invoice {
            Some(invoice) => {
                let paid = past_payment(invoice, past.attempt, past.sum, past.paid_at);
                News::Told(Box::new(paid), fresh)
            }
            None => News::Withdrawn(past.attempt),
        };
        let write = move |tx: &mut Tx| past.insert(tx, &context, event, &news);
        Ok(self.store.write(write).await?)
    }
}

/// An order of the past that is about to be stored.
struct PastOrder {
    notary: NotaryId,
    client: ClientId,
    inn: Inn,
    full_name: PersonName,
    item: ItemId,
    content: ItemContent,
    order: OrderId,
    attempt: AttemptId,
    sum: Money,
    at: Timestamp,
    paid_at: Timestamp,
}

impl PastOrder {
    fn payment(&self) -> SandboxPayment {
        SandboxPayment {
            payment_reference: self.attempt.to_string(),
            sum: self.sum.kopiykas(),
            destination: "Оплата замовлення у кабінеті нотаріуса".to_owned(),
            at: self.paid_at,
        }
    }

    /// Stores the order and settles how it ended.
    fn insert(
        &self,
        tx: &mut Tx,
        context: &SettlementContext,
        event: EventId,
        ending: &News,
    ) -> Result<(), StorageError> {
        let (order, at) = (self.order, self.at);
        let notary = lock_notary(tx, self.notary)?;
        let client = clients::upsert(tx, &notary, self.client, &self.inn, &self.full_name, at)?;
        let item = CartItem {
            id: self.item,
            created_at: at,
            content: self.content.clone(),
        };
        cart::add(tx, &notary, client.id, &item)?;
        let new = NewOrder {
            id: order,
            created_at: at,
            sum: self.sum,
            locale: Locale::Uk,
            method: PaymentMethod::CardPage,
            pan: None,
            idempotency_key: self.attempt.to_string(),
            request_fingerprint: [0; 32],
        };
        let Some(group) = cart::group_of(tx, notary.id(), client.id)? else {
            return Ok(());
        };
        let (locked, _) = orders::create_from_cart(tx, &notary, &new, &group)?;
        let attempt = NewAttempt {
            id: self.attempt,
            order_id: order,
            acquirer: AcquirerName::Monobank,
            kind: AttemptKind::Invoice,
            amount: self.sum,
            created_at: at,
        };
        attempts::save(tx, &locked, &attempt.prepared(), at)?;
        let created = OrderHistoryEvent {
            id: event,
            order_id: order,
            at,
            kind: OrderEventKind::Created,
            from_status: None,
            to_status: Some(OrderStatus::InProgress),
            detail: None,
        };
        order_events::add(tx, &locked, &created)?;
        for news in [&News::Submitting(self.attempt, Some(at)), ending] {
            if let Some(found) = payments::order_case_of(tx, order)? {
                settle_found(tx, &locked, context, found, news)?;
            }
        }
        Ok(())
    }
}

fn past_payment(
    invoice_id: InvoiceId,
    payment_reference: AttemptId,
    sum: Money,
    paid_at: Timestamp,
) -> InvoiceNews {
    InvoiceNews {
        acquirer: AcquirerName::Monobank,
        invoice_id,
        payment_reference: Some(payment_reference),
        status: InvoiceStatus::Success,
        amount: sum,
        is_hryvnia: true,
        refunded: Money::ZERO,
        refunds: Vec::new(),
        modified_at: Some(paid_at),
        created_at: None,
        as_of: Some(paid_at),
        card: CardDetails {
            masked_pan: MaskedPan::parse("424242******4242"),
            payment_system: Some("visa".to_owned()),
            approval_code: Some("662476".to_owned()),
            rrn: Some("060189181768".to_owned()),
        },
        acquirer_fee: None,
        failure_code: None,
    }
}
