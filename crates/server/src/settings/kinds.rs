//! Kinds of values: how a value is written, checked and represented.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::net::SocketAddr;
use std::path::PathBuf;

use axum::http::HeaderName;
use axum::http::uri::Authority;
use cabinet_app::{Reading, Vat};
use cabinet_domain::{Iban, Money, Okpo, SignUpConfirmation, TemplateId, YearDay};
use cabinet_gateways::acquirer::AcquirerName;
use cabinet_gateways::liqpay::SignatureHash;
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::sms::SmsService;
use cabinet_gateways::smtp;
use cabinet_metrics::Word as _;
use cabinet_storage::DatabaseUrl;
use jiff::SignedDuration;
use secrecy::SecretString;
use tracing_subscriber::filter::Targets;

/// How a value is written in TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In quotation marks.
    Text,
    /// A whole number.
    Number,
    /// `true` or `false`.
    Flag,
}

/// A kind of value.
pub trait Kind {
    /// The type of the parsed value.
    type Value;
    /// How a value is written in TOML.
    const FORM: Form = Form::Text;
    /// Whether a value may stand in a file of its own (`…_FILE`).
    const SECRET: bool = false;

    /// Describes the values, for refusals and for the documentation.
    fn description() -> String;

    /// Parses a value.
    ///
    /// # Errors
    /// Says what is wrong without repeating the value.
    fn parse(text: &str) -> Result<Self::Value, String>;

    /// Returns the refusal of any other value.
    fn refusal() -> String {
        format!("{} is expected", Self::description())
    }
}

