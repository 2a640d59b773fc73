//! The client's address, and how a proxy tells it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use aide::OperationInput;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, header};
use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_domain::Key;

use crate::http::refusal::Refusal;
use crate::state::ApiState;

/// The client's address: from the header of a trusted proxy, or of the connection if no header is configured.
///
/// A header that is missing or unreadable is refused. The connection's address would be the proxy's own: everybody would share its
/// limits.
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<ApiState> for ClientAddress {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        match of_request(state, &parts.headers, &parts.extensions) {
            Some(address) => Ok(ClientAddress(address)),
            None => {
                warn_once(state);
                Err(Refusal::new(
                    RefusalKind::Unreadable,
                    Key::ClientAddressUnreadable,
                ))
            }
        }
    }
}

/// Returns the client's address. `None` if the proxy does not tell it.
pub fn of_request(
    state: &ApiState,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Option<IpAddr> {
    let address = match &state.settings.client_address_header {
        Some(name) => last_address(headers, name)?,
        None => extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(peer)| {
                peer.ip()
            }),
    };
    // A dual-stack socket reports IPv4 clients as IPv4-mapped IPv6 addresses.
    Some(address.to_canonical())
}

impl OperationInput for ClientAddress {}

/// Says once that the proxy is set up wrongly. Every login and sign-up is refused until it is mended.
fn warn_once(state: &ApiState) {
    state.address_warning.call_once(|| {
        tracing::warn!(
            "A request was refused, because the header that CABINET_CLIENT_ADDRESS_HEADER names is missing or holds no address: see what the proxy sends. This is said once"
        );
    });
}

/// Returns the last address of the last header line. A proxy appends to the value it received, so only the last address was written
/// by the trusted proxy.
fn last_address(headers: &HeaderMap, name: &HeaderName) -> Option<IpAddr> {
    let line = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    let last = line.rsplit(',').next()?;
    if *name == header::FORWARDED {
        let mut pairs = last.split(';').filter_map(|pair| pair.split_once('='));
        let (_, node) = pairs.find(|(pair, _)| pair.trim().eq_ignore_ascii_case("for"))?;
        return address_of(node);
    }
    address_of(last)
}

/// Reads an address in the forms that proxies write: alone, with a port, in brackets, in quotation marks.
fn address_of(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let text = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(text);
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Some(address.ip());
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner.parse().ok().map(IpAddr::V6)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn told(name: &'static str, lines: &[&'static str]) -> Option<String> {
        let name = HeaderName::from_static(name);
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name.clone(), HeaderValue::from_static(line));
        }
        last_address(&headers, &name).map(|address| address.to_string())
    }

    #[test]
    fn of_the_addresses_in_the_header_only_the_proxys_own_word_counts() {
        let told = |lines: &[&'static str]| told("x-forwarded-for", lines);
        let address = Some("198.51.100.7".to_owned());
        assert_eq!(told(&["203.0.113.9, 198.51.100.7"]), address);
        assert_eq!(told(&["203.0.113.9", "198.51.100.7"]), address);
        assert_eq!(told(&["198.51.100.7", "unknown"]), None);
        assert_eq!(told(&["198.51.100.7, "]), None);
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn ports_brackets_and_quotation_marks_are_read() {
        for (line, address) in [
            ("198.51.100.7", Some("198.51.100.7")),
            ("198.51.100.7:443", Some("198.51.100.7")),
            ("2001:db8::7", Some("2001:db8::7")),
            ("[2001:db8::7]", Some("2001:db8::7")),
            ("[2001:db8::7]:443", Some("2001:db8::7")),
            ("\"[2001:db8::7]:443\"", Some("2001:db8::7")),
            ("\"198.51.100.7:443\"", Some("198.51.100.7")),
            ("[198.51.100.7]", None),
            ("198.51.100.7:", None),
            ("198.51.100.7:99999", None),
            ("198.51.100", None),
            ("2001:db8::7:443:", None),
            ("_hidden", None),
            ("unknown", None),
            ("", None),
        ] {
            let read = told("x-forwarded-for", &[line]);
            assert_eq!(read.as_deref(), address, "{line}");
        }
    }

    #[test]
    fn the_standard_header_names_the_address_in_its_parameter() {
        for (line, address) in [
            (
                "for=203.0.113.9, For=\"[2001:db8::7]:443\";proto=https",
                Some("2001:db8::7"),
            ),
            ("proto=https; for=198.51.100.7", Some("198.51.100.7")),
            ("by=198.51.100.7", None),
            ("for=_hidden", None),
            ("198.51.100.7", None),
        ] {
            assert_eq!(told("forwarded", &[line]).as_deref(), address, "{line}");
        }
    }
}
