//! The settings of the use cases.

use cabinet_domain::payment::{AcquirerName, Delays};
use cabinet_domain::{
    AccountLimits, CardFigures, CodeBudget, Iban, LoginStep, RegisterNumberRule, SignUpConfirmation,
};
use cabinet_receipts::{Fiscal, Provider, SlipTitles, Vat};
use cabinet_reference::TableChoices;
use jiff::SignedDuration;

/// One-time codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSettings {
    /// Digits, 4 to 8.
    pub digits: u8,
    /// How long a code is valid.
    pub lifetime: SignedDuration,
    /// Wrong codes before a new one is needed.
    pub tries_max: i64,
    /// Time between two codes for one phone, while the first can still be answered.
    pub resend_after: SignedDuration,
    /// Codes of one phone and budget within an hour.
    pub hourly_max: i64,
    /// Codes of one phone and budget within a day.
    pub daily_max: i64,
    /// Wrong codes of one phone from new devices within a day, and wrong codes of confirmations. After them it goes on by a call.
    pub new_device_wrong_daily_max: i64,
    /// Wrong registry identifiers of one phone from new devices within a day, in the custom step.
    pub custom_wrong_daily_max: i64,
    /// Time between two calls for one phone.
    pub call_again_after: SignedDuration,
    /// Calls for one phone and budget within an hour.
    pub calls_hourly_max: i64,
    /// Calls for one phone and budget within a day.
    pub calls_daily_max: i64,
    /// Logins and sign-ups from one network address within an hour.
    pub address_hourly_max: i64,
    /// Wrong codes from one network address within a day.
    pub address_wrong_daily_max: i64,
    /// Logins and sign-ups from one network (/24 or /48) within an hour.
    pub network_hourly_max: i64,
    /// Wrong codes from one network within a day.
    pub network_wrong_daily_max: i64,
    /// Messages with codes of the whole installation within an hour. Known devices get theirs beyond it.
    pub messages_hourly_max: i64,
    /// Calls of the whole installation within an hour. Known devices get theirs beyond it.
    pub all_calls_hourly_max: i64,
    /// Codes of new devices within a day that nobody enters, after which the operator is told, and sign-ups wait.
    pub unanswered_min: i64,
    /// What changes for new devices while codes are being guessed.
    pub attack: AttackSettings,
    /// The two digits after `+380` of phones that can receive a message.
    pub mobile_prefixes: Vec<String>,
    /// Logins and sign-ups give the same answers for known and unknown phones.
    pub hide_account_existence: bool,
    /// Whether the custom step needs a code beside the registry identifier on new devices.
    pub custom_step_needs_code: bool,
    /// On a device that has signed the notary in for a shorter time, a code by SMS proves no payment to a new recipient: whoever has taken
    /// her number over has both. Zero: it does on every device.
    pub device_known_after: SignedDuration,
}

/// When codes are being guessed in the whole installation, and what changes for new devices then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackSettings {
    /// Wrong codes from new devices within a day, at least.
    pub wrong_codes_min: i64,
    /// And at least so many percent of the notaries who signed in within that day.
    pub wrong_codes_percent: i64,
    /// Digits of a code.
    pub digits: u8,
    /// Time between two codes for one phone.
    pub resend_after: SignedDuration,
    /// Logins and sign-ups within a day from a network from which nobody has signed in lately.
    pub network_daily_max: i64,
}

/// The two digits after `+380` of Ukrainian mobile operators (national numbering plan).
pub const MOBILE_PREFIXES: [&str; 18] = [
    "39", "50", "63", "66", "67", "68", "73", "75", "77", "91", "92", "93", "94", "95", "96", "97",
    "98", "99",
];

/// Wrong codes of one phone from known devices within a day: three codes of which each try was wrong. A device that somebody has taken, or
/// whose cookie he has, guesses no more. It goes on as a new one, as where all codes of a day were asked for, so its owner still has what a
/// stranger has. Until then he can make her wait for the rest of an hour by asking for all its codes.
const KNOWN_DEVICE_WRONG_DAILY_MAX: i64 = 9;

impl CodeSettings {
    /// Most codes or calls of a phone and a budget, within an hour and within a day.
    pub(crate) fn most_of_phone(&self, step: LoginStep) -> (i64, i64) {
        match step {
            LoginStep::PhoneCall => (self.calls_hourly_max, self.calls_daily_max),
            LoginStep::Otp | LoginStep::Custom => (self.hourly_max, self.daily_max),
        }
    }

    /// Most wrong codes of a phone within a day. `None`: a call can't be guessed.
    pub(crate) fn wrong_daily_max(&self, budget: CodeBudget, step: LoginStep) -> Option<i64> {
        match (budget, step) {
            (_, LoginStep::PhoneCall) => None,
            (CodeBudget::KnownDevice, _) => Some(KNOWN_DEVICE_WRONG_DAILY_MAX),
            (_, LoginStep::Otp) => Some(self.new_device_wrong_daily_max),
            (_, LoginStep::Custom) => Some(self.custom_wrong_daily_max),
        }
    }

    /// The numbers of digits that a code may have.
    pub(crate) fn lengths(&self) -> [u8; 2] {
        [self.digits, self.digits.max(self.attack.digits)]
    }

