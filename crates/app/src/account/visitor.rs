//! The browser that a request comes from.

use std::fmt;
use std::net::IpAddr;

use cabinet_domain::{Actor, Browser, Network, Origin};
use secrecy::{ExposeSecret, SecretString};

use crate::kernel::keys::{Digest, Keys, token_digest};

/// The browser that a request comes from.
#[derive(Clone)]
pub struct Visitor {
    /// Its network address.
    pub address: IpAddr,
    /// Its name.
    pub browser: Option<Browser>,
    /// The token of its device cookie.
    pub device_token: Option<SecretString>,
    /// The refresh token of its last session.
    pub refresh_token: Option<SecretString>,
}

/// Shows neither address nor tokens.
impl fmt::Debug for Visitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visitor")
            .field("browser", &self.browser)
            .finish_non_exhaustive()
    }
}

/// What is compared and stored of a visitor.
#[derive(Clone)]
pub(super) struct VisitorTraces {
    /// Keyed hash of the address.
    pub(super) address: Digest,
    /// Keyed hash of the network.
    pub(super) network_hash: Digest,
    /// The network.
    pub(super) network: Network,
    /// The name of the browser.
    pub(super) browser: Option<Browser>,
    /// Hash of the device cookie's token.
    pub(super) device: Option<Digest>,
    /// Hash of the refresh token.
    pub(super) refresh: Option<Digest>,
}

impl VisitorTraces {
    /// Returns the origin of what the visitor does.
    pub(super) fn origin(&self, actor: Actor) -> Origin {
        Origin {
            actor,
            network: Some(self.network.clone()),
            browser: self.browser.clone(),
        }
    }
}

impl Visitor {
    pub(super) fn traces(&self, keys: &Keys) -> VisitorTraces {
        let network = Network::of(self.address);
        let digest = |token: &SecretString| token_digest(token.expose_secret());
        VisitorTraces {
            address: keys.address_digest(self.address),
            network_hash: keys.network_digest(&network),
            network,
            browser: self.browser.clone(),
            device: self.device_token.as_ref().map(digest),
            refresh: self.refresh_token.as_ref().map(digest),
        }
    }
}
