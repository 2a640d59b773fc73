//! `POST /order/create`: makes an order of a cart group and has it paid.

use cabinet_domain::payment::{AttemptKind, NewAttempt};
use cabinet_domain::{
    AttemptId, ClientId, EventId, Key, Locale, MaskedCard, Money, NotaryId, OrderId, OrderStatus,
    luhn_fits,
};
use cabinet_gateways::acquirer::CardToken;
use cabinet_storage::order_events::{self, OrderHistoryEvent};
use cabinet_storage::orders::{self, NewOrder, Order, PaymentMethod};
use cabinet_storage::{StorageError, Tx, attempts, cart};

use super::OrderSummary;
use crate::App;
use crate::cart::changes_of;
use crate::idempotency;
use crate::payments::PaymentMethodRequest;
use crate::refusal::{Detail, FieldErrors, Outcome, Refusal, Sort};

/// What `POST /order/create` says.
#[derive(Default)]
pub struct OrderWish {
    /// The cart group: its client.
    pub client_id: Option<String>,
    /// A saved card's token; none: the acquirer's page.
    pub token_id: Option<String>,
    /// The saved card's mask.
    pub pan: Option<String>,
    /// Language of the payment page and the texts about it.
    pub locale: Option<String>,
    /// The group's amount, as the screen showed it.
    pub sum: Option<Money>,
    /// Names this intent to pay; the same key never pays twice.
    pub idempotency_key: Option<String>,
}

/// A wish whose fields are right.
struct Intent {
    client: ClientId,
    token: Option<CardToken>,
    pan: Option<MaskedCard>,
    locale: Locale,
    sum: Option<Money>,
    key: String,
    fingerprint: [u8; 32],
}

enum Written {
    New {
        order: Box<Order>,
        attempt: AttemptId,
    },
    Existing(Box<Order>),
    Refused(Refusal),
}

impl App {
    /// Makes the order and asks the acquirer for its payment.
    ///
    /// The same key with the same content answers with the same order. The acquirer's silence is an unknown outcome: the order
    /// is answered in progress, and the worker asks on.
    ///
    /// # Errors
    /// The keys of the fields, `cart_group_empty`, `cart_already_ordered` with the order, `price_changed`,
    /// `idempotency_key_reused`, `card_not_found`, `acquirer_unavailable`.
    pub async fn create_order(
        &self,
        notary: NotaryId,
        wish: OrderWish,
        errors: FieldErrors,
    ) -> Outcome<OrderSummary> {
        let fresh_key = self.randomness().uuid_v4().to_string();
        let intent = read_wish(&wish, fresh_key, errors)?;
        if let Some(order) = self.order_of_key(notary, &intent).await? {
            return self.answered(notary, order).await;
        }
        let means = self.means(notary, &intent).await?;
        match self.write_order(notary, &intent, &means).await? {
            Written::Refused(refusal) => Err(refusal.into()),
            Written::Existing(order) => self.answered(notary, *order).await,
            Written::New { order, attempt } => {
                tracing::info!(order.id = %order.id, sum_kopiykas = order.sum.kopiykas(), "Order {} is handed to the acquirer", order.id);
                self.announce_cart(notary).await;
                self.publish_order(&order);
                self.submit(&order, attempt, &means).await?;
                self.summary(notary, order.id).await
            }
        }
    }

    /// The order that was made under this key before, if any.
    async fn order_of_key(&self, notary: NotaryId, intent: &Intent) -> Outcome<Option<Order>> {
        let key = intent.key.clone();
        let found = self
            .inner
            .store
            .read(move |tx| orders::by_idempotency_key(tx, notary, &key))
            .await?;
        match found {
            Some(order) if order.request_fingerprint != intent.fingerprint => {
                Err(Refusal::conflict(Key::IdempotencyKeyReused).into())
            }
            found => Ok(found),
        }
    }

