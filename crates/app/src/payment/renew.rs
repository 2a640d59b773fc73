//! Paying an order that was not paid: by a link that can be paid now, or with a saved card.

use cabinet_domain::payment::{
    AttemptKind, AttemptState, Case, Clocks, NewAttempt, News, Renewal, renewal,
};
use cabinet_domain::{
    AttemptId, AuditAction, Key, MaskedPan, NotaryId, Order, OrderId, OrderStatus, Origin,
    TruncatedPan,
};
use cabinet_storage::Tx;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments::{self, OrderCase};

use super::store_settlement::{Settled, store_settlement};
use super::withdraw::{ROUNDS_MAX, Withdrawal};
use super::{Begun, PaymentMethodRequest, Payments, WantedCard};
use crate::account::account_limits::refusal_by_limits;
use crate::account::{refuse_suspended, refuse_unconfirmed};
use crate::audit::AuditEntry;
use crate::cart::{OwnCodes, check_room_for, refusal_today};
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{AppError, Refusal, RefusalKind, Result};
use crate::operator::alarms::log;
use crate::order::own_order::{not_found, own_order};
use crate::payment::approval::{Approved, Charge, Signer};
use crate::payment::asked_proof::ProofSubject;

/// Who wants to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payer {
    /// The notary.
    Notary,
    /// The client, by a link.
    Client,
}

/// How an order is to be paid now.
struct Asked {
    decider: Decider,
    payer: Payer,
    order: OrderId,
    /// The mask of the saved card, and who wants it to be charged; `None`: a payment page.
    card: Option<(TruncatedPan, Signer)>,
    /// Nobody paid by the QR codes that were given out.
    despite_codes: bool,
    origin: Origin,
}

/// What a renewal came to.
enum Renewed {
    /// This page is still open and must be used.
    Page(String),
    /// A new attempt is prepared and must be submitted. No other one can take money. A charge of a saved card is approved.
    Attempt(Option<Begun>, Option<Approved>),
}

/// What a decision has stored, and that its saved card may be charged.
type Stored = (Settled, Option<Approved>);

impl Payments {
    /// Returns the link of the order's payment page while it is valid. If no attempt can take money any more, it makes a new page.
    /// An older page is closed first; if the acquirer refuses to close it, its link is returned. If a fee, an account or the notary's
    /// status has changed, the order ends and its items go back to the cart. After QR codes were given out, `despite_codes` says that
    /// nobody paid by them.
    ///
    /// # Errors
    /// `unauthorized`, `order_not_found`, `order_not_payable`, `payment_outcome_unknown`, `order_returned_to_cart`, `order_under_review`,
    /// `order_being_cancelled`, `acquirer_unavailable`, `acquirer_refused`, `notary_not_confirmed`, `account_blocked`, `notary_suspended`,
    /// `daily_sum_exceeded`, `too_many_declines`, `payment_codes_given`.
    pub async fn renew_invoice(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        despite_codes: bool,
        origin: Origin,
    ) -> Result<String> {
        let who = (decider.into(), Payer::Notary);
        self.payment_page(who, order, despite_codes, origin).await
    }

    /// Returns the link for whoever wants to pay. By the rules of [`Self::renew_invoice`]; a client is never led to a page where the
    /// notary confirms a payment with her own card.
    ///
    /// # Errors
    /// Those of [`Self::renew_invoice`]; `payment_outcome_unknown` while the notary's card is being charged.
    pub(crate) async fn payment_page(
        &self,
        (decider, payer): (Decider, Payer),
        order: &str,
        despite_codes: bool,
        origin: Origin,
    ) -> Result<String> {
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?;
        let asked = Asked {
            decider,
            payer,
            order: order.id,
            card: None,
            despite_codes,
            origin,
        };
        match self.renew(&order, &asked).await? {
            Renewed::Page(page) => Ok(page),
            Renewed::Attempt(attempt, _) => self.submit_fresh(notary, &order, attempt).await,
        }
    }

    /// Charges a saved card for an order that was not paid. By the rules of [`Self::renew_invoice`]: nothing is charged while an
    /// older attempt may still take money. An open page is closed first; if the acquirer refuses to close it, nothing is charged,
    /// and the order keeps its page. An order whose QR codes were given out is not charged.
    ///
    /// # Errors
    /// Those of [`Self::renew_invoice`]; `confirmation_required`, `device_too_new`.
    pub(crate) async fn charge_again(
        &self,
        signer: Signer,
        order: &Order,
        card: WantedCard,
        origin: Origin,
    ) -> Result<()> {
        let WantedCard { token, pan } = card;
        let asked = Asked {
            decider: signer.into(),
            payer: Payer::Notary,
            order: order.id,
            card: Some((pan, signer)),
            despite_codes: false,
            origin,
        };
        match self.renew(order, &asked).await? {
            Renewed::Attempt(Some(attempt), Some(approved)) => {
                let method = PaymentMethodRequest::Card { token, approved };
                self.submit(order, attempt, &method).await.map(drop)
            }
            Renewed::Page(_) | Renewed::Attempt(..) => Ok(()),
        }
    }

