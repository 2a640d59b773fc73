//! Where the acquirer's pages may be.

use std::sync::Arc;

/// The hosts of the acquirer's payment pages.
#[derive(Clone)]
pub(crate) struct PageHosts {
    pub(crate) hosts: Arc<[String]>,
    /// Whether a page may be without TLS, as those of the sandbox are.
    pub(crate) allows_http: bool,
}

impl PageHosts {
    /// Whether an address may be opened as the acquirer's page. Logs an error where it may not.
    pub(crate) fn allow(&self, url: &str) -> bool {
        let rest = url.strip_prefix("https://").or_else(|| {
            self.allows_http
                .then(|| url.strip_prefix("http://"))
                .flatten()
        });
        let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
        let is_listed = host.is_some_and(|host| self.hosts.iter().any(|known| known == host));
        if !is_listed {
            tracing::error!(
                "The acquirer's payment page is on a host that is not in CABINET_ACQUIRER_PAGE_HOSTS"
            );
        }
        is_listed
    }
}
