//! Login, sign-up, sessions, the notary's profile, and the callbacks of the voice service.

pub mod card_figures;
pub mod confirmation;
pub mod confirmation_otp;
pub mod confirmation_passkey;
pub mod login;
mod login_code;
pub mod login_otp;
pub mod login_otp_custom;
pub mod login_passkey;
pub mod login_phone_call_verify;
pub mod logout;
pub mod me;
mod opened;
pub mod passkeys;
pub mod refresh;
pub mod save_profile;
pub mod session_cookie;
pub mod sessions;
pub mod sign_up;
pub mod sign_up_verify;
pub mod voice;
