//! Orders on the wire.

use cabinet_app::kernel::refusal::AppError;
use cabinet_app::order::{OrderPage, OrderView};
use cabinet_domain::{
    Locale, Money, Order as DomainOrder, OrderItem as DomainItem, PartRole,
    ReturnedPart as DomainPart,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::{Choices, Chosen, ChosenRequisite, ChosenTerm, PaymentType};
use super::client::Client;
use super::message_key::MessageKey;
use super::moment::Moment;
use super::notarial_act::NotarialAct;
use super::order_summary::{OrderStatus, PaymentState};
use super::sums::{Hryvnias, broken_sum};

/// `GET /order`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Orders {
    /// Newest first.
    pub orders: Vec<Order>,
    /// Give it as `before` for the next page; null on the last.
    pub next: Option<String>,
}

/// An order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Order {
    /// Opaque.
    pub id: String,
    /// A short number that a person can say.
    pub number: String,
    /// Where it stands. A paid one may have been paid by QR codes: see `paid_by`.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// When it was created.
    pub created_at: Moment,
    /// When it was paid, or marked as paid by QR codes; null before.
    pub paid_at: Option<Moment>,
    /// By what it was paid: by a card, or by QR codes as the notary has marked; null before. The service has received nothing of what was
    /// paid by codes.
    pub paid_by: Option<PaidBy>,
    /// The notary's mark that the recipients were paid by QR codes; null without one. It stays where a card was charged all the same.
    pub codes_payment: Option<CodesPayment>,
    /// For whom was paid.
    pub client: Client,
    /// What is charged: the sum of the items' `sum_total`, so with commissions and counts. Of an order that QR codes paid, what was paid by
    /// them: without commissions.
    pub sum: Hryvnias,
    /// Where to pay; null where there is nothing to open.
    pub widget_url: Option<String>,
    /// The card, masked as the acquirer masks it; null before a payment, and where QR codes paid.
    pub pan: Option<String>,
    /// Why it was not paid; null where nothing failed.
    pub failure: Option<MessageKey>,
    /// In the order of the cart.
    pub items: Vec<OrderItem>,
    /// The notarial act that the payments are for.
    pub act: NotarialAct,
    /// When QR codes for paying the recipients past the cabinet were last given out; null before. Whoever has them may have paid, so
    /// a card must not pay without asking.
    pub codes_given_at: Option<Moment>,
    /// When the notary cancelled it; null otherwise. It can't be paid after that.
    pub cancelled_at: Option<Moment>,
    /// When its payments went back to the cart; null if they did not. It can't be paid after that.
    pub returned_to_cart_at: Option<Moment>,
    /// Parts that a bank or the Treasury has sent back, by document number, with what became of them.
    pub returned: Vec<ReturnedPart>,
    /// What was given back to the card before it was sent to the recipients, of an order that stays paid; null where nothing was.
    pub given_back: Option<Hryvnias>,
    /// A payment comes from a deal: there is its calculation.
    pub of_deal: bool,
    /// By when it is known whether money was taken, where the bank's answer to a charge was lost; null otherwise. Only of an order that is
    /// read alone.
    pub answer_expected_at: Option<Moment>,
}

/// By what an order was paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaidBy {
    /// A card, through the service.
    Card,
    /// QR codes, past the service, as the notary has marked.
    Codes,
}

impl From<cabinet_domain::PaidBy> for PaidBy {
    fn from(by: cabinet_domain::PaidBy) -> PaidBy {
        match by {
            cabinet_domain::PaidBy::Card => PaidBy::Card,
            cabinet_domain::PaidBy::Codes => PaidBy::Codes,
        }
    }
}

/// The notary's mark that the recipients of an order were paid by QR codes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CodesPayment {
    /// When it was marked.
    pub marked_at: Moment,
    /// The UETR or reference on the payer's own receipt, as told; null where it was not entered.
    pub reference: Option<String>,
    /// What the recipients get, without commission.
    pub amount: Hryvnias,
    /// The notary's own parts that are on her account, by the statement of her own bank; empty before she has uploaded one.
    pub credits: Vec<CodesCredit>,
}

/// The notary's part of a payment, credited by the statement of her own bank.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CodesCredit {
    /// The payment.
    pub item_id: String,
    /// The day (Kyiv) of crediting, `YYYY-MM-DD`.
    pub on: String,
    /// The sum.
    pub amount: Hryvnias,
}

