//! Keys derived from the secrets of the installation, one for each purpose.

mod known;
mod seals;
mod strength;

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use cabinet_domain::{Email, Network, NotaryId, OperationId, OrderId, Phone};
use cabinet_gateways::acquirer::WalletId;
use secrecy::{ExposeSecret, SecretSlice, SecretString};

pub use self::known::{KeyPurpose, KeysError, KnownKey};
pub use self::seals::SealKeys;
pub use self::strength::is_strong;

/// Shortest secret, in characters.
pub const SECRET_CHARS_MIN: usize = 32;

/// The stored digest of a secret or of personal data.
pub(crate) type Digest = [u8; 32];

/// The secrets of an installation. Keys are derived from them.
pub struct Secrets {
    /// Signs tokens, hashes codes, proves receipts.
    pub current: SecretString,
    /// The secret before the last rotation. What it signed is still accepted.
    pub previous: Option<SecretString>,
    /// Names the notaries' wallets at the acquirer, and never changes. `None`: the current secret does.
    pub wallet: Option<SecretString>,
    /// Earlier secrets. Receipts that were printed under them are still proved; nothing else is.
    pub receipts: Vec<SecretString>,
}

impl Secrets {
    /// Secrets of an installation that has never rotated its secret.
    pub const fn only(current: SecretString) -> Secrets {
        Secrets {
            current,
            previous: None,
            wallet: None,
            receipts: Vec::new(),
        }
    }
}

/// What a letter with a receipt carries to prove itself.
pub(crate) type LetterProof = [u8; 16];

/// Names a secret without telling it: in tokens, and in the database.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId(String);

impl KeyId {
    fn of(secret: &SecretString) -> KeyId {
        let key = derive(secret, "notary cabinet, key ids, 2026");
        let digest = blake3::Hash::from_bytes(key).to_hex();
        KeyId(digest.chars().take(16).collect())
    }

    /// Returns the id: 16 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A key that signs tokens, and its id.
pub struct SigningKey {
    /// Names the secret of the key.
    pub id: KeyId,
    /// The key.
    pub key: SecretSlice<u8>,
}

/// The keys of one kind of token.
pub struct SigningKeys {
    /// Signs and verifies.
    pub current: SigningKey,
    /// Only verifies.
    pub previous: Option<SigningKey>,
}

/// What is stored of a row of a sheet.
#[derive(Clone)]
pub(crate) struct RowDigest {
    /// By the current secret.
    pub(crate) current: Digest,
    /// By each earlier secret: a row that was added before a rotation has it.
    pub(crate) earlier: Vec<Digest>,
}

/// The key of what is stored of a proof. Without it nobody can try out to which telephone, address or account a proof was given.
#[derive(Clone, Copy)]
pub(crate) struct ProofKey {
    current: Digest,
    previous: Option<Digest>,
}

impl ProofKey {
    /// Returns what is stored of a proof, by the digest of what is proved.
    pub(crate) fn digest(self, proved: &Digest) -> Digest {
        *blake3::keyed_hash(&self.current, proved).as_bytes()
    }

    /// Returns what may be stored of a proof: one that was asked for before a rotation is good after it.
    pub(crate) fn digests(self, proved: &Digest) -> impl Iterator<Item = Digest> {
        let keys = [Some(self.current), self.previous].into_iter().flatten();
        keys.map(move |key| *blake3::keyed_hash(&key, proved).as_bytes())
    }
}

impl std::fmt::Debug for ProofKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ProofKey")
    }
}

/// The keys of this installation.
pub struct Keys {
    /// That of the present secret first; the one before it is still accepted.
    challenges: Vec<Digest>,
    code: Digest,
    previous_code: Option<Digest>,
    wallet: Digest,
    address: Digest,
    proofs: ProofKey,
    seals: SealKeys,
    /// That of the present secret first.
    client_links: Vec<Digest>,
    /// That of the present secret first.
    sheet_rows: Vec<Digest>,
    /// The first one makes new tokens.
    receipt_letters: Vec<Digest>,
    /// The first one proves new receipts.
    receipts: Vec<Digest>,
    access_tokens: SigningKeys,
    realtime_tokens: SigningKeys,
    frame_passes: SigningKeys,
    wallet_id: KeyId,
    receipt_ids: Vec<KeyId>,
}

