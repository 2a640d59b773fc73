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
    /// When it last signed her in; null: not yet.
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
