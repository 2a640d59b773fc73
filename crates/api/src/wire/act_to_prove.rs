//! The acts on an account that are proved before they are done.

use cabinet_app::account;
use cabinet_domain::{
    Email, Iban, Key, Line, Okpo, OwnRecipientId, Phone, RegistryIdentifier, SessionId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest title or name of a saved recipient, in characters. The call that saves it has its own limits.
const RECIPIENT_CHARS_MAX: usize = 140;

/// What must be proved: one of these. A refusal names it, and `POST /auth/confirmation` sends the code for it as it was named.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct ActToProve {
    /// The fields of the profile that change.
    pub profile: Option<ProfileToProve>,
    /// The recipient that is saved.
    pub recipient: Option<RecipientToProve>,
    /// The account of the notary's own in a payment, which is not the profile's.
    pub own_account: Option<AccountToProve>,
    /// The sessions that are ended.
    pub end_sessions: Option<SessionsToEnd>,
}

/// What changes of the profile, as it is afterwards. `null`: it stays; an empty text: it is cleared.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct ProfileToProve {
    /// The notary's own account with its code, where one of them changes.
    pub account: Option<AccountToProve>,
    /// E-mail.
    pub email: Option<String>,
    /// A second phone.
    pub phone_additional: Option<String>,
    /// The identifier in the register.
    pub registry_identifier: Option<String>,
}

/// A recipient and its account.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct RecipientToProve {
    /// The saved recipient; `null`: a new one.
    #[serde(default)]
    pub id: Option<String>,
    /// What the notary calls it.
    #[serde(default)]
    pub title: String,
    /// Its name.
    #[serde(default)]
    pub recipient_name: String,
    /// Where later payments go.
    #[serde(flatten)]
    pub account: AccountToProve,
}

/// An account and the code of its owner.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct AccountToProve {
    /// The account.
    pub iban: Option<String>,
    /// The code.
    pub okpo: Option<String>,
}

/// The sessions that are ended.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct SessionsToEnd {
    /// One of them; `null`: all but the present one.
    pub id: Option<String>,
}

impl ActToProve {
    /// Reads it.
    ///
    /// # Errors
    /// `field_required` where it names no act, and the keys of what can't be read.
    pub fn read(&self) -> Result<account::ActToProve, Key> {
        if let Some(profile) = &self.profile {
            return Ok(account::ActToProve::Profile(Box::new(profile.read()?)));
        }
        if let Some(recipient) = &self.recipient {
            let id = recipient.id.as_deref().map(OwnRecipientId::parse);
            let id = id.map(|id| id.ok_or(Key::RecipientNotFound)).transpose()?;
            let line = |text: &str| {
                let line = Line::parse(text, RECIPIENT_CHARS_MAX);
                line.map_err(|error| error.key(Key::FieldRequired))
            };
            let change = account::RecipientChange {
                id,
                title: line(&recipient.title)?,
                recipient_name: line(&recipient.recipient_name)?,
                account: recipient.account.read()?,
            };
            return Ok(account::ActToProve::Recipient(Box::new(change)));
        }
        if let Some(own) = &self.own_account {
            return Ok(account::ActToProve::OwnAccount(own.read()?));
        }
        let ended = self.end_sessions.as_ref().ok_or(Key::FieldRequired)?;
        let id = ended.id.as_deref().map(SessionId::parse);
        let id = id.map(|id| id.ok_or(Key::SessionUnknown)).transpose()?;
        Ok(account::ActToProve::EndSessions(id))
    }
}

impl ProfileToProve {
    fn read(&self) -> Result<account::ProfileChange, Key> {
        let identifier = self.registry_identifier.as_deref();
        Ok(account::ProfileChange {
            account: self
                .account
                .as_ref()
                .map(AccountToProve::read)
                .transpose()?,
            email: cleared_or(self.email.as_deref(), Email::parse)?,
            phone_additional: cleared_or(self.phone_additional.as_deref(), Phone::parse)?,
            registry_identifier: identifier.map(RegistryIdentifier::parse).transpose()?,
        })
    }
}

impl AccountToProve {
    fn read(&self) -> Result<account::Account, Key> {
        Ok(account::Account {
            iban: self.iban.as_deref().map(Iban::parse).transpose()?,
            okpo: self.okpo.as_deref().map(Okpo::parse).transpose()?,
        })
    }
}

/// Reads a field that stays where it is not named and is cleared by an empty text.
fn cleared_or<T>(
    text: Option<&str>,
    parse: impl FnOnce(&str) -> Result<T, Key>,
) -> Result<Option<Option<T>>, Key> {
    match text {
        None => Ok(None),
        Some("") => Ok(Some(None)),
        Some(text) => Ok(Some(Some(parse(text)?))),
    }
}

impl From<&account::ActToProve> for ActToProve {
    fn from(act: &account::ActToProve) -> ActToProve {
        let mut shown = ActToProve::default();
        match act {
            account::ActToProve::Profile(change) => {
                let cleared = |text: Option<&str>| text.unwrap_or_default().to_owned();
                let phone = change.phone_additional.as_ref();
                shown.profile = Some(ProfileToProve {
                    account: change.account.as_ref().map(AccountToProve::from),
                    email: change
                        .email
                        .as_ref()
                        .map(|email| cleared(email.as_ref().map(Email::as_str))),
                    phone_additional: phone.map(|phone| cleared(phone.as_ref().map(Phone::as_str))),
                    registry_identifier: change
                        .registry_identifier
                        .as_ref()
                        .map(|identifier| identifier.as_str().to_owned()),
                });
            }
            account::ActToProve::Recipient(change) => {
                shown.recipient = Some(RecipientToProve {
                    id: change.id.map(|id| id.to_string()),
                    title: change.title.as_str().to_owned(),
                    recipient_name: change.recipient_name.as_str().to_owned(),
                    account: AccountToProve::from(&change.account),
                });
            }
            account::ActToProve::OwnAccount(account) => {
                shown.own_account = Some(AccountToProve::from(account));
            }
            account::ActToProve::EndSessions(id) => {
                shown.end_sessions = Some(SessionsToEnd {
                    id: id.map(|id| id.to_string()),
                });
            }
        }
        shown
    }
}

impl From<&account::Account> for AccountToProve {
    fn from(account: &account::Account) -> AccountToProve {
        AccountToProve {
            iban: account.iban.as_ref().map(|iban| iban.as_str().to_owned()),
            okpo: account.okpo.as_ref().map(|okpo| okpo.as_str().to_owned()),
        }
    }
}
