//! An order as a request asks for it.

use cabinet_domain::{ClientId, Key, Locale, Money, TruncatedPan, luhn_fits};
use cabinet_gateways::acquirer::CardToken;

use crate::kernel::idempotency;
use crate::kernel::keys::Digest;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

/// The request of `POST /order/create`.
#[derive(Default)]
pub struct OrderRequest {
    /// The client of the cart group.
    pub client_id: Option<String>,
    /// The token of a saved card. `None`: the acquirer's page.
    pub token_id: Option<String>,
    /// The mask of the saved card.
    pub pan: Option<String>,
    /// The language of the payment page and its texts.
    pub locale: Option<String>,
    /// The group's amount with commissions, as the screen showed it.
    pub sum: Option<Money>,
    /// The idempotency key. The same key never pays twice.
    pub idempotency_key: Option<String>,
}

/// A request whose fields are right.
#[derive(Clone)]
pub(super) struct ValidRequest {
    pub(super) client: ClientId,
    pub(super) token: Option<CardToken>,
    pub(super) pan: Option<TruncatedPan>,
    pub(super) locale: Locale,
    pub(super) sum: Option<Money>,
    pub(super) key: String,
    pub(super) fingerprint: Digest,
}

/// Reads a request. `fresh_key` is its key if it has none.
///
/// # Errors
/// The keys of the fields.
pub(super) fn read_request(
    request: &OrderRequest,
    fresh_key: String,
    mut errors: FieldErrors,
) -> Result<ValidRequest, Refusal> {
    let client = read_client(request, &mut errors);
    let token_text = trimmed(request.token_id.as_ref());
    let (token, pan) = read_card(token_text, trimmed(request.pan.as_ref()), &mut errors);
    let locale = match request.locale.as_deref() {
        None => Some(Locale::Uk),
        Some(text) if !errors.has("locale") => {
            errors.take("locale", Locale::parse(text).ok_or(Key::LocaleInvalid))
        }
        Some(_) => None,
    };
    let key = match request.idempotency_key.as_deref() {
        // A request without a key gets a fresh one. The group can be ordered only once all the same.
        None => Some(fresh_key),
        Some(key) => errors.take(
            "Idempotency-Key",
            idempotency::read_key(key).map(|hash| hash.to_hex().to_string()),
        ),
    };
    errors.check()?;
    let (Some(client), Some(locale), Some(key)) = (client, locale, key) else {
        return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired));
    };
    let fingerprint = fingerprint(client, token_text, locale, request.sum);
    Ok(ValidRequest {
        client,
        token,
        pan,
        locale,
        sum: request.sum,
        key,
        fingerprint,
    })
}

/// The saved card of a request to charge it for an order that was not paid.
///
/// # Errors
/// The keys of the fields.
pub(super) fn read_saved_card(
    token_id: Option<&String>,
    pan: Option<&String>,
    mut errors: FieldErrors,
) -> Result<(CardToken, Option<TruncatedPan>), Refusal> {
    let (token, pan) = read_card(trimmed(token_id), trimmed(pan), &mut errors);
    errors.check()?;
    let token = token.ok_or_else(|| Refusal::field("token_id", Key::FieldRequired))?;
    Ok((token, pan))
}

fn read_card(
    token_text: Option<&str>,
    pan_text: Option<&str>,
    errors: &mut FieldErrors,
) -> (Option<CardToken>, Option<TruncatedPan>) {
    for (field, text) in [("token_id", token_text), ("pan", pan_text)] {
        if text.is_some_and(is_full_card) {
            errors.add(field, Key::CardNumberNotAccepted);
        }
    }
    let token = match token_text {
        Some(text) if !errors.has("token_id") => {
            errors.take("token_id", CardToken::parse(text).ok_or(Key::CardNotFound))
        }
        _ => None,
    };
    let pan = match pan_text {
        Some(text) if token.is_some() && !errors.has("pan") => {
            errors.take("pan", TruncatedPan::parse_mask(text))
        }
        _ => None,
    };
    (token, pan)
}

fn read_client(request: &OrderRequest, errors: &mut FieldErrors) -> Option<ClientId> {
    if errors.has("client_id") {
        return None;
    }
    let text = request.client_id.as_deref().filter(|text| !text.is_empty());
    errors.take(
        "client_id",
        text.ok_or(Key::FieldRequired)
            .and_then(|text| ClientId::parse(text).ok_or(Key::CartGroupEmpty)),
    )
}

/// Returns a text without blanks around it, if anything is left.
fn trimmed(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

/// Returns a digest of what is asked for.
fn fingerprint(
    client: ClientId,
    token: Option<&str>,
    locale: Locale,
    sum: Option<Money>,
) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(client.uuid().as_bytes());
    hasher.update(token.unwrap_or_default().as_bytes());
    hasher.update(&[0]);
    hasher.update(locale.code().as_bytes());
    hasher.update(&sum.map_or(-1, Money::kopiykas).to_le_bytes());
    *hasher.finalize().as_bytes()
}

/// Whether a text is a full card number: 13 to 19 digits with the right check digit, blanks and dashes aside.
fn is_full_card(text: &str) -> bool {
    let digits: String = text
        .chars()
        .filter(|char| !char.is_whitespace() && *char != '-')
        .collect();
    (13..=19).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && luhn_fits(&digits)
}