impl CodesPayment {
    fn of(order: &DomainOrder, items: &[DomainItem]) -> Result<Option<CodesPayment>, AppError> {
        let Some(payment) = order.codes_payment() else {
            return Ok(None);
        };
        let mut amount = Money::ZERO;
        let mut credits = Vec::new();
        for item in items {
            let content = &item.content;
            let part = content.price.amount.times(content.count);
            amount = part
                .and_then(|part| amount.plus(part))
                .map_err(broken_sum)?;
            if let Some(credit) = &item.codes_credit {
                let parts = content.price.parts(content.kind).map_err(broken_sum)?;
                let own = parts.iter().filter(|part| part.role == PartRole::Notary);
                let own = Money::sum(own.map(|part| part.amount))
                    .and_then(|own| own.times(content.count))
                    .map_err(broken_sum)?;
                credits.push(CodesCredit {
                    item_id: item.id.to_string(),
                    on: credit.on.to_string(),
                    amount: own.into(),
                });
            }
        }
        Ok(Some(CodesPayment {
            marked_at: payment.marked_at.into(),
            reference: payment
                .reference
                .as_ref()
                .map(|line| line.as_str().to_owned()),
            amount: amount.into(),
            credits,
        }))
    }
}

/// A part of an order that came back.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReturnedPart {
    /// The payment of the order that it belongs to.
    pub item_id: String,
    /// The number of its document, as on the receipt.
    pub document_number: i64,
    /// Who should have received it.
    pub recipient_name: String,
    /// The sum.
    pub amount: Hryvnias,
    /// The day on which it came back (Kyiv), `YYYY-MM-DD`.
    pub returned_on: String,
    /// Why, in the bank's words.
    pub reason: String,
    /// The transfer that came back. Opaque.
    pub transfer_id: String,
    /// What became of the part.
    pub after: AfterReturn,
    /// The number of the transfer that sends it again; null where none does.
    pub sent_again_as: Option<i64>,
    /// The day (Kyiv) on which the money went back to the card, or else of the request for it, `YYYY-MM-DD`; null without a request.
    pub to_card_on: Option<String>,
}

/// What became of a returned part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AfterReturn {
    /// Nobody has decided yet.
    Undecided,
    /// A new transfer is planned, or on its way.
    SentAgain,
    /// The new transfer reached its recipient.
    Credited,
    /// The new transfer was called off, because the whole payment was given back to the card.
    CalledOff,
    /// The notary has asked for the money to be given back to the card.
    RefundRequested,
    /// The money went back to the card.
    Refunded,
}

impl From<cabinet_domain::AfterReturn> for AfterReturn {
    fn from(after: cabinet_domain::AfterReturn) -> AfterReturn {
        use cabinet_domain::AfterReturn as Domain;
        match after {
            Domain::Undecided => AfterReturn::Undecided,
            Domain::SentAgain => AfterReturn::SentAgain,
            Domain::Credited => AfterReturn::Credited,
            Domain::CalledOff => AfterReturn::CalledOff,
            Domain::RefundRequested => AfterReturn::RefundRequested,
            Domain::Refunded => AfterReturn::Refunded,
        }
    }
}

/// A payment of an order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderItem {
    /// Opaque; the same as in the cart.
    pub id: String,
    /// When it was added to the cart.
    pub created_at: Moment,
    /// Where it stands: as its order.
    pub status: OrderStatus,
    /// Kind.
    pub payment_type: PaymentType,
    /// Service, where the kind has one.
    pub payment_type_option: Option<Chosen>,
    /// Term, where the kind has one.
    pub payment_type_option_term: Option<ChosenTerm>,
    /// Recipient from the server's data, where the kind has one.
    pub payment_type_requisite: Option<ChosenRequisite>,
    /// `requisites_payment`: the recipient.
    pub recipient_name: Option<String>,
    /// The notary's own account (`admin_payment`) or the recipient's (`requisites_payment`).
    pub iban: Option<String>,
    /// The code that belongs to `iban`.
    pub okpo: Option<String>,
    /// Purpose of the payment.
    pub purpose: String,
    /// How many units.
    pub count: i64,
    /// What the recipients get for one unit, without commission.
    pub sum_base: Hryvnias,
    /// Commission for one unit; 0 where QR codes paid.
    pub commission: Hryvnias,
    /// `sum_base` + `commission`.
    pub sum_full: Hryvnias,
    /// `sum_full` × `count`.
    pub sum_total: Hryvnias,
}

