//! The token in a letter about a receipt. Nothing is stored for it: it names the order, the consent and an end, with a proof that we wrote it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_domain::{OrderId, ReceiptConsent};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use crate::kernel::keys::{Keys, LetterProof};

/// Bytes of the id of an order.
const ID_BYTES: usize = 16;
/// Bytes of a moment.
const MOMENT_BYTES: usize = 8;

/// What the link of a letter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LetterLink {
    /// Its order. The receiver of any letter about it may refuse further ones.
    pub(super) order: OrderId,
    /// The consent by which the letter was sent, and until when it gives the receipt. `None`: an earlier version attached the receipt.
    pub(super) receipt: Option<ReceiptLink>,
}

/// By which consent a letter was sent, and until when it gives the receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReceiptLink {
    pub(super) consent_given_at: Timestamp,
    pub(super) ends_at: Timestamp,
}

impl LetterLink {
    /// Returns whether the letter was sent by this consent.
    pub(super) fn is_of(&self, consent: &ReceiptConsent) -> bool {
        let sent_by = self.receipt.map(|receipt| receipt.consent_given_at);
        sent_by == Some(consent.given_at)
    }

    /// Returns the token.
    pub(super) fn token(&self, keys: &Keys) -> String {
        let mut bytes = self.order.uuid().as_bytes().to_vec();
        if let Some(receipt) = self.receipt {
            for moment in [receipt.consent_given_at, receipt.ends_at] {
                bytes.extend(moment.as_microsecond().to_be_bytes());
            }
        }
        let proof = keys.receipt_letter_proof(&bytes);
        bytes.extend(proof);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a token. `None`: we did not write it.
    pub(super) fn of_token(keys: &Keys, token: &SecretString) -> Option<LetterLink> {
        let bytes = URL_SAFE_NO_PAD.decode(token.expose_secret()).ok()?;
        let at = bytes.len().checked_sub(size_of::<LetterProof>())?;
        let (named, proof) = bytes.split_at_checked(at)?;
        if !keys.proves_receipt_letter(named, proof) {
            return None;
        }
        let (id, moments) = named.split_at_checked(ID_BYTES)?;
        let receipt = match moments.split_at_checked(MOMENT_BYTES) {
            Some((consent_given_at, ends_at)) => Some(ReceiptLink {
                consent_given_at: moment(consent_given_at)?,
                ends_at: moment(ends_at)?,
            }),
            None => None,
        };
        let order = OrderId::new(Uuid::from_slice(id).ok()?);
        Some(LetterLink { order, receipt })
    }
}

fn moment(bytes: &[u8]) -> Option<Timestamp> {
    let microseconds = i64::from_be_bytes(bytes.try_into().ok()?);
    Timestamp::from_microsecond(microseconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::keys::Secrets;

    #[test]
    fn a_token_is_read_as_it_was_written_and_no_other_is() {
        let secret = "0123456789abcdef0123456789abcdef";
        let keys = Keys::derive(&Secrets::only(secret.into())).unwrap();
        let at = |second| Timestamp::from_second(second).unwrap();
        let receipt = ReceiptLink {
            consent_given_at: at(1_772_000_000),
            ends_at: at(1_774_000_000),
        };
        let order = OrderId::new(Uuid::from_u128(7));
        for receipt in [None, Some(receipt)] {
            let link = LetterLink { order, receipt };
            let token = link.token(&keys);
            assert_eq!(
                LetterLink::of_token(&keys, &token.clone().into()),
                Some(link)
            );
            for place in 0..token.len() {
                let mut other = token.clone().into_bytes();
                // Another letter, that stands for other bits also at the end.
                other[place] = if other[place] == b'A' { b'Q' } else { b'A' };
                let other = String::from_utf8(other).unwrap();
                assert_eq!(LetterLink::of_token(&keys, &other.into()), None, "{place}");
            }
        }
        for nothing in ["", "A", "AAAA", &"A".repeat(64)] {
            assert_eq!(LetterLink::of_token(&keys, &nothing.into()), None);
        }
    }
}
