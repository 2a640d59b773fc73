//! The outside services, and the way from outside to this cabinet. What can't be reached is a warning: the cabinet starts without it.

use std::time::Duration;

use cabinet_clock::PassingTime;
use cabinet_gateways::acquirer::{Acquirer as _, AcquirerError, Statements as _};
use cabinet_gateways::mail::MailError;
use cabinet_gateways::outbound::{BaseUrl, NoAnswer, look};
use cabinet_gateways::phone_calls::{PhoneCallError, PhoneCallId};
use cabinet_gateways::sms::{Sms, SmsError, SmsService};
use jiff::SignedDuration;
use tokio::net::TcpStream;

use super::data::compare_clocks;
use super::findings::Findings;
use super::machine::ALIVE;
use crate::settings::Settings;
use crate::{environment, wiring};

/// Time for a name, and for a connection.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);
/// Time for an answer.
const LOOK_TIME_MAX: Duration = Duration::from_secs(10);
/// So much of LiqPay's archive is asked for.
const ARCHIVE_LOOK: SignedDuration = SignedDuration::from_mins(1);
/// The id of a call that never was.
const NO_CALL: &str = "CA00000000000000000000000000000000";

/// The acquirer: name, certificate, token, clock.
pub async fn acquirer(settings: &Settings) -> Findings {
    let mut findings = Findings::of("acquirer");
    let Ok(acquirer) = wiring::monobank(settings, &PassingTime::default()) else {
        return findings;
    };
    let base_url = &settings.acquirer.base_url;
    if !reached(&mut findings, base_url, "CABINET_ACQUIRER_BASE_URL").await {
        return findings;
    }
    let before = environment::now();
    let answer = acquirer.check_token().await;
    let after = environment::now();
    match answer {
        Ok(()) => findings.fine("it answers and takes the token"),
        Err(AcquirerError::Refused { code }) => refused(
            &mut findings,
            &code,
            "CABINET_ACQUIRER_TOKEN",
            "CABINET_ACQUIRER_BASE_URL",
        ),
        Err(AcquirerError::Unavailable) => no_certificate(&mut findings, base_url),
        Err(AcquirerError::TooMany { .. }) => {
            findings.warn("it asks for fewer requests", "Check again in a minute.");
        }
        Err(AcquirerError::Unknown) => no_use(&mut findings),
    }
    // It tells whole seconds.
    if let Some(theirs) = acquirer.time() {
        findings.about("clock");
        compare_clocks(&mut findings, "the acquirer's", theirs, before, after);
    }
    findings
}

/// The acquirer LiqPay, where it is set up: name, certificate, keys, archive, clock.
pub async fn liqpay(settings: &Settings) -> Findings {
    let mut findings = Findings::of("acquirer LiqPay");
    let Ok(Some(liqpay)) = wiring::liqpay(settings, &PassingTime::default()) else {
        return findings;
    };
    let base_url = &settings.liqpay.base_url;
    if !reached(&mut findings, base_url, "CABINET_LIQPAY_BASE_URL").await {
        return findings;
    }
    let before = environment::now();
    let answer = liqpay.check_keys().await;
    let after = environment::now();
    let takes_keys = answer.is_ok();
    match answer {
        Ok(()) => findings.fine("it answers and takes the keys"),
        Err(AcquirerError::Refused { code }) => refused(
            &mut findings,
            &code,
            "CABINET_LIQPAY_PUBLIC_KEY, CABINET_LIQPAY_PRIVATE_KEY and CABINET_LIQPAY_REQUEST_HASH",
            "CABINET_LIQPAY_BASE_URL",
        ),
        Err(AcquirerError::Unavailable) => no_certificate(&mut findings, base_url),
        Err(AcquirerError::TooMany { .. }) => {
            findings.warn("it asks for fewer requests", "Check again in a minute.");
        }
        Err(AcquirerError::Unknown) => no_use(&mut findings),
    }
    if takes_keys && settings.liqpay.archive {
        findings.about("acquirer LiqPay: archive");
        let now = environment::now();
        match liqpay.statement(now - ARCHIVE_LOOK, now).await {
            Ok(_) => findings.fine("it gives the archive of payments"),
            Err(error) => findings.warn(
                &format!("it does not give the archive of payments: {error}"),
                "Ask LiqPay for it. With CABINET_LIQPAY_ARCHIVE=false payments are not compared, and a charge of which no callback tells is found by nobody.",
            ),
        }
    }
    if let Some(theirs) = liqpay.time() {
        findings.about("clock");
        compare_clocks(&mut findings, "LiqPay's", theirs, before, after);
    }
    findings
}

