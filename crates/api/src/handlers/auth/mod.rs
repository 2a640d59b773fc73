//! Entering, staying, leaving, and the notary's own data.

pub mod login;
pub mod login_code;
pub mod logout;
pub mod me;
pub mod phone_call;
pub mod refresh;
pub mod save_profile;
mod session_cookie;
pub mod sign_up;
pub mod sign_up_verify;
