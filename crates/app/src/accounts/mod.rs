//! Accounts of notaries: sign-up, login, sessions and the profile.

mod code_check;
mod fields;
mod limits;
mod login;
mod login_by_phone_call;
mod one_time_codes;
mod phone_calls;
mod profile;
mod refresh;
mod sessions;
mod sign_up;

use std::sync::Arc;

use cabinet_domain::Clock;
use cabinet_gateways::phone_calls::PhoneCalls;
use cabinet_gateways::realtime::Hub;
use cabinet_storage::Store;

use crate::ids::Ids;
use crate::settings::SessionSettings;

pub use login::LoginRequest;
pub use login_by_phone_call::CallbackOutcome;
pub use one_time_codes::LoginStart;
pub(crate) use one_time_codes::OneTimeCodes;
pub use profile::ProfileRequest;
pub use sessions::OpenedSession;
pub use sign_up::{SignUpRequest, SignUpStart};

/// Signs notaries up, in and out, and keeps their profiles.
#[derive(Clone)]
pub struct Accounts {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) codes: OneTimeCodes,
    /// `None` where no voice service is set up.
    pub(crate) phone_calls: Option<Arc<dyn PhoneCalls>>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) sessions: SessionSettings,
    pub(crate) public_url: Arc<str>,
}