/// The SMS services: name, certificate, token, money.
pub async fn sms(settings: &Settings) -> Findings {
    let mut findings = Findings::of("SMS service");
    let Ok(services) = wiring::sms(settings, &PassingTime::default()) else {
        return findings;
    };
    for sms in services.iter() {
        findings.about(match sms.service() {
            SmsService::TurboSms => "SMS service TurboSMS",
            SmsService::SmsClub => "SMS service SMS Club",
        });
        one_sms(&mut findings, settings, sms.as_ref()).await;
    }
    findings
}

async fn one_sms(findings: &mut Findings, settings: &Settings, sms: &dyn Sms) {
    let (base_url, address, token) = match sms.service() {
        SmsService::TurboSms => (
            &settings.sms.base_url,
            "CABINET_SMS_BASE_URL",
            "CABINET_SMS_TOKEN",
        ),
        SmsService::SmsClub => (
            &settings.smsclub.base_url,
            "CABINET_SMSCLUB_BASE_URL",
            "CABINET_SMSCLUB_TOKEN",
        ),
    };
    if !reached(findings, base_url, address).await {
        return;
    }
    match sms.balance().await {
        Ok(Some(balance)) if balance.starts_with('-') || is_nothing(&balance) => findings.warn(
            &format!("it takes the token, and the account has {balance}"),
            "Pay in: nobody gets a code by it.",
        ),
        Ok(Some(balance)) => {
            findings.fine(format!("it takes the token; the account has {balance}"));
        }
        Ok(None) => findings.fine("it takes the token"),
        Err(SmsError::Refused { code } | SmsError::NotServed { code }) => {
            refused(findings, &code, token, address);
        }
        Err(SmsError::Unavailable) => no_certificate(findings, base_url),
        Err(SmsError::Unknown) => no_use(findings),
    }
}

/// Whether a balance has no digit but zeros.
fn is_nothing(balance: &str) -> bool {
    balance.chars().all(|digit| matches!(digit, '0' | '.'))
}

/// The voice service: name, certificate, token.
pub async fn voice(settings: &Settings) -> Findings {
    let mut findings = Findings::of("voice service");
    let Ok(voice) = wiring::phone_calls(settings, &PassingTime::default()) else {
        return findings;
    };
    let (Some(voice), Some(no_call)) = (voice, PhoneCallId::parse(NO_CALL)) else {
        findings.fine("not set up: nobody can log in by a call");
        return findings;
    };
    let base_url = &settings.calls.base_url;
    if !reached(&mut findings, base_url, "CABINET_CALLS_BASE_URL").await {
        return findings;
    }
    // There is no such call, and only the owner of the account is told so.
    match voice.phone_call_status(&no_call).await {
        Err(PhoneCallError::Refused { code }) if matches!(code.as_str(), "20404" | "HTTP_404") => {
            findings.fine("it answers and takes the token");
        }
        Ok(_) => findings.fine("it answers and takes the token"),
        Err(PhoneCallError::Refused { code }) => refused(
            &mut findings,
            &code,
            "CABINET_CALLS_ACCOUNT and CABINET_CALLS_TOKEN",
            "CABINET_CALLS_BASE_URL",
        ),
        Err(PhoneCallError::Unavailable) => no_certificate(&mut findings, base_url),
        Err(PhoneCallError::Unknown) => no_use(&mut findings),
    }
    findings
}

/// The mail server: name, encryption, password.
pub async fn mail(settings: &Settings) -> Findings {
    let mut findings = Findings::of("mail server");
    let Ok(smtp) = wiring::smtp(settings) else {
        return findings;
    };
    let (Some(smtp), Some(host)) = (smtp, &settings.mail.host) else {
        findings.fine("not set up: complaints are kept, and nobody gets a letter");
        return findings;
    };
    if let Err(error) = connect(host, settings.mail.port).await {
        error.tell(&mut findings, "CABINET_MAIL_HOST and CABINET_MAIL_PORT");
        return findings;
    }
    match smtp.check().await {
        Ok(()) => findings.fine("it answers, and the login is right"),
        Err(MailError::Refused { code }) if code == "NO_STARTTLS" => findings.warn(
            "it offers no encryption",
            "Use a port with encryption: 587 or 465 (CABINET_MAIL_PORT).",
        ),
        Err(MailError::Refused { code }) => findings.warn(
            &format!("it refuses the login ({code})"),
            "Check CABINET_MAIL_USER and CABINET_MAIL_PASSWORD.",
        ),
        Err(MailError::Unavailable | MailError::Unknown) => findings.warn(
            "it does not get as far as the login",
            "Check that its certificate is valid for CABINET_MAIL_HOST, and the port: 465 is TLS from the start, any other STARTTLS.",
        ),
    }
    findings
}

