//! The address that a code carries.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_domain::{Iban, Money, Okpo, Purpose};
use encoding_rs::WINDOWS_1251;

/// The beginning that format 002 prescribes.
const PREFIX: &str = "https://bank.gov.ua/qr/";
/// Most characters after the beginning.
const ENCODED_CHARS_MAX: usize = 475;
/// Longest name of a recipient, in characters.
const RECIPIENT_CHARS_MAX: usize = 140;
/// Characters of the code page that the format forbids: the one without a letter, and the no-break space.
const FORBIDDEN: [u8; 3] = [127, 152, 160];

/// The address of one transfer: recipient, account, sum, code and purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferLink(String);

impl TransferLink {
    /// Writes the address. Nothing is ever shortened: `None` if it would be longer than the format allows. A text that is too long
    /// in UTF-8 is written in Windows-1251, if that has all its letters.
    #[must_use]
    pub fn new(
        recipient: &str,
        iban: &Iban,
        amount: Money,
        code: &Okpo,
        purpose: &str,
    ) -> Option<TransferLink> {
        let has_room = recipient.chars().count() <= RECIPIENT_CHARS_MAX
            && purpose.chars().count() <= Purpose::CHARS_MAX;
        if !has_room {
            return None;
        }
        let amount = amount_text(amount);
        let fields = |encoding: &str| {
            [
                "BCD",
                "002",
                encoding,
                "UCT",
                "",
                recipient,
                iban.as_str(),
                &amount,
                code.as_str(),
                "",
                "",
                purpose,
                "",
            ]
            .join("\n")
        };
        of_bytes(fields("1").as_bytes()).or_else(|| of_bytes(&windows_1251(&fields("2"))?))
    }

    /// Returns the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn of_bytes(bytes: &[u8]) -> Option<TransferLink> {
    let encoded = URL_SAFE_NO_PAD.encode(bytes);
    (encoded.len() <= ENCODED_CHARS_MAX).then(|| TransferLink(format!("{PREFIX}{encoded}")))
}

/// Returns the bytes of a text, if the code page has all its letters and the format allows them.
fn windows_1251(text: &str) -> Option<Vec<u8>> {
    let (bytes, _, has_unknown) = WINDOWS_1251.encode(text);
    let is_allowed = !has_unknown && !bytes.iter().any(|byte| FORBIDDEN.contains(byte));
    is_allowed.then(|| bytes.into_owned())
}

/// Writes a sum as the format has it: `UAH132` without a fraction, `UAH3.50` with one.
fn amount_text(amount: Money) -> String {
    let decimal = amount.decimal();
    let figures = decimal.strip_suffix(".00").unwrap_or(&decimal);
    format!("UAH{figures}")
}
