//! What the operator changes of an account.

use cabinet_domain::LoginStep;

/// A change of an account by the operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccountChange {
    /// The step of its login.
    pub login_step: Option<LoginStep>,
    /// Whether its owner chooses a payment method in the popup with saved cards.
    pub chooses_payment_method: Option<bool>,
    /// Whether its sessions end, its browsers are forgotten, and codes that wait for an answer end.
    pub end_sessions: bool,
}
