//! Checking a receipt: anybody with its code learns whether it is genuine, who received which part of it and how far each part has
//! come. People are named by initials and the end of a code alone. Who also has a payer's code, a recipient's account or a sum, as the
//! paper shows it, learns whether it is that of the receipt.

use cabinet_domain::{
    AfterReturn, Client, InnKind, Money, Order, OrderItem, OrderStatus, PartRole, Payee,
    PaymentKind, PersonName, ReturnedPart, Transfer, TransferStatus, ends_of_chains,
    returned_parts, without_codes,
};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use jiff::civil::Date;

use super::Receipts;
use super::code::{proves, read_code};
use super::codes_receipt::CodesPaper;
use super::facts::{ReceiptFacts, recorded};
use super::printed::{Paper, printed_field, printed_on_codes_paper};

pub use super::printed::PrintedField;
use crate::kernel::refusal::Result;

/// A part of a checked receipt: one transfer.
#[derive(Clone, Debug)]
pub struct CheckedTransfer {
    /// The number of its document.
    pub document_number: i64,
    /// The recipient. A person is named by initials.
    pub recipient: String,
    /// The sum.
    pub amount: Money,
    /// How far it has come.
    pub status: TransferStatus,
    /// The day on which it was credited, if the bank has told it, or came back.
    pub on: Option<Date>,
    /// Its return, or that of the transfer that it sends again.
    pub returned: Option<CheckedReturn>,
    /// Whether its money was given back to the card before a bank had it.
    pub given_back: bool,
}

/// The return of a part of a checked receipt.
#[derive(Clone, Debug)]
pub struct CheckedReturn {
    /// The number of the transfer that came back.
    pub document_number: i64,
    /// The day.
    pub on: Option<Date>,
    /// Why, in the bank's words.
    pub reason: String,
    /// What became of the part.
    pub after: AfterReturn,
    /// The day on which the money went back to the card, or else of the request for it.
    pub to_card_on: Option<Date>,
}

/// A part that was paid by a QR code.
#[derive(Clone, Debug)]
pub struct CheckedCodesPart {
    /// The recipient. A person is named by initials.
    pub recipient: String,
    /// The sum.
    pub amount: Money,
}

/// What is told of a genuine receipt.
#[derive(Clone, Debug)]
pub struct CheckedReceipt {
    /// The order's short number.
    pub number: i64,
    /// When the card was charged.
    pub paid_at: Timestamp,
    /// What was charged.
    pub sum: Money,
    /// Whether the money was given back.
    pub refunded: bool,
    /// Kind and sum of each payment of the order.
    pub payments: Vec<(PaymentKind, Money)>,
    /// The actual payer: the name of an entity or the initials of a person, and the end of the code. `None`: the names were taken out.
    pub payer: Option<(String, String)>,
    /// Who received which part.
    pub transfers: Vec<CheckedTransfer>,
    /// What was paid by QR codes past the service, as the notary has marked; `None`: a card paid.
    pub by_codes: Option<Vec<CheckedCodesPart>>,
    /// What that is on the receipt which was typed. `Some(None)`: the receipt does not name it. `None`: nothing was typed.
    pub typed: Option<Option<PrintedField>>,
}

/// What the check reads of an order.
struct Found {
    order: Order,
    items: Vec<OrderItem>,
    facts: Option<ReceiptFacts>,
    transfers: Vec<Transfer>,
    /// Whether the names are still there.
    names: bool,
}

impl Found {
    fn paper(&self) -> Paper<'_> {
        Paper {
            order: &self.order,
            items: &self.items,
            facts: self.facts.as_ref(),
            transfers: &self.transfers,
        }
    }
}

impl Receipts {
    /// Returns the receipt of a code, and whether `typed` is a payer's code, a recipient's account or a sum on it. `None`: there is none, or
    /// its order was never paid.
    pub async fn check(&self, code: &str, typed: &str) -> Result<Option<CheckedReceipt>> {
        let Some((number, proof)) = read_code(code) else {
            return Ok(None);
        };
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some(order) = orders::by_number(tx, number)? else {
                return Ok(None);
            };
            let items = orders::items_of(tx, order.id)?;
            let facts = recorded(tx, &order)?;
            let transfers = transfers::of_order(tx, order.id)?;
            let names = !erasure::is_anonymised(tx, order.id)?;
            Ok(Some(Found {
                order,
                items,
                facts,
                transfers,
                names,
            }))
        };
        let Some(found) = self.store.read(read).await? else {
            return Ok(None);
        };
        let order = &found.order;
        if order.is_paid_by_codes() {
            return self.check_codes(found, &proof, typed).await;
        }
        if !order.status.has_money() {
            return Ok(None);
        }
        // The time on the paper.
        let printed = found.facts.as_ref().and_then(ReceiptFacts::paid_at);
        let Some(paid_at) = printed.or(order.paid_at) else {
            return Ok(None);
        };
        if !proves(&self.keys, order, &proof) {
            return Ok(None);
        }
        let payments = found
            .items
            .iter()
            .filter_map(|item| Some((item.content.kind, item.content.total().ok()?)));
        Ok(Some(CheckedReceipt {
            number: order.number,
            paid_at,
            sum: order.sum,
            refunded: order.status == OrderStatus::Refunded,
            payments: payments.collect(),
            payer: found
                .names
                .then(|| (public_client_name(&order.client), order.client.inn.masked())),
            transfers: checked_transfers(&found.transfers),
            by_codes: None,
            // Of an order whose names were taken out nothing can be said.
            typed: (found.names && !typed.trim().is_empty())
                .then(|| printed_field(&found.paper(), typed)),
        }))
    }
}