    /// Returns how many codes of a step the whole installation sends within an hour, by messages or by calls. `None`: the step sends nothing.
    pub(crate) fn installation_hourly_max(&self, step: LoginStep) -> Option<i64> {
        match step {
            LoginStep::Otp => Some(self.messages_hourly_max),
            LoginStep::PhoneCall => Some(self.all_calls_hourly_max),
            LoginStep::Custom => None,
        }
    }
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
            new_device_wrong_daily_max: 5,
            custom_wrong_daily_max: 3,
            call_again_after: SignedDuration::from_mins(1),
            calls_hourly_max: 6,
            calls_daily_max: 20,
            address_hourly_max: 60,
            address_wrong_daily_max: 30,
            network_hourly_max: 120,
            network_wrong_daily_max: 60,
            messages_hourly_max: 3_000,
            all_calls_hourly_max: 1_000,
            unanswered_min: 200,
            attack: AttackSettings::default(),
            mobile_prefixes: MOBILE_PREFIXES.map(str::to_owned).to_vec(),
            hide_account_existence: false,
            custom_step_needs_code: false,
            device_known_after: SignedDuration::from_hours(24),
        }
    }
}

impl Default for AttackSettings {
    fn default() -> AttackSettings {
        AttackSettings {
            wrong_codes_min: 100,
            wrong_codes_percent: 2,
            digits: 6,
            resend_after: SignedDuration::from_mins(2),
            network_daily_max: 2,
        }
    }
}

/// The legal names of the acquirers, as receipts show them.
#[derive(Clone, Debug)]
pub struct AcquirerNames {
    /// Of monobank's bank.
    pub monobank: String,
    /// Of LiqPay's bank.
    pub liqpay: String,
}

impl AcquirerNames {
    /// Returns the name of one.
    #[must_use]
    pub fn of(&self, acquirer: AcquirerName) -> &str {
        match acquirer {
            AcquirerName::Monobank => &self.monobank,
            AcquirerName::LiqPay => &self.liqpay,
        }
    }
}

/// Sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSettings {
    /// A session unused for so long ends.
    pub idle: SignedDuration,
    /// A session ends after so long even if it is used.
    pub absolute: SignedDuration,
    /// A replaced refresh token is accepted for so long, so that neither two tabs nor a lost answer log anybody out.
    pub grace: SignedDuration,
}

impl Default for SessionSettings {
    fn default() -> SessionSettings {
        SessionSettings {
            idle: SignedDuration::from_hours(4),
            absolute: SignedDuration::from_hours(12),
            grace: SignedDuration::from_secs(10),
        }
    }
}

/// Links by which clients pay orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientLinkSettings {
    /// How long a link lives where the notary chooses nothing shorter.
    pub lifetime: SignedDuration,
    /// Links that one notary may have sent within a day.
    pub sendings_daily_max: i64,
}

impl Default for ClientLinkSettings {
    fn default() -> ClientLinkSettings {
        ClientLinkSettings {
            lifetime: SignedDuration::from_hours(72),
            sendings_daily_max: 100,
        }
    }
}

/// How long rows are kept. `None`: for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetentionSettings {
    /// Sessions after their end, for questions about logins.
    pub sessions: SignedDuration,
    /// Login operations, for the limits of codes and for questions of notaries. No limit looks back further than 30 days.
    pub login_operations: SignedDuration,
    /// Delivered rows of the outbox, without their text, for questions about deliveries.
    pub letters: SignedDuration,
    /// Complaints.
    pub complaints: Option<SignedDuration>,
    /// Bodies of the acquirer's reports.
    pub reports: Option<SignedDuration>,
    /// Events of the audit trail.
    pub audit: Option<SignedDuration>,
    /// Names in orders, because of bookkeeping: from the last change of an order's status.
    pub bookkeeping: SignedDuration,
    /// Whether all orders lose their names after that time, or only those of clients and notaries who were erased.
    pub anonymises_orders: bool,
}

impl Default for RetentionSettings {
    fn default() -> RetentionSettings {
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        RetentionSettings {
            sessions: days(90),
            login_operations: days(30),
            letters: days(30),
            complaints: Some(days(1_095)),
            reports: Some(days(1_825)),
            audit: Some(days(1_825)),
            bookkeeping: days(1_825),
            anonymises_orders: false,
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
    /// What receipts of the commission say of VAT.
    pub vat: Vat,
    /// The fiscal registration of the commission.
    pub fiscal: Fiscal,
    /// The payment service provider that carries out the payments. `None`: receipts name none.
    pub provider: Option<Provider>,
    /// What slips of transfers are called.
    pub slip_titles: SlipTitles,
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
    /// How long rows are kept.
    pub retention: RetentionSettings,
    /// Links for clients.
    pub client_links: ClientLinkSettings,
    /// Who confirms new accounts.
    pub sign_up_confirmation: SignUpConfirmation,
    /// Limits of young accounts, and of declined cards.
    pub account_limits: AccountLimits,
    /// The figures for saved cards of notaries who have set none.
    pub card_figures: CardFigures,
    /// What numbers in the register of notarial acts it takes.
    pub register_number: RegisterNumberRule,
    /// How late the acquirers show what has happened.
    pub delays: Delays,
    /// What the operator decides about the tables.
    pub table_choices: TableChoices,
    /// Who runs the service.
    pub operator: Operator,
    /// Contacts of the support.
    pub support: Support,
    /// Legal names of the acquirers on receipts.
    pub acquirer_names: AcquirerNames,
    /// Hosts of payment pages. A link to any other host is not passed on.
    pub page_hosts: Vec<String>,
    /// Whether the outside world is the sandbox. Receipts then say that they prove nothing.
    pub sandbox: bool,
    /// Whether tables with demonstration accounts are not taken over: by a server without the sandbox. A command only reads them.
    pub refuses_demonstration: bool,
}
