//! Looking for orders.

use cabinet_domain::payment::PaymentState;
use cabinet_domain::{
    Inn, Line, Money, NotaryId, Order, OrderStatus, Phone, fold_for_search, kyiv_day_start,
};
use cabinet_storage::account::notaries;
use cabinet_storage::order::order_search::SoughtOfDays;
use cabinet_storage::order::{order_search, orders};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::mask::Mask;
use super::{DeskError, SupportDesk};
use crate::documents::{proves, read_code};

/// Orders that are found at most.
const FOUND_MAX: usize = 50;
/// One more is read, so that it is known whether more fit.
const READ_MAX: u32 = FOUND_MAX as u32 + 1;
/// Fewest letters of the longest word of a sought name.
const NAME_CHARS_MIN: usize = 3;
/// Most words of a sought name.
const NAME_WORDS_MAX: usize = 6;
/// Longest reference of a bank, in characters.
const REFERENCE_CHARS_MAX: usize = 128;

/// What orders are looked for by.
#[derive(Clone)]
pub enum Sought {
    /// The notary's phone: the newest orders of that account.
    Phone(String),
    /// The code of a client, or the code on a receipt.
    Code(String),
    /// What a bank or a letter names: the acquirer's invoice, RRN, our reference, the reference, UETR or document number of a
    /// transfer, an id.
    Reference(String),
    /// What happened on some days (Kyiv).
    OfDays(SoughtDays),
}

/// Orders that were made, begun to be paid, charged or paid on some days (Kyiv), and of which all of this is true.
#[derive(Clone, Debug)]
pub struct SoughtDays {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// The client's name, or parts of it.
    pub name: Option<String>,
    /// The last four digits of the card.
    pub card_end: Option<String>,
    /// The charged sum, or that of the fees without the commission.
    pub sum: Option<Money>,
}

/// An order that was found. People are masked.
#[derive(Clone, Debug)]
pub struct FoundOrder {
    /// The short number.
    pub number: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// The status.
    pub status: OrderStatus,
    /// The state of its payment.
    pub payment_state: PaymentState,
    /// The sum.
    pub sum: Money,
    /// The card, masked.
    pub card: Option<String>,
    /// Name of the client.
    pub client_name: String,
    /// Code of the client.
    pub client_code: String,
    /// The notary's account.
    pub notary: NotaryId,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct FoundOrders {
    /// The newest first, at most fifty.
    pub orders: Vec<FoundOrder>,
    /// Whether more fit.
    pub has_more: bool,
}

impl SupportDesk {
    /// Returns the newest orders that fit.
    ///
    /// # Errors
    /// [`DeskError::Unreadable`] with what is wrong; [`DeskError::NoNotary`] for a phone that nobody has.
    pub async fn find(&self, sought: Sought) -> Result<FoundOrders, DeskError> {
        let found = match sought {
            Sought::Phone(text) => self.of_phone(&text).await?,
            Sought::Code(text) => self.of_code(&text).await?,
            Sought::Reference(text) => self.under_reference(&text).await?,
            Sought::OfDays(days) => self.of_days(days).await?,
        };
        Ok(FoundOrders {
            orders: found.iter().take(FOUND_MAX).map(found_order).collect(),
            has_more: found.len() > FOUND_MAX,
        })
    }

    async fn of_phone(&self, text: &str) -> Result<Vec<Order>, DeskError> {
        let phone = Phone::parse(text).map_err(|_| {
            DeskError::Unreadable("--phone: that is not a telephone number, write +380501112233")
        })?;
        let read = move |tx: &mut Tx| -> Result<Option<Vec<Order>>, StorageError> {
            match notaries::by_phone(tx, &phone)? {
                Some(notary) => order_search::of_notary(tx, notary.id, READ_MAX).map(Some),
                None => Ok(None),
            }
        };
        let found = self.store.read_long(read).await?;
        found.ok_or(DeskError::NoNotary)
    }

