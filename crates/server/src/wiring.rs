//! From settings to a cabinet: every part is made here and nowhere else.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use axum::http::HeaderName;
use cabinet_api::{ApiSettings, OfferTexts};
use cabinet_app::{
    App, AppSettings, CodeSettings, Environment, Keys, Operator, SECRET_CHARS_MIN, SessionSettings,
    Support,
};
use cabinet_domain::{Iban, Okpo, Randomness};
use cabinet_gateways::calls::Calls;
use cabinet_gateways::mail::Mail;
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::smtp::{self, Smtp, SmtpSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use cabinet_gateways::twilio::{Twilio, TwilioSettings};
use cabinet_storage::{DatabaseUrl, Store, StoreOptions};
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretString};

use crate::environment::{SystemClock, SystemRandomness};
use crate::settings::{Settings, SettingsError};

const LISTEN: &str = "127.0.0.1:8080";
const DATABASE_URL: &str = "sqlite:var/cabinet.sqlite";
const ACQUIRER_URL: &str = "https://api.monobank.ua";
const ACQUIRER_PAGE_HOSTS: &str = "pay.mbnk.biz,pay.monobank.ua";
const SMS_URL: &str = "https://api.turbosms.ua";
/// Where a mail server takes letters from its users (RFC 6409).
const MAIL_PORT: u16 = 587;
const CALLS_URL: &str = "https://api.twilio.com";

/// A cabinet that is ready to serve.
pub struct Wired {
    /// The use cases.
    pub app: App,
    /// What the web server is told.
    pub api: ApiSettings,
    /// Where it listens.
    pub listen: SocketAddr,
    /// The address in the notaries' browsers.
    pub public_url: String,
}

/// The address the cabinet listens on.
///
/// # Errors
/// Never for the built-in address.
pub fn listen(settings: &Settings) -> anyhow::Result<SocketAddr> {
    Ok(match settings.listen {
        Some(listen) => listen,
        None => LISTEN.parse()?,
    })
}

/// Opens the database the settings name, for a command that works beside a server.
///
/// # Errors
/// When the address is wrong or the database can't be opened.
pub async fn open_store(settings: &Settings) -> anyhow::Result<Store> {
    open(settings, StoreOptions::default()).await
}

async fn open(settings: &Settings, options: StoreOptions) -> anyhow::Result<Store> {
    let url = settings
        .database_url
        .as_ref()
        .map_or(DATABASE_URL, |url| url.expose_secret());
    let url = DatabaseUrl::parse(url).context("CABINET_DATABASE_URL")?;
    Store::open(&url, options)
        .await
        .context("the database can't be opened")
}

