//! Logins and sign-ups that wait for their code or call.

use std::fmt;

use jiff::Timestamp;

use crate::kernel::words::words;
use crate::{LoginStep, NotaryId, OperationId, Phone, SessionId, TransactionId};

words! {
    /// What a login operation is for.
    LoginPurpose {
        /// Logging in.
        Login = "login",
        /// Proving the phone of a new account.
        SignUp = "sign_up",
        /// Proving the phone again in a session, before a change that could cost money.
        Confirmation = "confirmation",
    }
}

words! {
    /// Whose codes and wrong tries are counted together. The budgets are apart, so that a stranger can't use up the owner's
    /// (specification, "Readings: codes and devices").
    CodeBudget {
        /// Of browsers that have signed this notary in.
        KnownDevice = "known_device",
        /// Of other browsers in networks from which this notary has signed in.
        KnownNetwork = "known_network",
        /// Of all others.
        Unknown = "unknown",
        /// Of confirmations inside a session.
        Confirmation = "confirmation",
    }
}

impl CodeBudget {
    /// Whether the browser has not signed this notary in.
    #[must_use]
    pub const fn is_of_new_device(self) -> bool {
        matches!(self, Self::KnownNetwork | Self::Unknown)
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
    /// Which budget it counts against.
    pub budget: CodeBudget,
    /// Digits of the code.
    pub code_digits: u8,
    /// The session that a confirmation is for.
    pub session_id: Option<SessionId>,
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
    /// Which budget it counts against.
    pub budget: CodeBudget,
    /// Digits of the code.
    pub code_digits: u8,
    /// The session that a confirmation is for.
    pub session_id: Option<SessionId>,
    /// Keyed hash of the network address it was asked from.
    pub address_hash: [u8; 32],
    /// Keyed hash of the network of that address.
    pub network_hash: [u8; 32],
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
