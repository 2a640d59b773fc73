//! The acts on an account that a notary proves before they are done (decision 72). A session alone does none of them: each opens a way to money,
//! or shuts its owner out.

use cabinet_domain::{
    Email, Iban, Line, Okpo, OwnRecipientId, Phone, Profile, RegistryIdentifier, SessionId,
};

/// What is done. A proof is good for this with these values alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActToProve {
    /// Fields of the profile are changed.
    Profile(Box<ProfileChange>),
    /// A recipient is saved: a new one, or with another account.
    Recipient(Box<RecipientChange>),
    /// A payment sends the notary's share to an account that is not the profile's.
    OwnAccount(Account),
    /// A session is ended that is not the present one. `None`: all others.
    EndSessions(Option<SessionId>),
}

/// An account and the code of its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The account.
    pub iban: Option<Iban>,
    /// The code.
    pub okpo: Option<Okpo>,
}

/// A saved recipient as it is afterwards: where money goes that is paid under this title and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientChange {
    /// The recipient. `None`: a new one.
    pub id: Option<OwnRecipientId>,
    /// What the notary calls it.
    pub title: Line,
    /// Its name.
    pub recipient_name: Line,
    /// Its account.
    pub account: Account,
}

/// The changes of a profile that are proved, as the fields are afterwards. `None` stays, `Some(None)` is cleared. Filling in an e-mail address or
/// a second phone for the first time is a change, too: messages about the account go there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileChange {
    /// The notary's own account: both, where one of them changes.
    pub account: Option<Account>,
    /// E-mail.
    pub email: Option<Option<Email>>,
    /// A second phone.
    pub phone_additional: Option<Option<Phone>>,
    /// The identifier in the register.
    pub registry_identifier: Option<RegistryIdentifier>,
}

impl ProfileChange {
    /// Returns what of a profile changes.
    pub(super) fn between(known: &Profile, changed: &Profile) -> ProfileChange {
        // Her share is paid with her tax id where the profile has one.
        let account = |profile: &Profile| {
            let paid = Okpo::of_notary(profile.inn.as_ref(), profile.okpo.as_ref());
            Account {
                iban: profile.iban.clone(),
                okpo: paid
                    .filter(|_| profile.iban.is_some())
                    .or_else(|| profile.okpo.clone()),
            }
        };
        ProfileChange {
            account: changed_to(account(known), account(changed)),
            email: changed_to(known.email.clone(), changed.email.clone()),
            phone_additional: changed_to(
                known.phone_additional.clone(),
                changed.phone_additional.clone(),
            ),
            registry_identifier: changed_to(
                known.registry_identifier.clone(),
                changed.registry_identifier.clone(),
            ),
        }
    }
}

fn changed_to<T: PartialEq>(known: T, changed: T) -> Option<T> {
    (known != changed).then_some(changed)
}
