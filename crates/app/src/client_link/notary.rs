//! What a notary does with the link of an order: makes it, looks at it, sends it, withdraws it.

use cabinet_domain::{
    AuditAction, AuditValue, ClientLink, Email, Key, Locale, NotaryId, OrderId, Origin, Phone,
};
use cabinet_storage::account::notaries;
use cabinet_storage::client_link::client_links;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};

use super::receipt_mail::{ReceiptMail, read_receipt_mail};
use super::{ClientLinks, texts};
use crate::account::{refuse_client_message, refuse_suspended, refuse_unconfirmed};
use crate::audit::AuditEntry;
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};
use crate::order::own_order::{not_found, own_order};
use crate::worker::outbox::{Contact, forget_link_messages, tell_client};

/// How often links of one order may be sent, and how often its receipt. A client who lost it can get it again a few times, and a stranger's phone is not flooded.
pub(super) const SENT_MAX: i64 = 5;
/// The limit of what one notary sends looks back so far.
pub(super) const SENT_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// What a notary chooses for a link.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkRequest {
    /// Hours after which it ends, up to the usual time, which is also the default.
    pub hours: Option<i64>,
}

/// Where a link is sent: to one of the two.
#[derive(Clone, Default)]
pub struct LinkSending {
    /// The token of the link. Only its hash is stored, so the page that was given it gives it back.
    pub token: String,
    /// A telephone, for a text message.
    pub phone: Option<String>,
    /// An e-mail address, for a letter.
    pub email: Option<String>,
}

/// A link that was made. Its address is told this once.
pub struct MadeLink {
    /// The address of its page.
    pub url: String,
    /// The token in the address.
    pub token: SecretString,
    /// What is known of it.
    pub view: ClientLinkView,
}

/// What a notary is shown of the link of an order.
#[derive(Clone, Debug)]
pub struct ClientLinkView {
    /// The link. `None`: there is none, or it is long over.
    pub link: Option<ClientLink>,
    /// Whether it opens the order now.
    pub is_open: bool,
    /// The longest life of a link, in hours.
    pub hours_max: i64,
    /// How often links of the order may still be sent.
    pub sendings_left: i64,
    /// Whether letters can be sent at all.
    pub writes_letters: bool,
    /// Where the receipt of the order is sent. `None`: nobody has said.
    pub receipt_mail: Option<ReceiptMail>,
}

impl ClientLinks {
    /// Makes a link for an unpaid order, in place of an earlier one.
    ///
    /// # Errors
    /// `unauthorized`, `order_not_found`, `number_invalid`, `order_not_payable`, `order_cancelled`, `order_returned_to_cart`, `order_anonymised`,
    /// `notary_not_confirmed`, `account_blocked`, `notary_suspended`.
    pub async fn make(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        request: LinkRequest,
        mut errors: FieldErrors,
        origin: Origin,
    ) -> Result<MadeLink> {
        let decider = decider.into();
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?.id;
        let lifetime =
            ClientLink::lifetime(request.hours, self.settings.lifetime).ok_or(Key::NumberInvalid);
        let lifetime = errors.take("hours", lifetime);
        errors.check()?;
        let unit = self.ids.unit();
        let ends_at = unit.now + lifetime.unwrap_or(self.settings.lifetime);
        let token = self.new_token();
        let digest = self.keys.client_link_digest(token.expose_secret());
        let write = move |tx: &mut Tx| -> Result<()> {
            refuse_unpayable(tx, (decider, unit.now), order)?;
            client_links::keep(tx, order, &digest, unit.now, ends_at)?;
            forget_link_messages(tx, order)?;
            AuditEntry::new(AuditAction::ClientLinkMade)
                .of_notary(notary)
                .on_order(order)
                .record(tx, &mut unit.clone(), &origin)?;
            Ok(())
        };
        self.store.write(write).await?;
        Ok(MadeLink {
            url: self.address_of(&token),
            token,
            view: self.view_of(order).await?,
        })
    }