/// Makes every part.
///
/// # Errors
/// When a setting is missing or wrong, or the database can't be opened.
pub async fn wire(settings: &Settings, sandbox: bool) -> anyhow::Result<Wired> {
    let listen = listen(settings)?;
    let public_url = public_url(settings, listen)?;
    let secret = settings
        .secret_key
        .as_ref()
        .ok_or(SettingsError::Missing("CABINET_SECRET_KEY"))?;
    let keys = Keys::derive(secret).ok_or_else(|| {
        anyhow!("CABINET_SECRET_KEY: at least {SECRET_CHARS_MIN} characters are needed")
    })?;
    let acquirer_url = base_url(
        "CABINET_ACQUIRER_BASE_URL",
        settings
            .acquirer
            .base_url
            .as_deref()
            .unwrap_or(ACQUIRER_URL),
    )?;
    let page_hosts = hosts(
        settings
            .acquirer
            .page_hosts
            .as_deref()
            .unwrap_or(ACQUIRER_PAGE_HOSTS),
    );
    let environment = Environment {
        clock: Arc::new(SystemClock),
        randomness: Arc::new(SystemRandomness),
        acquirer: Arc::new(Monobank::new(MonobankSettings::new(
            acquirer_url.clone(),
            secret_of("CABINET_ACQUIRER_TOKEN", settings.acquirer.token.as_ref())?,
        ))?),
        calls: calls(settings)?,
        mail: mail(settings)?,
        hub: Arc::new(Hub::new(SystemRandomness.uuid_v4().simple().to_string())),
        sms: Arc::new(TurboSms::new(TurboSmsSettings::new(
            base_url(
                "CABINET_SMS_BASE_URL",
                settings.sms.base_url.as_deref().unwrap_or(SMS_URL),
            )?,
            secret_of("CABINET_SMS_TOKEN", settings.sms.token.as_ref())?,
            settings
                .sms
                .sender
                .clone()
                .ok_or(SettingsError::Missing("CABINET_SMS_SENDER"))?,
        ))?),
    };
    let scheme = if acquirer_url.is_https() {
        "https"
    } else {
        "http"
    };
    let frame_origins = page_hosts
        .iter()
        .map(|host| format!("{scheme}://{host}"))
        .collect();
    let app_settings = app_settings(settings, &public_url, page_hosts, sandbox)?;
    let options = StoreOptions {
        exclusive: true,
        ..StoreOptions::default()
    };
    let store = open(settings, options).await?;
    let client_address_header = match &settings.client_address_header {
        None => None,
        Some(name) => Some(
            name.parse::<HeaderName>()
                .map_err(|_| anyhow!("CABINET_CLIENT_ADDRESS_HEADER: not a header's name"))?,
        ),
    };
    Ok(Wired {
        app: App::new(store, environment, keys, app_settings),
        api: ApiSettings {
            secure: public_url.starts_with("https://"),
            public_url: public_url.clone(),
            client_address_header,
            realtime_url: "/connection/websocket".to_owned(),
            offer_url: "/offer".to_owned(),
            offer: OfferTexts {
                uk: offer_text(
                    "CABINET_OFFER_FILE_UK",
                    settings.offer.file_uk.as_deref(),
                    sandbox,
                )?,
                en: offer_text(
                    "CABINET_OFFER_FILE_EN",
                    settings.offer.file_en.as_deref(),
                    sandbox,
                )?,
            },
            frame_origins,
            // A test tries faster than any person, and there is nothing to guard in the sandbox.
            entering_per_minute: if sandbox { 6000 } else { 60 },
            // A page that waits for a payment asks twelve times a minute at most.
            asking_per_minute: if sandbox { 6000 } else { 120 },
        },
        listen,
        public_url,
    })
}

/// The text of the offer in one language; the sandbox has a sample of its own. Notaries agree to it, so a real installation needs
/// a real one.
fn offer_text(
    name: &'static str,
    path: Option<&str>,
    sandbox: bool,
) -> anyhow::Result<Option<String>> {
    match path {
        None if sandbox => Ok(None),
        None => Err(SettingsError::Missing(name).into()),
        Some(path) => std::fs::read_to_string(path)
            .with_context(|| format!("{name}: {path} can't be read"))
            .map(Some),
    }
}

/// The voice service, where one is set up.
fn calls(settings: &Settings) -> anyhow::Result<Option<Arc<dyn Calls>>> {
    let Some(account) = &settings.calls.account else {
        return Ok(None);
    };
    let base_url = base_url(
        "CABINET_CALLS_BASE_URL",
        settings.calls.base_url.as_deref().unwrap_or(CALLS_URL),
    )?;
    let token = secret_of("CABINET_CALLS_TOKEN", settings.calls.token.as_ref())?;
    let caller = settings
        .calls
        .caller
        .clone()
        .ok_or(SettingsError::Missing("CABINET_CALLS_CALLER"))?;
    Ok(Some(Arc::new(Twilio::new(TwilioSettings::new(
        base_url,
        account.clone(),
        token,
        caller,
    ))?)))
}

/// The mail server, where one is set up.
fn mail(settings: &Settings) -> anyhow::Result<Option<Arc<dyn Mail>>> {
    let mail = &settings.mail;
    let Some(host) = &mail.host else {
        if mail.port.is_some()
            || mail.user.is_some()
            || mail.password.is_some()
            || mail.from.is_some()
        {
            // Half of the settings is a mistake, not a wish for no mail.
            return Err(SettingsError::Missing("CABINET_MAIL_HOST").into());
        }
        tracing::warn!(
            "No mail server is set up (CABINET_MAIL_HOST): complaints are kept, and the support gets no letter"
        );
        return Ok(None);
    };
    let support = settings
        .support
        .email
        .as_deref()
        .ok_or(SettingsError::Missing("CABINET_SUPPORT_EMAIL"))?;
    if !smtp::is_address(support) {
        bail!("CABINET_SUPPORT_EMAIL: an e-mail address is expected");
    }
    let from = mail
        .from
        .clone()
        .ok_or(SettingsError::Missing("CABINET_MAIL_FROM"))?;
    let mut smtp = SmtpSettings::new(host.clone(), mail.port.unwrap_or(MAIL_PORT), from);
    smtp.account = match (&mail.user, &mail.password) {
        (None, None) => None,
        (Some(user), Some(password)) => Some((user.clone(), password.clone())),
        (None, Some(_)) => return Err(SettingsError::Missing("CABINET_MAIL_USER").into()),
        (Some(_), None) => return Err(SettingsError::Missing("CABINET_MAIL_PASSWORD").into()),
    };
    let smtp = Smtp::new(smtp).context("CABINET_MAIL_FROM or CABINET_MAIL_HOST")?;
    Ok(Some(Arc::new(smtp)))
}

