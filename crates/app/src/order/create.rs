//! `POST /order/create`: makes an order of a cart group and has it paid.

#![expect(
    clippy::disallowed_methods,
    reason = "a request waits for the answer to another one, which the machine carries out"
)]

use std::sync::Arc;
use std::time::Duration;

use cabinet_domain::payment::{AttemptKind, NewAttempt};
use cabinet_domain::{
    AccountLimits, AuditAction, CartGroup, ClientId, EventId, Key, Money, NewOrder, NotaryId,
    Order, OrderEventKind, OrderHistoryEvent, OrderId, OrderStatus, Origin, PaymentMethod,
    TruncatedPan,
};
use cabinet_gateways::acquirer::CardToken;
use cabinet_reference::ReferenceData;
use cabinet_storage::account::{notaries, sessions};
use cabinet_storage::order::{order_events, orders};
use cabinet_storage::payment::attempts;
use cabinet_storage::{Change, StorageError, Tx, cart};
use jiff::Timestamp;
use tracing::Instrument as _;

use super::request::{OrderRequest, ValidRequest, read_request};
use super::{OrderSummary, Orders};
use crate::account::account_limits::refusal_by_limits;
use crate::account::{refuse_suspended, refuse_unconfirmed};
use crate::audit::AuditEntry;
use crate::cart::{OwnCodes, refusal_today};
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{AppError, Detail, FieldErrors, Refusal, Result};
use crate::order::own_order::not_found;
use crate::order::span::span_of_order;
use crate::payment::approval::{Approvals, Approved, Charge, Signer};
use crate::payment::asked_proof::ProofSubject;
use crate::payment::{Begun, PaymentMethodRequest, WantedCard};

/// The pause before the answer to a repeated request is looked for again.
const PAUSE: Duration = Duration::from_millis(100);
/// After so many pauses a repeated request gets the present state of the order.
const PAUSES_MAX: u32 = 200;

/// An order that is about to be stored. Its ids are fixed before the unit of work, which may run twice.
#[derive(Clone)]
struct Draft {
    notary: NotaryId,
    request: ValidRequest,
    order: OrderId,
    attempt: Begun,
    event: EventId,
    signer: Signer,
    approvals: Approvals,
    method: PaymentMethod,
    kind: AttemptKind,
    pan: Option<TruncatedPan>,
    reference: Arc<ReferenceData>,
    now: Timestamp,
    unit: UnitContext,
    origin: Origin,
    limits: AccountLimits,
}

enum Written {
    New {
        order: Box<Order>,
        attempt: Begun,
        /// That a saved card may be charged.
        approved: Option<Approved>,
    },
    Existing(Box<Order>),
    Refused(Refusal),
}

/// Makes a refusal of the acquirer a definite one: no order was made, so no outcome is unknown.
fn without_order(error: AppError) -> AppError {
    match error {
        AppError::Refused(refusal)
            if matches!(refusal.key, Key::AcquirerUnavailable | Key::AcquirerRefused) =>
        {
            Refusal::conflict(refusal.key).into()
        }
        other => other,
    }
}

