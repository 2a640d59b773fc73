//! The consent to receipts by e-mail: given by the client or told by the notary, kept with the order, and taken back at any time.

use std::sync::Arc;

use cabinet_domain::payment::ClientStanding;
use cabinet_domain::{
    AuditAction, AuditValue, ConsentBy, Email, Key, Locale, NotaryId, Order, OrderId, OrderStatus,
    Origin, ReceiptConsent,
};
use cabinet_storage::client_link::{client_links, receipt_consents};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments;
use cabinet_storage::{LockedOrder, StorageError, Tx, audit};
use secrecy::SecretString;

use super::letter_token::LetterLink;
use super::notary::{ClientLinkView, SENT_MAX, SENT_WITHIN};
use super::{ClientLinks, Opened};
use crate::audit::AuditEntry;
use crate::client_link::receipt_news::{ReceiptNews, tries_of_waiting, write_receipt_letter};
use crate::kernel::asker::Decider;
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::order::own_order::{not_found, own_order};

/// How often an address for the receipt of one order may be given by its links. Each may have a letter sent to anybody. The audit trail
/// counts them: the notary's own sendings become no fewer.
const GIVEN_MAX: i64 = 10;

/// Who takes a consent back.
#[derive(Clone, Copy)]
enum TakenBackBy {
    /// The notary, as the client has told her.
    Notary,
    /// The client, by the link.
    Client,
    /// Who got a letter, by its link.
    Receiver(LetterLink),
}

impl ClientLinks {
    /// Records that the client of a link wants the receipt by e-mail. Of a paid order it is sent at once. `None`: the token opens nothing.
    ///
    /// # Errors
    /// `email_invalid`, `mail_not_set_up`, `receipt_mail_sent_too_often`, and the keys of [`ClientStanding::receipt_refusal`].
    pub async fn agree(
        &self,
        token: &SecretString,
        email: &str,
        locale: Locale,
        origin: Origin,
    ) -> Result<Option<()>> {
        let Some(opened) = self.of_token(token).await? else {
            return Ok(None);
        };
        let mut errors = FieldErrors::new();
        let email = self.read_email(email, &mut errors);
        errors.check()?;
        let Some(email) = email else {
            return Ok(Some(()));
        };
        let unit = self.ids.unit();
        let consent = ReceiptConsent {
            order_id: opened.order,
            email,
            locale,
            given_by: ConsentBy::Client,
            given_at: unit.now,
            asked_again_at: None,
        };
        let write = move |tx: &mut Tx| -> Result<()> {
            let tx = &mut tx.without_notary();
            // No two requests pass the limit together.
            let found = payments::lock_case(tx, opened.order)?;
            let (locked, found) = found.ok_or_else(not_found)?;
            if let Some(key) = ClientStanding::of(&found.case).receipt_refusal() {
                return Err(Refusal::conflict(key).into());
            }
            let action = AuditAction::ReceiptConsentGiven;
            if audit::count_by_strangers(tx, opened.order, action)? >= GIVEN_MAX {
                return Err(Refusal::conflict(Key::ReceiptMailSentTooOften).into());
            }
            give(
                tx,
                &mut unit.clone(),
                (&locked, &found.order),
                &consent,
                &origin,
            )
        };
        self.store.write(write).await?;
        Ok(Some(()))
    }