fn app_settings(
    settings: &Settings,
    public_url: &str,
    page_hosts: Vec<String>,
    sandbox: bool,
) -> anyhow::Result<AppSettings> {
    let codes = CodeSettings::default();
    let digits = settings.codes.length.unwrap_or(i64::from(codes.digits));
    let digits = u8::try_from(digits)
        .ok()
        .filter(|digits| (4..=8).contains(digits));
    let sessions = SessionSettings::default();
    let idle = minutes(
        "CABINET_SESSIONS_IDLE_MINUTES",
        settings.sessions.idle_minutes,
        sessions.idle,
    )?;
    let absolute = minutes(
        "CABINET_SESSIONS_ABSOLUTE_MINUTES",
        settings.sessions.absolute_minutes,
        sessions.absolute,
    )?;
    Ok(AppSettings {
        public_url: public_url.to_owned(),
        codes: CodeSettings {
            digits: digits.ok_or_else(|| anyhow!("CABINET_CODES_LENGTH: 4 to 8 is expected"))?,
            alike_answers: settings.codes.alike_answers.unwrap_or(codes.alike_answers),
            ..codes
        },
        sessions: SessionSettings {
            idle,
            absolute,
            ..sessions
        },
        operator: operator(settings)?,
        support: Support {
            email: needed("CABINET_SUPPORT_EMAIL", settings.support.email.as_deref())?,
            phone: needed("CABINET_SUPPORT_PHONE", settings.support.phone.as_deref())?,
        },
        acquirer_name: "plata by mono".to_owned(),
        page_hosts,
        demonstration: sandbox,
    })
}

/// Who stands on every receipt: without it none could be made.
fn operator(settings: &Settings) -> anyhow::Result<Operator> {
    let operator = &settings.operator;
    let iban = needed("CABINET_OPERATOR_IBAN", operator.iban.as_deref())?;
    let code = needed("CABINET_OPERATOR_CODE", operator.code.as_deref())?;
    Ok(Operator {
        name: needed("CABINET_OPERATOR_NAME", operator.name.as_deref())?,
        code: Okpo::parse(&code)
            .map_err(|_| {
                anyhow!("CABINET_OPERATOR_CODE: a code of the state register is expected")
            })?
            .as_str()
            .to_owned(),
        iban: Iban::parse(&iban).map_err(|_| {
            anyhow!("CABINET_OPERATOR_IBAN: an account with right check digits is expected")
        })?,
        address: needed("CABINET_OPERATOR_ADDRESS", operator.address.as_deref())?,
    })
}

/// A text that this start can't do without.
fn needed(name: &'static str, value: Option<&str>) -> Result<String, SettingsError> {
    match value.map(str::trim) {
        None | Some("") => Err(SettingsError::Missing(name)),
        Some(text) => Ok(text.to_owned()),
    }
}

fn minutes(
    name: &'static str,
    value: Option<i64>,
    default: SignedDuration,
) -> anyhow::Result<SignedDuration> {
    match value {
        None => Ok(default),
        Some(minutes) if (1..=60 * 24 * 30).contains(&minutes) => {
            Ok(SignedDuration::from_mins(minutes))
        }
        Some(_) => bail!("{name}: 1 to 43200 minutes are expected"),
    }
}

fn public_url(settings: &Settings, listen: SocketAddr) -> anyhow::Result<String> {
    let url = settings
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{listen}"));
    Ok(base_url("CABINET_PUBLIC_URL", &url)?.as_str().to_owned())
}

