//! What every call has at hand.

use std::ops::Deref;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use cabinet_app::App;
use tokio::sync::watch;

use crate::access_token::{AccessTokens, Caller};
use crate::cards_frame::FramePasses;
use crate::headers;
use crate::limits::Limits;
use crate::offer::OfferTexts;
use crate::realtime::RealtimeTokens;
use crate::refusal::Refusal;

/// What an operator decides about the web server.
#[derive(Clone, Debug)]
pub struct ApiSettings {
    /// Address the notaries' browsers use, without a slash at the end.
    pub public_url: String,
    /// The public address is https: cookies and headers say so.
    pub secure: bool,
    /// Header in which a trusted proxy names the client's address.
    pub client_address_header: Option<HeaderName>,
    /// Where the realtime connection goes; relative to the page's origin.
    pub realtime_url: String,
    /// The page with the public offer.
    pub offer_url: String,
    /// Its texts.
    pub offer: OfferTexts,
    /// Origins that pages may show in a frame or send a browser to: the acquirer's.
    pub frame_origins: Vec<String>,
    /// Calls a single network address may make for entering within a minute.
    pub entering_per_minute: u32,
    /// Questions to the acquirer for one notary within a minute.
    pub asking_per_minute: u32,
}

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
            limits: Limits::new(settings.entering_per_minute, settings.asking_per_minute).into(),
            app,
            stopped,
            settings,
        }))
    }

    /// An access token for the caller.
    ///
    /// # Errors
    /// A fault of ours, if the signing library fails.
    pub fn access_token(&self, caller: Caller) -> Result<String, Refusal> {
        self.access_tokens
            .issue(caller, self.app.now())
            .map_err(|error| {
                Refusal::Internal(cabinet_app::refusal::AppError::Broken(format!(
                    "an access token can't be signed: {error}"
                )))
            })
    }

    /// Ready when the process stops: long connections end by it.
    pub async fn stopping(&self) {
        let mut stopped = self.stopped.clone();
        // A sender that is gone has stopped as well.
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }

    /// Whether the request was sent by one of our own pages. A client that sends no `Origin` is no browser's page.
    pub fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        headers
            .get(header::ORIGIN)
            .is_none_or(|origin| origin.as_bytes() == self.settings.public_url.as_bytes())
    }
}