impl Receipts {
    /// Returns the receipt of an order that was paid by QR codes.
    async fn check_codes(
        &self,
        found: Found,
        proof: &str,
        typed: &str,
    ) -> Result<Option<CheckedReceipt>> {
        let order = found.order;
        if !proves(&self.keys, &order, proof) {
            return Ok(None);
        }
        let read = {
            let order = order.clone();
            move |tx: &mut Tx| CodesPaper::read(tx, &order)
        };
        let (Some(paper), Some(payment)) = (self.store.read(read).await?, order.codes_payment())
        else {
            return Ok(None);
        };
        let Some(sum) = paper.total() else {
            return Ok(None);
        };
        let payments = paper.items.iter().filter_map(|(item, transfers)| {
            let amounts = transfers.iter().map(|transfer| transfer.amount);
            Some((item.content.kind, Money::sum(amounts).ok()?))
        });
        let parts = paper.items.iter().flat_map(|(_, transfers)| transfers);
        let parts = parts.map(|transfer| CheckedCodesPart {
            recipient: public_payee(&transfer.payee, transfer.role),
            amount: transfer.amount,
        });
        let operator = self.facts.operator.code.as_str();
        Ok(Some(CheckedReceipt {
            number: order.number,
            paid_at: payment.marked_at,
            sum,
            refunded: false,
            payments: payments.collect(),
            payer: found
                .names
                .then(|| (public_client_name(&order.client), order.client.inn.masked())),
            transfers: Vec::new(),
            by_codes: Some(parts.collect()),
            typed: (found.names && !typed.trim().is_empty())
                .then(|| printed_on_codes_paper(&order, &paper, operator, typed)),
        }))
    }
}

/// Returns the name of a recipient. The notary is a person, whatever code her account has.
fn public_payee(payee: &Payee, role: PartRole) -> String {
    public_name(
        payee.name.as_str(),
        payee.okpo.is_person() || role == PartRole::Notary,
    )
}

/// Returns the last transfer of each part.
fn checked_transfers(transfers: &[Transfer]) -> Vec<CheckedTransfer> {
    let parts = returned_parts(transfers);
    let with_return = |transfer: &Transfer| {
        let part = parts.iter().find(|part| part.end().id == transfer.id);
        checked_transfer(transfer, part)
    };
    ends_of_chains(transfers)
        .into_iter()
        .map(with_return)
        .collect()
}

fn checked_transfer(transfer: &Transfer, part: Option<&ReturnedPart>) -> CheckedTransfer {
    let payee = &transfer.planned.payee;
    let on = match transfer.status {
        TransferStatus::Credited => transfer.bank.credited_on,
        _ => transfer.returned_day(),
    };
    CheckedTransfer {
        document_number: transfer.document_number,
        recipient: public_payee(payee, transfer.planned.role),
        amount: transfer.planned.amount,
        status: transfer.status,
        given_back: transfer.is_given_back_unsent(),
        on,
        returned: part.map(|part| CheckedReturn {
            document_number: part.transfer.document_number,
            on: part.transfer.returned_day(),
            reason: part
                .transfer
                .reason
                .as_deref()
                .map(without_codes)
                .unwrap_or_default(),
            after: part.after(),
            to_card_on: part.to_card_day(),
        }),
    }
}

/// Returns the name of a client who is an entity, or the initials of a person.
pub(crate) fn public_client_name(client: &Client) -> String {
    public_name(
        client.full_name.as_str(),
        client.inn.kind() != InnKind::Edrpou,
    )
}

/// Returns a purpose as whoever holds a link may read it: of the client's code its last characters, of a person's name the initials.
pub(crate) fn public_purpose(purpose: &str, client: &Client) -> String {
    /// How many characters of the code stay.
    const SHOWN_OF_CODE: usize = 4;
    let code = client.inn.as_str();
    let hidden = code.chars().count().saturating_sub(SHOWN_OF_CODE);
    let end: String = code.chars().skip(hidden).collect();
    purpose
        .replace(code, &format!("…{end}"))
        .replace(client.full_name.as_str(), &public_client_name(client))
}

/// Returns the name of an entity, or the initials of a person.
pub(crate) fn public_name(name: &str, is_person: bool) -> String {
    if is_person {
        PersonName::parse_saved(name).map_or_else(|_| String::new(), |name| name.initials())
    } else {
        name.to_owned()
    }
}