    /// How it is paid. A saved card must be the notary's own and its mask the one that was shown.
    async fn means(&self, notary: NotaryId, intent: &Intent) -> Outcome<PaymentMethodRequest> {
        let Some(token) = &intent.token else {
            return Ok(PaymentMethodRequest::Page);
        };
        let gone = || Refusal::field("token_id", Key::CardNotFound);
        // Nothing was asked to be paid yet, so nothing is unknown.
        let cards = self.saved_cards(notary).await?;
        let card = cards
            .into_iter()
            .find(|card| card.token.matches(token.expose()))
            .ok_or_else(gone)?;
        let own = MaskedCard::parse_mask(card.masked_pan.as_str()).map_err(|_| gone())?;
        if intent.pan.as_ref().is_some_and(|shown| *shown != own) {
            return Err(Refusal::field("pan", Key::CardNotFound).into());
        }
        Ok(PaymentMethodRequest::Card {
            token: card.token,
            pan: own,
        })
    }

    /// Makes the order, its items and the attempt in one unit of work, and empties the group.
    async fn write_order(
        &self,
        notary: NotaryId,
        intent: &Intent,
        means: &PaymentMethodRequest,
    ) -> Outcome<Written> {
        let reference = self.reference()?;
        let now = self.now();
        let order_id = OrderId::new(self.new_id());
        let attempt_id = self.new_attempt_id(order_id);
        let event_id = EventId::new(self.new_id());
        let (client, key, fingerprint, locale, shown) = (
            intent.client,
            intent.key.clone(),
            intent.fingerprint,
            intent.locale,
            intent.sum,
        );
        let (method, kind, pan) = match means {
            PaymentMethodRequest::Page => (PaymentMethod::CardPage, AttemptKind::Invoice, None),
            PaymentMethodRequest::Card { pan, .. } => (
                PaymentMethod::SavedCard,
                AttemptKind::CardToken,
                Some(pan.clone()),
            ),
        };
        let write = move |tx: &mut Tx| -> Result<Written, StorageError> {
            // This lookup locks the notary, so one order at a time is made: whoever comes second sees the first one's.
            if let Some(order) = orders::by_idempotency_key(tx, notary, &key)? {
                return Ok(if order.request_fingerprint == fingerprint {
                    Written::Existing(Box::new(order))
                } else {
                    Written::Refused(Refusal::conflict(Key::IdempotencyKeyReused))
                });
            }
            let Some(group) = cart::group_of(tx, notary, client)? else {
                return refuse_empty(tx, notary, client);
            };
            for item in &group.items {
                if let Some(change) = changes_of(&item.content, &reference, now) {
                    let refusal = Refusal::conflict(change.key).on("client_id");
                    return Ok(Written::Refused(match change.price {
                        Some(price) => refusal.with(Detail::Price(price)),
                        None => refusal,
                    }));
                }
            }
            let sum = match group.total() {
                Ok(sum) => sum,
                Err(error) => {
                    return Ok(Written::Refused(Refusal::field("client_id", error.key())));
                }
            };
            if shown.is_some_and(|shown| shown != sum) {
                return Ok(Written::Refused(
                    Refusal::conflict(Key::PriceChanged).on("sum"),
                ));
            }
            let order = NewOrder {
                id: order_id,
                notary_id: notary,
                client_id: client,
                created_at: now,
                sum,
                locale,
                method,
                pan: pan.clone(),
                idempotency_key: key.clone(),
                request_fingerprint: fingerprint,
            };
            let Some(order) = orders::create_from_cart(tx, &order)? else {
                return refuse_empty(tx, notary, client);
            };
            let attempt = NewAttempt {
                id: attempt_id,
                order_id,
                kind,
                amount: order.sum,
                created_at: now,
            };
            attempts::save(tx, &attempt.prepared(), now)?;
            let created = OrderHistoryEvent {
                id: event_id,
                order_id,
                at: now,
                kind: "created".to_owned(),
                from_status: None,
                to_status: Some(OrderStatus::InProgress),
                detail: None,
            };
            order_events::add(tx, &created)?;
            Ok(Written::New {
                order: Box::new(order),
                attempt: attempt_id,
            })
        };
        Ok(self.inner.store.write(write).await?)
    }

