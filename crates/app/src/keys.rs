//! Keys derived from the secret of the installation, one for each purpose.

use std::net::{IpAddr, Ipv6Addr};

use cabinet_domain::{NotaryId, OperationId, OrderId, Phone};
use cabinet_gateways::acquirer::WalletId;
use secrecy::{ExposeSecret, SecretSlice, SecretString};

/// Shortest secret, in characters.
pub const SECRET_CHARS_MIN: usize = 32;

/// The stored digest of a secret or of personal data.
pub(crate) type Digest = [u8; 32];

/// The keys of this installation. If the secret changes, every session ends, notaries lose their saved cards, and receipts that
/// were printed before can't be checked.
pub struct Keys {
    code: Digest,
    wallet: Digest,
    address: Digest,
    receipt: Digest,
    access_token: SecretSlice<u8>,
    realtime_token: SecretSlice<u8>,
    frame_pass: SecretSlice<u8>,
}

impl Keys {
    /// Derives the keys. `None` if the secret is shorter than [`SECRET_CHARS_MIN`].
    pub fn derive(secret: &SecretString) -> Option<Keys> {
        let secret = secret.expose_secret();
        if secret.chars().count() < SECRET_CHARS_MIN {
            return None;
        }
        let key = |purpose: &str| blake3::derive_key(purpose, secret.as_bytes());
        Some(Keys {
            code: key("notary cabinet, one-time codes, 2026"),
            wallet: key("notary cabinet, acquirer wallets, 2026"),
            address: key("notary cabinet, client addresses, 2026"),
            receipt: key("notary cabinet, receipts, 2026"),
            access_token: SecretSlice::from(key("notary cabinet, access tokens, 2026").to_vec()),
            realtime_token: SecretSlice::from(
                key("notary cabinet, realtime tokens, 2026").to_vec(),
            ),
            frame_pass: SecretSlice::from(
                key("notary cabinet, passes to the cards frame, 2026").to_vec(),
            ),
        })
    }

    /// Returns the key that signs access tokens.
    pub const fn access_token(&self) -> &SecretSlice<u8> {
        &self.access_token
    }

    /// Returns the key that signs passes to the cards frame.
    pub const fn frame_pass(&self) -> &SecretSlice<u8> {
        &self.frame_pass
    }

    /// Returns the key that signs realtime tokens.
    pub const fn realtime_token(&self) -> &SecretSlice<u8> {
        &self.realtime_token
    }

    /// Returns what is stored of a code. It is bound to the operation and the phone, and useless without the key.
    pub(crate) fn code_digest(&self, operation: OperationId, phone: &Phone, code: &str) -> Digest {
        let mut hasher = blake3::Hasher::new_keyed(&self.code);
        hasher.update(operation.uuid().as_bytes());
        hasher.update(phone.as_str().as_bytes());
        hasher.update(b"/");
        hasher.update(code.as_bytes());
        *hasher.finalize().as_bytes()
    }

    /// Returns what is stored of a network address: it can be counted, not read.
    pub(crate) fn address_digest(&self, address: IpAddr) -> Digest {
        let network = match network_of(address) {
            IpAddr::V4(v4) => v4.octets().to_vec(),
            IpAddr::V6(v6) => v6.octets().to_vec(),
        };
        *blake3::keyed_hash(&self.address, &network).as_bytes()
    }

    /// Returns the digest that proves an order's receipts.
    pub(crate) fn receipt_digest(&self, order: OrderId) -> Digest {
        *blake3::keyed_hash(&self.receipt, order.uuid().as_bytes()).as_bytes()
    }

    /// Returns the name of a notary's wallet at the acquirer. It is always the same and tells nothing about the notary.
    pub fn wallet(&self, notary: NotaryId) -> Option<WalletId> {
        let digest = blake3::keyed_hash(&self.wallet, notary.uuid().as_bytes());
        WalletId::parse(digest.to_hex().get(..40)?)
    }
}

/// Returns what is counted as one caller: an IPv4 address, or the /64 network of an IPv6 address.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) => IpAddr::V4(v4),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
    }
}

/// Compares two digests in constant time.
pub(crate) fn same_digest(left: &[u8], right: &Digest) -> bool {
    <Digest>::try_from(left)
        .is_ok_and(|left| blake3::Hash::from_bytes(left) == blake3::Hash::from_bytes(*right))
}

/// Returns the digest of a random token. It needs no key, because the token can't be guessed.
pub(crate) fn token_digest(token: &str) -> Digest {
    *blake3::hash(token.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn keys() -> Keys {
        Keys::derive(&SecretString::from("0123456789abcdef0123456789abcdef")).unwrap()
    }

    #[test]
    fn one_caller_is_an_address_or_a_network_of_version_6() {
        let network = |text: &str| network_of(text.parse().unwrap()).to_string();
        assert_eq!(network("198.51.100.7"), "198.51.100.7");
        assert_eq!(network("::ffff:198.51.100.7"), "198.51.100.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_ne!(network("2001:db8:1:3::1"), network("2001:db8:1:2::1"));
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert!(Keys::derive(&SecretString::from("0123456789abcdef0123456789abcde")).is_none());
    }

    #[test]
    fn a_code_is_bound_to_its_operation_and_phone() {
        let (one, two) = (
            OperationId::new(Uuid::from_u128(1)),
            OperationId::new(Uuid::from_u128(2)),
        );
        let phone = Phone::parse("+380501112233").unwrap();
        let other = Phone::parse("+380502223344").unwrap();
        let digest = keys().code_digest(one, &phone, "0042");
        assert!(same_digest(
            &digest,
            &keys().code_digest(one, &phone, "0042")
        ));
        assert!(!same_digest(
            &digest,
            &keys().code_digest(two, &phone, "0042")
        ));
        assert!(!same_digest(
            &digest,
            &keys().code_digest(one, &other, "0042")
        ));
        assert!(!same_digest(
            &digest,
            &keys().code_digest(one, &phone, "0043")
        ));
        assert!(!same_digest(&digest[..31], &digest));
    }

    #[test]
    fn a_wallet_is_the_same_each_time_and_another_for_each_notary() {
        let wallet = |number| {
            keys()
                .wallet(NotaryId::new(Uuid::from_u128(number)))
                .unwrap()
        };
        assert_eq!(wallet(1), wallet(1));
        assert_ne!(wallet(1), wallet(2));
    }
}
