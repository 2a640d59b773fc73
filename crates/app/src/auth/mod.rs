//! Entering, staying and leaving.

mod check_code;
mod login;
mod phone_call;
mod profile;
mod refresh;
mod sessions;
mod sign_up;

pub use login::{LoginStart, LoginWish};
pub use phone_call::CallbackOutcome;
pub use profile::ProfileWish;
pub use sessions::OpenedSession;
pub use sign_up::{SignUpStart, SignUpWish};
