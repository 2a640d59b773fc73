//! Reading answers tolerantly: a field of another form than documented counts as absent.

use cabinet_domain::names_payment_card;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Longest code or name that is kept.
const TEXT_CHARS_MAX: usize = 200;

/// Returns a text as it is kept; `None` for an empty one and for one that names a full card number.
pub(crate) fn short(text: Option<String>) -> Option<String> {
    let text: String = text?
        .chars()
        .filter(|char| !char.is_control())
        .take(TEXT_CHARS_MAX)
        .collect();
    (!text.trim().is_empty() && !names_payment_card(&text)).then_some(text)
}

/// Returns an error code if it looks like one: it is logged and returned to the caller.
pub(crate) fn error_code(text: Option<String>) -> Option<String> {
    text.filter(|code| {
        !code.is_empty()
            && code.len() <= 64
            && code
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Reads a text, or a number as text. Anything else counts as absent. Acquirers send both for the same field.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// Reads an optional part. One of another form counts as absent.
pub(crate) fn lenient<'de, D: Deserializer<'de>, T: serde::de::DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}