/// Declares a kind whose values are text and whose refusal is its description.
macro_rules! kind {
    ($(#[$about:meta])* $name:ident: $value:ty, $description:literal, $parse:expr) => {
        $(#[$about])*
        pub struct $name;

        impl Kind for $name {
            type Value = $value;

            fn description() -> String {
                $description.to_owned()
            }

            fn parse(text: &str) -> Result<$value, String> {
                let parse: fn(&str) -> Option<$value> = $parse;
                parse(text.trim()).ok_or_else(Self::refusal)
            }
        }
    };
}

kind!(
    /// A text that is not empty.
    Text: String, "a text", |text| (!text.is_empty()).then(|| text.to_owned())
);
kind!(
    /// Address and port.
    Address: SocketAddr, "an address and a port such as 127.0.0.1:8080", |text| text.parse().ok()
);
kind!(
    /// The path of a file.
    File: PathBuf, "the path of a file", |text| (!text.is_empty()).then(|| PathBuf::from(text))
);
kind!(
    /// Hosts, each with or without a port.
    Hosts: Vec<String>, "a list of hosts separated by commas", hosts
);
kind!(
    /// Codes of telephone networks.
    Prefixes: Vec<String>, "a list of codes of two digits separated by commas", prefixes
);
kind!(
    /// The name of an HTTP header.
    Header: HeaderName, "the name of a header", |text| text.parse().ok()
);
kind!(
    /// A level or levels by target.
    LogFilter: Targets, "a level (error, warn, info, debug, trace) or levels by target", |text| text
        .parse()
        .ok()
        .filter(|_| !text.is_empty())
);
kind!(
    /// An email address without a name.
    Email: String, "an email address", |text| smtp::is_address(text).then(|| text.to_owned())
);
kind!(
    /// A code of the state register of legal entities.
    RegisterCode: Okpo, "a code of the state register", |text| Okpo::parse(text).ok()
);
kind!(
    /// A bank account.
    Account: Iban, "an IBAN with right check digits", |text| Iban::parse(text).ok()
);

kind!(
    /// Who confirms the owners of new accounts.
    Confirmation: SignUpConfirmation, "register, operator or none", SignUpConfirmation::parse
);
kind!(
    /// How disputed fees are read.
    FeeReading: Reading, "surcharge or whole", Reading::parse
);
kind!(
    /// A day of each year, or none.
    DayOfYear: Option<YearDay>, "a month and a day such as 01-31, or off", |text| match text {
        "off" => Some(None),
        text => YearDay::parse(text).map(Some),
    }
);
kind!(
    /// The services that send text messages, in their order.
    SmsOrder: Vec<SmsService>, "turbosms, smsclub or both, separated by a comma", sms_order
);
kind!(
    /// The acquirers of new payment pages, in their order.
    AcquirerOrder: Vec<AcquirerName>, "monobank, liqpay or both, separated by a comma", |text| ordered(
        text,
        AcquirerName::parse
    )
);
kind!(
    /// The version of LiqPay's protocol.
    LiqPayVersion: u8, "3 or 7", |text| match text {
        "3" => Some(3),
        "7" => Some(7),
        _ => None,
    }
);
kind!(
    /// The hash of LiqPay's signatures.
    LiqPayHash: SignatureHash, "sha1 or sha3-256", SignatureHash::parse
);
kind!(
    /// Characters beside letters, digits and spaces; `None`: any.
    Marks: Option<String>, "any, none, or characters that are neither letters, digits nor spaces, such as -/№", marks
);
kind!(
    /// Templates of requisites.
    Templates: BTreeSet<TemplateId>, "a list of templates separated by commas", |text| text
        .split(',')
        .map(|id| TemplateId::parse(id.trim()))
        .collect()
);
kind!(
    /// What receipts of the commission say of VAT.
    VatTerms: Vat, "unstated, without, or a rate from 1 to 99", Vat::parse
);
kind!(
    /// A sum of money.
    Hryvnias: Money, "a whole number of hryvnias, more than 0", |text| text
        .parse()
        .ok()
        .and_then(|sum| Money::from_hryvnias(sum).ok())
        .filter(|sum| !sum.is_zero())
);

fn marks(text: &str) -> Option<Option<String>> {
    let is_mark =
        |mark: char| !(mark.is_alphanumeric() || mark.is_whitespace() || mark.is_control());
    match text {
        "any" => Some(None),
        "none" => Some(Some(String::new())),
        "" => None,
        text => text.chars().all(is_mark).then(|| Some(text.to_owned())),
    }
}

fn prefixes(text: &str) -> Option<Vec<String>> {
    let prefixes: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
    let is_code = |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_digit());
    prefixes.iter().all(is_code).then_some(prefixes)
}

fn sms_order(text: &str) -> Option<Vec<SmsService>> {
    let parse = |name: &str| {
        let mut known = SmsService::ALL.iter().copied();
        known.find(|service| service.word() == name)
    };
    ordered(text, parse)
}

/// Reads a list in which no value stands twice.
fn ordered<T: PartialEq>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let mut ordered = Vec::new();
    for name in text.split(',') {
        let value = parse(name.trim())?;
        if ordered.contains(&value) {
            return None;
        }
        ordered.push(value);
    }
    Some(ordered)
}

fn hosts(text: &str) -> Option<Vec<String>> {
    let is_host = |host: &str| host.parse::<Authority>().is_ok() && !host.contains('@');
    let hosts = text
        .split(',')
        .map(str::trim)
        .filter(|host| !host.is_empty());
    let hosts: Vec<String> = hosts.map(str::to_owned).collect();
    (!hosts.is_empty() && hosts.iter().all(|host| is_host(host))).then_some(hosts)
}

/// `true` or `false`.
pub struct Flag;

impl Kind for Flag {
    type Value = bool;
    const FORM: Form = Form::Flag;

    fn description() -> String {
        "true or false".to_owned()
    }

    fn parse(text: &str) -> Result<bool, String> {
        text.trim().parse().map_err(|_| Self::refusal())
    }
}

/// A whole number from `MIN` to `MAX`.
pub struct Number<T, const MIN: i64, const MAX: i64>(PhantomData<T>);

impl<T: TryFrom<i64>, const MIN: i64, const MAX: i64> Kind for Number<T, MIN, MAX> {
    type Value = T;
    const FORM: Form = Form::Number;