fn base_url(name: &'static str, text: &str) -> anyhow::Result<BaseUrl> {
    BaseUrl::parse(text).with_context(|| name)
}

fn secret_of(name: &'static str, value: Option<&SecretString>) -> anyhow::Result<SecretString> {
    Ok(value.cloned().ok_or(SettingsError::Missing(name))?)
}

fn hosts(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|host| !host.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::MailServer;

    type Change = fn(&mut Settings);

    fn complete() -> Settings {
        let mut settings = Settings::default();
        settings.support.email = Some("support@cabinet.example".to_owned());
        settings.mail = MailServer {
            host: Some("127.0.0.1".to_owned()),
            port: None,
            user: Some("cabinet".to_owned()),
            password: Some(SecretString::from("hidden-value")),
            from: Some("Кабінет <cabinet@cabinet.example>".to_owned()),
        };
        settings
    }

    #[test]
    fn nothing_that_every_receipt_needs_may_be_missing_or_wrong() {
        let whole = || {
            let mut settings = Settings::default();
            settings.operator.name = Some("ТОВ «Кабінет»".to_owned());
            settings.operator.code = Some("32855961".to_owned());
            settings.operator.iban = Some("UA223052990000026001234567890".to_owned());
            settings.operator.address = Some("м. Київ, вул. Перша, 1".to_owned());
            settings
        };
        assert!(operator(&whole()).is_ok());
        let changes: [(&str, Change); 6] = [
            ("CABINET_OPERATOR_NAME", |settings| {
                settings.operator.name = None
            }),
            ("CABINET_OPERATOR_CODE", |settings| {
                settings.operator.code = None
            }),
            ("CABINET_OPERATOR_CODE", |settings| {
                settings.operator.code = Some("hidden-value".to_owned());
            }),
            ("CABINET_OPERATOR_IBAN", |settings| {
                settings.operator.iban = None
            }),
            ("CABINET_OPERATOR_IBAN", |settings| {
                settings.operator.iban = Some("UA233052990000026001234567890".to_owned());
            }),
            ("CABINET_OPERATOR_ADDRESS", |settings| {
                settings.operator.address = Some(" ".to_owned());
            }),
        ];
        for (name, change) in changes {
            let mut settings = whole();
            change(&mut settings);
            let text = format!("{:#}", operator(&settings).map(|_| ()).unwrap_err());
            assert!(text.contains(name), "{name}: {text}");
            assert!(
                !text.contains("hidden-value") && !text.contains("UA23"),
                "{text}"
            );
        }
    }

    #[test]
    fn only_the_sandbox_does_without_a_real_offer() {
        assert!(
            offer_text("CABINET_OFFER_FILE_UK", None, true)
                .unwrap()
                .is_none()
        );
        let text = format!(
            "{:#}",
            offer_text("CABINET_OFFER_FILE_UK", None, false).unwrap_err()
        );
        assert!(text.contains("CABINET_OFFER_FILE_UK"), "{text}");
    }

    #[test]
    fn mail_is_set_up_as_a_whole_or_not_at_all() {
        assert!(mail(&Settings::default()).unwrap().is_none());
        assert!(mail(&complete()).unwrap().is_some());
        let changes: [(&str, Change); 7] = [
            ("CABINET_MAIL_HOST", |settings| settings.mail.host = None),
            ("CABINET_MAIL_USER", |settings| settings.mail.user = None),
            ("CABINET_MAIL_PASSWORD", |settings| {
                settings.mail.password = None;
            }),
            ("CABINET_MAIL_FROM", |settings| settings.mail.from = None),
            ("CABINET_MAIL_FROM", |settings| {
                settings.mail.from = Some("hidden-value".to_owned());
            }),
            ("CABINET_SUPPORT_EMAIL", |settings| {
                settings.support.email = None;
            }),
            ("CABINET_SUPPORT_EMAIL", |settings| {
                settings.support.email = Some("hidden-value".to_owned());
            }),
        ];
        for (name, change) in changes {
            let mut settings = complete();
            change(&mut settings);
            let text = format!("{:#}", mail(&settings).map(|_| ()).unwrap_err());
            assert!(text.contains(name), "{name}: {text}");
            assert!(!text.contains("hidden-value"), "{text}");
        }
    }
}
