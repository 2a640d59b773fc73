//! The address of an outside service, checked at the start.

use std::fmt;

use reqwest::Url;

/// Scheme, host, port and an optional path prefix of a service.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl {
    /// Without a slash at the end.
    text: String,
    https: bool,
}

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not an absolute http or https address.
    #[error("not an absolute http or https address")]
    NotAnAddress,
    /// It has a user name, password, query or fragment.
    #[error("must be a scheme, a host, a port and a path only")]
    TooMuch,
    /// Plain HTTP to another machine would expose the secrets.
    #[error("must be https, except on this machine")]
    NotHttps,
}

impl BaseUrl {
    /// Reads an address such as `https://api.monobank.ua`. Plain http is accepted for this machine only.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::NotAnAddress)?;
        let https = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(BaseUrlError::NotAnAddress),
        };
        let Some(host) = url.host_str() else {
            return Err(BaseUrlError::NotAnAddress);
        };
        let plain = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        if !plain {
            return Err(BaseUrlError::TooMuch);
        }
        if !https && !is_this_machine(host) {
            return Err(BaseUrlError::NotHttps);
        }
        Ok(Self {
            text: url.as_str().trim_end_matches('/').to_owned(),
            https,
        })
    }

    /// Returns whether it uses TLS.
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// Returns the host and the port, for a connection.
    pub fn host_and_port(&self) -> (String, u16) {
        let url = Url::parse(&self.text).ok();
        let host = url.as_ref().and_then(|url| url.host_str());
        let port = url.as_ref().and_then(Url::port_or_known_default);
        // An IPv6 address stands in brackets.
        let host = host.unwrap_or_default().trim_matches(['[', ']']);
        (host.to_owned(), port.unwrap_or_default())
    }

    /// Returns the host, with its port where that is not the usual one, as addresses of its pages name it.
    pub fn authority(&self) -> &str {
        let rest = self.text.split_once("://").map_or("", |(_, rest)| rest);
        rest.split_once('/')
            .map_or(rest, |(authority, _)| authority)
    }

    /// Returns the address of a path, which must begin with a slash.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }

    /// Returns the address without a slash at the end.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Returns whether a host is the machine that the program runs on, so that nobody can intercept the traffic.
pub(crate) fn is_this_machine(host: &str) -> bool {
    let literal = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || literal
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Returns whether a browser may be sent to a page that an outside service names: an absolute address without credentials,
/// with https unless plain http is allowed. Ways to write it that browsers tolerate (`https:/`, backslashes, tabs) are refused,
/// because another reader may find another host in them.
pub(crate) fn is_page_address(text: &str, plain_http_allowed: bool) -> bool {
    let Ok(url) = Url::parse(text) else {
        return false;
    };
    let scheme_fits = url.scheme() == "https" || (plain_http_allowed && url.scheme() == "http");
    let is_plain = text.starts_with(&format!("{}://", url.scheme()))
        && !text.contains(|letter: char| {
            letter.is_control() || letter.is_whitespace() || letter == '\\'
        });
    is_plain
        && scheme_fits
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_addresses_are_taken_and_joined_with_one_slash() {
        for (text, joined) in [
            (
                "https://api.monobank.ua",
                "https://api.monobank.ua/api/merchant/pubkey",
            ),
            (
                "https://api.monobank.ua/",
                "https://api.monobank.ua/api/merchant/pubkey",
            ),
            (
                "https://proxy.example/mono/",
                "https://proxy.example/mono/api/merchant/pubkey",
            ),
            (
                "http://127.0.0.1:8081",
                "http://127.0.0.1:8081/api/merchant/pubkey",
            ),
            ("http://[::1]:8081", "http://[::1]:8081/api/merchant/pubkey"),
            (
                "http://localhost:8081",
                "http://localhost:8081/api/merchant/pubkey",
            ),
        ] {
            assert_eq!(
                BaseUrl::parse(text).unwrap().join("/api/merchant/pubkey"),
                joined
            );
        }
    }

    #[test]
    fn the_host_and_the_port_are_those_of_a_connection() {
        for (text, host, port) in [
            ("https://api.monobank.ua/mono", "api.monobank.ua", 443),
            ("http://127.0.0.1:8081", "127.0.0.1", 8081),
            ("http://[::1]:8081", "::1", 8081),
        ] {
            let found = BaseUrl::parse(text).unwrap().host_and_port();
            assert_eq!(found, (host.to_owned(), port));
        }
    }

    #[test]
    fn what_would_send_a_secret_astray_is_refused() {
        for (text, error) in [
            ("", BaseUrlError::NotAnAddress),
            ("api.monobank.ua", BaseUrlError::NotAnAddress),
            ("ftp://api.monobank.ua", BaseUrlError::NotAnAddress),
            (
                "https://user:password@api.monobank.ua",
                BaseUrlError::TooMuch,
            ),
            ("https://api.monobank.ua/?token=1", BaseUrlError::TooMuch),
            ("https://api.monobank.ua/#x", BaseUrlError::TooMuch),
            ("http://api.monobank.ua", BaseUrlError::NotHttps),
            ("http://10.0.0.1", BaseUrlError::NotHttps),
            ("http://localhost.example", BaseUrlError::NotHttps),
        ] {
            assert_eq!(BaseUrl::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn pages_of_a_real_service_are_https_only() {
        assert!(is_page_address("https://pay.mbnk.biz/p2_9ZgpZVsl3", false));
        assert!(is_page_address("http://127.0.0.1:8081/pay/1", true));
        for bad in [
            "http://pay.mbnk.biz/1",
            "javascript:alert(1)",
            "//pay.mbnk.biz/1",
            "https://user@pay.mbnk.biz/1",
            "https:/'pay.mbnk.biz/1",
            "https:\\\\pay.mbnk.biz/1",
            "https://pay.mbnk.biz\\@evil.example/1",
            "https://pay.mbnk\t.biz/1",
            " https://pay.mbnk.biz/1",
            "",
        ] {
            assert!(!is_page_address(bad, false), "{bad}");
        }
    }
}
