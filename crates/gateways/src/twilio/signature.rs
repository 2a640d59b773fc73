//! Signatures of callbacks: HMAC-SHA1 over the public address and the form, in base64.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Returns the signed text: the address, then every parameter's name and value, sorted by name.
fn signed_text(address: &str, parameters: &[(String, String)]) -> String {
    let mut sorted: Vec<&(String, String)> = parameters.iter().collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    let mut text = address.to_owned();
    for (name, value) in sorted {
        text.push_str(name);
        text.push_str(value);
    }
    text
}

/// Returns whether a signature matches an address and the parameters of a form.
pub(super) fn fits(
    token: &str,
    address: &str,
    parameters: &[(String, String)],
    signature: &str,
) -> bool {
    let Ok(signature) = STANDARD.decode(signature.trim()) else {
        return false;
    };
    // The protocol prescribes SHA-1. HMAC-SHA1 is still secure.
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    hmac::verify(
        &key,
        signed_text(address, parameters).as_bytes(),
        &signature,
    )
    .is_ok()
}
