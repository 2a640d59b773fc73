//! A look at an address, without any secret.

use std::time::Duration;

use cabinet_clock::PassingTime;
use cabinet_metrics::OutboundCall;
use reqwest::Method;
use reqwest::header::HeaderMap;

use super::answer::{Answer, NoAnswer};
use super::base_url::BaseUrl;
use super::client::Outbound;
use super::settings::{OutboundSettings, SetupError};

/// Asks an address for a path by the client that calls the outside services: with the same certificates, the same limits, no redirects
/// and no proxy. `name` stands in the log.
///
/// # Errors
/// The client can't be made. Whether there is an answer is in the value.
pub async fn look(
    name: &'static str,
    base_url: &BaseUrl,
    path: &str,
    time_limit: Duration,
) -> Result<Result<Answer, NoAnswer>, SetupError> {
    let settings = OutboundSettings::new(name, base_url.clone(), PassingTime::default());
    let outbound = Outbound::new(settings, HeaderMap::new())?;
    let request = outbound.request(Method::GET, path, time_limit);
    Ok(outbound.send(OutboundCall::CheckLook, request).await)
}