    fn description() -> String {
        format!("a whole number from {MIN} to {MAX}")
    }

    fn parse(text: &str) -> Result<T, String> {
        let number = text.trim().parse().ok();
        number
            .filter(|number| (MIN..=MAX).contains(number))
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(Self::refusal)
    }
}

/// Whole seconds from `MIN` to `MAX`.
pub struct Seconds<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Kind for Seconds<MIN, MAX> {
    type Value = SignedDuration;
    const FORM: Form = Form::Number;

    fn description() -> String {
        Number::<i64, MIN, MAX>::description()
    }

    fn parse(text: &str) -> Result<SignedDuration, String> {
        Number::<i64, MIN, MAX>::parse(text).map(SignedDuration::from_secs)
    }
}

/// Whole minutes from `MIN` to `MAX`.
pub struct Minutes<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Kind for Minutes<MIN, MAX> {
    type Value = SignedDuration;
    const FORM: Form = Form::Number;

    fn description() -> String {
        Number::<i64, MIN, MAX>::description()
    }

    fn parse(text: &str) -> Result<SignedDuration, String> {
        Number::<i64, MIN, MAX>::parse(text).map(SignedDuration::from_mins)
    }
}

/// Whole days from `MIN` to `MAX`.
pub struct Days<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Kind for Days<MIN, MAX> {
    type Value = SignedDuration;
    const FORM: Form = Form::Number;

    fn description() -> String {
        Number::<i64, MIN, MAX>::description()
    }

    fn parse(text: &str) -> Result<SignedDuration, String> {
        let days = Number::<i64, MIN, MAX>::parse(text)?;
        Ok(SignedDuration::from_hours(24 * days))
    }
}

/// A secret of at least `CHARS_MIN` characters.
pub struct Secret<const CHARS_MIN: usize = 1>;

impl<const CHARS_MIN: usize> Kind for Secret<CHARS_MIN> {
    type Value = SecretString;
    const SECRET: bool = true;

    fn description() -> String {
        if CHARS_MIN > 1 {
            format!("a secret of at least {CHARS_MIN} characters")
        } else {
            "a secret".to_owned()
        }
    }

    fn parse(text: &str) -> Result<SecretString, String> {
        if text.chars().count() < CHARS_MIN {
            return Err(Self::refusal());
        }
        Ok(SecretString::from(text))
    }
}

/// Secrets of at least `CHARS_MIN` characters, one a line.
pub struct Secrets<const CHARS_MIN: usize>;

impl<const CHARS_MIN: usize> Kind for Secrets<CHARS_MIN> {
    type Value = Vec<SecretString>;
    const SECRET: bool = true;

    fn description() -> String {
        format!("secrets of at least {CHARS_MIN} characters, one a line")
    }

    fn parse(text: &str) -> Result<Vec<SecretString>, String> {
        let secrets = text.lines().map(str::trim);
        let secrets = secrets.filter(|secret| !secret.is_empty());
        secrets
            .map(|secret| Secret::<CHARS_MIN>::parse(secret).map_err(|_| Self::refusal()))
            .collect()
    }
}

/// An HTTP address: https, except on this machine.
pub struct Url;

impl Kind for Url {
    type Value = BaseUrl;

    fn description() -> String {
        "an address, https except on this machine".to_owned()
    }

    fn parse(text: &str) -> Result<BaseUrl, String> {
        BaseUrl::parse(text).map_err(|error| error.to_string())
    }
}

/// The address of a database. It may hold a password.
pub struct Database;

impl Kind for Database {
    type Value = DatabaseUrl;
    const SECRET: bool = true;

    fn description() -> String {
        "sqlite:PATH or postgres://…".to_owned()
    }

    fn parse(text: &str) -> Result<DatabaseUrl, String> {
        DatabaseUrl::parse(text).map_err(|error| error.to_string())
    }
}
