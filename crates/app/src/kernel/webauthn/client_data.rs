//! What the browser vouches for (W3C Web Authentication Level 3, section 5.8.1): what was asked for, by which challenge, on which page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use super::error::WebAuthnError;
use super::parts::check_length;
use super::relying_party::RelyingParty;

/// Members that later versions add are ignored, as the standard wants it.
#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(rename = "crossOrigin", default)]
    is_cross_origin: bool,
    #[serde(rename = "topOrigin", default)]
    top_origin: Option<String>,
}

/// Checks what the browser vouches for.
pub(super) fn check_client_data(
    json: &[u8],
    kind: &str,
    party: &RelyingParty,
    challenge: &[u8],
) -> Result<(), WebAuthnError> {
    check_length(json)?;
    let data: ClientData = serde_json::from_slice(json).map_err(|_| WebAuthnError::Malformed)?;
    if data.kind != kind {
        return Err(WebAuthnError::Type);
    }
    if data.challenge != URL_SAFE_NO_PAD.encode(challenge) {
        return Err(WebAuthnError::Challenge);
    }
    if data.origin != party.origin {
        return Err(WebAuthnError::Origin);
    }
    if data.is_cross_origin || data.top_origin.is_some() {
        return Err(WebAuthnError::CrossOrigin);
    }
    Ok(())
}

/// Returns the challenge that an answer names, so that the caller can tell whether it gave it out.
///
/// # Errors
/// `Malformed`.
pub(crate) fn challenge_of(json: &[u8]) -> Result<Vec<u8>, WebAuthnError> {
    check_length(json)?;
    let data: ClientData = serde_json::from_slice(json).map_err(|_| WebAuthnError::Malformed)?;
    let challenge = URL_SAFE_NO_PAD.decode(data.challenge);
    challenge.map_err(|_| WebAuthnError::Malformed)
}
