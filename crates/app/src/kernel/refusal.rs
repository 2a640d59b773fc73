//! Refusals and errors of the use cases.
//!
//! A use case that does not do what it was asked refuses with a key of the catalogue, the bad fields and, where it helps the
//! caller, the right figures. Errors of the cabinet itself (a failing database, inconsistent data) are kept apart, because only
//! the operator can do something about them.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use cabinet_domain::{Key, Price, names_payment_card};
use cabinet_storage::StorageError;

use crate::account::passkey_to_prove::PasskeyToProve;
use crate::cart::duplicate_payment::DuplicatePayment;
use crate::kernel::lasting_trouble::DATABASE_AWAY;
use crate::order::summary::OrderSummary;
use crate::payment::asked_proof::AskedProof;

/// What kind of refusal it is; the web server turns it into a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The request could not be read at all.
    Unreadable,
    /// The request is larger than the limit.
    TooLarge,
    /// No session, or one that has ended.
    Unauthorized,
    /// A session without the right.
    Forbidden,
    /// There is no such thing, or it belongs to another notary.
    NotFound,
    /// The present state does not allow it.
    Conflict,
    /// A field breaks a rule.
    Invalid,
    /// Too many requests. It may be tried again after this time.
    TooMany(Duration),
    /// An outside service refused or failed.
    Outside,
    /// The cabinet cannot do it now.
    Unavailable,
}

/// What a refusal carries besides its key.
#[derive(Clone, Debug)]
pub enum Detail {
    /// The right price of the item.
    Price(Price),
    /// The order that exists already.
    Order(Box<OrderSummary>),
    /// The same payment, which is there already.
    Duplicate(Box<DuplicatePayment>),
    /// A call may take the place of the code that was not sent.
    CallOffered,
    /// What is to be proved before a saved card is charged.
    Proof(Box<AskedProof>),
    /// What is to be proved before a passkey is added or removed.
    Passkey(PasskeyToProve),
}

/// Bad fields with their keys, in the order they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors(Vec<(Cow<'static, str>, Key)>);

impl FieldErrors {
    /// Returns an empty list.
    pub const fn new() -> FieldErrors {
        FieldErrors(Vec::new())
    }

    /// Adds a bad field.
    pub fn add(&mut self, field: impl Into<Cow<'static, str>>, key: Key) {
        let bad = (field.into(), key);
        if !self.0.contains(&bad) {
            self.0.push(bad);
        }
    }

    /// Refuses a free text that names a payment card: a full number is stored nowhere.
    pub(crate) fn refuse_card(&mut self, field: impl Into<Cow<'static, str>>, text: Option<&str>) {
        let field = field.into();
        if text.is_some_and(names_payment_card) && !self.has(&field) {
            self.add(field, Key::CardNumberNotAccepted);
        }
    }

    /// Returns the value, or adds the field with the key of the error.
    pub fn take<T, E: Into<Key>>(
        &mut self,
        field: impl Into<Cow<'static, str>>,
        value: Result<T, E>,
    ) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(field, error.into());
                None
            }
        }
    }

    /// Reads a field that may be emptied. Returns `Some(None)` for an empty text, and `None` where the field is not named or was
    /// refused.
    pub(crate) fn optional<T>(
        &mut self,
        field: &'static str,
        text: &Option<String>,
        read: impl FnOnce(&str) -> Result<T, Key>,
    ) -> Option<Option<T>> {
        if self.has(field) {
            return None;
        }
        match text.as_deref()?.trim() {
            "" => Some(None),
            text => self.take(field, read(text)).map(Some),
        }
    }

    /// Whether the field is bad.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.0.iter().any(|(bad, _)| bad == field)
    }

    /// Returns the bad fields in the order they were found.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Key)> {
        self.0.iter().map(|(field, key)| (field.as_ref(), *key))
    }

    /// Refuses if any field is bad.
    ///
    /// # Errors
    /// A refusal with every bad field and the key of the first.
    pub fn check(&self) -> Result<(), Refusal> {
        match self.0.first() {
            None => Ok(()),
            Some((_, key)) => Err(Refusal {
                kind: RefusalKind::Invalid,
                key: *key,
                errors: self.clone(),
                detail: None,
            }),
        }
    }
}

