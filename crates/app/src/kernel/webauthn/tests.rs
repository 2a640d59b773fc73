//! The vectors named `W3C` are those of Web Authentication Level 3, section 16; the others are signed here.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::answers::Asserted;
use super::parts::{PART_BYTES_MAX, sha256};
use super::public_key::PublicKey;
use super::*;

const CHALLENGE: &[u8] = b"sixteen random bytes and more";
const ID: &[u8] = b"a passkey";

fn party() -> RelyingParty {
    RelyingParty::of("https://example.org")
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|place| u8::from_str_radix(&text[place..place + 2], 16).unwrap())
        .collect()
}

/// A passkey of these tests.
enum Key {
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(aws_lc_rs::rsa::KeyPair),
}

fn keys() -> [Key; 3] {
    [
        Key::Es256(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap()),
        Key::EdDsa(Ed25519KeyPair::generate().unwrap()),
        Key::Rs256(aws_lc_rs::rsa::KeyPair::generate(KeySize::Rsa2048).unwrap()),
    ]
}

fn es256() -> Key {
    let [key, ..] = keys();
    key
}

impl Key {
    fn cose(&self) -> Vec<u8> {
        match self {
            Key::Es256(key) => {
                let point = key.public_key().as_ref();
                let (x, y) = (&point[1..33], &point[33..]);
                [&hex("a5010203262001215820"), x, &hex("225820"), y].concat()
            }
            Key::EdDsa(key) => [&hex("a4010103272006215820"), key.public_key().as_ref()].concat(),
            Key::Rs256(key) => {
                let n = key.public_key().modulus().big_endian_without_leading_zero();
                let e = key
                    .public_key()
                    .exponent()
                    .big_endian_without_leading_zero();
                [&hex("a4010303390100"), &hex("20590100"), n, &hex("2143"), e].concat()
            }
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Key::Es256(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Key::EdDsa(key) => key.sign(message).as_ref().to_vec(),
            Key::Rs256(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)
                    .unwrap();
                signature
            }
        }
    }

    fn asserts(&self, client_data: &str, authenticator_data: Vec<u8>) -> Assertion {
        let client_data = client_data.as_bytes().to_vec();
        let signed = [&authenticator_data[..], &sha256(&client_data)].concat();
        Assertion {
            signature: self.sign(&signed),
            client_data,
            authenticator_data,
        }
    }

    fn registers(&self, client_data: &str, flags: u8) -> Registration {
        let length = u16::try_from(ID.len()).unwrap().to_be_bytes();
        let attested = [&[7; 16][..], &length, ID, &self.cose()].concat();
        Registration {
            credential_id: ID.to_vec(),
            client_data: client_data.as_bytes().to_vec(),
            authenticator_data: [authenticator_data("example.org", flags, 0), attested].concat(),
        }
    }

    fn verify(&self, assertion: &Assertion) -> Result<Asserted, WebAuthnError> {
        assertion.verify(&party(), CHALLENGE, &self.cose())
    }
}

fn authenticator_data(host: &str, flags: u8, sign_count: u32) -> Vec<u8> {
    [
        &sha256(host.as_bytes())[..],
        &[flags],
        &sign_count.to_be_bytes(),
    ]
    .concat()
}

