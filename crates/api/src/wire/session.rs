//! Types that all ways to finish a login share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::given::Given;
use super::moment::Moment;

/// `POST /auth/login/otp` and `POST /auth/login/otp/custom`.
#[derive(Deserialize, JsonSchema)]
pub struct LoginCodeRequest {
    /// The phone the login was started with.
    #[serde(default)]
    pub phone: Given<String>,
    /// The code from the message, or the registry identifier in the custom step.
    #[serde(default)]
    pub otp_code: Given<String>,
    /// From `POST /auth/login`.
    #[serde(default)]
    pub operation_id: Given<String>,
}

/// A session was opened; the refresh token came as an HttpOnly cookie.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionOpened {
    /// Whose session it is: the `id` of `POST /auth/me`. A page drops what it asked for as another notary.
    pub notary_id: String,
    /// Short-lived; kept in memory only.
    pub access_token: String,
    /// Seconds until it expires.
    pub expires_in: i64,
    /// When the session ends unless it is refreshed before; the browser warns before it.
    pub session_expires_at: Moment,
}

/// What the code was sent for is proved.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionConfirmed {
    /// Until when the proof is good.
    pub confirmed_until: Moment,
}
