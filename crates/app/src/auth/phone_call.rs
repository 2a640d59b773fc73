//! The phone-call step: the number on file is called, and whoever answers presses 1.

use cabinet_domain::{Key, Locale, OperationId, TransactionId};
use cabinet_gateways::calls::{CallError, CallRequest, CallbackError, SpokenReply};
use cabinet_storage::login_operations::{self, Operation, Purpose};
use cabinet_storage::notaries::{self, LoginStep, Notary};
use cabinet_storage::{StorageError, Tx};

use super::check_code::Verdict;
use super::login::read_phone;
use super::sessions::{NewSession, OpenedSession};
use crate::App;
use crate::refusal::{FieldErrors, Outcome, Refusal, Sort};

/// The publication that finishes the call login (specification, point 4).
const CONFIRMED: &str = r#"{"result":10}"#;
/// Another key, silence, or a call that nobody took.
const NOT_CONFIRMED: &str = r#"{"result":20}"#;

/// What a callback of the voice service is answered.
pub enum CallbackOutcome {
    /// Instructions for the rest of the call.
    Say(SpokenReply),
    /// Nothing to say.
    Noted,
    /// It is not the voice service's.
    NotGenuine,
}

impl App {
    /// Calls the notary's number. Where certainly no call was made, the operation is taken back; one that may have been made counts.
    pub(super) async fn place_call(
        &self,
        operation: OperationId,
        transaction: TransactionId,
        notary: &Notary,
        locale: Locale,
    ) -> Outcome<()> {
        let request = CallRequest {
            phone: notary.phone.clone(),
            locale,
            key_url: self.callback_url(transaction, "key", locale),
            progress_url: self.callback_url(transaction, "progress", locale),
        };
        let placed = match self.calls() {
            Some(calls) => calls.start_call(&request).await,
            None => Err(CallError::Unavailable),
        };
        match placed {
            Ok(call) => {
                let call = call.as_str().to_owned();
                Ok(self
                    .inner
                    .store
                    .write(move |tx| login_operations::record_call(tx, operation, &call))
                    .await?)
            }
            Err(error) => {
                tracing::warn!(operation.id = %operation, %error, "A verification call was not made");
                if error != CallError::Unknown {
                    self.take_back(operation).await?;
                }
                Err(Refusal::new(Sort::Outside, Key::CallNotPlaced)
                    .on("phone")
                    .into())
            }
        }
    }

    /// The address of a callback; its signature covers all of it.
    fn callback_url(&self, transaction: TransactionId, what: &str, locale: Locale) -> String {
        format!(
            "{}/api/voice/{transaction}/{what}?language={}",
            self.settings().public_url,
            locale.code()
        )
    }

    /// A key was pressed, or none was.
    ///
    /// # Errors
    /// When the database can't be used; the service then hears nothing and hangs up.
    pub async fn take_pressed_key(
        &self,
        transaction: &str,
        locale: Locale,
        signature: Option<&str>,
        body: &[u8],
    ) -> Outcome<CallbackOutcome> {
        let Some((transaction, event)) =
            self.read_callback(transaction, "key", locale, signature, body)
        else {
            return Ok(CallbackOutcome::NotGenuine);
        };
        let confirmed = self
            .judge_key(transaction, event.call.as_str(), event.confirms())
            .await?;
        self.publish(
            &transaction.to_string(),
            if confirmed { CONFIRMED } else { NOT_CONFIRMED },
        );
        Ok(self.calls().map_or(CallbackOutcome::Noted, |calls| {
            CallbackOutcome::Say(calls.reply(locale, confirmed))
        }))
    }

    /// The call went on or ended.
    ///
    /// # Errors
    /// When the database can't be used.
    pub async fn take_call_progress(
        &self,
        transaction: &str,
        locale: Locale,
        signature: Option<&str>,
        body: &[u8],
    ) -> Outcome<CallbackOutcome> {
        let Some((transaction, event)) =
            self.read_callback(transaction, "progress", locale, signature, body)
        else {
            return Ok(CallbackOutcome::NotGenuine);
        };
        if event.status.is_over()
            && !self
                .judge_key(transaction, event.call.as_str(), false)
                .await?
        {
            self.publish(&transaction.to_string(), NOT_CONFIRMED);
        }
        Ok(CallbackOutcome::Noted)
    }