impl Orders {
    /// Creates the order and submits its payment, if the session of the signer is alive.
    ///
    /// A repeated request with the same key returns the same order. If the acquirer does not answer, the outcome is unknown: the
    /// order is returned in progress, and the worker continues to ask.
    ///
    /// # Errors
    /// `unauthorized`, the keys of the fields, `cart_group_empty`, `cart_already_ordered` with the order, `price_changed`,
    /// `idempotency_key_reused`, `card_not_found`, `acquirer_unavailable`, `notary_not_confirmed`, `account_blocked`, `notary_suspended`,
    /// `payment_type_not_for_status`,
    /// `daily_sum_exceeded`, `too_many_declines`; for a saved card `confirmation_required` with what is to be proved, `device_too_new`.
    pub async fn create(
        &self,
        signer: Signer,
        request: OrderRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<OrderSummary> {
        let notary = signer.notary;
        let fresh_key = self.ids.random_id().to_string();
        let request = match read_request(&request, fresh_key, errors) {
            Ok(request) => request,
            // Whoever is not signed in learns nothing else.
            Err(refusal) => {
                let now = self.clock.now();
                let is_alive = move |tx: &mut Tx| refuse_ended(tx, signer, now);
                self.store.read(is_alive).await?;
                return Err(refusal.into());
            }
        };
        let card = match &request.token {
            Some(token) => {
                // The acquirer is not asked for cards again; without a card, the unit of work that makes orders finds it out.
                if let Some(order) = self.order_of_key(signer, &request).await? {
                    return self.existing(notary, order.id).await;
                }
                Some(self.saved_card(notary, token, request.pan.as_ref()).await?)
            }
            None => None,
        };
        let draft = self.draft(signer, request, card.as_ref(), origin)?;
        match self.store.write(move |tx| insert(tx, &draft)).await? {
            Written::Refused(refusal) => Err(refusal.into()),
            Written::Existing(order) => self.existing(notary, order.id).await,
            Written::New {
                order,
                attempt,
                approved,
            } => {
                let method = match card.zip(approved) {
                    Some((WantedCard { token, .. }, approved)) => {
                        PaymentMethodRequest::Card { token, approved }
                    }
                    None => PaymentMethodRequest::Page,
                };
                let span = span_of_order(&order);
                let submitting = async {
                    tracing::info!(
                        sum_kopiykas = order.sum.kopiykas(),
                        "Order {} is handed to the acquirer",
                        order.id
                    );
                    match self.payments.submit(&order, attempt, &method).await? {
                        Some(case) => Ok(OrderSummary::settled(&order, &case.order)),
                        None => self.summary(notary, order.id).await,
                    }
                };
                submitting.instrument(span).await
            }
        }
    }

    /// Returns the order that was made under this key before.
    async fn order_of_key(&self, signer: Signer, request: &ValidRequest) -> Result<Option<Order>> {
        let (key, now) = (request.key.clone(), self.clock.now());
        let read = move |tx: &mut Tx| {
            refuse_ended(tx, signer, now)?;
            Ok::<_, AppError>(orders::by_idempotency_key(tx, signer.notary, &key)?)
        };
        match self.store.read(read).await? {
            Some(order) if order.request_fingerprint != request.fingerprint => {
                Err(Refusal::conflict(Key::IdempotencyKeyReused).into())
            }
            found => Ok(found),
        }
    }

    /// Returns the saved card with which an order is paid. It must be the notary's own, and its mask the one that was shown.
    pub(super) async fn saved_card(
        &self,
        notary: NotaryId,
        token: &CardToken,
        pan: Option<&TruncatedPan>,
    ) -> Result<WantedCard> {
        let gone = || Refusal::field("token_id", Key::CardNotFound);
        let cards = self.saved_cards.list(notary).await;
        let cards = cards.map_err(without_order)?;
        let card = cards
            .into_iter()
            .find(|card| card.token.matches(token.expose()))
            .ok_or_else(gone)?;
        let own = TruncatedPan::parse_mask(card.mask()).map_err(|_| gone())?;
        if pan.is_some_and(|shown| *shown != own) {
            return Err(Refusal::field("pan", Key::CardNotFound).into());
        }
        Ok(WantedCard {
            token: card.token,
            pan: own,
        })
    }

    fn draft(
        &self,
        signer: Signer,
        request: ValidRequest,
        card: Option<&WantedCard>,
        origin: Origin,
    ) -> Result<Draft> {
        let reference = self.reference.current()?;
        let now = self.clock.now();
        let order = OrderId::new(self.ids.new_id());
        let acquirers = &self.payments.acquirers;
        let (acquirer, method, kind, pan) = match card {
            None => (
                acquirers.first(),
                PaymentMethod::CardPage,
                AttemptKind::Invoice,
                None,
            ),
            Some(WantedCard { pan, .. }) => (
                acquirers.cards().name(),
                PaymentMethod::SavedCard,
                AttemptKind::CardToken,
                Some(pan.clone()),
            ),
        };
        Ok(Draft {
            notary: signer.notary,
            signer,
            approvals: self.approvals,
            request,
            order,
            attempt: Begun {
                id: self.ids.attempt_id(order),
                acquirer,
            },
            event: EventId::new(self.ids.new_id()),
            method,
            kind,
            pan,
            reference,
            now,
            unit: self.ids.unit_at(now),
            origin,
            limits: self.account_limits,
        })
    }

    /// Returns an existing order once the acquirer has answered, so that a repeated request gets the first one's answer.
    async fn existing(&self, notary: NotaryId, order: OrderId) -> Result<OrderSummary> {
        self.store.answer_again().await?;
        for _ in 0..PAUSES_MAX {
            // Asked before the summary is read: the answer may be stored between the two.
            let waiting = self.payments.is_being_submitted(order).await?;
            let summary = self.summary(notary, order).await?;
            if !waiting || summary.status != OrderStatus::InProgress {
                return Ok(summary);
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.summary(notary, order).await
    }

    pub(super) async fn summary(&self, notary: NotaryId, order: OrderId) -> Result<OrderSummary> {
        let found = self
            .store
            .read(move |tx| orders::order_of(tx, notary, order))
            .await?;
        found
            .as_ref()
            .map(OrderSummary::from)
            .ok_or_else(|| not_found().into())
    }
}

/// Stores the order, its items and the attempt, and empties the group.
fn insert(tx: &mut Tx, draft: &Draft) -> Result<Written, StorageError> {
    let (notary, client, now) = (draft.notary, draft.request.client, draft.now);
    // One order at a time is made, and the second request sees the first one's.
    let found = notaries::lock_of_session(tx, notary, draft.signer.session, now)?;
    let Some((locked, account)) = found else {
        return Ok(Written::Refused(Refusal::unauthorized()));
    };
    if let Some(order) = orders::by_idempotency_key(tx, notary, &draft.request.key)? {
        return Ok(if order.request_fingerprint == draft.request.fingerprint {
            Written::Existing(Box::new(order))
        } else {
            Written::Refused(Refusal::conflict(Key::IdempotencyKeyReused))
        });
    }
    if let Err(refusal) = refuse_unconfirmed(&account).and_then(|()| refuse_suspended(&account)) {
        return Ok(Written::Refused(refusal));
    }
    let Some(group) = cart::group_of(tx, notary, client)? else {
        return refuse_empty(tx, notary, client);
    };
    let sum = match checked_sum(&group, draft, &OwnCodes::of(&account)) {
        Ok(sum) => sum,
        Err(refusal) => return Ok(Written::Refused(refusal)),
    };
    let begun = (None, sum);
    if let Some(refusal) = refusal_by_limits(tx, &account, &draft.limits, begun, now)? {
        return Ok(Written::Refused(refusal));
    }
    let mut approved = None;
    if draft.kind == AttemptKind::CardToken {
        let name = Some(&account.profile.full_name);
        let contents = group.items.iter().map(|item| &item.content);
        let charge = Charge::of(&group.client, sum, contents, name);
        let subject = ProofSubject::Group(client);
        let (signer, reference) = (draft.signer, &draft.reference);
        let asked = (subject, &charge);
        let approvals = draft.approvals;
        match approvals.approve(tx, (&locked, signer), draft.order, asked, reference, now)? {
            Ok(given) => approved = Some(given),
            Err(refusal) => return Ok(Written::Refused(refusal)),
        }
    }
    let order = NewOrder {
        id: draft.order,
        created_at: now,
        sum,
        locale: draft.request.locale,
        method: draft.method,
        pan: draft.pan.clone(),
        idempotency_key: draft.request.key.clone(),
        request_fingerprint: draft.request.fingerprint,
    };
    let (locked_order, order) = orders::create_from_cart(tx, &locked, &order, &group)?;
    let attempt = NewAttempt {
        id: draft.attempt.id,
        order_id: order.id,
        acquirer: draft.attempt.acquirer,
        kind: draft.kind,
        amount: order.sum,
        created_at: now,
    };
    attempts::save(tx, &locked_order, &attempt.prepared(), now)?;
    let created = OrderHistoryEvent {
        id: draft.event,
        order_id: order.id,
        at: now,
        kind: OrderEventKind::Created,
        from_status: None,
        to_status: Some(OrderStatus::InProgress),
        detail: None,
    };
    order_events::add(tx, &locked_order, &created)?;
    AuditEntry::new(AuditAction::OrderCreated)
        .of_notary(notary)
        .on_order(order.id)
        .with("sum", order.sum)
        .proved_by(approved)
        .record(tx, &mut draft.unit.clone(), &draft.origin)?;
    tx.announce(Change::Order(notary, order.id));
    Ok(Written::New {
        order: Box::new(order),
        attempt: draft.attempt,
        approved,
    })
}

/// Refuses whoever is not signed in.
fn refuse_ended(tx: &mut Tx, signer: Signer, now: Timestamp) -> Result<()> {
    if sessions::alive(tx, signer.session, signer.notary, now)? {
        Ok(())
    } else {
        Err(Refusal::unauthorized().into())
    }
}

/// Returns the sum of a group, or refuses a group of which an item can't be paid as it is, or whose sum is not the one that was
/// shown.
fn checked_sum(group: &CartGroup, draft: &Draft, own_codes: &OwnCodes) -> Result<Money, Refusal> {
    for item in &group.items {
        let refused = refusal_today(&item.content, &draft.reference, own_codes, draft.now);
        if let Some(repricing) = refused {
            let refusal = Refusal::conflict(repricing.key).on("client_id");
            return Err(match repricing.price {
                Some(price) => refusal.with(Detail::Price(price)),
                None => refusal,
            });
        }
    }
    let sum = group
        .total()
        .map_err(|error| Refusal::field("client_id", error.key()))?;
    if draft.request.sum.is_some_and(|shown| shown != sum) {
        return Err(Refusal::conflict(Key::PriceChanged).on("sum"));
    }
    Ok(sum)
}

fn refuse_empty(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Written, StorageError> {
    let latest = orders::latest_of_client(tx, notary, client)?;
    Ok(Written::Refused(match latest {
        Some(order) => Refusal::conflict(Key::CartAlreadyOrdered)
            .with(Detail::Order(Box::new(OrderSummary::from(&order)))),
        None => Refusal::not_found(Key::CartGroupEmpty).on("client_id"),
    }))
}
