//! Logins and sign-ups that wait for their code or call.

use std::fmt;

use jiff::Timestamp;

use crate::words::words;
use crate::{LoginStep, NotaryId, OperationId, Phone, TransactionId};

words! {
    /// What a login operation is for.
    LoginPurpose {
        /// Logging in.
        Login = "login",
        /// Proving the phone of a new account.
        SignUp = "sign_up",
    }
}

/// A login or sign-up that waits for its code or call.
#[derive(Clone)]
pub struct LoginOperation {
    /// The id.
    pub id: OperationId,
    /// Whose account it is about.
    pub notary_id: NotaryId,
    /// The phone that the code went to.
    pub phone: Phone,
    /// What it is for.
    pub purpose: LoginPurpose,
    /// The login step.
    pub step: LoginStep,
    /// Keyed hash of the code; `None` where there is no code.
    pub code_hash: Option<[u8; 32]>,
    /// Tries that were counted.
    pub tries: i64,
    /// The id of the call of the phone-call step, and of its realtime channel.
    pub transaction_id: Option<TransactionId>,
    /// The voice service's id of the call.
    pub phone_call_id: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When the call was confirmed by the right key.
    pub confirmed_at: Option<Timestamp>,
    /// When it was used up.
    pub used_at: Option<Timestamp>,
}

/// Shows nothing of the code.
impl fmt::Debug for LoginOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoginOperation")
            .field("id", &self.id)
            .field("purpose", &self.purpose)
            .field("step", &self.step)
            .field("tries", &self.tries)
            .finish_non_exhaustive()
    }
}

/// A login operation to be stored.
#[derive(Clone)]
pub struct NewLoginOperation {
    /// The id.
    pub id: OperationId,
    /// Whose account it is about.
    pub notary_id: NotaryId,
    /// The phone that the code goes to.
    pub phone: Phone,
    /// What it is for.
    pub purpose: LoginPurpose,
    /// The login step.
    pub step: LoginStep,
    /// Keyed hash of the code.
    pub code_hash: Option<[u8; 32]>,
    /// Keyed hash of the network address it was asked from.
    pub address_hash: [u8; 32],
    /// The id of the call of the phone-call step.
    pub transaction_id: Option<TransactionId>,
    /// When it is asked for.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Shows nothing of the code.
impl fmt::Debug for NewLoginOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewLoginOperation")
            .field("id", &self.id)
            .field("purpose", &self.purpose)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}