    fn read_callback(
        &self,
        transaction: &str,
        what: &str,
        locale: Locale,
        signature: Option<&str>,
        body: &[u8],
    ) -> Option<(TransactionId, cabinet_gateways::calls::CallEvent)> {
        let transaction = TransactionId::parse(transaction)?;
        match self.calls()?.verify_callback(
            &self.callback_url(transaction, what, locale),
            signature,
            body,
        ) {
            Ok(event) => Some((transaction, event)),
            Err(CallbackError::BadSignature) => {
                tracing::warn!("A callback of the voice service with a bad signature was refused");
                None
            }
            Err(error) => {
                tracing::warn!(%error, "A callback of the voice service can't be read");
                None
            }
        }
    }

    /// Confirms the open attempt, if this very call is its own, or ends it; true if it is confirmed, now or from before.
    ///
    /// What was decided is stored before it is published: a page that was not listening yet asks and hears the same.
    async fn judge_key(
        &self,
        transaction: TransactionId,
        call: &str,
        is_right: bool,
    ) -> Outcome<bool> {
        let (now, call) = (self.now(), call.to_owned());
        let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
            let Some(operation) = login_operations::by_transaction(tx, transaction)? else {
                return Ok(false);
            };
            if operation.confirmed_at.is_some() {
                return Ok(true);
            }
            if is_right {
                return Ok(operation.call_id.as_deref() == Some(call.as_str())
                    && login_operations::confirm_call(tx, transaction, now)?);
            }
            login_operations::end_call(tx, transaction, now)?;
            Ok(false)
        };
        Ok(self.inner.store.write(write).await?)
    }

    /// `POST /auth/login/phone-call/verify`: finishes a login whose call was confirmed.
    ///
    /// # Errors
    /// `operation_unknown`, `login_step_wrong`, `call_not_confirmed` while the call goes on, `otp_expired` once it can't be
    /// confirmed any more, `call_already_used` once it has opened its session: it opens one, whoever asks.
    pub async fn finish_call_login(
        &self,
        phone: Option<String>,
        transaction: Option<String>,
        mut errors: FieldErrors,
    ) -> Outcome<OpenedSession> {
        let phone = read_phone(phone.as_deref(), &mut errors);
        let transaction = if errors.has("transaction_id") {
            None
        } else {
            errors.take(
                "transaction_id",
                transaction
                    .as_deref()
                    .and_then(TransactionId::parse)
                    .ok_or(Key::OperationUnknown),
            )
        };
        errors.check()?;
        let (Some(phone), Some(transaction)) = (phone, transaction) else {
            return Err(Refusal::new(Sort::Invalid, Key::FieldRequired).into());
        };
        let now = self.now();
        let session = NewSession::draw(self);
        let opened = session.clone();
        let write = move |tx: &mut Tx| -> Result<Verdict<cabinet_domain::NotaryId>, StorageError> {
            let found = login_operations::by_transaction(tx, transaction)?;
            let known = found.filter(|operation| {
                operation.phone == phone && operation.purpose == Purpose::Login
            });
            let Some(operation) = known else {
                return Ok(Verdict::Refused(Refusal::field(
                    "transaction_id",
                    Key::OperationUnknown,
                )));
            };
            if let Some(refusal) = why_not(&operation, now) {
                return Ok(Verdict::Refused(refusal));
            }
            if !login_operations::use_confirmed_once(tx, operation.id, now)? {
                return Ok(Verdict::Refused(Refusal::conflict(Key::CallNotConfirmed)));
            }
            notaries::agree_to_terms(tx, operation.notary_id, now)?;
            session.insert(tx, operation.notary_id, now)?;
            Ok(Verdict::Right(operation.notary_id))
        };
        match self.inner.store.write(write).await? {
            Verdict::Refused(refusal) => Err(refusal.into()),
            Verdict::Right(notary) => {
                tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in by telephone");
                Ok(opened.opened(notary))
            }
        }
    }

    /// Whether a channel of this name is a call that is still waited for: whoever knows the id may listen to it.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn is_open_call(&self, channel: &str) -> Outcome<bool> {
        let Some(transaction) = TransactionId::parse(channel) else {
            return Ok(false);
        };
        let now = self.now();
        let found = self
            .inner
            .store
            .read(move |tx| login_operations::by_transaction(tx, transaction))
            .await?;
        Ok(
            found
                .is_some_and(|operation| operation.used_at.is_none() && operation.expires_at > now),
        )
    }
}

fn why_not(operation: &Operation, now: jiff::Timestamp) -> Option<Refusal> {
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