fn client_data(kind: &str, challenge: &[u8], origin: &str, more: &str) -> String {
    let challenge = URL_SAFE_NO_PAD.encode(challenge);
    format!(r#"{{"type":"webauthn.{kind}","challenge":"{challenge}","origin":"{origin}"{more}}}"#)
}

fn right(kind: &str) -> String {
    client_data(
        kind,
        CHALLENGE,
        "https://example.org",
        r#","crossOrigin":false,"later":{"a":1}"#,
    )
}

#[test]
fn a_passkey_of_each_kind_registers_and_signs() {
    for key in keys() {
        let registered = key
            .registers(&right("create"), 0x5d)
            .verify(&party(), CHALLENGE);
        let registered = registered.unwrap();
        assert_eq!(registered.public_key, key.cose());
        assert!(registered.is_backup_eligible && registered.is_backed_up);
        let assertion = key.asserts(&right("get"), authenticator_data("example.org", 5, 9));
        let asserted = assertion.verify(&party(), CHALLENGE, &registered.public_key);
        assert_eq!(
            asserted,
            Ok(Asserted {
                sign_count: 9,
                is_backed_up: false
            })
        );
    }
}

#[test]
fn what_the_browser_vouches_for_must_be_what_was_asked() {
    let (key, origin) = (es256(), "https://example.org");
    let data = || authenticator_data("example.org", 5, 1);
    for (client_data, error) in [
        (right("create"), WebAuthnError::Type),
        (
            client_data("get", b"another challenge", origin, ""),
            WebAuthnError::Challenge,
        ),
        (
            client_data("get", b"", origin, ""),
            WebAuthnError::Challenge,
        ),
        (
            client_data("get", CHALLENGE, "https://example.org.evil.example", ""),
            WebAuthnError::Origin,
        ),
        (
            client_data("get", CHALLENGE, "https://example.org:8443", ""),
            WebAuthnError::Origin,
        ),
        (
            client_data("get", CHALLENGE, "http://example.org", ""),
            WebAuthnError::Origin,
        ),
        (
            client_data("get", CHALLENGE, origin, r#","crossOrigin":true"#),
            WebAuthnError::CrossOrigin,
        ),
        (
            client_data(
                "get",
                CHALLENGE,
                origin,
                r#","topOrigin":"https://evil.example""#,
            ),
            WebAuthnError::CrossOrigin,
        ),
        ("{}".to_owned(), WebAuthnError::Malformed),
        (
            format!("{}{}", right("get"), " ".repeat(PART_BYTES_MAX)),
            WebAuthnError::Malformed,
        ),
    ] {
        assert_eq!(
            key.verify(&key.asserts(&client_data, data())),
            Err(error),
            "{client_data:.200}"
        );
    }
    let registration = key.registers(&right("get"), 0x45);
    assert_eq!(
        registration.verify(&party(), CHALLENGE),
        Err(WebAuthnError::Type)
    );
}

#[test]
fn what_the_authenticator_vouches_for_must_be_what_was_asked() {
    let key = es256();
    let mut longer = authenticator_data("example.org", 5, 1);
    longer.push(0);
    for (data, error) in [
        (
            authenticator_data("evil.example", 5, 1),
            WebAuthnError::RelyingParty,
        ),
        (
            authenticator_data("example.org", 4, 1),
            WebAuthnError::UserPresence,
        ),
        (
            authenticator_data("example.org", 1, 1),
            WebAuthnError::UserVerification,
        ),
        (
            authenticator_data("example.org", 0x15, 1),
            WebAuthnError::Malformed,
        ),
        (
            authenticator_data("example.org", 0x45, 1),
            WebAuthnError::Malformed,
        ),
        (
            authenticator_data("example.org", 0x85, 1),
            WebAuthnError::Malformed,
        ),
        (longer, WebAuthnError::Malformed),
        (Vec::new(), WebAuthnError::Malformed),
    ] {
        assert_eq!(key.verify(&key.asserts(&right("get"), data)), Err(error));
    }
    for (flags, error) in [
        (0x41, WebAuthnError::UserVerification),
        (0x44, WebAuthnError::UserPresence),
    ] {
        let registration = key.registers(&right("create"), flags);
        assert_eq!(registration.verify(&party(), CHALLENGE), Err(error));
    }
    let mut other = key.registers(&right("create"), 0x45);
    other.credential_id = b"another".to_vec();
    assert_eq!(
        other.verify(&party(), CHALLENGE),
        Err(WebAuthnError::Credential)
    );
    let without = Registration {
        authenticator_data: authenticator_data("example.org", 5, 0),
        ..key.registers(&right("create"), 0x45)
    };
    assert_eq!(
        without.verify(&party(), CHALLENGE),
        Err(WebAuthnError::Malformed)
    );
}

#[test]
fn a_signature_of_another_key_or_over_something_else_is_refused() {
    for (key, other) in keys().iter().zip(&keys()) {
        let data = || authenticator_data("example.org", 5, 1);
        let assertion = key.asserts(&right("get"), data());
        assert_eq!(other.verify(&assertion), Err(WebAuthnError::Signature));
        let counted = Assertion {
            authenticator_data: authenticator_data("example.org", 5, 2),
            ..assertion.clone()
        };
        assert_eq!(key.verify(&counted), Err(WebAuthnError::Signature));
        let told = Assertion {
            client_data: [&right("get").into_bytes()[..], b" "].concat(),
            ..assertion.clone()
        };
        assert_eq!(key.verify(&told), Err(WebAuthnError::Signature));
        let none = Assertion {
            signature: Vec::new(),
            ..assertion
        };
        assert_eq!(key.verify(&none), Err(WebAuthnError::Signature));
    }
}

#[test]
fn the_counter_must_grow_unless_there_is_none() {
    for (before, now) in [(0, 0), (0, 1), (1, 2), (7, u32::MAX)] {
        assert_eq!(check_counter(before, now), Ok(()), "{before} {now}");
    }
    for (before, now) in [(1, 1), (2, 1), (1, 0), (u32::MAX, 0)] {
        assert_eq!(
            check_counter(before, now),
            Err(WebAuthnError::Counter),
            "{before} {now}"
        );
    }
}

#[test]
fn a_key_of_another_kind_or_form_is_refused() {
    let point = "00".repeat(32);
    let es256 = |parts: &str| hex(&format!("a5{parts}215820{point}225820{point}"));
    for (cose, error) in [
        // ES384, and the curve P-384 with ES256.
        (es256("01020338222001"), WebAuthnError::Key),
        (es256("010203262002"), WebAuthnError::Key),
        // ES256 that says it is of the type of EdDSA.
        (es256("010103262001"), WebAuthnError::Key),
        // A coordinate too short.
        (
            hex(&format!("a5010203262001214100225820{point}")),
            WebAuthnError::Key,
        ),
        // A label twice, a text as a label, six members, a map in a map, cut off, more after it.
        (hex("a201020102"), WebAuthnError::Malformed),
        (hex("a1616101"), WebAuthnError::Malformed),
        (hex("a6010203262001"), WebAuthnError::Key),
        (hex("a101a0"), WebAuthnError::Malformed),
        (hex("a5010203262001215820"), WebAuthnError::Malformed),
        (hex("a000"), WebAuthnError::Malformed),
        (hex("bf0102ff"), WebAuthnError::Malformed),
        (Vec::new(), WebAuthnError::Malformed),
    ] {
        assert_eq!(PublicKey::read(&cose), Err(error), "{cose:02x?}");
    }
    // A point beside the curve verifies nothing.
    let beside = PublicKey::read(&es256("010203262001")).unwrap();
    assert_eq!(beside.verify(b"", b""), Err(WebAuthnError::Signature));
}

/// Any cut and any changed byte is refused, and none stops the program.
#[test]
fn a_registration_that_is_cut_or_changed_is_another_or_none() {
    let registration = es256().registers(&right("create"), 0x45);
    let right = registration.verify(&party(), CHALLENGE).unwrap();
    let whole = registration.authenticator_data.clone();
    for length in 0..whole.len() {
        let cut = Registration {
            authenticator_data: whole[..length].to_vec(),
            ..registration.clone()
        };
        assert!(cut.verify(&party(), CHALLENGE).is_err(), "{length}");
    }
    // The make of the authenticator is of no account.
    for place in (0..37).chain(53..whole.len()) {
        let mut changed = registration.clone();
        changed.authenticator_data[place] ^= 0x81;
        assert_ne!(
            changed.verify(&party(), CHALLENGE),
            Ok(right.clone()),
            "{place}"
        );
    }
}

#[test]
fn the_party_is_the_host_of_the_public_address() {
    for (address, origin, id) in [
        (
            "https://cabinet.example",
            "https://cabinet.example",
            "cabinet.example",
        ),
        (
            "https://cabinet.example/notary",
            "https://cabinet.example",
            "cabinet.example",
        ),
        (
            "http://localhost:8080",
            "http://localhost:8080",
            "localhost",
        ),
        ("http://[::1]:8080", "http://[::1]:8080", "[::1]"),
        ("http://[::1]", "http://[::1]", "[::1]"),
    ] {
        let party = RelyingParty::of(address);
        assert_eq!((party.origin.as_str(), party.id.as_str()), (origin, id));
    }
}

/// What every vector of the W3C begins with: the hash of `example.org`.
const W3C_PARTY: &str = "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5";

/// W3C, 16.3: a registration whose user was verified.
#[test]
fn the_registration_of_the_standard_is_accepted() {
    let key = "a5010203262001215820eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5225820927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2";
    let id = "455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58c";
    let registration = Registration {
        credential_id: hex(id),
        client_data: hex(
            "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a2265476e4374334c55745936366b336a506a796e6962506b31716e666644616966715a774c33417032392d55222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a205539685458764b453255526b4d6e625f307859485667227d",
        ),
        authenticator_data: hex(&format!(
            "{W3C_PARTY}5d00000000df850e09db6afbdfab51697791506cfc0020{id}{key}"
        )),
    };
    let challenge = hex("7869c2b772d4b58eba9378cf8f29e26cf935aa77df0da89fa99c0bdc0a76f7e5");
    let registered = registration.verify(&party(), &challenge).unwrap();
    assert_eq!(registered.public_key, hex(key));
    assert_eq!((registered.sign_count, registered.is_backed_up), (0, true));
}

/// W3C, 16.4: a registration in a frame of another origin.
#[test]
fn the_registration_of_the_standard_in_a_foreign_frame_is_refused() {
    let id = "6e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57";
    let registration = Registration {
        credential_id: hex(id),
        client_data: hex(
            "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a224f2d57717a514e5463554a484930437257576e7951504859647862694332674872434d475666704c4f306b222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a747275652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a207a5a7175457444523944577170573574425754467567227d",
        ),
        authenticator_data: hex(&format!(
            "{W3C_PARTY}4500000000883f4f6014f19c09d87aa38123be48d00020{id}a501020326200121582022200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4e97d225820cbd0be95e746ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e"
        )),
    };
    let challenge = hex("3be5aacd03537142472340ab5969f240f1d87716e20b6807ac230655fa4b3b49");
    let refused = registration.verify(&party(), &challenge);
    assert_eq!(refused, Err(WebAuthnError::CrossOrigin));
}

/// W3C, 16.2 and 16.11: assertions by ES256 and EdDSA. Their signatures hold; nobody verified their user, so they are refused.
#[test]
fn the_signatures_of_the_standard_hold_and_its_unverified_users_are_refused() {
    for (cose, challenge, flags, client_data, signature) in [
        (
            "a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220",
            "39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408",
            "19",
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d",
            "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87",
        ),
        (
            "a401010327200621582044e06ddd331c36a8dc667bab52bcae63486c916aa5e339e6acebaa84934bf832",
            "895957e01c633a698348a2d8a31a54b7db27e8c1c43b2080d79ae2190267bfd2",
            "01",
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a2269566c583442786a4f6d6d44534b4c596f7870557439736e364d48454f7943413135726947514a6e763949222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d",
            "f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cfdfc48f85393bc0d40b011f0d6fecb097d6607525713223a0dc0d453993dae00b",
        ),
    ] {
        let assertion = Assertion {
            client_data: hex(client_data),
            authenticator_data: hex(&format!("{W3C_PARTY}{flags}00000000")),
            signature: hex(signature),
        };
        let signed = [
            &assertion.authenticator_data[..],
            &sha256(&assertion.client_data),
        ]
        .concat();
        let key = PublicKey::read(&hex(cose)).unwrap();
        assert_eq!(key.verify(&signed, &assertion.signature), Ok(()));
        let refused = assertion.verify(&party(), &hex(challenge), &hex(cose));
        assert_eq!(refused, Err(WebAuthnError::UserVerification));
    }
}
