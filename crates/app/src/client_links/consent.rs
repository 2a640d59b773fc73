//! The consent to receipts by e-mail: given by the client or told by the notary, kept with the order, and taken back at any time.

use cabinet_domain::{
    AuditAction, AuditValue, ConsentBy, Email, Key, Locale, NotaryId, OrderId, OrderStatus, Origin,
    ReceiptConsent,
};
use cabinet_storage::{StorageError, Tx, client_links, erasure, orders, receipt_consents};
use secrecy::SecretString;

use super::letter_token::order_of_letter;
use super::notary::ClientLinkView;
use super::{ClientLinks, Opened};
use crate::audit::AuditEntry;
use crate::ids::UnitContext;
use crate::own_order::{not_found, own_order};
use crate::receipt_news::{ReceiptNews, write_receipt_letter};
use crate::refusal::{FieldErrors, Refusal, Result};

/// How often the address of one order may be given by its link, together with the messages with the link.
const GIVEN_MAX: i64 = 10;

/// The order of a letter with a receipt.
#[derive(Clone, Copy, Debug)]
pub struct LetterOrder {
    /// Its short number.
    pub number: i64,
    /// Whether more letters about it would be sent.
    pub is_on: bool,
}

impl ClientLinks {
    /// Records that the client of a link wants the receipt by e-mail. Of a paid order it is sent at once. `None`: the token opens nothing.
    ///
    /// # Errors
    /// `email_invalid`, `mail_not_set_up`, `client_link_sent_too_often`.
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
        };
        let write = move |tx: &mut Tx| -> Result<()> {
            // Locked, so that no two requests pass the limit together.
            orders::by_id(tx, opened.order)?;
            let sent = client_links::of_order(tx, opened.order)?.map(|link| link.sent_count);
            if sent.is_none_or(|sent| sent >= GIVEN_MAX) {
                return Err(Refusal::conflict(Key::ClientLinkSentTooOften).into());
            }
            client_links::record_sending(tx, opened.order, unit.now)?;
            give(tx, &mut unit.clone(), opened.notary, &consent, &origin)
        };
        self.store.write(write).await?;
        Ok(Some(()))
    }

    /// Records that the client has told the notary to have the receipt sent by e-mail. Of a paid order it is sent at once.
    ///
    /// # Errors
    /// `order_not_found`, `email_invalid`, `mail_not_set_up`.
    pub async fn agree_for_client(
        &self,
        notary: NotaryId,
        order: &str,
        email: &str,
        mut errors: FieldErrors,
        (locale, origin): (Locale, Origin),
    ) -> Result<ClientLinkView> {
        let order = own_order(&self.store, notary, order).await?.id;
        let email = self.read_email(email, &mut errors);
        errors.check()?;
        if let Some(email) = email {
            let unit = self.ids.unit();
            let consent = ReceiptConsent {
                order_id: order,
                email,
                locale,
                given_by: ConsentBy::Notary,
                given_at: unit.now,
            };
            let write = move |tx: &mut Tx| -> Result<()> {
                orders::order_of(tx, notary, order)?.ok_or_else(not_found)?;
                give(tx, &mut unit.clone(), notary, &consent, &origin)
            };
            self.store.write(write).await?;
        }
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
        self.take_back(notary, order, origin).await?;
        self.view_of(order).await
    }

    /// Takes the consent back by the link. `None`: the token opens nothing.
    pub async fn refuse(&self, token: &SecretString, origin: Origin) -> Result<Option<()>> {
        let Some(Opened { notary, order, .. }) = self.of_token(token).await? else {
            return Ok(None);
        };
        self.take_back(notary, order, origin).await.map(Some)
    }

    /// Returns the order of a letter, by the token in it. `None`: there is none.
    pub async fn order_of_letter(&self, token: &SecretString) -> Result<Option<LetterOrder>> {
        let Some(order) = order_of_letter(&self.keys, token) else {
            return Ok(None);
        };
        let read = move |tx: &mut Tx| -> Result<Option<LetterOrder>, StorageError> {
            let found = orders::by_id(tx, order)?;
            let is_on = receipt_consents::is_given(tx, order)?;
            Ok(found.map(|order| LetterOrder {
                number: order.number,
                is_on,
            }))
        };
        Ok(self.store.read(read).await?)
    }

    /// Takes the consent back by the token of a letter. `None`: there is no such letter.
    pub async fn refuse_by_letter(
        &self,
        token: &SecretString,
        origin: Origin,
    ) -> Result<Option<()>> {
        let Some(order) = order_of_letter(&self.keys, token) else {
            return Ok(None);
        };
        let read = move |tx: &mut Tx| orders::notary_of(tx, order);
        let Some(notary) = self.store.read(read).await? else {
            return Ok(None);
        };
        self.take_back(notary, order, origin).await.map(Some)
    }

    async fn take_back(&self, notary: NotaryId, order: OrderId, origin: Origin) -> Result<()> {
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            if receipt_consents::delete(tx, order)? {
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
        let email = if self.writes_letters {
            Email::parse(email)
        } else {
            Err(Key::MailNotSetUp)
        };
        errors.take("email", email)
    }
}

/// Stores a consent. Of a paid order the receipt is sent at once.
fn give(
    tx: &mut Tx,
    unit: &mut UnitContext,
    notary: NotaryId,
    consent: &ReceiptConsent,
    origin: &Origin,
) -> Result<()> {
    let order = orders::order_of(tx, notary, consent.order_id)?.ok_or_else(not_found)?;
    if erasure::is_anonymised(tx, order.id)? {
        return Err(Refusal::conflict(Key::OrderAnonymised).into());
    }
    receipt_consents::keep(tx, consent)?;
    AuditEntry::new(AuditAction::ReceiptConsentGiven)
        .of_notary(notary)
        .on_order(order.id)
        .with("email", &consent.email)
        .with("by", AuditValue::word(consent.given_by.as_str()))
        .record(tx, unit, origin)?;
    if order.status == OrderStatus::Paid {
        write_receipt_letter(tx, unit, order.id, ReceiptNews::Paid)?;
    }
    Ok(())
}
