//! What a client is shown of an order: no more than is needed to know what is paid, to whom and how far it has come.

use cabinet_domain::payment::{ClientStanding, Delays, PaymentState};
use cabinet_domain::{
    Iban, Money, Names, Order, OrderId, OrderItem, OrderStatus, PaidBy, PartRole, PaymentKind,
    PlannedTransfer, TransferStatus, ends_of_chains,
};
use cabinet_storage::account::notaries;
use cabinet_storage::client_link::receipt_consents;
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::Opened;
use crate::account::refuse_unconfirmed;
use crate::documents::{public_client_name, public_name, public_purpose};
use crate::transfer::plan::planned_of_order;

/// An order as its client is shown it.
#[derive(Clone, Debug)]
pub struct ClientPage {
    /// Its short number.
    pub number: i64,
    /// Who asks for the payment.
    pub notary_name: String,
    /// The payer: a person by initials, a legal entity by its name.
    pub payer: String,
    /// What is paid for.
    pub payments: Vec<ClientPayment>,
    /// Who gets which part. Empty where that can't be told.
    pub parts: Vec<ClientPart>,
    /// What the card is charged.
    pub sum: Money,
    /// The commission in it; `None` for none.
    pub commission: Option<Money>,
    /// The status.
    pub status: OrderStatus,
    /// The state of the payment.
    pub payment_state: PaymentState,
    /// What the client is told of it.
    pub standing: ClientStanding,
    /// By when it is known whether a charge was made whose answer was lost.
    pub answer_expected_at: Option<Timestamp>,
    /// When it was paid, or marked as paid by QR codes.
    pub paid_at: Option<Timestamp>,
    /// Whether QR codes were given out, so that a card might pay a second time.
    pub codes_given: bool,
    /// Whether the notary's account takes no payments now.
    pub is_closed: bool,
    /// Whether a client may pay now. Whether the acquirer gives a page is known only then.
    pub can_pay: bool,
    /// When the link ends.
    pub ends_at: Timestamp,
    /// Where the receipt is sent, masked.
    pub receipt_to: Option<String>,
    /// Whether receipts can be sent at all.
    pub writes_letters: bool,
}

/// A payment of the order.
#[derive(Clone, Debug)]
pub struct ClientPayment {
    /// Its kind.
    pub kind: PaymentKind,
    /// The service, where the kind has one.
    pub option: Option<Names>,
    /// How many units.
    pub count: i64,
    /// With its commission, which codes do not have.
    pub total: Money,
}

/// A part of the order's money: what one recipient gets.
#[derive(Clone, Debug)]
pub struct ClientPart {
    /// The recipient. A person is named by initials, the notary in full.
    pub recipient: String,
    /// What the money is sent by.
    pub requisites: ClientRequisites,
    /// The sum.
    pub amount: Money,
    /// How far it has come; `None` before the payment.
    pub status: Option<TransferStatus>,
    /// Whether it was given back to the card.
    pub is_given_back: bool,
    /// Whether that was before a bank had it.
    pub is_given_back_unsent: bool,
}

/// What a transfer is sent by, as on the receipt.
#[derive(Clone, Debug)]
pub struct ClientRequisites {
    /// The recipient's whole name.
    pub name: String,
    /// The recipient's code.
    pub code: String,
    /// The recipient's account.
    pub iban: Iban,
    /// The purpose, in which the client's code is shortened and a person has initials.
    pub purpose: String,
}

impl ClientPage {
    /// Returns a word that changes whenever the page must be shown anew.
    pub fn state(&self) -> String {
        let sent = |status| {
            let parts = self.parts.iter().filter(|part| part.status == Some(status));
            parts.count()
        };
        format!(
            "{}-{}-{}-{}-{}",
            self.standing.as_str(),
            u8::from(self.can_pay),
            sent(TransferStatus::Credited),
            sent(TransferStatus::Returned),
            self.parts.iter().filter(|part| part.is_given_back).count(),
        )
    }

    /// Returns whether something is expected to happen to the payment soon.
    pub const fn is_awaited(&self) -> bool {
        self.payment_state.may_take_money()
    }
}

