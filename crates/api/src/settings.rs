//! Settings of the web server.

use axum::http::{HeaderMap, HeaderName, header};

/// Settings of the web server.
#[derive(Clone, Debug)]
pub struct ApiSettings {
    /// Address of the cabinet in browsers, without a slash at the end.
    pub public_url: String,
    /// Whether the public address is https; decides about cookies and headers.
    pub secure: bool,
    /// Header in which a trusted proxy sends the client's address.
    pub client_address_header: Option<HeaderName>,
    /// Address of the realtime connection, relative to the page's origin or absolute.
    pub realtime_url: String,
    /// Address of the public offer.
    pub offer_url: String,
    /// Texts of the public offer.
    pub offer: OfferTexts,
    /// Origins of the acquirer that keeps saved cards, which pages may show in a frame or send a form to.
    pub frame_origins: Vec<String>,
    /// Origins of the payment pages of all acquirers, to which the form of a client's page leads.
    pub page_origins: Vec<String>,
    /// Limit of attempts to log in, to sign up or to check a receipt, for one network address and minute.
    pub login_attempts_per_minute: u32,
    /// Limit of calls to the acquirer and of exports, for one notary and minute.
    pub acquirer_calls_per_minute: u32,
    /// Limit of requests of one network address that are being answered.
    pub requests_of_address_max: usize,
    /// Limit of calls that are being answered, of those on which no payment depends.
    pub calls_max: usize,
    /// Calls that only read and are done at a time. Further ones wait for their turn.
    pub readings_max: usize,
    /// Limit of realtime connections of one network address whose owners are not signed in.
    pub realtime_strangers_of_address_max: usize,
}

/// Texts of the public offer; the sample is used in place of a missing one.
#[derive(Clone, Debug, Default)]
pub struct OfferTexts {
    /// In Ukrainian.
    pub uk: Option<String>,
    /// In English.
    pub en: Option<String>,
}

#[cfg(test)]
impl ApiSettings {
    /// Settings of unit tests.
    pub fn testing() -> ApiSettings {
        ApiSettings {
            public_url: "https://cabinet.example".to_owned(),
            secure: true,
            client_address_header: None,
            realtime_url: "/connection/websocket".to_owned(),
            offer_url: "/offer".to_owned(),
            offer: OfferTexts::default(),
            frame_origins: vec!["https://pay.example".to_owned()],
            page_origins: vec!["https://pay.example".to_owned()],
            login_attempts_per_minute: 60,
            acquirer_calls_per_minute: 60,
            requests_of_address_max: 200,
            calls_max: 2_000,
            readings_max: 100,
            realtime_strangers_of_address_max: 50,
        }
    }
}

impl ApiSettings {
    /// Returns whether one of our own pages sent the request. A request without `Origin` is accepted, because browsers send it with
    /// every POST and every realtime connection to another origin.
    pub fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        headers
            .get(header::ORIGIN)
            .is_none_or(|origin| origin.as_bytes() == self.public_url.as_bytes())
    }
}
