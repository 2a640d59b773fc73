//! Tells notaries what concerns them, in the unit of work that makes the change: told exactly if it is committed.

use std::sync::Arc;

use cabinet_domain::{Email, Notary, NotaryId, Phone};
use cabinet_storage::account::notaries;
use cabinet_storage::operator::erasure;
use cabinet_storage::{StorageError, Tx};

use crate::kernel::ids::UnitContext;
use crate::settings::Support;
use crate::worker::outbox::{Contact, Notice, tell};

/// Writes the notices that are sent after the commit.
#[derive(Clone)]
pub struct Notifier {
    support: Arc<Support>,
    writes_letters: bool,
}

impl Notifier {
    /// Returns the notifier of an installation. `writes_letters`: whether a mail server is set up. Without one there are only text messages.
    /// Notices name the support's telephone, which may be empty.
    #[must_use]
    pub fn new(support: Support, writes_letters: bool) -> Notifier {
        Notifier {
            support: Arc::new(support),
            writes_letters,
        }
    }

    /// Whether letters can be sent at all.
    pub(crate) const fn writes_letters(&self) -> bool {
        self.writes_letters
    }

    /// Returns the telephone that notices name.
    pub(crate) fn support_phone(&self) -> &str {
        &self.support.phone
    }

    /// Returns the support's mailbox, where there is one and a mail server.
    pub(crate) fn support_mailbox(&self) -> Option<&str> {
        let mailbox = self.support.email.as_str();
        (self.writes_letters && !mailbox.is_empty()).then_some(mailbox)
    }

    /// Tells a notary by the contact that is stored at this moment: by a letter or else a text message. One who was erased is not told. Does
    /// not lock her, so it may be called after orders and transfers are locked.
    pub(crate) fn tell(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        notary: NotaryId,
        notice: Notice,
    ) -> Result<(), StorageError> {
        match stored_contacts(tx, notary)? {
            Some((phone, email)) => tell(tx, unit, self.one_of(phone, email), notice),
            None => Ok(()),
        }
    }

    /// Tells a notary by the contact that she had when she was read.
    pub(crate) fn tell_known(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        notary: &Notary,
        notice: Notice,
    ) -> Result<(), StorageError> {
        let (phone, email) = (notary.phone.clone(), notary.profile.email.clone());
        tell(tx, unit, self.one_of(phone, email), notice)
    }

    /// Tells a notary of a matter of security by the phone of her login and by her e-mail address, as they are stored at this moment: whoever
    /// reads one of them does not keep her from hearing of it. Does not lock her.
    pub(crate) fn tell_everywhere(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        notary: NotaryId,
        notice: &Notice,
    ) -> Result<(), StorageError> {
        match stored_contacts(tx, notary)? {
            Some((phone, email)) => self.tell_both(tx, unit, (phone, email), notice),
            None => Ok(()),
        }
    }

    /// Tells a notary by the phone and the e-mail address that she had when she was read.
    pub(crate) fn tell_known_everywhere(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        notary: &Notary,
        notice: &Notice,
    ) -> Result<(), StorageError> {
        let contacts = (notary.phone.clone(), notary.profile.email.clone());
        self.tell_both(tx, unit, contacts, notice)
    }

    fn tell_both(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        (phone, email): (Phone, Option<Email>),
        notice: &Notice,
    ) -> Result<(), StorageError> {
        let email = email.filter(|_| self.writes_letters).map(Contact::Email);
        for contact in email.into_iter().chain([Contact::Phone(phone)]) {
            tell(tx, unit, contact, notice.clone())?;
        }
        Ok(())
    }

    fn one_of(&self, phone: Phone, email: Option<Email>) -> Contact {
        match email {
            Some(email) if self.writes_letters => Contact::Email(email),
            _ => Contact::Phone(phone),
        }
    }
}

fn stored_contacts(
    tx: &mut Tx,
    notary: NotaryId,
) -> Result<Option<(Phone, Option<Email>)>, StorageError> {
    if erasure::is_notary_erased(tx, notary)? {
        return Ok(None);
    }
    notaries::contact_of(tx, notary)
}