const SEALS: &str = "notary cabinet, seals of transfers, 2026";
const CHALLENGES: &str = "notary cabinet, challenges to passkeys, 2026";
const PROOFS: &str = "notary cabinet, proofs, 2026";
const CODES: &str = "notary cabinet, one-time codes, 2026";
const RECEIPTS: &str = "notary cabinet, receipts, 2026";
const CLIENT_LINKS: &str = "notary cabinet, links of clients, 2026";
const SHEET_ROWS: &str = "notary cabinet, rows of sheets, 2026";
const RECEIPT_LETTERS: &str = "notary cabinet, letters with receipts, 2026";

fn derive(secret: &SecretString, purpose: &str) -> Digest {
    blake3::derive_key(purpose, secret.expose_secret().as_bytes())
}

impl Keys {
    /// Derives the keys. `None` if a secret is shorter than [`SECRET_CHARS_MIN`].
    pub fn derive(secrets: &Secrets) -> Option<Keys> {
        let Secrets {
            current,
            previous,
            wallet,
            receipts,
        } = secrets;
        let wallet = wallet.as_ref().unwrap_or(current);
        let mut proving = vec![current];
        proving.extend(previous.iter().chain(receipts));
        let all = proving.iter().copied().chain([wallet]);
        if all
            .map(|secret| secret.expose_secret().chars().count())
            .any(|chars| chars < SECRET_CHARS_MIN)
        {
            return None;
        }
        let key = |secret: &SecretString, purpose: &str| SigningKey {
            id: KeyId::of(secret),
            key: SecretSlice::from(derive(secret, purpose).to_vec()),
        };
        let keys = |purpose: &str| SigningKeys {
            current: key(current, purpose),
            previous: previous.as_ref().map(|secret| key(secret, purpose)),
        };
        let of_all = |purpose: &str| -> Vec<Digest> {
            proving
                .iter()
                .map(|secret| derive(secret, purpose))
                .collect()
        };
        Some(Keys {
            challenges: [Some(current), previous.as_ref()]
                .into_iter()
                .flatten()
                .map(|secret| derive(secret, CHALLENGES))
                .collect(),
            code: derive(current, CODES),
            previous_code: previous.as_ref().map(|secret| derive(secret, CODES)),
            wallet: derive(wallet, "notary cabinet, acquirer wallets, 2026"),
            address: derive(current, "notary cabinet, client addresses, 2026"),
            proofs: ProofKey {
                current: derive(current, PROOFS),
                previous: previous.as_ref().map(|secret| derive(secret, PROOFS)),
            },
            seals: SealKeys {
                id: KeyId::of(current),
                current: derive(current, SEALS),
                previous: previous
                    .as_ref()
                    .map(|secret| (KeyId::of(secret), derive(secret, SEALS))),
            },
            client_links: of_all(CLIENT_LINKS),
            sheet_rows: of_all(SHEET_ROWS),
            receipt_letters: of_all(RECEIPT_LETTERS),
            receipts: of_all(RECEIPTS),
            access_tokens: keys("notary cabinet, access tokens, 2026"),
            realtime_tokens: keys("notary cabinet, realtime tokens, 2026"),
            frame_passes: keys("notary cabinet, passes to the cards frame, 2026"),
            wallet_id: KeyId::of(wallet),
            receipt_ids: proving.iter().map(|secret| KeyId::of(secret)).collect(),
        })
    }

    /// Returns the keys of access tokens.
    pub const fn access_tokens(&self) -> &SigningKeys {
        &self.access_tokens
    }

    /// Returns the keys of passes to the cards frame.
    pub const fn frame_passes(&self) -> &SigningKeys {
        &self.frame_passes
    }

    /// Returns the keys of realtime tokens.
    pub const fn realtime_tokens(&self) -> &SigningKeys {
        &self.realtime_tokens
    }

    /// Returns whether a stored digest is that of a code, also of one that was sent before the last rotation.
    pub fn is_code(
        &self,
        stored: &[u8],
        operation: OperationId,
        phone: &Phone,
        code: &str,
    ) -> bool {
        let keys = [Some(self.code), self.previous_code];
        keys.into_iter()
            .flatten()
            .any(|key| same_digest(stored, &digest_of_code(&key, operation, phone, code)))
    }

    /// Returns what is stored of a code. It is bound to the operation and the phone, and useless without the key.
    pub(crate) fn code_digest(&self, operation: OperationId, phone: &Phone, code: &str) -> Digest {
        digest_of_code(&self.code, operation, phone, code)
    }

    /// Returns what proves a challenge to a passkey.
    pub(crate) fn challenge_digest(&self, message: &[u8]) -> Digest {
        *blake3::keyed_hash(&self.challenges[0], message).as_bytes()
    }