    /// The answer about an order that exists: once its acquirer has answered, so that a repeated request gets what the first one
    /// got.
    async fn answered(&self, notary: NotaryId, order: Order) -> Outcome<OrderSummary> {
        const PAUSE: std::time::Duration = std::time::Duration::from_millis(100);
        const PAUSES_MAX: u32 = 200;
        for _ in 0..PAUSES_MAX {
            // Whether there is more to wait for is asked first: the answer may be written down between the two.
            let waiting = self.is_being_submitted(order.id).await?;
            let summary = self.summary(notary, order.id).await?;
            if !waiting || summary.status != OrderStatus::InProgress {
                return Ok(summary);
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.summary(notary, order.id).await
    }
}

fn refuse_empty(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Written, StorageError> {
    let latest = orders::latest_of_client(tx, notary, client)?;
    Ok(Written::Refused(match latest {
        Some(order) => Refusal::conflict(Key::CartAlreadyOrdered)
            .with(Detail::Order(Box::new(OrderSummary::from(&order)))),
        None => Refusal::not_found(Key::CartGroupEmpty).on("client_id"),
    }))
}

fn read_wish(
    wish: &OrderWish,
    fresh_key: String,
    mut errors: FieldErrors,
) -> Result<Intent, Refusal> {
    let client = if errors.has("client_id") {
        None
    } else {
        let text = wish.client_id.as_deref().filter(|text| !text.is_empty());
        errors.take(
            "client_id",
            text.ok_or(Key::FieldRequired)
                .and_then(|text| ClientId::parse(text).ok_or(Key::CartGroupEmpty)),
        )
    };
    let token_text = wish
        .token_id
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let pan_text = wish
        .pan
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    for (field, text) in [("token_id", token_text), ("pan", pan_text)] {
        if text.is_some_and(is_full_card) {
            errors.add(field, Key::CardNumberNotAccepted);
        }
    }
    let token = match token_text {
        Some(text) if !errors.has("token_id") => {
            errors.take("token_id", CardToken::parse(text).ok_or(Key::CardNotFound))
        }
        _ => None,
    };
    let pan = match pan_text {
        Some(text) if token.is_some() && !errors.has("pan") => {
            errors.take("pan", MaskedCard::parse_mask(text))
        }
        _ => None,
    };
    let locale = match wish.locale.as_deref() {
        None => Some(Locale::Uk),
        Some(text) if !errors.has("locale") => {
            errors.take("locale", Locale::parse(text).ok_or(Key::LocaleInvalid))
        }
        Some(_) => None,
    };
    let key = match wish.idempotency_key.as_deref() {
        // Whoever names no intent has one of its own each time: the group can be ordered only once all the same.
        None => Some(fresh_key),
        Some(key) => errors.take(
            "Idempotency-Key",
            idempotency::read_key(key).map(|hash| hash.to_hex().to_string()),
        ),
    };
    errors.check()?;
    let (Some(client), Some(locale), Some(key)) = (client, locale, key) else {
        return Err(Refusal::new(Sort::Invalid, Key::FieldRequired));
    };
    let mut hasher = blake3::Hasher::new();
    hasher.update(client.uuid().as_bytes());
    hasher.update(token_text.unwrap_or_default().as_bytes());
    hasher.update(&[0]);
    hasher.update(locale.code().as_bytes());
    hasher.update(&wish.sum.map_or(-1, Money::kopiykas).to_le_bytes());
    Ok(Intent {
        client,
        token,
        pan,
        locale,
        sum: wish.sum,
        key,
        fingerprint: *hasher.finalize().as_bytes(),
    })
}

/// Thirteen to nineteen digits with the check digit of a card, blanks and dashes aside.
fn is_full_card(text: &str) -> bool {
    let digits: String = text
        .chars()
        .filter(|char| !char.is_whitespace() && *char != '-')
        .collect();
    (13..=19).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && luhn_fits(&digits)
}
