//! Entering, staying and leaving.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Given, Moment};

/// `POST /auth/login`.
#[derive(Deserialize, JsonSchema)]
pub struct LoginRequest {
    /// The phone in any usual form; `+380XXXXXXXXX` is stored.
    #[serde(default)]
    pub phone: Given<String>,
    /// True once the notary has ticked the terms; needed only after `user_not_agreed_with_new_terms`.
    #[serde(default)]
    pub is_agree_with_terms: Given<bool>,
}

/// A login step was started: a code was sent, a call is on its way, or a registry identifier is asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LoginStarted {
    /// Always true: a failure is a refusal.
    pub success: bool,
    /// Names this login; the code is good for it alone.
    pub operation_id: String,
    /// The next step is a phone call.
    pub is_phone_call: bool,
    /// The realtime channel that tells how the call ended; only with `is_phone_call`.
    pub transaction_id: Option<String>,
    /// The next step asks for the registry identifier.
    pub is_custom_otp_code: bool,
    /// When the code or the call stops being good.
    pub expires_at: Moment,
    /// When another code may be asked for.
    pub resend_at: Moment,
}

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

/// `POST /auth/login/phone-call/verify`.
#[derive(Deserialize, JsonSchema)]
pub struct PhoneCallVerifyRequest {
    /// The phone the login was started with.
    #[serde(default)]
    pub phone: Given<String>,
    /// From `POST /auth/login`.
    #[serde(default)]
    pub transaction_id: Given<String>,
}

/// A session was opened; the refresh token came as an HttpOnly cookie.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionOpened {
    /// Short-lived; kept in memory only.
    pub access_token: String,
    /// Seconds until it expires.
    pub expires_in: i64,
    /// When the session ends unless it is refreshed before; the browser warns before it.
    pub session_expires_at: Moment,
}

/// `POST /auth/sign-up`.
#[derive(Deserialize, JsonSchema)]
pub struct SignUpRequest {
    /// Surname, name, patronymic.
    #[serde(default)]
    pub full_name: Given<String>,
    /// The phone in any usual form.
    #[serde(default)]
    pub phone: Given<String>,
    /// 4 to 15 letters and digits.
    #[serde(default)]
    pub registry_identifier: Given<String>,
    /// Must be true.
    #[serde(default)]
    pub is_agreed: Given<bool>,
}

/// An account was made; its phone waits to be verified.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignUpStarted {
    /// Good for `/auth/sign-up/verify` alone until the phone is verified.
    pub access_token: String,
    /// Names this sign-up; the code is good for it alone.
    pub operation_id: String,
    /// When the code stops being good.
    pub expires_at: Moment,
    /// When another code may be asked for.
    pub resend_at: Moment,
}

/// `POST /auth/sign-up/verify`.
#[derive(Deserialize, JsonSchema)]
pub struct SignUpVerifyRequest {
    /// The code from the message.
    #[serde(default)]
    pub otp_code: Given<String>,
    /// From `POST /auth/sign-up`.
    #[serde(default)]
    pub operation_id: Given<String>,
}

/// The phone was verified and a session opened.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignUpVerified {
    /// Always true: a failure is a refusal.
    pub success: bool,
    /// The token of the session that was opened.
    pub access_token: String,
    /// Seconds until it expires.
    pub expires_in: i64,
    /// When the session ends unless it is refreshed before; the browser warns before it.
    pub session_expires_at: Moment,
}

/// Query of `POST /auth/refresh`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RefreshQuery {
    /// 1: nobody has touched the page since its tokens were replaced last, so the end of a session that is left alone stays.
    #[schemars(with = "Option<u8>")]
    pub background: Option<String>,
}

/// `POST /auth/refresh`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionRefreshed {
    /// Short-lived; kept in memory only.
    pub access_token: String,
    /// Replaces the one that was used. Only for a client that sent its own as the Bearer token: a browser gets it in its cookie, which no
    /// script can read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// Seconds until the access token expires.
    pub expires_in: i64,
    /// When the session ends unless it is refreshed before; the browser warns before it. Near the end that comes whatever is done
    /// a refresh does not move it any more, and one in the background never does.
    pub session_expires_at: Moment,
}

/// `GET /cntr/tkn`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RealtimeToken {
    /// For the realtime connection; empty of rights but for the caller's own channels.
    pub token: String,
}