/// Reads an order for its client. `None`: it is not there any more.
pub(super) fn read_page(
    tx: &mut Tx,
    opened: &Opened,
    writes_letters: bool,
    (delays, now): (&Delays, Timestamp),
) -> Result<Option<ClientPage>, StorageError> {
    let Some(order) = orders::order_of(tx, opened.notary, opened.order)? else {
        return Ok(None);
    };
    let Some(case) = payments::case_of(tx, opened.order)? else {
        return Ok(None);
    };
    let Some(account) = notaries::by_id(tx, opened.notary)? else {
        return Ok(None);
    };
    let items = orders::items_of(tx, order.id)?;
    let notary_name = account.profile.full_name.as_str().to_owned();
    let may_order = refuse_unconfirmed(&account).is_ok();
    let standing = ClientStanding::of(&case);
    let shown = order.standing();
    let is_by_codes = shown.paid_by == Some(PaidBy::Codes);
    let commission = commission_of(&items);
    Ok(Some(ClientPage {
        number: order.number,
        payer: public_client_name(&order.client),
        parts: parts_of(tx, &order, &notary_name)?,
        payments: items
            .iter()
            .filter_map(|item| payment_of(item, is_by_codes))
            .collect(),
        // Codes have no commission.
        commission: commission.filter(|_| !is_by_codes),
        notary_name,
        sum: match commission {
            Some(commission) if is_by_codes => order.sum.minus(commission).unwrap_or(order.sum),
            _ => order.sum,
        },
        status: shown.status,
        payment_state: shown.payment_state,
        standing,
        answer_expected_at: case
            .attempts
            .iter()
            .filter_map(|attempt| attempt.answer_expected_at(delays))
            .max()
            .filter(|at| *at > now),
        paid_at: shown.paid_at,
        codes_given: order.codes.is_some(),
        is_closed: !may_order,
        can_pay: may_order && standing.may_pay(),
        ends_at: opened.link.ends_at,
        receipt_to: masked_email(tx, order.id)?,
        writes_letters,
    }))
}

fn payment_of(item: &OrderItem, is_by_codes: bool) -> Option<ClientPayment> {
    let content = &item.content;
    let total = if is_by_codes {
        content.price.amount.times(content.count)
    } else {
        content.total()
    };
    Some(ClientPayment {
        kind: item.content.kind,
        option: item
            .content
            .option
            .as_ref()
            .map(|option| option.names.clone()),
        count: i64::from(item.content.count.get()),
        total: total.ok()?,
    })
}

fn commission_of(items: &[OrderItem]) -> Option<Money> {
    let sums = items.iter().filter_map(|item| {
        let content = &item.content;
        content.price.commission.times(content.count).ok()
    });
    Money::sum(sums).ok().filter(|sum| sum.kopiykas() > 0)
}

/// Returns who gets which part: by the transfers of a paid order, and by what a payment would make before.
fn parts_of(tx: &mut Tx, order: &Order, notary: &str) -> Result<Vec<ClientPart>, StorageError> {
    let part_of = |planned: &PlannedTransfer| {
        let payee = &planned.payee;
        let name = payee.name.as_str();
        ClientPart {
            recipient: match planned.role {
                PartRole::Notary => notary.to_owned(),
                PartRole::Recipient => public_name(name, payee.okpo.is_person()),
            },
            requisites: ClientRequisites {
                name: name.to_owned(),
                code: payee.okpo.as_str().to_owned(),
                iban: payee.iban.clone(),
                purpose: public_purpose(payee.purpose.as_str(), &order.client),
            },
            amount: planned.amount,
            status: None,
            is_given_back: false,
            is_given_back_unsent: false,
        }
    };
    let made = transfers::of_order(tx, order.id)?;
    if made.is_empty() {
        let planned = planned_of_order(tx, order)?.unwrap_or_default();
        return Ok(planned.iter().map(part_of).collect());
    }
    let parts = ends_of_chains(&made)
        .into_iter()
        .map(|transfer| ClientPart {
            status: Some(transfer.status),
            is_given_back: transfer.status == TransferStatus::CalledOff
                || transfer
                    .refund
                    .is_some_and(|refund| refund.refunded_at.is_some()),
            is_given_back_unsent: transfer.is_given_back_unsent(),
            ..part_of(&transfer.planned)
        });
    Ok(parts.collect())
}

fn masked_email(tx: &mut Tx, order: OrderId) -> Result<Option<String>, StorageError> {
    let consent = receipt_consents::of_order(tx, order)?;
    Ok(consent.map(|consent| consent.email.masked()))
}