impl Orders {
    /// Converts a page of orders.
    ///
    /// # Errors
    /// Returns an error when the sum of a stored item overflows.
    pub fn of(page: OrderPage, locale: Locale) -> Result<Orders, AppError> {
        let orders = page
            .orders
            .into_iter()
            .map(|view| Order::of(view, locale))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Orders {
            orders,
            next: page.next.map(|id| id.to_string()),
        })
    }
}

impl Order {
    /// Converts an order.
    ///
    /// # Errors
    /// Returns an error when the sum of a stored item overflows.
    pub fn of(view: OrderView, locale: Locale) -> Result<Order, AppError> {
        let order = view.order;
        let standing = order.standing();
        let status = OrderStatus::from(standing.status);
        let codes_payment = CodesPayment::of(&order, &view.items)?;
        let is_by_codes = order.is_paid_by_codes();
        let codes_given_at = order.codes_given_at();
        // Why no card paid it says nothing where codes did.
        let failure = order.failure.filter(|_| !is_by_codes);
        let sum = match &codes_payment {
            Some(payment) if is_by_codes => payment.amount,
            _ => order.sum.into(),
        };
        let items = view
            .items
            .into_iter()
            .map(|item| OrderItem::of(item, status, is_by_codes, locale))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Order {
            id: order.id.to_string(),
            number: order.number.to_string(),
            status,
            payment_state: standing.payment_state.into(),
            created_at: order.created_at.into(),
            paid_at: standing.paid_at.map(Into::into),
            paid_by: standing.paid_by.map(Into::into),
            codes_payment,
            client: Client::from(&order.client),
            sum,
            widget_url: order.payment_page_url,
            pan: order
                .pan
                .filter(|_| !is_by_codes)
                .map(|pan| pan.as_str().to_owned()),
            failure: failure.map(MessageKey),
            items,
            act: order.act.into(),
            codes_given_at: codes_given_at.map(Into::into),
            of_deal: view.of_deal,
            answer_expected_at: view.answer_expected_at.map(Into::into),
            cancelled_at: order.cancelled_at.map(Into::into),
            returned_to_cart_at: order.returned_to_cart_at.map(Into::into),
            returned: view
                .returned
                .into_iter()
                .filter_map(returned_part)
                .collect(),
            given_back: (!view.given_back.is_zero()).then(|| view.given_back.into()),
        })
    }
}

/// Converts a part that came back.
pub(crate) fn returned_part(part: DomainPart) -> Option<ReturnedPart> {
    let (after, to_card_on) = (part.after().into(), part.to_card_day());
    let transfer = part.transfer;
    Some(ReturnedPart {
        item_id: transfer.item_id.to_string(),
        document_number: transfer.document_number,
        amount: transfer.planned.amount.into(),
        returned_on: transfer.returned_day()?.to_string(),
        transfer_id: transfer.id.to_string(),
        after,
        sent_again_as: part.replacement.map(|new| new.document_number),
        to_card_on: to_card_on.map(|day| day.to_string()),
        recipient_name: transfer.planned.payee.name.into_string(),
        reason: transfer.reason.unwrap_or_default(),
    })
}

impl OrderItem {
    /// Converts an item. Its status is the status of its order. What QR codes paid has no commission.
    ///
    /// # Errors
    /// Returns an error when the sum of the item overflows.
    pub fn of(
        item: DomainItem,
        status: OrderStatus,
        is_by_codes: bool,
        locale: Locale,
    ) -> Result<OrderItem, AppError> {
        let content = item.content;
        let price = &content.price;
        let (commission, sum) = if is_by_codes {
            (Money::ZERO, price.amount)
        } else {
            (price.commission, price.sum)
        };
        let total = sum.times(content.count).map_err(broken_sum)?;
        let choices = Choices::of(&content, locale);
        Ok(OrderItem {
            id: item.id.to_string(),
            created_at: item.created_at.into(),
            status,
            payment_type: choices.payment_type,
            payment_type_option: choices.option,
            payment_type_option_term: choices.term,
            payment_type_requisite: choices.requisite,
            count: i64::from(content.count.get()),
            sum_base: content.price.amount.into(),
            commission: commission.into(),
            sum_full: sum.into(),
            sum_total: total.into(),
            recipient_name: content.recipient_name.map(|name| name.into_string()),
            iban: content.iban.map(|iban| iban.as_str().to_owned()),
            okpo: content.okpo.map(|okpo| okpo.as_str().to_owned()),
            purpose: content.purpose.as_str().to_owned(),
        })
    }
}