    /// Returns what is known of the link of an order.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn view(&self, notary: NotaryId, order: &str) -> Result<ClientLinkView> {
        let order = own_order(&self.store, notary, order).await?;
        self.view_of(order.id).await
    }

    /// Withdraws the link of an order: from now on it opens nothing. Does nothing where there is none.
    ///
    /// # Errors
    /// `unauthorized`, `order_not_found`.
    pub async fn withdraw(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        origin: Origin,
    ) -> Result<ClientLinkView> {
        let decider = decider.into();
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?.id;
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<()> {
            let (locked, _) = decider.lock(tx, unit.now)?;
            orders::lock_of(tx, &locked, order)?.ok_or_else(not_found)?;
            if client_links::withdraw(tx, order, unit.now)? {
                forget_link_messages(tx, order)?;
                AuditEntry::new(AuditAction::ClientLinkWithdrawn)
                    .of_notary(notary)
                    .on_order(order)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await?;
        self.view_of(order).await
    }

    /// Sends the link of an order to a telephone or an e-mail address. Neither is kept: the message is erased once it has left.
    ///
    /// # Errors
    /// `order_not_found`, `client_link_gone`, `client_link_sent_too_often`, `too_many_requests`, `mail_not_set_up`, the keys of the fields, and
    /// those of [`ClientLinks::make`].
    pub async fn send(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        sending: LinkSending,
        errors: FieldErrors,
        (locale, origin): (Locale, Origin),
    ) -> Result<ClientLinkView> {
        let decider = decider.into();
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?;
        let contact = self.read_contact(&sending, errors)?;
        let token = SecretString::from(sending.token);
        let opened = self.of_token(&token).await?;
        let opened = opened.filter(|opened| opened.order == order.id && opened.notary == notary);
        let ends_at = opened.ok_or_else(gone)?.link.ends_at;
        let digests = self.keys.client_link_digests(token.expose_secret());
        let notary_name = {
            let read = move |tx: &mut Tx| notaries::full_name_of(tx, notary);
            self.store.read(read).await?.ok_or_else(not_found)?
        };
        let notice = texts::link(&texts::LinkNotice {
            notary: notary_name.as_str(),
            number: order.number,
            sum: order.sum,
            url: &self.address_of(&token),
            ends_at,
            locale,
        });
        let (unit, daily_max, id) = (self.ids.unit(), self.settings.sendings_daily_max, order.id);
        let hourly_max = self.messages_hourly_max;
        let write = move |tx: &mut Tx| -> Result<()> {
            refuse_unpayable(tx, (decider, unit.now), id)?;
            // It may have been replaced or withdrawn meanwhile.
            let mut link = None;
            for digest in &digests {
                link = link.or(client_links::by_token(tx, digest)?);
            }
            let (link, _) = link.ok_or_else(gone)?;
            let sent_lately = client_links::sent_since(tx, notary, unit.now - SENT_WITHIN)?;
            if link.sent_count >= SENT_MAX || sent_lately >= daily_max {
                return Err(Refusal::conflict(Key::ClientLinkSentTooOften).into());
            }
            let mut unit = unit.clone();
            let way = match &contact {
                Contact::Email(_) => "email",
                Contact::Phone(_) => {
                    refuse_client_message(tx, hourly_max, unit.now)?;
                    "sms"
                }
            };
            tell_client(tx, &mut unit, contact.clone(), notice.clone(), id)?;
            client_links::record_sending(tx, id, unit.now)?;
            AuditEntry::new(AuditAction::ClientLinkSent)
                .of_notary(notary)
                .on_order(id)
                .with("way", AuditValue::word(way))
                .record(tx, &mut unit, &origin)?;
            Ok(())
        };
        self.store.write(write).await?;
        self.view_of(order.id).await
    }

    /// Reads where a link is sent.
    fn read_contact(&self, sending: &LinkSending, mut errors: FieldErrors) -> Result<Contact> {
        let email = sending.email.as_deref().map(str::trim).unwrap_or_default();
        let phone = sending.phone.as_deref().map(str::trim).unwrap_or_default();
        errors.refuse_card("email", Some(email));
        let contact = if errors.has("email") {
            None
        } else if email.is_empty() {
            let phone = Phone::parse(phone).and_then(|phone| self.mobile(phone));
            errors.take("phone", phone).map(Contact::Phone)
        } else if self.notifier.writes_letters() {
            errors
                .take("email", Email::parse(email))
                .map(Contact::Email)
        } else {
            errors.add("email", Key::MailNotSetUp);
            None
        };
        errors.check()?;
        Ok(contact.ok_or_else(|| Refusal::field("phone", Key::PhoneRequired))?)
    }

    fn mobile(&self, phone: Phone) -> Result<Phone, Key> {
        let subscriber = phone.digits().get(3..).unwrap_or_default();
        let mut prefixes = self.mobile_prefixes.iter();
        if prefixes.any(|prefix| subscriber.starts_with(prefix.as_str())) {
            Ok(phone)
        } else {
            Err(Key::PhoneNotMobile)
        }
    }

    pub(super) async fn view_of(&self, order: OrderId) -> Result<ClientLinkView> {
        let now = self.clock.now();
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let link = client_links::of_order(tx, order)?;
            Ok((link, read_receipt_mail(tx, order, now)?))
        };
        let (link, receipt_mail) = self.store.read(read).await?;
        let sent = link.map_or(0, |link| link.sent_count);
        Ok(ClientLinkView {
            is_open: link.is_some_and(|link| link.is_open(now)),
            link,
            hours_max: self.settings.lifetime.as_hours(),
            sendings_left: (SENT_MAX - sent).max(0),
            writes_letters: self.notifier.writes_letters(),
            receipt_mail,
        })
    }
}

/// Refuses where an order can't be paid by anybody.
fn refuse_unpayable(
    tx: &mut Tx,
    (decider, now): (Decider, Timestamp),
    order: OrderId,
) -> Result<()> {
    let (locked, account) = decider.lock(tx, now)?;
    refuse_unconfirmed(&account)?;
    refuse_suspended(&account)?;
    let (_locked, known) = orders::lock_of(tx, &locked, order)?.ok_or_else(not_found)?;
    let key = if known.status.has_money()
        || known.codes_payment().is_some()
        || erasure::is_anonymised(tx, order)?
    {
        Key::OrderNotPayable
    } else if known.cancelled_at.is_some() {
        Key::OrderCancelled
    } else if known.returned_to_cart_at.is_some() {
        Key::OrderReturnedToCart
    } else if erasure::is_client_erased(tx, order)? {
        Key::OrderAnonymised
    } else {
        return Ok(());
    };
    Err(Refusal::conflict(key).into())
}

/// The link is not that of the order any more.
fn gone() -> Refusal {
    Refusal::new(RefusalKind::Conflict, Key::ClientLinkGone)
}