    /// Returns what may prove a challenge to a passkey, also one that was given out before the last rotation.
    pub(crate) fn challenge_digests(&self, message: &[u8]) -> Vec<Digest> {
        let keys = self.challenges.iter();
        keys.map(|key| *blake3::keyed_hash(key, message).as_bytes())
            .collect()
    }

    /// Returns what is stored of a network address: it can be counted, not read.
    pub(crate) fn address_digest(&self, address: IpAddr) -> Digest {
        let network = match network_of(address) {
            IpAddr::V4(v4) => v4.octets().to_vec(),
            IpAddr::V6(v6) => v6.octets().to_vec(),
        };
        *blake3::keyed_hash(&self.address, &network).as_bytes()
    }

    /// Returns what is stored of a network that is only counted.
    pub(crate) fn network_digest(&self, network: &Network) -> Digest {
        *blake3::keyed_hash(&self.address, network.as_str().as_bytes()).as_bytes()
    }

    /// Returns the key of what is stored of a proof.
    pub(crate) const fn proofs(&self) -> ProofKey {
        self.proofs
    }

    /// Returns the keys that seal transfers.
    pub const fn seals(&self) -> &SealKeys {
        &self.seals
    }

    /// Returns the digest that proves an order's receipts.
    pub(crate) fn receipt_digest(&self, order: OrderId) -> Digest {
        digest_of_receipt(&self.receipts[0], order)
    }

    /// Returns the digests that prove an order's receipts, those of earlier secrets included.
    pub(crate) fn receipt_digests(&self, order: OrderId) -> impl Iterator<Item = Digest> {
        self.receipts
            .iter()
            .map(move |key| digest_of_receipt(key, order))
    }

    /// Returns what is stored of the token of a client's link.
    pub(crate) fn client_link_digest(&self, token: &str) -> Digest {
        digest_of_link(&self.client_links[0], token)
    }

    /// Returns what may be stored of the token of a client's link: a link outlasts a rotation.
    pub(crate) fn client_link_digests(&self, token: &str) -> Vec<Digest> {
        let keys = self.client_links.iter();
        keys.map(|key| digest_of_link(key, token)).collect()
    }

    /// Returns what is stored of a row of a sheet, by the digest of what it means. Without the key nobody can try out names and codes.
    pub(crate) fn sheet_row(&self, meaning: &Digest) -> RowDigest {
        let keyed = |key: &Digest| *blake3::keyed_hash(key, meaning).as_bytes();
        RowDigest {
            current: keyed(&self.sheet_rows[0]),
            earlier: self.sheet_rows[1..].iter().map(keyed).collect(),
        }
    }

    /// Returns what proves that we wrote a letter about a receipt, by what its link names.
    pub(crate) fn receipt_letter_proof(&self, named: &[u8]) -> LetterProof {
        letter_proof(&self.receipt_letters[0], named)
    }

    /// Returns whether this proves it, also from a letter that was written under an earlier secret.
    pub(crate) fn proves_receipt_letter(&self, named: &[u8], given: &[u8]) -> bool {
        let given = blake3::hash(given);
        // Digests are compared, so that the time does not tell where two proofs differ.
        self.receipt_letters.iter().fold(false, |found, key| {
            found | (blake3::hash(&letter_proof(key, named)) == given)
        })
    }

    /// Returns what may be stored of an address that refused letters about an order, the first by the secret in force.
    pub(crate) fn refused_address(&self, order: OrderId, address: &Email) -> Vec<Digest> {
        let digest = |key: &Digest| {
            let mut hasher = blake3::Hasher::new_keyed(key);
            hasher.update(b"refused");
            hasher.update(order.uuid().as_bytes());
            hasher.update(address.as_str().as_bytes());
            *hasher.finalize().as_bytes()
        };
        self.receipt_letters.iter().map(digest).collect()
    }

    /// Returns the name of a notary's wallet at the acquirer. It is always the same and tells nothing about the notary.
    pub fn wallet(&self, notary: NotaryId) -> Option<WalletId> {
        let digest = blake3::keyed_hash(&self.wallet, notary.uuid().as_bytes());
        WalletId::parse(digest.to_hex().get(..40)?)
    }
}

fn digest_of_code(key: &Digest, operation: OperationId, phone: &Phone, code: &str) -> Digest {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(operation.uuid().as_bytes());
    hasher.update(phone.as_str().as_bytes());
    hasher.update(b"/");
    hasher.update(code.as_bytes());
    *hasher.finalize().as_bytes()
}

