//! The phone-call step: the voice service reports the pressed key, and the page finishes the login.

use cabinet_domain::{
    Key, Locale, LoginOperation, LoginPurpose, LoginStep, NotaryId, TransactionId,
};
use cabinet_gateways::phone_calls::SpokenReply;
use cabinet_storage::{StorageError, Tx, login_operations, notaries};
use jiff::Timestamp;

use super::Accounts;
use super::code_check::CodeCheck;
use super::fields::read_phone;
use super::phone_calls::Callback;
use super::sessions::OpenedSession;
use crate::refusal::{FieldErrors, Refusal, RefusalKind, Result};

/// The message that a call was confirmed (specification, point 4).
const CONFIRMED: &str = r#"{"result":10}"#;
/// The message that it was not: another key, silence, or a call that nobody answered.
const NOT_CONFIRMED: &str = r#"{"result":20}"#;

/// How a callback of the voice service is answered.
pub enum CallbackOutcome {
    /// Instructions for the rest of the call.
    Say(SpokenReply),
    /// Nothing to say.
    Noted,
    /// It is not the voice service's.
    NotGenuine,
}

impl Accounts {
    /// Takes the report that a key was pressed, or that none was.
    ///
    /// # Errors
    /// Fails where the database can't be used. The service then hears nothing and hangs up.
    pub async fn take_pressed_key(
        &self,
        transaction: &str,
        locale: Locale,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<CallbackOutcome> {
        let read = self.read_callback(Callback::Key, transaction, locale, signature, body);
        let Some((transaction, event)) = read else {
            return Ok(CallbackOutcome::NotGenuine);
        };
        let confirmed = self
            .confirm_or_end(transaction, event.call.as_str(), event.confirms())
            .await?;
        self.hub.publish(
            &transaction.to_string(),
            if confirmed { CONFIRMED } else { NOT_CONFIRMED },
        );
        Ok(self
            .phone_calls
            .as_ref()
            .map_or(CallbackOutcome::Noted, |phone_calls| {
                CallbackOutcome::Say(phone_calls.reply(locale, confirmed))
            }))
    }

    /// Takes the report that the call went on or ended.
    pub async fn take_phone_call_progress(
        &self,
        transaction: &str,
        locale: Locale,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<CallbackOutcome> {
        let read = self.read_callback(Callback::Progress, transaction, locale, signature, body);
        let Some((transaction, event)) = read else {
            return Ok(CallbackOutcome::NotGenuine);
        };
        if event.status.is_over()
            && !self
                .confirm_or_end(transaction, event.call.as_str(), false)
                .await?
        {
            self.hub.publish(&transaction.to_string(), NOT_CONFIRMED);
        }
        Ok(CallbackOutcome::Noted)
    }

    /// Confirms the open login if this is its own call, or ends it. Returns whether it is confirmed, now or before.
    ///
    /// The result is stored before it is published: a page that was not listening yet asks for it.
    async fn confirm_or_end(
        &self,
        transaction: TransactionId,
        call: &str,
        is_right: bool,
    ) -> Result<bool> {
        let (now, call) = (self.clock.now(), call.to_owned());
        let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
            let Some(operation) = login_operations::by_transaction(tx, transaction)? else {
                return Ok(false);
            };
            if operation.confirmed_at.is_some() {
                return Ok(true);
            }
            if is_right {
                return Ok(operation.phone_call_id.as_deref() == Some(call.as_str())
                    && login_operations::confirm_phone_call(tx, transaction, now)?);
            }
            login_operations::end_phone_call(tx, transaction, now)?;
            Ok(false)
        };
        Ok(self.store.write(write).await?)
    }

    /// `POST /auth/login/phone-call/verify`: finishes a login whose call was confirmed.
    ///
    /// # Errors
    /// `operation_unknown`, `login_step_wrong`, `call_not_confirmed` while the call goes on, `otp_expired` once it can't be
    /// confirmed any more, `call_already_used` once it has opened its one session.
    pub async fn finish_login_by_phone_call(
        &self,
        phone: Option<String>,
        transaction: Option<String>,
        errors: FieldErrors,
    ) -> Result<OpenedSession> {
        let (phone, transaction) = read_request(phone, transaction, errors)?;
        let now = self.clock.now();
        let session = self.new_session();
        let opened = session.clone();
        let write = move |tx: &mut Tx| -> Result<CodeCheck<NotaryId>, StorageError> {
            let found = login_operations::by_transaction(tx, transaction)?;
            let known = found.filter(|operation| {
                operation.phone == phone && operation.purpose == LoginPurpose::Login
            });
            let Some(operation) = known else {
                return Ok(CodeCheck::Refused(Refusal::field(
                    "transaction_id",
                    Key::OperationUnknown,
                )));
            };
            if let Some(refusal) = refusal_of(&operation, now) {
                return Ok(CodeCheck::Refused(refusal));
            }
            if !login_operations::use_confirmed_once(tx, operation.id, now)? {
                return Ok(CodeCheck::Refused(Refusal::conflict(Key::CallNotConfirmed)));
            }
            notaries::agree_to_terms(tx, operation.notary_id, now)?;
            session.insert(tx, operation.notary_id, now)?;
            Ok(CodeCheck::Accepted(operation.notary_id))
        };
        match self.store.write(write).await? {
            CodeCheck::Refused(refusal) => Err(refusal.into()),
            CodeCheck::Accepted(notary) => {
                tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in by telephone");
                Ok(opened.opened(notary))
            }
        }
    }

    /// Whether a channel belongs to a call that is still open. Everybody who knows its id may listen to it.
    pub async fn is_open_phone_call(&self, channel: &str) -> Result<bool> {
        let Some(transaction) = TransactionId::parse(channel) else {
            return Ok(false);
        };
        let now = self.clock.now();
        let found = self
            .store
            .read(move |tx| login_operations::by_transaction(tx, transaction))
            .await?;
        Ok(
            found
                .is_some_and(|operation| operation.used_at.is_none() && operation.expires_at > now),
        )
    }
}

fn read_request(
    phone: Option<String>,
    transaction: Option<String>,
    mut errors: FieldErrors,
) -> Result<(cabinet_domain::Phone, TransactionId), Refusal> {
    let phone = read_phone(phone.as_deref(), &mut errors);
    let transaction = if errors.has("transaction_id") {
        None
    } else {
        let read = transaction.as_deref().and_then(TransactionId::parse);
        errors.take("transaction_id", read.ok_or(Key::OperationUnknown))
    };
    errors.check()?;
    match (phone, transaction) {
        (Some(phone), Some(transaction)) => Ok((phone, transaction)),
        _ => Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired)),
    }
}

/// Returns why a login can't be finished by its call now.
fn refusal_of(operation: &LoginOperation, now: Timestamp) -> Option<Refusal> {
    if operation.step != LoginStep::PhoneCall {
        Some(Refusal::conflict(Key::LoginStepWrong))
    } else if operation.used_at.is_some() {
        Some(Refusal::conflict(Key::CallAlreadyUsed))
    } else if operation.expires_at <= now {
        Some(Refusal::conflict(Key::OtpExpired))
    } else if operation.confirmed_at.is_none() {
        Some(Refusal::conflict(Key::CallNotConfirmed))
    } else {
        None
    }
}
