//! The settings of the sandbox.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use cabinet_clock::PassingTime;

use crate::paying_bank::PayingBankSettings;

/// A receiver that lines of an invoice can be assigned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitReceiver {
    /// The acquirer's id of the receiver.
    pub id: String,
    /// Its code in the register of enterprises.
    pub edrpou: String,
    /// Its name.
    pub name: String,
}

/// Settings of the sandbox.
#[derive(Clone)]
pub struct SandboxSettings {
    /// The sandbox's own address without a slash at the end: `http://127.0.0.1:8081`.
    pub public_url: String,
    /// The token that acquirer calls must carry in `X-Token`.
    pub acquirer_token: String,
    /// The public key of the shop at LiqPay.
    pub liqpay_public_key: String,
    /// Its private key, which signs both ways.
    pub liqpay_private_key: String,
    /// The token that calls of TurboSMS must carry as `Bearer`.
    pub sms_token: String,
    /// The token that calls of SMS Club must carry as `Bearer`.
    pub sms_club_token: String,
    /// The user of the mail server.
    pub mail_user: String,
    /// That user's password.
    pub mail_password: String,
    /// The account of the voice service: `AC` and 32 hexadecimal digits.
    pub voice_account: String,
    /// The secret of that account, which also signs its callbacks.
    pub voice_token: String,
    /// The name that payment pages show as the receiver.
    pub merchant_name: String,
    /// Receivers that basket lines may name.
    pub split_receivers: Vec<SplitReceiver>,
    /// The bank through which transfers are paid out.
    pub paying_bank: PayingBankSettings,
    /// Time between the change of an invoice and the first attempt to report it.
    pub report_delay: Duration,
    /// Times before the second and each further attempt to deliver a report.
    pub report_retry_delays: Vec<Duration>,
    /// How long payments and refunds of the card `4000000000000259` stay processing.
    pub processing_time: Duration,
    /// How long a call with the fault `timeout_before` or `timeout_after` is held open.
    pub hold_limit: Duration,
    /// Whether nothing happens in the background. Reports then wait for [`crate::Sandbox::take_reports`], and a slow payment
    /// succeeds when an invoice is read after its time.
    pub by_hand: bool,
    /// Measures the times of the sandbox. The interface for tests advances it; the clock must go with it.
    pub time: PassingTime,
    /// The file that keeps invoices, saved cards, the ledger and the paying bank over a restart. `None` keeps nothing.
    pub journal: Option<PathBuf>,
}

impl SandboxSettings {
    /// Returns settings with fixed keys. They are no secrets, because nothing outside this machine trusts them.
    pub fn new(public_url: impl Into<String>) -> Self {
        Self {
            public_url: public_url.into().trim_end_matches('/').to_owned(),
            acquirer_token: "sandbox-acquirer-token".to_owned(),
            liqpay_public_key: "sandbox_i00000000".to_owned(),
            liqpay_private_key: "sandbox-liqpay-private-key".to_owned(),
            sms_token: "sandbox-sms-token".to_owned(),
            sms_club_token: "sandbox-sms-club-token".to_owned(),
            mail_user: "cabinet".to_owned(),
            mail_password: "sandbox-mail-password".to_owned(),
            voice_account: "AC00000000000000000000000000005a4d".to_owned(),
            voice_token: "sandbox-call-token".to_owned(),
            merchant_name: "Платіжний кабінет нотаріуса".to_owned(),
            split_receivers: Vec::new(),
            paying_bank: PayingBankSettings::default(),
            report_delay: Duration::from_millis(300),
            report_retry_delays: vec![Duration::from_secs(2), Duration::from_secs(10)],
            processing_time: Duration::from_secs(8),
            hold_limit: Duration::from_secs(60),
            by_hand: false,
            time: PassingTime::default(),
            journal: None,
        }
    }
}

impl fmt::Debug for SandboxSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SandboxSettings")
            .field("public_url", &self.public_url)
            .field("journal", &self.journal)
            .finish_non_exhaustive()
    }
}
