//! What an operator decides about the web server.

use axum::http::{HeaderMap, HeaderName, header};

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
    /// Tries to log in, to sign up or to check a receipt that one network address may make in a minute.
    pub login_attempts_per_minute: u32,
    /// Calls to the acquirer that one notary may cause in a minute.
    pub acquirer_calls_per_minute: u32,
}

/// The offer's texts of this installation; `None`: the sample.
#[derive(Clone, Debug, Default)]
pub struct OfferTexts {
    /// In Ukrainian.
    pub uk: Option<String>,
    /// In English.
    pub en: Option<String>,
}

impl ApiSettings {
    /// Whether the request was sent by one of our own pages. A client that sends no `Origin` is no browser's page.
    pub fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        headers
            .get(header::ORIGIN)
            .is_none_or(|origin| origin.as_bytes() == self.public_url.as_bytes())
    }
}
