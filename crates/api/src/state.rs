//! What every call has at hand.

use std::ops::Deref;
use std::sync::Arc;

use axum::http::HeaderValue;
use cabinet_app::App;
use cabinet_app::refusal::AppError;
use tokio::sync::watch;

use crate::headers;
use crate::limits::Limits;
use crate::settings::ApiSettings;
use crate::tokens::access::{AccessTokens, Caller};
use crate::tokens::frame::FramePasses;
use crate::tokens::realtime::RealtimeTokens;

/// What every call has at hand. Cloning shares: the state is copied at every request.
#[derive(Clone)]
pub struct ApiState(Arc<Shared>);

/// What the copies of the state share.
pub struct Shared {
    /// The use cases.
    pub app: App,
    /// Makes and reads access tokens.
    pub access_tokens: AccessTokens,
    /// Makes and reads realtime tokens.
    pub realtime_tokens: RealtimeTokens,
    /// Makes and reads passes to the cards frame.
    pub frame_passes: FramePasses,
    /// Turns true when the process stops.
    stopped: watch::Receiver<bool>,
    /// What an operator decides.
    pub settings: ApiSettings,
    /// What the pages may load and show.
    pub page_policy: HeaderValue,
    /// Keeps strangers from trying too often.
    pub limits: Arc<Limits>,
}

impl Deref for ApiState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl ApiState {
    /// The state of one server.
    pub fn new(app: App, settings: ApiSettings, stopped: watch::Receiver<bool>) -> ApiState {
        let address = &settings.public_url;
        ApiState(Arc::new(Shared {
            access_tokens: AccessTokens::new(app.keys().access_token(), address),
            realtime_tokens: RealtimeTokens::new(app.keys().realtime_token(), address),
            frame_passes: FramePasses::new(app.keys().frame_pass(), address),
            page_policy: headers::page_policy(&settings),
            limits: Limits::new(
                settings.login_attempts_per_minute,
                settings.acquirer_calls_per_minute,
            )
            .into(),
            app,
            stopped,
            settings,
        }))
    }

    /// An access token for the caller.
    ///
    /// # Errors
    /// A fault of ours, if the signing library fails.
    pub fn access_token(&self, caller: Caller) -> Result<String, AppError> {
        self.access_tokens
            .issue(caller, self.app.now())
            .map_err(|error| AppError::Broken(format!("an access token can't be signed: {error}")))
    }

    /// Ready when the process stops: long connections end by it.
    pub async fn stopping(&self) {
        let mut stopped = self.stopped.clone();
        // A sender that is gone has stopped as well.
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }
}
