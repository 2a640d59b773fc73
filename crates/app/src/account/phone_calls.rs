//! The call of the phone-call step, and the callbacks of the voice service.

use cabinet_domain::{Key, Locale, LoginPurpose, Phone, TransactionId};
use cabinet_gateways::phone_calls::{
    CallbackError, PhoneCallError, PhoneCallEvent, PhoneCallRequest,
};
use cabinet_storage::account::login_operations;

use super::Accounts;
use super::one_time_codes::LoginStart;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};

/// The two callbacks of a call.
#[derive(Clone, Copy)]
pub(super) enum Callback {
    Key,
    Progress,
}

impl Callback {
    const fn as_str(self) -> &'static str {
        match self {
            Callback::Key => "key",
            Callback::Progress => "progress",
        }
    }
}

impl Accounts {
    /// Calls the notary's number. Where certainly no call was made, the operation is withdrawn. A call that may have been made
    /// counts.
    ///
    /// # Errors
    /// `call_not_placed`.
    pub(super) async fn place_phone_call(
        &self,
        start: &LoginStart,
        purpose: LoginPurpose,
        phone: &Phone,
        locale: Locale,
    ) -> Result<()> {
        let (operation, Some(transaction)) = (start.operation, start.transaction) else {
            return Ok(());
        };
        let request = PhoneCallRequest {
            phone: phone.clone(),
            purpose,
            asks_for_shown_digits: start.shown_digits.is_some(),
            locale,
            key_url: self.callback_url(transaction, Callback::Key, locale),
            progress_url: self.callback_url(transaction, Callback::Progress, locale),
        };
        let placed = match &self.phone_calls {
            Some(phone_calls) => phone_calls.start_phone_call(&request).await,
            None => Err(PhoneCallError::Unavailable),
        };
        match placed {
            Ok(call) => {
                let call = call.as_str().to_owned();
                Ok(self
                    .store
                    .write(move |tx| login_operations::record_phone_call(tx, operation, &call))
                    .await?)
            }
            Err(error) => {
                tracing::warn!(operation.id = %operation, %error, "A verification call was not made");
                if error != PhoneCallError::Unknown {
                    self.codes.withdraw(operation).await?;
                }
                Err(Refusal::new(RefusalKind::Outside, Key::CallNotPlaced)
                    .on("phone")
                    .into())
            }
        }
    }

    /// Returns the URL of a callback. The signature of the voice service covers it.
    fn callback_url(
        &self,
        transaction: TransactionId,
        callback: Callback,
        locale: Locale,
    ) -> String {
        format!(
            "{}/api/voice/{transaction}/{}?language={}",
            self.public_url,
            callback.as_str(),
            locale.code()
        )
    }

    /// Reads a callback. `None`: it is not the voice service's, or can't be read.
    pub(super) fn read_callback(
        &self,
        callback: Callback,
        transaction: &str,
        locale: Locale,
        signature: Option<&str>,
        body: &[u8],
    ) -> Option<(TransactionId, PhoneCallEvent)> {
        let transaction = TransactionId::parse(transaction)?;
        let url = self.callback_url(transaction, callback, locale);
        match self
            .phone_calls
            .as_ref()?
            .verify_callback(&url, signature, body)
        {
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
}