fn letter_proof(key: &Digest, named: &[u8]) -> LetterProof {
    let digest = *blake3::keyed_hash(key, named).as_bytes();
    let mut proof = LetterProof::default();
    proof
        .iter_mut()
        .zip(digest)
        .for_each(|(to, from)| *to = from);
    proof
}

fn digest_of_link(key: &Digest, token: &str) -> Digest {
    *blake3::keyed_hash(key, token.as_bytes()).as_bytes()
}

fn digest_of_receipt(key: &Digest, order: OrderId) -> Digest {
    *blake3::keyed_hash(key, order.uuid().as_bytes()).as_bytes()
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

    const FIRST: &str = "0123456789abcdef0123456789abcdef";
    const SECOND: &str = "fedcba9876543210fedcba9876543210";
    const THIRD: &str = "00112233445566778899aabbccddeeff";

    fn keys() -> Keys {
        Keys::derive(&Secrets::only(FIRST.into())).unwrap()
    }

    /// Keys after one rotation.
    fn rotated(wallet: Option<&str>) -> Keys {
        let secrets = Secrets {
            previous: Some(FIRST.into()),
            wallet: wallet.map(SecretString::from),
            ..Secrets::only(SECOND.into())
        };
        Keys::derive(&secrets).unwrap()
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
        let short = || SecretString::from("0123456789abcdef0123456789abcde");
        assert!(Keys::derive(&Secrets::only(short())).is_none());
        let receipts = Secrets {
            receipts: vec![short()],
            ..Secrets::only(FIRST.into())
        };
        assert!(Keys::derive(&receipts).is_none());
    }

    #[test]
    fn keys_of_an_installation_that_never_rotated_are_what_they_were() {
        let order = OrderId::new(Uuid::from_u128(1));
        let old = |purpose: &str| blake3::derive_key(purpose, FIRST.as_bytes());
        assert_eq!(
            keys().receipt_digest(order),
            *blake3::keyed_hash(&old(RECEIPTS), order.uuid().as_bytes()).as_bytes()
        );
        let wallet = blake3::keyed_hash(
            &old("notary cabinet, acquirer wallets, 2026"),
            Uuid::from_u128(7).as_bytes(),
        );
        assert_eq!(
            keys()
                .wallet(NotaryId::new(Uuid::from_u128(7)))
                .unwrap()
                .as_str(),
            &wallet.to_hex()[..40]
        );
    }

    #[test]
    fn a_rotation_keeps_codes_on_their_way_wallets_and_printed_receipts() {
        let notary = NotaryId::new(Uuid::from_u128(1));
        let operation = OperationId::new(Uuid::from_u128(1));
        let order = OrderId::new(Uuid::from_u128(1));
        let phone = Phone::parse("+380501112233").unwrap();
        let sent = keys().code_digest(operation, &phone, "0042");
        let after = rotated(Some(FIRST));
        assert!(after.is_code(&sent, operation, &phone, "0042"));
        assert!(!after.is_code(&sent, operation, &phone, "0043"));
        assert_ne!(after.code_digest(operation, &phone, "0042"), sent);
        assert_eq!(after.wallet(notary), keys().wallet(notary));
        assert_ne!(rotated(None).wallet(notary), keys().wallet(notary));
        let printed = keys().receipt_digest(order);
        assert_ne!(after.receipt_digest(order), printed);
        assert!(after.receipt_digests(order).any(|digest| digest == printed));
        // Later the secret proves nothing but receipts.
        let later = Keys::derive(&Secrets {
            receipts: vec![FIRST.into(), SECOND.into()],
            wallet: Some(FIRST.into()),
            ..Secrets::only(THIRD.into())
        })
        .unwrap();
        assert!(later.receipt_digests(order).any(|digest| digest == printed));
        assert!(!later.is_code(&sent, operation, &phone, "0042"));
        assert!(later.access_tokens().previous.is_none());
    }

    #[test]
    fn a_key_id_tells_nothing_of_its_secret() {
        let id = KeyId::of(&SecretString::from(FIRST));
        assert_eq!(id.as_str().len(), 16);
        assert_eq!(keys().access_tokens().current.id, id);
        assert_ne!(KeyId::of(&SecretString::from(SECOND)), id);
        assert!(!FIRST.contains(id.as_str()));
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
    fn a_row_of_a_sheet_is_known_after_a_rotation_and_to_nobody_without_the_key() {
        let meaning = [7; 32];
        let (before, after) = (
            keys().sheet_row(&meaning),
            rotated(None).sheet_row(&meaning),
        );
        assert_eq!(after.earlier, [before.current]);
        assert_ne!(after.current, before.current);
        assert_ne!(before.current, meaning);
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