/// Why a use case did not do what it was asked.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What kind of refusal it is.
    pub kind: RefusalKind,
    /// The key of the message.
    pub key: Key,
    /// The bad fields.
    pub errors: FieldErrors,
    /// Data that helps the caller.
    pub detail: Option<Detail>,
}

impl Refusal {
    /// Returns a refusal with a key and no field.
    pub const fn new(kind: RefusalKind, key: Key) -> Refusal {
        Refusal {
            kind,
            key,
            errors: FieldErrors::new(),
            detail: None,
        }
    }

    /// Returns the refusal of a session that has ended.
    pub(crate) const fn unauthorized() -> Refusal {
        Refusal::new(RefusalKind::Unauthorized, Key::Unauthorized)
    }

    /// Returns a refusal of the kind `NotFound`.
    pub const fn not_found(key: Key) -> Refusal {
        Refusal::new(RefusalKind::NotFound, key)
    }

    /// Returns a refusal of the kind `Conflict`.
    pub(crate) const fn conflict(key: Key) -> Refusal {
        Refusal::new(RefusalKind::Conflict, key)
    }

    /// Returns a refusal of one bad field.
    pub(crate) fn field(field: &'static str, key: Key) -> Refusal {
        Refusal::new(RefusalKind::Invalid, key).on(field)
    }

    /// Adds a field with the refusal's own key.
    #[must_use]
    pub fn on(mut self, field: &'static str) -> Refusal {
        self.errors.add(field, self.key);
        self
    }

    /// Returns the key of its first field, or its own where it names none.
    pub(crate) fn first_key(&self) -> Key {
        self.errors.iter().next().map_or(self.key, |(_, key)| key)
    }

    /// Adds data that helps the caller.
    #[must_use]
    pub(crate) fn with(mut self, detail: Detail) -> Refusal {
        self.detail = Some(detail);
        self
    }
}

/// Why a use case has no result.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The caller can do something about it.
    #[error("refused: {}", .0.key.as_str())]
    Refused(Box<Refusal>),
    /// The database failed, or its content is inconsistent.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Something in the cabinet is wrong. The text is for the operator and has no personal data.
    #[error("{0}")]
    Broken(String),
}

impl AppError {
    /// Returns whether the database does not serve now, but may in a moment.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, AppError::Storage(error) if error.is_passing())
    }

    /// Returns whether the data or the cabinet itself are wrong, so that no repetition helps.
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        match self {
            AppError::Refused(_) => false,
            AppError::Storage(error) => !error.is_passing(),
            AppError::Broken(_) => true,
        }
    }

    /// Logs that something failed. A database that can't be asked is met by everybody at once, so one line a second says so, with the place
    /// that met it and how often it was met since the line before.
    pub fn log(&self, place: &'static str, now: Instant) {
        let is_away = matches!(
            self,
            AppError::Storage(
                StorageError::Unavailable(_)
                    | StorageError::TimedOut
                    | StorageError::Overloaded
                    | StorageError::Full
                    | StorageError::ReadOnly
                    | StorageError::Closed
            )
        );
        if !is_away {
            tracing::error!(error = %self, "{place}");
        } else if let Some(met) = DATABASE_AWAY.met(now) {
            tracing::error!(error = %self, place, met, "The database does not serve now");
        }
    }

    /// Returns whether too much waits for the database. What was asked for was not begun.
    #[must_use]
    pub const fn is_overload(&self) -> bool {
        matches!(self, AppError::Storage(StorageError::Overloaded))
    }
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> AppError {
        AppError::Refused(Box::new(refusal))
    }
}

/// The result of a use case.
pub type Result<T, E = AppError> = std::result::Result<T, E>;
