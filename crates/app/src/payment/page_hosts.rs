//! Where the acquirer's pages may be.

use std::sync::Arc;

use cabinet_domain::payment::{PageFault, RefusedPage};

/// The hosts of the acquirer's payment pages.
#[derive(Clone)]
pub(crate) struct PageHosts {
    pub(crate) hosts: Arc<[String]>,
    /// Whether a page may be without TLS, as those of the sandbox are.
    pub(crate) allows_http: bool,
}

impl PageHosts {
    /// Returns an address that may be opened as the acquirer's page, or why it may not, which is logged as an error.
    pub(crate) fn allow(&self, url: String) -> Result<String, RefusedPage> {
        match self.fault_of(&url) {
            None => Ok(url),
            Some(refused) => {
                tracing::error!("A payment page of the acquirer is shown to nobody: {refused}");
                Err(refused)
            }
        }
    }

    fn fault_of(&self, url: &str) -> Option<RefusedPage> {
        let (scheme, rest) = url.split_once("://").unwrap_or_default();
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let is_safe = scheme == "https" || (scheme == "http" && self.allows_http);
        if !self.hosts.iter().any(|known| known == host) {
            Some(RefusedPage::new(PageFault::HostUnlisted, host))
        } else if !is_safe {
            Some(RefusedPage::new(PageFault::NotHttps, host))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_shown_on_a_listed_host_with_https_alone() {
        let hosts = |allows_http| PageHosts {
            hosts: ["pay.example".to_owned(), "127.0.0.1:8181".to_owned()].into(),
            allows_http,
        };
        for (url, allows_http, fault) in [
            ("https://pay.example/secret?key=secret", false, None),
            ("http://127.0.0.1:8181/secret", true, None),
            (
                "http://127.0.0.1:8181/secret",
                false,
                Some(PageFault::NotHttps),
            ),
            ("ftp://pay.example/secret", true, Some(PageFault::NotHttps)),
            (
                "https://pay.example.org/secret",
                false,
                Some(PageFault::HostUnlisted),
            ),
            (
                "http://else.example#secret",
                false,
                Some(PageFault::HostUnlisted),
            ),
            (
                "https://pay.example@else.example/secret",
                false,
                Some(PageFault::HostUnlisted),
            ),
            (
                "https://pay.example\\secret",
                false,
                Some(PageFault::HostUnlisted),
            ),
            ("pay.example/secret", false, Some(PageFault::HostUnlisted)),
        ] {
            let allowed = hosts(allows_http).allow(url.to_owned());
            assert_eq!(
                allowed.as_ref().err().map(|refused| refused.fault),
                fault,
                "{url}"
            );
            assert!(allowed.map_or_else(
                |refused| !refused.to_string().contains("secret"),
                |page| page == url
            ));
        }
    }
}
