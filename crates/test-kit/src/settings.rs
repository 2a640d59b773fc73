//! The settings of the application under test.

use std::time::Duration;

use cabinet_app::{CodeSettings, Operator, SessionSettings};
use cabinet_domain::Iban;

/// Settings that a test can change.
#[derive(Clone)]
pub struct TestSettings {
    /// One-time codes.
    pub codes: CodeSettings,
    /// Sessions.
    pub sessions: SessionSettings,
    /// Limit of login calls per minute and network address. It uses the machine's clock, so the default is high.
    pub login_attempts_per_minute: u32,
    /// Limit of calls to the acquirer per minute and notary.
    pub acquirer_calls_per_minute: u32,
    /// Whether the public address is https.
    pub secure: bool,
    /// Whether a mail server is set up.
    pub mail: bool,
    /// Time limit of calls to the acquirer, the message service and the mail server.
    pub outside_time_limit: Duration,
    /// Allowed hosts of payment pages. `None` allows the sandbox's.
    pub page_hosts: Option<Vec<String>>,
    /// The operator, as receipts name it.
    pub operator: Operator,
    /// The acquirer, as receipts name it.
    pub acquirer_name: String,
}

impl Default for TestSettings {
    fn default() -> TestSettings {
        TestSettings {
            codes: CodeSettings::default(),
            sessions: SessionSettings::default(),
            login_attempts_per_minute: 100_000,
            acquirer_calls_per_minute: 100_000,
            secure: false,
            mail: true,
            outside_time_limit: Duration::from_millis(1_500),
            page_hosts: None,
            operator: Operator {
                name: "ТОВ «Кабінет»".to_owned(),
                code: "32855961".to_owned(),
                iban: Iban::parse("UA223052990000026001234567890").expect("an account"),
                address: "м. Київ, вул. Перша, 1".to_owned(),
            },
            acquirer_name: "plata by mono".to_owned(),
        }
    }
}
