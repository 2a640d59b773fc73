//! The token in a letter about a receipt. Nothing is stored for it: it names the order, the letter's address, the consent and an end, with a
//! proof that we wrote it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_domain::{Email, OrderId, ReceiptConsent};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use crate::kernel::keys::{Digest, Keys, LetterProof};

/// Bytes of the id of an order.
const ID_BYTES: usize = 16;
/// Bytes of a moment.
const MOMENT_BYTES: usize = 8;

/// What the link of a letter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LetterLink {
    /// Its order.
    pub(crate) order: OrderId,
    /// To whom the letter was sent, as [`Keys::refused_address`] tells it. `None`: an earlier version wrote it, with the receipt attached.
    pub(crate) address: Option<Digest>,
    /// The receipt that it gives. `None`: it tells of money that was given back, or an earlier version wrote it.
    pub(crate) receipt: Option<ReceiptLink>,
}

/// By which consent a letter was sent, as [`ReceiptConsent::letters_since`] tells it, and until when it gives the receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReceiptLink {
    pub(super) letters_since: Timestamp,
    pub(super) ends_at: Timestamp,
}

impl LetterLink {
    /// Returns whether the letter was sent to this address. One of an earlier version may have been sent to any.
    pub(super) fn is_to(&self, keys: &Keys, address: &Email) -> bool {
        self.address
            .is_none_or(|digest| keys.refused_address(self.order, address).contains(&digest))
    }

    /// Returns whether the letter was sent by this consent.
    pub(super) fn is_of(&self, consent: &ReceiptConsent) -> bool {
        let sent_by = self.receipt.map(|receipt| receipt.letters_since);
        sent_by == Some(consent.letters_since())
    }

    /// Returns the token.
    pub(crate) fn token(&self, keys: &Keys) -> String {
        let mut bytes = self.order.uuid().as_bytes().to_vec();
        bytes.extend(self.address.into_iter().flatten());
        if let Some(receipt) = self.receipt {
            for moment in [receipt.letters_since, receipt.ends_at] {
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
        let (id, rest) = named.split_at_checked(ID_BYTES)?;
        let order = OrderId::new(Uuid::from_slice(id).ok()?);
        let Some((address, moments)) = rest.split_first_chunk() else {
            return Some(LetterLink {
                order,
                address: None,
                receipt: None,
            });
        };
        let receipt = match moments.split_at_checked(MOMENT_BYTES) {
            Some((letters_since, ends_at)) => Some(ReceiptLink {
                letters_since: moment(letters_since)?,
                ends_at: moment(ends_at)?,
            }),
            None => None,
        };
        Some(LetterLink {
            order,
            address: Some(*address),
            receipt,
        })
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
            letters_since: at(1_772_000_000),
            ends_at: at(1_774_000_000),
        };
        let order = OrderId::new(Uuid::from_u128(7));
        for (address, receipt) in [
            (None, None),
            (Some([7; 32]), None),
            (Some([7; 32]), Some(receipt)),
        ] {
            let link = LetterLink {
                order,
                address,
                receipt,
            };
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
