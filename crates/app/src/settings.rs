//! The settings of the use cases.

use cabinet_domain::Iban;
use jiff::SignedDuration;

/// One-time codes.
#[derive(Clone, Debug)]
pub struct CodeSettings {
    /// Digits, 4 to 8.
    pub digits: u8,
    /// How long a code is valid.
    pub lifetime: SignedDuration,
    /// Wrong codes before a new one is needed.
    pub tries_max: i64,
    /// Time between two codes or calls for one phone, while the first can still be answered.
    pub resend_after: SignedDuration,
    /// Codes for one phone within an hour.
    pub hourly_max: i64,
    /// Codes for one phone within a day.
    pub daily_max: i64,
    /// Codes for one network address within an hour.
    pub address_hourly_max: i64,
    /// Wrong codes from one network address within a day.
    pub address_wrong_daily_max: i64,
    /// Logins and sign-ups give the same answers for known and unknown phones.
    pub hide_account_existence: bool,
}

impl Default for CodeSettings {
    fn default() -> CodeSettings {
        CodeSettings {
            digits: 4,
            lifetime: SignedDuration::from_mins(5),
            tries_max: 3,
            resend_after: SignedDuration::from_secs(30),
            hourly_max: 5,
            daily_max: 10,
            address_hourly_max: 60,
            address_wrong_daily_max: 60,
            hide_account_existence: false,
        }
    }
}

/// Sessions.
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// A session unused for so long ends.
    pub idle: SignedDuration,
    /// A session ends after so long even if it is used.
    pub absolute: SignedDuration,
    /// A replaced refresh token is accepted for so long, so that two tabs don't log each other out.
    pub grace: SignedDuration,
    /// It is accepted for so long while no token that replaced it was used: then the answer with the new one was lost.
    pub lost_answer: SignedDuration,
}

impl Default for SessionSettings {
    fn default() -> SessionSettings {
        SessionSettings {
            idle: SignedDuration::from_hours(4),
            absolute: SignedDuration::from_hours(12),
            grace: SignedDuration::from_secs(10),
            lost_answer: SignedDuration::from_mins(5),
        }
    }
}

/// Who runs the service and gets the commission. Receipts name it.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Name.
    pub name: String,
    /// EDRPOU code.
    pub code: String,
    /// Account.
    pub iban: Iban,
    /// Address.
    pub address: String,
}

/// Contacts of the support.
#[derive(Clone, Debug)]
pub struct Support {
    /// E-mail.
    pub email: String,
    /// Telephone.
    pub phone: String,
}

/// The settings of the use cases.
#[derive(Clone, Debug)]
pub struct AppSettings {
    /// The address of the cabinet in browsers, without a slash at the end.
    pub public_url: String,
    /// One-time codes.
    pub codes: CodeSettings,
    /// Sessions.
    pub sessions: SessionSettings,
    /// Who runs the service.
    pub operator: Operator,
    /// Contacts of the support.
    pub support: Support,
    /// Name of the acquirer on receipts.
    pub acquirer_name: String,
    /// Hosts of payment pages. A link to any other host is not passed on.
    pub page_hosts: Vec<String>,
    /// Whether the outside world is the sandbox. Receipts then say that they prove nothing.
    pub sandbox: bool,
}
