//! Accounts of notaries: sign-up, login, sessions and the profile.

mod account_confirmation;
pub(crate) mod account_limits;
pub(crate) mod act_to_prove;
mod card_figures;
mod code_check;
mod code_watch;
mod confirmation;
mod entrance;
mod fields;
mod limits;
mod login;
mod login_by_phone_call;
mod one_time_codes;
pub(crate) mod passkey_to_prove;
mod passkeys;
mod phone_calls;
mod practice;
mod profile;
mod refresh;
mod register_contact;
mod security_events;
mod sessions;
mod sign_up;
mod visitor;

use std::sync::Arc;

use cabinet_domain::{Clock, SignUpConfirmation};
use cabinet_gateways::phone_calls::PhoneCalls;
use cabinet_storage::Store;

use crate::catalogue::reference::Reference;
use crate::kernel::ids::Ids;
use crate::kernel::notifier::Notifier;
use crate::payment::approval::Approvals;
use crate::settings::SessionSettings;

pub(crate) use account_confirmation::refuse_unconfirmed;
pub use account_confirmation::{
    AccountConfirmation, AskedName, Decided, DecisionError, REGISTER_FOUND_MAX, RegisterError,
    RegisterLoaded,
};
pub use act_to_prove::{Account, ActToProve, ProfileChange, RecipientChange};
pub use card_figures::CardFiguresRequest;
pub(crate) use code_watch::CodeWatch;
pub use confirmation::ConfirmationStart;
pub(crate) use limits::{
    DEVICE_KNOWN, refuse_client_message, refuse_many_changes, refuse_many_complaints,
};
pub use login::{LoginCodeFields, LoginFinish, LoginRequest};
pub use login_by_phone_call::CallbackOutcome;
pub use one_time_codes::LoginStart;
pub(crate) use one_time_codes::OneTimeCodes;
pub use passkey_to_prove::PasskeyToProve;
pub use passkeys::{
    NewPasskey, NewPasskeyOptions, PasskeyAnswer, PasskeyLoginOptions, PasskeyProofOptions,
};
pub use practice::DoubtfulStatuses;
pub(crate) use practice::refuse_suspended;
pub use profile::ProfileRequest;
pub use security_events::SecurityEvents;
pub use sessions::OpenedSession;
pub(crate) use sessions::shut_out;
pub use sign_up::{SignUpRequest, SignUpStart};
pub use visitor::Visitor;

/// Signs notaries up, in and out, and keeps their profiles.
#[derive(Clone)]
pub struct Accounts {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) codes: OneTimeCodes,
    /// `None` where no voice service is set up.
    pub(crate) phone_calls: Option<Arc<dyn PhoneCalls>>,
    pub(crate) reference: Reference,
    pub(crate) approvals: Approvals,
    pub(crate) sessions: SessionSettings,
    /// Who confirms new accounts.
    pub(crate) sign_up_confirmation: SignUpConfirmation,
    pub(crate) public_url: Arc<str>,
    pub(crate) notifier: Notifier,
}
