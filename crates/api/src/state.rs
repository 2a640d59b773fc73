//! The shared state of all handlers.

use std::ops::Deref;
use std::sync::{Arc, Once};

use axum::http::HeaderValue;
use cabinet_app::Services;
use cabinet_app::kernel::refusal::AppError;
use tokio::sync::watch;

use crate::http::headers;
use crate::http::limits::Limits;
use crate::settings::ApiSettings;
use crate::tokens::access::{AccessTokens, Caller};
use crate::tokens::frame::FramePasses;
use crate::tokens::realtime::RealtimeTokens;

/// The shared state of all handlers. Cloning is cheap; axum clones it for every request.
#[derive(Clone)]
pub struct ApiState(Arc<Shared>);

/// Content of the state.
pub struct Shared {
    /// The use cases.
    pub services: Services,
    /// Issues and verifies access tokens.
    pub access_tokens: AccessTokens,
    /// Issues and verifies realtime tokens.
    pub realtime_tokens: RealtimeTokens,
    /// Issues and verifies passes to the cards frame.
    pub frame_passes: FramePasses,
    /// Becomes true when the process stops.
    stopped: watch::Receiver<bool>,
    /// Settings.
    pub settings: ApiSettings,
    /// `Content-Security-Policy` of the pages.
    pub page_policy: HeaderValue,
    /// Rate limits.
    pub limits: Arc<Limits>,
    /// Whether it was said that the proxy tells no address.
    pub address_warning: Once,
}

impl Deref for ApiState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl ApiState {
    /// Creates the state of a server.
    pub fn new(
        services: Services,
        settings: ApiSettings,
        stopped: watch::Receiver<bool>,
    ) -> ApiState {
        let address = &settings.public_url;
        ApiState(Arc::new(Shared {
            access_tokens: AccessTokens::new(services.keys.access_tokens(), address),
            realtime_tokens: RealtimeTokens::new(services.keys.realtime_tokens(), address),
            frame_passes: FramePasses::new(services.keys.frame_passes(), address),
            page_policy: headers::page_policy(&settings),
            limits: Limits::new(&settings, services.time.clone()).into(),
            address_warning: Once::new(),
            services,
            stopped,
            settings,
        }))
    }

    /// Issues an access token.
    ///
    /// # Errors
    /// Returns an error when the signing library fails.
    pub fn access_token(&self, caller: Caller) -> Result<String, AppError> {
        self.access_tokens
            .issue(caller, self.services.now())
            .map_err(|error| AppError::Broken(format!("an access token can't be signed: {error}")))
    }

    /// Waits until the process stops. Long connections end then.
    pub async fn stopping(&self) {
        let mut stopped = self.stopped.clone();
        // An error means that the sender is gone, so the process has stopped too.
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }
}