    async fn of_code(&self, text: &str) -> Result<Vec<Order>, DeskError> {
        if let Some((number, proof)) = read_code(text) {
            let Some(keys) = self.keys.clone() else {
                return Err(DeskError::Unreadable(
                    "--code: codes of receipts need the server's CABINET_SECRET_KEY and CABINET_RECEIPT_SECRET_KEYS",
                ));
            };
            let read = move |tx: &mut Tx| orders::by_number(tx, number);
            let found = self.store.read(read).await?;
            let is_genuine = |order: &Order| proves(&keys, order, &proof);
            return Ok(found.filter(is_genuine).into_iter().collect());
        }
        let inn = Inn::parse(text).map_err(|_| {
            DeskError::Unreadable(
                "--code: neither the code of a client (8 to 10 digits, or a passport) nor that of a receipt (100123-7KQ2-M4XD-01AB)",
            )
        })?;
        let read = move |tx: &mut Tx| order_search::of_client_code(tx, &inn, READ_MAX);
        Ok(self.store.read_long(read).await?)
    }

    async fn of_days(&self, days: SoughtDays) -> Result<Vec<Order>, DeskError> {
        let from = kyiv_day_start(days.from);
        let until = days.to.tomorrow().ok().and_then(kyiv_day_start);
        let (Some(from), Some(until)) = (from, until) else {
            return Err(DeskError::Unreadable("there is no such day"));
        };
        if from >= until {
            return Err(DeskError::Unreadable("--from is later than --to"));
        }
        let name = days.name.as_deref().map(read_name).transpose()?;
        let card_end = days.card_end.as_deref().map(read_card_end).transpose()?;
        let sought = SoughtOfDays {
            from,
            until,
            name: name.unwrap_or_default(),
            card_end,
            sum: days.sum,
        };
        let read = move |tx: &mut Tx| order_search::of_days(tx, &sought, READ_MAX);
        Ok(self.store.read_long(read).await?)
    }

    async fn under_reference(&self, text: &str) -> Result<Vec<Order>, DeskError> {
        if let Ok(id) = Uuid::try_parse(text.trim()) {
            let read = move |tx: &mut Tx| order_search::under_id(tx, id, READ_MAX);
            return Ok(self.store.read_long(read).await?);
        }
        let reference = Line::parse(text, REFERENCE_CHARS_MAX)
            .map_err(|_| DeskError::Unreadable("--reference: it is empty or too long"))?;
        let read = move |tx: &mut Tx| order_search::under_reference(tx, &reference, READ_MAX);
        Ok(self.store.read_long(read).await?)
    }
}

/// Returns the folded words of a sought name.
pub(super) fn read_name(text: &str) -> Result<Vec<String>, DeskError> {
    let folded = fold_for_search(text);
    let words: Vec<String> = folded
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let is_name = |word: &String| !word.chars().any(char::is_numeric);
    if words.len() > NAME_WORDS_MAX
        || words.iter().map(|word| word.chars().count()).max() < Some(NAME_CHARS_MIN)
    {
        return Err(DeskError::Unreadable(
            "--name: give at least three letters of a name",
        ));
    }
    // The searched text has the client's code, too, which is looked for whole: by --code.
    if !words.iter().all(is_name) {
        return Err(DeskError::Unreadable(
            "--name: a name has no digits; --code looks for the code of a client",
        ));
    }
    Ok(words)
}

/// Returns the last four digits of a card: `4242`, or `•••• 4242`.
fn read_card_end(text: &str) -> Result<String, DeskError> {
    let digits: String = text
        .chars()
        .filter(|sign| !matches!(sign, '*' | '•' | ' ' | '\u{a0}'))
        .collect();
    if digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(digits)
    } else {
        Err(DeskError::Unreadable(
            "--card: give the last four digits of the card alone",
        ))
    }
}

pub(super) fn found_order(order: &Order) -> FoundOrder {
    let mask = Mask { is_full: false };
    FoundOrder {
        number: order.number,
        created_at: order.created_at,
        status: order.status,
        payment_state: order.payment_state,
        sum: order.sum,
        card: order.pan.as_ref().map(|pan| pan.as_str().to_owned()),
        client_name: mask.name(&order.client.full_name),
        client_code: mask.code(&order.client.inn),
        notary: order.notary_id,
    }
}
