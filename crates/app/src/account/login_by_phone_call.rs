//! The phone-call step: the voice service reports the pressed key, and the page finishes the login.

use std::sync::Arc;

use cabinet_domain::{
    Key, Locale, LoginOperation, LoginPurpose, LoginStep, NotaryId, SessionId, TransactionId,
};
use cabinet_gateways::phone_calls::SpokenReply;
use cabinet_storage::account::login_operations;
use cabinet_storage::{Change, StorageError, Tx};
use jiff::Timestamp;

use super::Accounts;
use super::account_confirmation::entry_refused;
use super::code_check::CodeCheck;
use super::fields::read_phone;
use super::one_time_codes::are_right_keys;
use super::phone_calls::Callback;
use super::security_events::record_failed_call;
use super::sessions::{Entered, OpenedSession};
use super::visitor::Visitor;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

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
    /// Takes the report that keys were pressed, or that none was.
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
        let (purpose, confirmed) = self
            .confirm_or_end(transaction, event.call.as_str(), event.digits)
            .await?;
        Ok(self
            .phone_calls
            .as_ref()
            .map_or(CallbackOutcome::Noted, |phone_calls| {
                CallbackOutcome::Say(phone_calls.reply(purpose, locale, confirmed))
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
        if event.status.is_over() {
            let call = event.call.as_str();
            self.confirm_or_end(transaction, call, None).await?;
        }
        Ok(CallbackOutcome::Noted)
    }

    /// Confirms the open operation if this is its own call and the right keys were pressed, or ends it. Returns its purpose, and whether
    /// it is confirmed, now or before.
    ///
    /// A page that was not listening yet when the result was announced asks for it.
    async fn confirm_or_end(
        &self,
        transaction: TransactionId,
        call: &str,
        pressed: Option<String>,
    ) -> Result<(LoginPurpose, bool)> {
        let (unit, call, keys) = (
            self.ids.unit(),
            call.to_owned(),
            Arc::clone(&self.codes.keys),
        );
        let write = move |tx: &mut Tx| -> Result<(LoginPurpose, bool), StorageError> {
            let now = unit.now;
            let Some(operation) = login_operations::by_transaction(tx, transaction)? else {
                return Ok((LoginPurpose::Login, false));
            };
            let purpose = operation.purpose;
            if operation.confirmed_at.is_some() {
                return Ok((purpose, true));
            }
            let pressed = pressed.as_deref();
            if pressed.is_some_and(|pressed| are_right_keys(&operation, pressed, &keys)) {
                let confirmed = operation.phone_call_id.as_deref() == Some(call.as_str())
                    && login_operations::confirm_phone_call(tx, transaction, now)?;
                tx.announce(if confirmed {
                    Change::CallConfirmed(transaction)
                } else {
                    Change::CallEnded(transaction)
                });
                return Ok((purpose, confirmed));
            }
            tx.announce(Change::CallEnded(transaction));
            if login_operations::end_phone_call(tx, transaction, now)? {
                record_failed_call(tx, &mut unit.clone(), &operation)?;
            }
            Ok((purpose, false))
        };
        Ok(self.store.write(write).await?)
    }

    /// `POST /auth/login/phone-call/verify`: finishes a login whose call was confirmed.
    ///
    /// # Errors
    /// `operation_unknown`, `login_step_wrong`, `call_not_confirmed` while the call goes on, `otp_expired` once it can't be
    /// confirmed any more, `call_already_used` once it has opened its one session, `account_blocked`.
    pub async fn finish_login_by_phone_call(
        &self,
        phone: Option<String>,
        transaction: Option<String>,
        errors: FieldErrors,
        visitor: &Visitor,
    ) -> Result<OpenedSession> {
        let (phone, transaction) = read_request(phone, transaction, errors)?;
        let now = self.clock.now();
        let session = self.new_session(visitor);
        let (opened, entrance) = (session.clone(), self.entrance());
        let write = move |tx: &mut Tx| -> Result<CodeCheck<(NotaryId, Entered)>, StorageError> {
            let found = login_operations::by_transaction(tx, transaction)?;
            let known = found.filter(|operation| {
                operation.phone == phone && operation.purpose == LoginPurpose::Login
            });
            let Some(operation) = known else {
                return Ok(CodeCheck::Refused(unknown_call()));
            };
            if let Some(refusal) = use_call(tx, &operation, now)? {
                return Ok(CodeCheck::Refused(refusal));
            }
            if let Some(refusal) = entry_refused(tx, &operation)? {
                return Ok(CodeCheck::Refused(refusal));
            }
            let entered =
                entrance.enter(tx, &session, operation.notary_id, operation.step.into())?;
            Ok(CodeCheck::Accepted((operation.notary_id, entered)))
        };
        match self.store.write(write).await? {
            CodeCheck::Wrong(refusal) | CodeCheck::Refused(refusal) => Err(refusal.into()),
            CodeCheck::Accepted((notary, entered)) => {
                tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in by telephone");
                Ok(opened.opened(notary, entered))
            }
        }
    }

    /// Whether a channel belongs to a call that is still open. A call that confirms a session is heard by this session alone, and
    /// the call of a login by everybody who knows its id.
    pub async fn is_open_phone_call(
        &self,
        channel: &str,
        session: Option<SessionId>,
    ) -> Result<bool> {
        let Some(transaction) = TransactionId::parse(channel) else {
            return Ok(false);
        };
        let now = self.clock.now();
        let found = self
            .store
            .read(move |tx| login_operations::by_transaction(tx, transaction))
            .await?;
        Ok(found.is_some_and(|operation| {
            operation.session_id == session
                && operation.used_at.is_none()
                && operation.expires_at > now
        }))
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

/// There is no such call, or it belongs to another account.
pub(super) fn unknown_call() -> Refusal {
    Refusal::field("transaction_id", Key::OperationUnknown)
}

/// Uses a confirmed call up. Returns the refusal where it can't be used now.
pub(super) fn use_call(
    tx: &mut Tx,
    operation: &LoginOperation,
    now: Timestamp,
) -> Result<Option<Refusal>, StorageError> {
    let key = if operation.step != LoginStep::PhoneCall {
        Key::LoginStepWrong
    } else if operation.used_at.is_some() {
        Key::CallAlreadyUsed
    } else if operation.expires_at <= now {
        Key::OtpExpired
    } else if operation.confirmed_at.is_none()
        || !login_operations::use_confirmed_once(tx, operation.id, now)?
    {
        Key::CallNotConfirmed
    } else {
        return Ok(None);
    };
    Ok(Some(Refusal::conflict(key)))
}
