//! Why a payment page of the acquirer is shown to nobody.

use std::fmt;

use super::AlarmKind;
use crate::kernel::words::words;

/// The failure code of an attempt whose payment page is shown to nobody.
pub(super) const PAGE_HOST: &str = "page_host";
/// The longest host name, with a port (RFC 1035, section 2.3.4).
const HOST_CHARS_MAX: usize = 253 + 6;

words! {
    /// What is wrong with the address of a payment page.
    PageFault {
        /// Its host is not in the settings.
        HostUnlisted = "host_unlisted",
        /// It is without TLS.
        NotHttps = "not_https",
    }
}

/// A payment page that is shown to nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPage {
    /// What is wrong with it.
    pub fault: PageFault,
    /// Its host, with the port if the address names one. `None` if the address names no readable host. Path and query of the address are
    /// kept nowhere: whoever has them can pay.
    host: Option<String>,
}

impl RefusedPage {
    /// Returns the refusal of a page on what stands in its address for the host. Only a name that can be one is kept.
    #[must_use]
    pub fn new(fault: PageFault, host: &str) -> RefusedPage {
        // What stands before is a name and a password.
        let host = host.rsplit('@').next().unwrap_or_default();
        let is_host = !host.is_empty()
            && host.len() <= HOST_CHARS_MAX
            && host
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter));
        RefusedPage {
            fault,
            host: is_host.then(|| host.to_ascii_lowercase()),
        }
    }

    /// Returns the alarm about it.
    #[must_use]
    pub const fn alarm(&self) -> AlarmKind {
        match self.fault {
            PageFault::HostUnlisted => AlarmKind::PageHostUnlisted,
            PageFault::NotHttps => AlarmKind::PageNotHttps,
        }
    }
}

impl fmt::Display for RefusedPage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self
            .host
            .as_deref()
            .unwrap_or("a host without a readable name");
        match self.fault {
            PageFault::HostUnlisted => {
                write!(formatter, "{host} is not in CABINET_ACQUIRER_PAGE_HOSTS")
            }
            PageFault::NotHttps => write!(formatter, "the page on {host} is not https"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_page_tells_its_host_and_nothing_that_opens_it() {
        for (host, told) in [
            (
                "Pay.Example:8443",
                "pay.example:8443 is not in CABINET_ACQUIRER_PAGE_HOSTS",
            ),
            ("[::1]:80", "[::1]:80 is not in CABINET_ACQUIRER_PAGE_HOSTS"),
            (
                "olena:secret@pay.example",
                "pay.example is not in CABINET_ACQUIRER_PAGE_HOSTS",
            ),
            (
                "pay.example\\secret",
                "a host without a readable name is not in CABINET_ACQUIRER_PAGE_HOSTS",
            ),
            (
                "",
                "a host without a readable name is not in CABINET_ACQUIRER_PAGE_HOSTS",
            ),
        ] {
            let refused = RefusedPage::new(PageFault::HostUnlisted, host);
            assert_eq!(refused.to_string(), told, "{host}");
        }
        let refused = RefusedPage::new(PageFault::NotHttps, "pay.example");
        assert_eq!(refused.to_string(), "the page on pay.example is not https");
    }
}