    /// Makes sure that no attempt of the order can take money any more, then prepares a new one.
    async fn renew(&self, order: &Order, asked: &Asked) -> Result<Renewed> {
        if !order.status.has_money() {
            // It may have been paid a moment ago.
            self.inquire(order.id).await?;
        }
        let mut tried = Vec::new();
        for _ in 0..ROUNDS_MAX {
            let (decision, case, approved) = self.decide(asked, &tried).await?;
            match decision {
                Renewal::Give(page) => return Ok(Renewed::Page(page)),
                Renewal::Refuse(key) => return Err(Refusal::conflict(key).into()),
                Renewal::ReturnToCart => {
                    return Err(Refusal::conflict(Key::OrderReturnedToCart).into());
                }
                Renewal::GiveUpUnsent(attempt) => {
                    let news = News::GivenUpUnsent(attempt);
                    self.settler.settle(order.id, news).await?;
                }
                Renewal::Resubmit(attempt) => {
                    tried.push(attempt);
                    self.search_and_resubmit(&case, attempt).await?;
                }
                Renewal::Search(attempt) => {
                    tried.push(attempt);
                    if let Some(attempt) = case.attempt(attempt) {
                        self.search_statement(attempt).await?;
                    }
                }
                Renewal::Withdraw(attempt) => {
                    tried.push(attempt);
                    // Without an answer of the acquirer the order stays as it is.
                    if let Some(attempt) = case.attempt(attempt)
                        && self.withdraw(attempt).await? == Withdrawal::Unknown
                    {
                        return Err(unavailable());
                    }
                }
                Renewal::Fresh => {
                    return Ok(Renewed::Attempt(case.latest().map(Begun::of), approved));
                }
            }
        }
        Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into())
    }

    /// Decides, and stores a new attempt or the return to the cart in the same unit of work, so that two simultaneous requests get
    /// one page.
    async fn decide(
        &self,
        asked: &Asked,
        tried: &[AttemptId],
    ) -> Result<(Renewal, Case, Option<Approved>)> {
        let (decider, order, despite_codes) = (asked.decider, asked.order, asked.despite_codes);
        let notary = decider.notary;
        let reference = self.reference.current()?;
        let context = self.settler.context().by(asked.origin.clone());
        let unit = self.ids.unit_at(context.unit.now);
        let fresh = self.ids.attempt_id(order);
        let (tried, limits, payer) = (tried.to_vec(), self.account_limits, asked.payer);
        let (card, approvals) = (asked.card.clone(), self.approvals);
        let (acquirer, kind, action) = match card {
            None => (
                self.acquirers.first(),
                AttemptKind::Invoice,
                AuditAction::OrderLinkRenewed,
            ),
            Some(_) => (
                self.acquirers.cards().name(),
                AttemptKind::CardToken,
                AuditAction::OrderCardRetried,
            ),
        };
        let time = Clocks {
            ours: context.unit.now,
            theirs: self.acquirers.time(),
        };
        let write = move |tx: &mut Tx| -> Result<(Renewal, Case, Option<Stored>)> {
            let (locked, account) = decider.lock(tx, context.unit.now)?;
            refuse_unconfirmed(&account)?;
            // Codes may have been given out in another window meanwhile.
            let found = payments::lock_case_of(tx, &locked, order)?;
            let (
                locked_order,
                OrderCase {
                    order: known, case, ..
                },
            ) = found.ok_or_else(not_found)?;
            // Nobody is named any more on whose behalf it could be paid.
            if erasure::is_anonymised(tx, order)? {
                return Ok((Renewal::Refuse(Key::OrderNotPayable), case, None));
            }
            if known.may_be_paid_by_codes() && !despite_codes {
                return Ok((Renewal::Refuse(Key::PaymentCodesGiven), case, None));
            }
            let items = orders::items_of(tx, order)?;
            let (own, now) = (OwnCodes::read(tx, notary)?, context.unit.now);
            let prices_hold = items
                .iter()
                .all(|item| refusal_today(&item.content, &reference, &own, now).is_none());
            let decision = renewal(&case, prices_hold, &tried, time);
            let decision = decision_for(payer, decision, &case);
            // Its page is being closed, so nobody gets it any more. Whoever finds that closed ends the order.
            let is_refused = matches!(decision, Renewal::Refuse(_));
            if !is_refused && orders::begun_cancellation(tx, order)?.is_some() {
                return Ok((Renewal::Refuse(Key::OrderBeingCancelled), case, None));
            }
            // Asked before the open page is closed, so that a refusal leaves the payer a page.
            let begins_anew = decision == Renewal::Fresh
                || (prices_hold && matches!(decision, Renewal::Withdraw(_)));
            if begins_anew {
                refuse_suspended(&account)?;
                let begun = (Some(order), case.order.sum);
                let refused = refusal_by_limits(tx, &account, &limits, begun, context.unit.now)?;
                if let Some(refusal) = refused {
                    return Err(refusal.into());
                }
            }
            let subject = ProofSubject::Order(order);
            let mut approved = None;
            if let Some((_, signer)) = card.as_ref().filter(|_| begins_anew) {
                let charge = Charge::of_order(tx, &known)?;
                if decision == Renewal::Fresh {
                    approved = Some(approvals.approve(
                        tx,
                        (&locked, *signer),
                        order,
                        (subject, &charge),
                        &reference,
                        now,
                    )??);
                } else {
                    approvals.check(tx, *signer, (subject, &charge), &reference, now)??;
                }
            }
            let news = match &decision {
                Renewal::Fresh => {
                    let attempt = NewAttempt {
                        id: fresh,
                        order_id: order,
                        acquirer,
                        kind,
                        amount: case.order.sum,
                        created_at: context.unit.now,
                    };
                    let pan = card.as_ref().map(|(pan, _)| MaskedPan::from(pan.clone()));
                    News::Renewed(attempt, pan)
                }
                Renewal::ReturnToCart => {
                    check_room_for(tx, notary, &items)?;
                    News::ReturnedToCart
                }
                _ => return Ok((decision, case, None)),
            };
            if decision == Renewal::Fresh {
                AuditEntry::new(action)
                    .of_notary(notary)
                    .on_order(order)
                    .proved_by(approved)
                    .record(tx, &mut unit.clone(), &context.origin)?;
            }
            let guards = (&locked, &locked_order);
            let settled = store_settlement(tx, guards, &context, &case, &news)?;
            Ok((decision, settled.case.clone(), Some((settled, approved))))
        };
        let (decision, case, done) = self.store.write(write).await?;
        let Some((settled, approved)) = done else {
            return Ok((decision, case, None));
        };
        log(&settled.committed);
        Ok((decision, case, approved))
    }

    async fn search_and_resubmit(&self, case: &Case, attempt: AttemptId) -> Result<()> {
        let Some(known) = case.attempt(attempt) else {
            return Ok(());
        };
        if !self.search_statement(known).await? {
            return Err(unavailable());
        }
        self.resubmit(attempt).await
    }

    async fn submit_fresh(
        &self,
        notary: NotaryId,
        order: &Order,
        attempt: Option<Begun>,
    ) -> Result<String> {
        if let Some(attempt) = attempt {
            self.submit(order, attempt, &PaymentMethodRequest::Page)
                .await?;
        }
        let id = order.id;
        let read = move |tx: &mut Tx| payments::case_of_notary(tx, notary, id);
        let case = self.store.read(read).await?.ok_or_else(not_found)?;
        let state = case.latest().map(|latest| latest.state);
        match (case.order.status, case.order.payment_page_url) {
            (OrderStatus::Pending, Some(page)) => Ok(page),
            (OrderStatus::Paid | OrderStatus::Refunded, _) => {
                Err(Refusal::conflict(Key::OrderNotPayable).into())
            }
            (OrderStatus::Failed, _) if state == Some(AttemptState::Refused) => {
                Err(Refusal::new(RefusalKind::Outside, Key::AcquirerRefused).into())
            }
            _ => Err(unavailable()),
        }
    }
}

/// Keeps the page where the notary confirms a charge of her card from the client.
fn decision_for(payer: Payer, decision: Renewal, case: &Case) -> Renewal {
    match decision {
        Renewal::Give(_) if payer == Payer::Client && case.is_being_charged() => {
            Renewal::Refuse(Key::PaymentOutcomeUnknown)
        }
        decision => decision,
    }
}

fn unavailable() -> AppError {
    Refusal::new(RefusalKind::Unavailable, Key::AcquirerUnavailable).into()
}