    /// Records that the client has told the notary to have the receipt sent by e-mail. Of a paid order it is sent at once. The same
    /// address again changes nothing while its letter waits. Receipts count with the links that the notary has sent within a day. Who has
    /// refused letters can allow them again by the link alone. Without an address it is sent again to the known one.
    ///
    /// # Errors
    /// `unauthorized`, `order_not_found`, `email_invalid`, `mail_not_set_up`, `receipt_mail_refused`, `receipt_mail_sent_too_often`.
    pub async fn agree_for_client(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        email: Option<&str>,
        mut errors: FieldErrors,
        (locale, origin): (Locale, Origin),
    ) -> Result<ClientLinkView> {
        let decider = decider.into();
        let order = own_order(&self.store, decider.notary, order).await?.id;
        let email = match email {
            Some(email) => self.read_email(email, &mut errors),
            None if self.notifier.writes_letters() => None,
            None => errors.take("email", Err(Key::MailNotSetUp)),
        };
        errors.check()?;
        let (unit, keys) = (self.ids.unit(), Arc::clone(&self.keys));
        let daily_max = self.settings.sendings_daily_max;
        let write = move |tx: &mut Tx| -> Result<()> {
            // No two requests pass the limits together.
            let (locked, _) = decider.lock(tx, unit.now)?;
            let found = orders::lock_of(tx, &locked, order)?;
            let (locked, known) = found.ok_or_else(not_found)?;
            let refusal = receipt_consents::refusal(tx, order)?;
            let consent = match (email.clone(), receipt_consents::of_order(tx, order)?) {
                (Some(email), _) => ReceiptConsent {
                    order_id: order,
                    email,
                    locale,
                    given_by: ConsentBy::Notary,
                    given_at: unit.now,
                    asked_again_at: None,
                },
                // Whoever gave the consent gave it then; it is the notary who asks again.
                (None, Some(consent)) => ReceiptConsent {
                    asked_again_at: Some(unit.now),
                    ..consent
                },
                (None, None) if refusal.is_some() => {
                    return Err(Refusal::conflict(Key::ReceiptMailRefused).into());
                }
                (None, None) => return Err(Refusal::field("email", Key::EmailInvalid).into()),
            };
            let refused_as = keys.refused_address(order, &consent.email);
            if refusal.is_some_and(|refusal| refusal.is_of(&refused_as)) {
                return Err(Refusal::conflict(Key::ReceiptMailRefused).into());
            }
            if is_under_way(tx, known.status, &consent)? {
                return Ok(());
            }
            let lately = client_links::sent_since(tx, decider.notary, unit.now - SENT_WITHIN)?;
            let given = receipt_consents::record_giving(tx, order, unit.now)?;
            if given > SENT_MAX || lately >= daily_max {
                return Err(Refusal::conflict(Key::ReceiptMailSentTooOften).into());
            }
            give(tx, &mut unit.clone(), (&locked, &known), &consent, &origin)
        };
        self.store.write(write).await?;
        self.view_of(order).await
    }