/// The public address, to which the acquirer reports, asked from this machine.
pub async fn public_address(settings: &Settings) -> Findings {
    let mut findings = Findings::of("public address");
    let Some(url) = &settings.public_url else {
        return findings;
    };
    if !reached(&mut findings, url, "CABINET_PUBLIC_URL").await {
        return findings;
    }
    let address = url.as_str();
    let Ok(answer) = look("public address", url, "/healthz", LOOK_TIME_MAX).await else {
        no_certificate(&mut findings, url);
        return findings;
    };
    match answer {
        Ok(answer) if answer.status.is_success() && answer.body == ALIVE => {
            findings.fine(format!("{address} leads to a cabinet, as seen from this machine"));
        }
        Ok(answer) if answer.status.is_server_error() => findings.warn(
            &format!("the proxy at {address} answers, and no cabinet behind it (HTTP {})", answer.status.as_u16()),
            "Start the cabinet and check again; then check where the proxy sends requests.",
        ),
        Ok(answer) => findings.warn(
            &format!("something else than a cabinet answers at {address} (HTTP {})", answer.status.as_u16()),
            "Let the proxy pass all paths to the cabinet, without a redirect from https. The acquirer's reports come to this address.",
        ),
        Err(NoAnswer::NotSent) => no_certificate(&mut findings, url),
        Err(NoAnswer::Lost | NoAnswer::TooLarge) => no_use(&mut findings),
    }
    findings
}

/// Why there is no connection.
enum NoConnection {
    Name(String),
    Port(String, u16),
}

impl NoConnection {
    fn tell(&self, findings: &mut Findings, setting: &str) {
        match self {
            NoConnection::Name(host) => findings.warn(
                &format!("the name {host} has no address"),
                &format!("Check the name servers of this machine, and {setting}."),
            ),
            NoConnection::Port(host, port) => findings.warn(
                &format!("{host} can't be reached on port {port}"),
                &format!(
                    "Let connections to it out of this machine (firewall), and check {setting}."
                ),
            ),
        }
    }
}

async fn connect(host: &str, port: u16) -> Result<(), NoConnection> {
    let looked_up = tokio::time::timeout(CONNECT_TIME_MAX, tokio::net::lookup_host((host, port)));
    let addresses: Vec<_> = match looked_up.await {
        Ok(Ok(addresses)) => addresses.collect(),
        Ok(Err(_)) | Err(_) => Vec::new(),
    };
    if addresses.is_empty() {
        return Err(NoConnection::Name(host.to_owned()));
    }
    let connecting =
        tokio::time::timeout(CONNECT_TIME_MAX, TcpStream::connect(addresses.as_slice()));
    match connecting.await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(NoConnection::Port(host.to_owned(), port)),
    }
}

/// Whether a service can be connected to. Otherwise says why not.
async fn reached(findings: &mut Findings, base_url: &BaseUrl, setting: &str) -> bool {
    let (host, port) = base_url.host_and_port();
    match connect(&host, port).await {
        Ok(()) => true,
        Err(error) => {
            error.tell(findings, setting);
            false
        }
    }
}

/// A service refused a harmless call.
fn refused(findings: &mut Findings, code: &str, token: &str, address: &str) {
    findings.warn(
        &format!("it refuses a harmless call ({code})"),
        &format!("Check {token}, and that {address} is its address."),
    );
}

/// There was a connection, and no request went out: encryption failed.
fn no_certificate(findings: &mut Findings, base_url: &BaseUrl) {
    let (host, port) = base_url.host_and_port();
    findings.warn(
        &format!("no encrypted connection to {host}: its certificate is not accepted"),
        &format!("Look at it: openssl s_client -connect {host}:{port} -servername {host}. This machine needs the package ca-certificates and a right clock."),
    );
}

fn no_use(findings: &mut Findings) {
    findings.warn(
        "it gives no answer that can be used",
        "Check again later; if it lasts, ask the service.",
    );
}
