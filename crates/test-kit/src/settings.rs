//! The settings of the application under test.

use std::time::Duration;

use axum::http::HeaderName;
use cabinet_app::{AppSettings, Secrets};
use cabinet_domain::payment::AcquirerName;
use jiff::SignedDuration;

/// The secret of a test that has not rotated it.
pub(crate) const SECRET: &str = "a secret of thirty-two characters or more";

/// The environment variable with the number of processes that share a PostgreSQL database in each test.
pub const PROCESSES_VARIABLE: &str = "CABINET_TEST_PROCESSES";

/// Settings that a test can change.
#[derive(Clone)]
pub struct TestSettings {
    /// How many processes share the database, on PostgreSQL. By default as many as [`PROCESSES_VARIABLE`] says, or one.
    pub processes: usize,
    /// The secret.
    pub secret: &'static str,
    /// The secret before the last rotation.
    pub previous_secret: Option<&'static str>,
    /// The secret that names wallets, if it is another.
    pub wallet_secret: Option<&'static str>,
    /// Earlier secrets, for receipts.
    pub receipt_secrets: Vec<&'static str>,
    /// Settings of the use cases. The addresses of the cabinet and of payment pages are filled in at the start.
    pub app: AppSettings,
    /// Limit of login calls per minute and network address. It uses the machine's clock, so the default is high.
    pub login_attempts_per_minute: u32,
    /// Limit of calls to the acquirer per minute and notary.
    pub acquirer_calls_per_minute: u32,
    /// Limit of requests of one network address that are being answered.
    pub requests_of_address_max: usize,
    /// Limit of calls that are being answered, of those on which no payment depends.
    pub calls_max: usize,
    /// Limit of calls that only read and are done at a time.
    pub readings_max: usize,
    /// Limit of realtime connections of one network address whose owners are not signed in.
    pub realtime_strangers_of_address_max: usize,
    /// Whether the public address is https.
    pub secure: bool,
    /// Header in which a proxy tells the client's address.
    pub client_address_header: Option<HeaderName>,
    /// Whether a mail server is set up.
    pub mail: bool,
    /// The acquirers of new payment pages, in their order.
    pub acquirers: Vec<AcquirerName>,
    /// Whether a second message service follows the first.
    pub second_sms: bool,
    /// Time limit of calls to the acquirer, the message service and the mail server.
    pub outside_time_limit: Duration,
    /// Allowed hosts of payment pages. `None` allows the sandbox's.
    pub page_hosts: Option<Vec<String>>,
}

impl Default for TestSettings {
    fn default() -> TestSettings {
        let mut app = cabinet_app::testing::settings();
        // The browsers of the tests are new ones.
        app.codes.device_known_after = SignedDuration::ZERO;
        TestSettings {
            processes: std::env::var(PROCESSES_VARIABLE)
                .ok()
                .and_then(|number| number.parse().ok())
                .unwrap_or(1),
            secret: SECRET,
            previous_secret: None,
            wallet_secret: None,
            receipt_secrets: Vec::new(),
            app,
            login_attempts_per_minute: 100_000,
            acquirer_calls_per_minute: 100_000,
            requests_of_address_max: 1_000,
            calls_max: 1_000,
            readings_max: 100,
            realtime_strangers_of_address_max: 1_000,
            secure: false,
            client_address_header: None,
            mail: true,
            acquirers: vec![AcquirerName::Monobank],
            second_sms: false,
            outside_time_limit: Duration::from_secs(30),
            page_hosts: None,
        }
    }
}

impl TestSettings {
    /// Returns the secrets of the installation.
    pub(crate) fn secrets(&self) -> Secrets {
        Secrets {
            current: self.secret.into(),
            previous: self.previous_secret.map(Into::into),
            wallet: self.wallet_secret.map(Into::into),
            receipts: self
                .receipt_secrets
                .iter()
                .copied()
                .map(Into::into)
                .collect(),
        }
    }
}
