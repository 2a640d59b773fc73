//! Where a request comes from, as far as it is kept: who asks, the network and the browser. Never the full address.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::NotaryId;

/// Who does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A notary who is signed in.
    Notary(NotaryId),
    /// A person who is not signed in.
    Stranger,
    /// A command of the operator, with the name of its user on the server.
    Operator(String),
    /// The cabinet itself.
    Worker,
}

/// Who does something, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Who.
    pub actor: Actor,
    /// The network of a request.
    pub network: Option<Network>,
    /// The browser of a request.
    pub browser: Option<Browser>,
}

impl Origin {
    /// Returns the same place with somebody else who acts.
    #[must_use]
    pub fn acted_by(mut self, actor: Actor) -> Self {
        self.actor = actor;
        self
    }

    /// Returns the origin of what the cabinet does by itself.
    #[must_use]
    pub const fn worker() -> Self {
        Self {
            actor: Actor::Worker,
            network: None,
            browser: None,
        }
    }

    /// Returns the origin of a command of the operator.
    #[must_use]
    pub const fn operator(user: String) -> Self {
        Self {
            actor: Actor::Operator(user),
            network: None,
            browser: None,
        }
    }
}

/// The network of an address: the /24 of version 4, the /48 of version 6. A provider gives its customers addresses of a few
/// networks, and a whole network is what an attacker can have cheaply.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network(String);

impl Network {
    /// Returns the network of an address.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => {
                let network = Ipv4Addr::from_bits(address.to_bits() >> 8 << 8);
                Self(format!("{network}/24"))
            }
            IpAddr::V6(address) => {
                let network = Ipv6Addr::from_bits(address.to_bits() >> 80 << 80);
                Self(format!("{network}/48"))
            }
        }
    }

    /// Reads a stored network.
    #[must_use]
    pub fn parse_saved(text: &str) -> Option<Self> {
        let (address, _) = text.split_once('/')?;
        let network = Self::of(address.parse().ok()?);
        (network.0 == text).then_some(network)
    }

    /// Returns the network in its usual notation, as in `198.51.100.0/24`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a browser and its system, as in `Firefox, Windows`. The header it was read from is not kept: it could tell one
/// person from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Browser(String);

/// Marks of browsers in a `User-Agent`. The first that is found counts: most browsers name others, too.
const NAMES: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Marks of systems, in the same way.
const SYSTEMS: [(&str, &str); 8] = [
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Mac OS X", "macOS"),
    ("Macintosh", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

impl Browser {
    /// The longest stored name, in bytes.
    const BYTES_MAX: usize = 40;

    /// Reads a `User-Agent` header. `None` where it names neither a known browser nor a known system.
    #[must_use]
    pub fn of_user_agent(header: &str) -> Option<Self> {
        let find = |marks: &[(&str, &'static str)]| {
            marks
                .iter()
                .find(|(mark, _)| header.contains(mark))
                .map(|(_, name)| *name)
        };
        match (find(&NAMES), find(&SYSTEMS)) {
            (Some(name), Some(system)) => Some(Self(format!("{name}, {system}"))),
            (Some(one), None) | (None, Some(one)) => Some(Self(one.to_owned())),
            (None, None) => None,
        }
    }

    /// Reads a stored name.
    #[must_use]
    pub fn parse_saved(text: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.len() <= Self::BYTES_MAX && text.is_ascii();
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_what_one_customer_of_a_provider_can_have() {
        let network = |text: &str| Network::of(text.parse().unwrap()).as_str().to_owned();
        assert_eq!(network("198.51.100.7"), "198.51.100.0/24");
        assert_eq!(network("::ffff:198.51.100.7"), "198.51.100.0/24");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1::/48");
        assert_eq!(network("2001:db8:1:ffff::1"), "2001:db8:1::/48");
    }

    #[test]
    fn a_stored_network_is_read_again_and_nothing_else() {
        for address in ["198.51.100.7", "2001:db8:1:2::7", "::1"] {
            let network = Network::of(address.parse().unwrap());
            assert_eq!(Network::parse_saved(network.as_str()), Some(network));
        }
        for wrong in [
            "",
            "198.51.100.7",
            "198.51.100.7/24",
            "198.51.100.0/16",
            "x/24",
        ] {
            assert_eq!(Network::parse_saved(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_browser_is_told_by_name_and_system() {
        let cases = [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0",
                Some("Firefox, Windows"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0",
                Some("Edge, Windows"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                Some("Safari, iOS"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
                Some("Samsung Internet, Android"),
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36",
                Some("Chrome, Linux"),
            ),
            ("curl/8.5.0", None),
            ("", None),
        ];
        for (header, expected) in cases {
            let read = Browser::of_user_agent(header);
            assert_eq!(read.as_ref().map(Browser::as_str), expected, "{header}");
            assert!(
                read.is_none_or(|browser| {
                    Browser::parse_saved(browser.as_str()) == Some(browser)
                })
            );
        }
    }
}