    /// Takes the consent of an order back, as its notary was told.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn refuse_for_client(
        &self,
        notary: NotaryId,
        order: &str,
        origin: Origin,
    ) -> Result<ClientLinkView> {
        let order = own_order(&self.store, notary, order).await?.id;
        self.take_back((notary, order), TakenBackBy::Notary, origin)
            .await?;
        self.view_of(order).await
    }

    /// Takes the consent back by the link. `None`: the token opens nothing.
    pub async fn refuse(&self, token: &SecretString, origin: Origin) -> Result<Option<()>> {
        let Some(Opened { notary, order, .. }) = self.of_token(token).await? else {
            return Ok(None);
        };
        let taken = self.take_back((notary, order), TakenBackBy::Client, origin);
        taken.await.map(Some)
    }

    /// Takes the consent back by the token of a letter. Its address gets no more letters about the order: whoever got it by mistake
    /// does not keep the client from giving another address. `None`: there is no such letter.
    pub async fn refuse_by_letter(
        &self,
        token: &SecretString,
        origin: Origin,
    ) -> Result<Option<()>> {
        let Some(link) = LetterLink::of_token(&self.keys, token) else {
            return Ok(None);
        };
        let order = link.order;
        let read = move |tx: &mut Tx| orders::notary_of(tx, order);
        let Some(notary) = self.store.read(read).await? else {
            return Ok(None);
        };
        let taken = self.take_back((notary, order), TakenBackBy::Receiver(link), origin);
        taken.await.map(Some)
    }

    /// Takes a consent back. That somebody refused letters stays known, without the address.
    async fn take_back(
        &self,
        (notary, order): (NotaryId, OrderId),
        by: TakenBackBy,
        origin: Origin,
    ) -> Result<()> {
        let (unit, keys) = (self.ids.unit(), Arc::clone(&self.keys));
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            // A consent to another address that is given meanwhile stays.
            let tx = &mut tx.without_notary();
            let Some((locked, _)) = orders::lock(tx, order)? else {
                return Ok(());
            };
            match by {
                TakenBackBy::Notary => {}
                TakenBackBy::Client => {
                    receipt_consents::record_refusal(tx, order, None, unit.now)?;
                }
                TakenBackBy::Receiver(link) => {
                    receipt_consents::record_refusal(tx, order, link.address.as_ref(), unit.now)?;
                    let consent = receipt_consents::of_order(tx, order)?;
                    if consent.is_some_and(|consent| !link.is_to(&keys, &consent.email)) {
                        return Ok(());
                    }
                }
            }
            if receipt_consents::delete(tx, &locked)? {
                AuditEntry::new(AuditAction::ReceiptConsentWithdrawn)
                    .of_notary(notary)
                    .on_order(order)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(())
        };
        Ok(self.store.write(write).await?)
    }

    fn read_email(&self, email: &str, errors: &mut FieldErrors) -> Option<Email> {
        errors.refuse_card("email", Some(email));
        if errors.has("email") {
            return None;
        }
        let email = if self.notifier.writes_letters() {
            Email::parse(email)
        } else {
            Err(Key::MailNotSetUp)
        };
        errors.take("email", email)
    }
}

/// Whether a consent is stored already, and nothing is left to be sent for it.
fn is_under_way(
    tx: &mut Tx,
    status: OrderStatus,
    consent: &ReceiptConsent,
) -> Result<bool, StorageError> {
    Ok(is_stored(tx, consent)?
        && (status != OrderStatus::Paid
            || tries_of_waiting(tx, consent.order_id, ReceiptNews::Paid)?.is_some()))
}

/// Whether a consent to letters to the same address in the same language is stored.
fn is_stored(tx: &mut Tx, consent: &ReceiptConsent) -> Result<bool, StorageError> {
    let known = receipt_consents::of_order(tx, consent.order_id)?;
    Ok(known.is_some_and(|known| known.email == consent.email && known.locale == consent.locale))
}

/// Stores a consent. Of a paid order the receipt is sent at once, by the letter that waits for it where there is one: letters are
/// written when they are sent.
fn give(
    tx: &mut Tx,
    unit: &mut UnitContext,
    (locked, order): (&LockedOrder<'_>, &Order),
    consent: &ReceiptConsent,
    origin: &Origin,
) -> Result<()> {
    if erasure::is_client_erased(tx, order.id)? {
        return Err(Refusal::conflict(Key::OrderAnonymised).into());
    }
    receipt_consents::keep(tx, locked, consent)?;
    let is_new = consent.asked_again_at.is_none();
    if is_new && consent.given_by == ConsentBy::Client {
        receipt_consents::forget_refusal(tx, order.id)?;
    }
    let mut entry = AuditEntry::new(AuditAction::ReceiptConsentGiven)
        .of_notary(order.notary_id)
        .on_order(order.id)
        .with("email", &consent.email)
        .with("by", AuditValue::word(consent.given_by.as_str()));
    if !is_new {
        entry = entry.with("sent_again", true);
    }
    entry.record(tx, unit, origin)?;
    if order.status == OrderStatus::Paid {
        // A letter that was tried may just be on its way, to an earlier address or with the link of the consent before.
        let tries = tries_of_waiting(tx, order.id, ReceiptNews::Paid)?;
        if tries.is_none_or(|tries| tries > 0) {
            write_receipt_letter(tx, unit, order.id, ReceiptNews::Paid)?;
        }
    }
    Ok(())
}
