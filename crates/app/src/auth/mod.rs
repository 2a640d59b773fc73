//! Entering, staying and leaving.

mod check_code;
mod login;
mod profile;
mod refresh;
mod sessions;
mod sign_up;

pub use login::{LoginStart, LoginWish};
pub use profile::ProfileWish;
pub use sessions::OpenedSession;
pub use sign_up::{SignUpStart, SignUpWish};
