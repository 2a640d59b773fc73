//! For whom authenticators answer.

/// Who asks for passkeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelyingParty {
    /// The origin of the pages, as `https://cabinet.example`.
    pub(crate) origin: String,
    /// The host of the origin: passkeys belong to it.
    pub(crate) id: String,
}

impl RelyingParty {
    /// Returns the party of a public address; what follows the host and port does not matter.
    pub(crate) fn of(public_url: &str) -> RelyingParty {
        let (scheme, rest) = public_url.split_once("://").unwrap_or(("", public_url));
        let authority = rest.split('/').next().unwrap_or_default();
        // A port is digits after the last colon, and no part of an address of version 6.
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => authority,
        };
        RelyingParty {
            origin: format!("{scheme}://{authority}"),
            id: host.to_owned(),
        }
    }
}
