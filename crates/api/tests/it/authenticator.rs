//! A browser with an authenticator that has one passkey (ES256): what `navigator.credentials` would answer.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

const PRESENT: u8 = 1;
const VERIFIED: u8 = 4;
const ELIGIBLE: u8 = 8;
const ATTESTED: u8 = 64;

pub(crate) struct Authenticator {
    key: EcdsaKeyPair,
    pub(crate) id: Vec<u8>,
    /// The page.
    pub(crate) origin: String,
    pub(crate) sign_count: u32,
    pub(crate) verifies_user: bool,
}

fn encode(bytes: &[u8]) -> Value {
    URL_SAFE_NO_PAD.encode(bytes).into()
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    digest(&SHA256, bytes).as_ref().to_vec()
}

impl Authenticator {
    /// Returns one with a new key. Its counter stays 0, as that of a passkey that is copied to other devices does.
    pub(crate) fn new(origin: &str, id: &[u8]) -> Authenticator {
        Authenticator {
            key: EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap(),
            id: id.to_vec(),
            origin: origin.to_owned(),
            sign_count: 0,
            verifies_user: true,
        }
    }

    fn client_data(&self, kind: &str, challenge: &Value) -> Vec<u8> {
        let data = json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false });
        data.to_string().into_bytes()
    }

    fn data(&self, party: &Value, more: u8) -> Vec<u8> {
        let verified = if self.verifies_user { VERIFIED } else { 0 };
        let flags = PRESENT | verified | ELIGIBLE | more;
        let hash = sha256(party.as_str().unwrap().as_bytes());
        [&hash[..], &[flags], &self.sign_count.to_be_bytes()].concat()
    }

    /// Answers the options of a new passkey.
    pub(crate) fn create(&self, options: &Value) -> Value {
        let options = &options["public_key"];
        let point = self.key.public_key().as_ref();
        let head = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32];
        let key = [&head[..], &point[1..33], &[0x22, 0x58, 32], &point[33..]].concat();
        let length = u16::try_from(self.id.len()).unwrap().to_be_bytes();
        let data = self.data(&options["rp"]["id"], ATTESTED);
        let data = [&data[..], &[0; 16], &length, &self.id, &key].concat();
        json!({
            "id": encode(&self.id),
            "type": "public-key",
            "response": {
                "clientDataJSON": encode(&self.client_data("webauthn.create", &options["challenge"])),
                "authenticatorData": encode(&data),
            },
        })
    }

    /// Answers the options of a login as the user of this handle.
    pub(crate) fn get(&self, options: &Value, user_handle: &[u8]) -> Value {
        let options = &options["public_key"];
        let client_data = self.client_data("webauthn.get", &options["challenge"]);
        let data = self.data(&options["rpId"], 0);
        let signed = [&data[..], &sha256(&client_data)].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "id": encode(&self.id),
            "type": "public-key",
            "response": {
                "clientDataJSON": encode(&client_data),
                "authenticatorData": encode(&data),
                "signature": encode(signature.as_ref()),
                "userHandle": encode(user_handle),
            },
        })
    }
}
