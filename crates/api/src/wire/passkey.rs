//! Passkeys: what a proof is about, and the members of the browser's answers. Their names are those of the standard (W3C Web Authentication
//! Level 3, section 5.1), in base64url without padding.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_app::account;
use cabinet_domain::{PasskeyAct, PasskeyId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Moment;

/// What is done with a passkey and needs a proof.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PasskeyToProveAct {
    /// One is added.
    Add,
    /// One is removed.
    Remove,
}

/// What a code by SMS must prove before a passkey is added or removed. `POST /auth/confirmation` sends it for this `passkey`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct PasskeyToProve {
    /// What is done.
    pub act: PasskeyToProveAct,
    /// The passkey that is removed.
    #[serde(default)]
    pub passkey_id: Option<String>,
}

impl PasskeyToProve {
    /// Reads it. Returns `None` where it names no passkey that could be removed.
    pub fn read(&self) -> Option<account::PasskeyToProve> {
        match self.act {
            PasskeyToProveAct::Add => Some(account::PasskeyToProve::Add),
            PasskeyToProveAct::Remove => {
                let passkey = self.passkey_id.as_deref().and_then(PasskeyId::parse);
                passkey.map(account::PasskeyToProve::Remove)
            }
        }
    }
}

impl From<account::PasskeyToProve> for PasskeyToProve {
    fn from(wanted: account::PasskeyToProve) -> PasskeyToProve {
        PasskeyToProve {
            act: match wanted.act() {
                PasskeyAct::Add => PasskeyToProveAct::Add,
                PasskeyAct::Remove => PasskeyToProveAct::Remove,
            },
            passkey_id: wanted.passkey().map(|passkey| passkey.to_string()),
        }
    }
}

/// A passkey of the notary.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Passkey {
    /// The id.
    pub id: String,
    /// What the notary calls it.
    pub label: String,
    /// Whether it may be on several devices of hers, as a service of the browser or the system copies it.
    pub is_synced: bool,
    /// When it was added.
    pub created_at: Moment,
    /// When it last signed her in, or proved a payment; null: not yet.
    pub last_used_at: Option<Moment>,
}

impl From<cabinet_domain::Passkey> for Passkey {
    fn from(passkey: cabinet_domain::Passkey) -> Passkey {
        Passkey {
            id: passkey.id.to_string(),
            label: passkey.label.as_str().to_owned(),
            is_synced: passkey.is_backup_eligible,
            created_at: passkey.created_at.into(),
            last_used_at: passkey.last_used_at.map(Moment::from),
        }
    }
}

/// A kind of credential: there is one.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub enum CredentialType {
    /// A public key.
    #[serde(rename = "public-key")]
    PublicKey,
}

/// A passkey by the id that its authenticator gave it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnownCredential {
    /// Always a public key.
    #[serde(rename = "type")]
    pub kind: CredentialType,
    /// The id.
    pub id: String,
}

impl KnownCredential {
    /// Returns passkeys as the browser reads them.
    pub fn all(ids: &[Vec<u8>]) -> Vec<KnownCredential> {
        let kind = CredentialType::PublicKey;
        ids.iter()
            .map(|id| KnownCredential {
                kind,
                id: base64url(id),
            })
            .collect()
    }
}

/// The members of `AuthenticationResponseJSON` of the standard that are read.
#[derive(Deserialize, JsonSchema)]
pub struct PasskeySignature {
    /// The id that the authenticator gave the passkey.
    pub id: String,
    /// The answer.
    pub response: PasskeySignatureResponse,
}

/// The answer of the authenticator.
#[derive(Deserialize, JsonSchema)]
pub struct PasskeySignatureResponse {
    /// What the browser vouches for.
    #[serde(rename = "clientDataJSON")]
    pub client_data: String,
    /// What the authenticator vouches for.
    #[serde(rename = "authenticatorData")]
    pub authenticator_data: String,
    /// The signature over both.
    pub signature: String,
    /// Whose passkey it is. Empty where the authenticator does not tell.
    #[serde(rename = "userHandle")]
    pub user_handle: String,
}

impl PasskeySignature {
    /// Decodes it. Returns `None` where it is not in base64url.
    pub fn read(&self) -> Option<account::PasskeyAnswer> {
        let PasskeySignatureResponse {
            client_data,
            authenticator_data,
            signature,
            user_handle,
        } = &self.response;
        Some(account::PasskeyAnswer {
            credential_id: read_base64url(&self.id)?,
            client_data: read_base64url(client_data)?,
            authenticator_data: read_base64url(authenticator_data)?,
            signature: read_base64url(signature)?,
            user_handle: read_base64url(user_handle)?,
        })
    }
}

/// What a relying party demands: this, always.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Requirement {
    /// Without it the authenticator does not answer.
    Required,
}

/// Writes bytes as the browser reads them.
pub fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads bytes that the browser wrote.
pub fn read_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
