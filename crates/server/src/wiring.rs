//! Builds the parts of the cabinet from the settings.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use cabinet_api::{ApiSettings, OfferTexts};
use cabinet_app::audit::Recorder;
use cabinet_app::erasure::Wallets;
use cabinet_app::support_desk::SupportDesk;
use cabinet_app::{
    AcquirerNames, AppSettings, AttackSettings, ClientLinkSettings, CodeSettings, Environment,
    Fiscal, Keys, Operator, Provider, RetentionSettings, Secrets, Services, SessionSettings,
    Support, TableChoices,
};
use cabinet_domain::{AccountLimits, Randomness};
use cabinet_gateways::acquirer::{AcquirerName, Acquirers, InvoiceState};
use cabinet_gateways::liqpay::{self, LiqPay, LiqPaySettings};
use cabinet_gateways::mail::Mail;
use cabinet_gateways::monobank::{self, Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::phone_calls::PhoneCalls;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::sms::{Sms, SmsService, SmsServices};
use cabinet_gateways::smsclub::{SmsClub, SmsClubSettings};
use cabinet_gateways::smtp::{Smtp, SmtpSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use cabinet_gateways::twilio::{Twilio, TwilioSettings};
use cabinet_storage::{Store, StoreOptions};
use jiff::SignedDuration;

use crate::environment::{SystemClock, SystemRandomness};
use crate::settings::{Required, Settings, SettingsError};

/// How a server is started.
#[derive(Clone, Copy)]
pub struct Start {
    /// With the sandbox and its notaries.
    pub sandbox: bool,
    /// Whether the database is migrated. Otherwise one that lacks migrations is refused.
    pub migrates: bool,
}

/// The parts of a server.
pub struct Wired {
    /// The use cases.
    pub services: Services,
    /// The settings of the web server.
    pub api: ApiSettings,
    /// The address in the notaries' browsers.
    pub public_url: String,
}

/// Opens the database for a command that may run beside a server. A missing one is not made.
///
/// # Errors
/// Returns an error when the database can't be opened, or has another schema.
pub async fn open_store(settings: &Settings) -> anyhow::Result<Store> {
    let store = open_any_store(settings).await?;
    store.require_schema().await?;
    Ok(store)
}

/// Opens the database whatever its schema is: only to copy it.
///
/// # Errors
/// Returns an error when the database can't be opened, or is not there.
pub async fn open_any_store(settings: &Settings) -> anyhow::Result<Store> {
    open(settings, StoreOptions::existing()).await
}

/// Opens the database for a command that migrates it. A missing SQLite file is made.
///
/// # Errors
/// Returns an error when the database can't be opened.
pub async fn open_or_make_store(settings: &Settings) -> anyhow::Result<Store> {
    open(settings, StoreOptions::default()).await
}

async fn open(settings: &Settings, options: StoreOptions) -> anyhow::Result<Store> {
    check_encryption(settings)?;
    let options = StoreOptions {
        connections: settings.database_connections,
        root_certificates: settings.database_root_certificates.clone(),
        ..options
    };
    let store = Store::open(&settings.database_url, options)
        .await
        .context("the database can't be opened")?;
    store
        .require_sessions()
        .await
        .context("the database can't be used")?;
    Ok(store)
}

/// Opens the database to look at it: nothing is made, and one connection is enough.
///
/// # Errors
/// Returns an error when the database can't be opened, or is not there.
pub async fn open_to_look(settings: &Settings) -> anyhow::Result<Store> {
    let options = StoreOptions {
        connections: 1,
        root_certificates: settings.database_root_certificates.clone(),
        ..StoreOptions::existing()
    };
    Ok(Store::open(&settings.database_url, options).await?)
}

/// Whether a SQLite database is not there yet. An empty file is one that somebody made by hand.
pub fn is_missing(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Ok(file) => file.len() == 0,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Refuses a database whose password and data could be read on the way to it.
///
/// # Errors
/// Says what to do.
pub fn check_encryption(settings: &Settings) -> anyhow::Result<()> {
    if settings.database_url.is_readable_on_the_way() && !settings.database_allow_plaintext {
        bail!(
            "CABINET_DATABASE_URL names another machine without sslmode=require, so its password and all data could be read on the way. If that network is safe, set CABINET_DATABASE_ALLOW_PLAINTEXT=true"
        );
    }
    Ok(())
}

/// Builds every part of a server.
///
/// # Errors
/// Returns an error when a setting is missing or the database can't be opened.
pub async fn wire(settings: &Settings, start: Start) -> anyhow::Result<Wired> {
    let sandbox = start.sandbox;
    let public_url = public_url(settings)?;
    let keys = keys(settings)?;
    let environment = environment(settings)?;
    if environment.mail.is_none() {
        tracing::warn!(
            "No mail server is set up (CABINET_MAIL_HOST): complaints are kept, and the support gets no letter"
        );
    }
    let app_settings = AppSettings {
        refuses_demonstration: !sandbox,
        ..app_settings(settings, &public_url, sandbox)?
    };
    let api_settings = api_settings(settings, &public_url, sandbox)?;
    let options = StoreOptions {
        exclusive: true,
        create: start.migrates,
        ..StoreOptions::default()
    };
    let store = open(settings, options).await?;
    Ok(Wired {
        services: Services::new(store, environment, keys, app_settings),
        api: api_settings,
        public_url: public_url.as_str().to_owned(),
    })
}

/// Returns everything about the settings by which a server without the sandbox can't be built. Settings that are missing are named, too.
pub fn problems(settings: &Settings) -> Vec<anyhow::Error> {
    let parts = [
        check_encryption(settings),
        public_url(settings).map(drop),
        keys(settings).map(drop),
        acquirers(settings).map(drop),
        sms(settings).map(drop),
        phone_calls(settings).map(drop),
        smtp(settings).map(drop),
        offer_text(&settings.offer.file_uk, false).map(drop),
        offer_text(&settings.offer.file_en, false).map(drop),
    ];
    parts.into_iter().filter_map(Result::err).collect()
}

/// Builds the use cases for a command that calls the acquirer as the server does. It may run beside a server.
///
/// # Errors
/// Returns an error when a setting is missing, the database can't be opened, or it has another schema.
pub async fn services(settings: &Settings) -> anyhow::Result<Services> {
    let parts = || -> anyhow::Result<_> {
        let public_url = public_url(settings)?;
        Ok((
            keys(settings)?,
            environment(settings)?,
            app_settings(settings, &public_url, false)?,
        ))
    };
    let (keys, environment, app_settings) =
        parts().context("this command needs the settings of the server")?;
    let store = open_store(settings).await?;
    Ok(Services::new(store, environment, keys, app_settings))
}

/// Opens the database and returns the support's desk over it. Without the keys it knows no codes of receipts.
///
/// # Errors
/// Returns an error when the database can't be opened, or has another schema.
pub async fn support_desk(
    settings: &Settings,
    recorder: Recorder,
) -> anyhow::Result<(Store, SupportDesk)> {
    let store = open_store(settings).await?;
    let desk = SupportDesk::new(store.clone(), recorder, keys(settings).ok(), read_report);
    Ok((store, desk))
}

/// The support's telephone, for notices. Empty where it is not set.
pub fn support_phone(settings: &Settings) -> Arc<str> {
    let phone = settings.support.phone.get();
    phone.map_or("", String::as_str).into()
}

/// The keys of the installation.
///
/// # Errors
/// Returns an error when a secret is missing or too short.
pub fn keys(settings: &Settings) -> anyhow::Result<Keys> {
    let secrets = Secrets {
        current: settings.secret_key.value()?.clone(),
        previous: settings.previous_secret_key.clone(),
        wallet: settings.wallet_secret_key.clone(),
        receipts: settings.receipt_secret_keys.clone().unwrap_or_default(),
    };
    Keys::derive(&secrets).ok_or_else(|| anyhow!("CABINET_SECRET_KEY is too short"))
}

/// Where the saved cards of notaries are, for a command.
///
/// # Errors
/// Returns an error when a setting is missing.
pub fn wallets(settings: &Settings) -> anyhow::Result<Wallets> {
    Ok(Wallets {
        acquirer: Arc::new(monobank(settings)?),
        keys: Arc::new(keys(settings)?),
    })
}

/// Reads the stored body of a report.
fn read_report(acquirer: AcquirerName, body: &[u8]) -> Option<InvoiceState> {
    match acquirer {
        AcquirerName::Monobank => monobank::read_report(body),
        AcquirerName::LiqPay => liqpay::read_report(body),
    }
}

/// The acquirers. LiqPay can be called where its keys are set, also where no new payment is made there.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn acquirers(settings: &Settings) -> anyhow::Result<Acquirers> {
    let order = &settings.acquirer.providers;
    let acquirers = Acquirers::only(Arc::new(monobank(settings)?));
    let acquirers = match liqpay(settings)? {
        Some(liqpay) => {
            let liqpay = Arc::new(liqpay);
            let acquirers = acquirers.and(Arc::clone(&liqpay) as _);
            if settings.liqpay.archive {
                acquirers.with_statement(liqpay)
            } else {
                acquirers
            }
        }
        None if order.contains(&AcquirerName::LiqPay) => {
            return Err(SettingsError::missing("liqpay.public_key").into());
        }
        None => acquirers,
    };
    Ok(acquirers.in_order(order))
}

/// The acquirer LiqPay, if it is set up.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn liqpay(settings: &Settings) -> anyhow::Result<Option<LiqPay>> {
    let shop = &settings.liqpay;
    let Some(public_key) = &shop.public_key else {
        return Ok(None);
    };
    let private_key = shop.private_key.value()?.clone();
    let adapter = LiqPaySettings {
        version: shop.version,
        request_hash: shop.request_hash,
        callback_hash: shop.callback_hash,
        ..LiqPaySettings::new(shop.base_url.clone(), public_key.clone(), private_key)
    };
    Ok(Some(LiqPay::new(adapter)?))
}

/// The hosts of payment pages.
fn page_hosts(settings: &Settings) -> Vec<String> {
    let mut hosts = settings.acquirer.page_hosts.clone();
    if settings.liqpay.public_key.is_some() {
        hosts.push(settings.liqpay.base_url.authority().to_owned());
    }
    hosts
}

/// The acquirer monobank.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn monobank(settings: &Settings) -> anyhow::Result<Monobank> {
    let acquirer = MonobankSettings::new(
        settings.acquirer.base_url.clone(),
        settings.acquirer.token.value()?.clone(),
    );
    Ok(Monobank::new(acquirer)?)
}

/// The SMS services, in their order.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn sms(settings: &Settings) -> anyhow::Result<SmsServices> {
    let mut services: Option<SmsServices> = None;
    for service in &settings.sms.providers {
        let sms = sms_service(settings, *service)?;
        services = Some(match services {
            None => SmsServices::only(sms),
            Some(before) => before.then(sms),
        });
    }
    services.ok_or_else(|| SettingsError::missing("sms.providers").into())
}

fn sms_service(settings: &Settings, service: SmsService) -> anyhow::Result<Arc<dyn Sms>> {
    Ok(match service {
        SmsService::TurboSms => Arc::new(TurboSms::new(TurboSmsSettings::new(
            settings.sms.base_url.clone(),
            settings.sms.token.value()?.clone(),
            settings.sms.sender.value()?.clone(),
        ))?),
        SmsService::SmsClub => {
            let account = &settings.smsclub;
            let token = account.token.clone();
            Arc::new(SmsClub::new(SmsClubSettings::new(
                account.base_url.clone(),
                token.ok_or_else(|| SettingsError::missing("smsclub.token"))?,
                account.sender.value()?.clone(),
            ))?)
        }
    })
}

/// The clock, the randomness and the outside services.
fn environment(settings: &Settings) -> anyhow::Result<Environment> {
    Ok(Environment {
        clock: Arc::new(SystemClock),
        randomness: Arc::new(SystemRandomness),
        acquirers: acquirers(settings)?,
        phone_calls: phone_calls(settings)?,
        mail: smtp(settings)?.map(|smtp| Arc::new(smtp) as Arc<dyn Mail>),
        hub: Arc::new(Hub::new(SystemRandomness.uuid_v4().simple().to_string())),
        sms: sms(settings)?,
    })
}

fn api_settings(
    settings: &Settings,
    public_url: &BaseUrl,
    sandbox: bool,
) -> anyhow::Result<ApiSettings> {
    let frame_origins: Vec<String> = settings
        .acquirer
        .page_hosts
        .iter()
        .map(|host| origin(&settings.acquirer.base_url, host))
        .collect();
    let liqpay = &settings.liqpay;
    let of_liqpay = liqpay.public_key.as_ref().map(|_| {
        let base_url = &liqpay.base_url;
        origin(base_url, base_url.authority())
    });
    let page_origins = frame_origins.iter().cloned().chain(of_liqpay).collect();
    Ok(ApiSettings {
        secure: public_url.is_https(),
        public_url: public_url.as_str().to_owned(),
        client_address_header: settings.client_address_header.clone(),
        realtime_url: "/connection/websocket".to_owned(),
        offer_url: "/offer".to_owned(),
        offer: OfferTexts {
            uk: offer_text(&settings.offer.file_uk, sandbox)?,
            en: offer_text(&settings.offer.file_en, sandbox)?,
        },
        frame_origins,
        page_origins,
        login_attempts_per_minute: settings.limits.login_attempts_per_minute,
        acquirer_calls_per_minute: settings.limits.acquirer_calls_per_minute,
        requests_of_address_max: settings.connections.address_max,
        calls_max: settings.connections.calls_max,
        readings_max: readings_max(settings),
        realtime_strangers_of_address_max: settings.connections.address_strangers_max,
    })
}

/// Returns the origin of a page, as safe as the interface of its acquirer.
fn origin(base_url: &BaseUrl, host: &str) -> String {
    let scheme = if base_url.is_https() { "https" } else { "http" };
    format!("{scheme}://{host}")
}

/// How many readings are done at a time. SQLite is read on the threads that answer, so one of them is left to payments; on PostgreSQL
/// two connections are.
fn readings_max(settings: &Settings) -> usize {
    let most = if settings.database_url.is_sqlite() {
        std::thread::available_parallelism().map_or(1, NonZero::get) - 1
    } else {
        settings.database_connections - 2
    };
    settings.connections.readings_max.unwrap_or(most.max(1))
}

/// Reads the offer in one language. Without a file the sandbox shows a sample. Notaries agree to the offer, so a real installation
/// needs a real one.
fn offer_text(file: &Required<PathBuf>, sandbox: bool) -> anyhow::Result<Option<String>> {
    if sandbox && file.get().is_none() {
        return Ok(None);
    }
    let path = file.value()?;
    std::fs::read_to_string(path)
        .with_context(|| format!("{}: {} can't be read", file.name(), path.display()))
        .map(Some)
}

/// The voice service, if it is set up.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn phone_calls(settings: &Settings) -> anyhow::Result<Option<Arc<dyn PhoneCalls>>> {
    let voice = &settings.calls;
    let Some(account) = &voice.account else {
        return Ok(None);
    };
    let twilio = TwilioSettings::new(
        voice.base_url.clone(),
        account.clone(),
        voice.token.value()?.clone(),
        voice.caller.value()?.clone(),
    );
    Ok(Some(Arc::new(Twilio::new(twilio)?)))
}

/// The mail server, if it is set up.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn smtp(settings: &Settings) -> anyhow::Result<Option<Smtp>> {
    let mail = &settings.mail;
    let Some(host) = &mail.host else {
        return Ok(None);
    };
    let account = match (&mail.user, &mail.password) {
        (None, None) => None,
        (Some(user), Some(password)) => Some((user.clone(), password.clone())),
        (None, Some(_)) => return Err(SettingsError::missing("mail.user").into()),
        (Some(_), None) => return Err(SettingsError::missing("mail.password").into()),
    };
    let from = mail.from.value()?.clone();
    let mut smtp = SmtpSettings::new(host.clone(), mail.port, from);
    smtp.account = account;
    let smtp = Smtp::new(smtp).context("CABINET_MAIL_FROM or CABINET_MAIL_HOST")?;
    Ok(Some(smtp))
}

fn app_settings(
    settings: &Settings,
    public_url: &BaseUrl,
    sandbox: bool,
) -> anyhow::Result<AppSettings> {
    let codes = &settings.codes;
    Ok(AppSettings {
        public_url: public_url.as_str().to_owned(),
        codes: CodeSettings {
            digits: codes.length,
            lifetime: codes.lifetime_minutes,
            tries_max: codes.tries_max,
            resend_after: codes.resend_pause_seconds,
            hourly_max: codes.phone_hourly_max,
            daily_max: codes.phone_daily_max,
            new_device_wrong_daily_max: codes.new_device_wrong_daily_max,
            custom_wrong_daily_max: codes.custom_wrong_daily_max,
            call_again_after: codes.call_pause_seconds,
            calls_hourly_max: codes.calls_hourly_max,
            calls_daily_max: codes.calls_daily_max,
            address_hourly_max: codes.address_hourly_max,
            address_wrong_daily_max: codes.address_wrong_daily_max,
            network_hourly_max: codes.network_hourly_max,
            network_wrong_daily_max: codes.network_wrong_daily_max,
            messages_hourly_max: codes.messages_hourly_max,
            attack: AttackSettings {
                wrong_codes_min: codes.guessing_wrong_min,
                wrong_codes_percent: codes.guessing_wrong_percent,
                digits: codes.guessing_length,
                resend_after: codes.guessing_pause_seconds,
                network_daily_max: codes.guessing_network_daily_max,
            },
            mobile_prefixes: codes.mobile_prefixes.clone(),
            hide_account_existence: codes.hide_account_existence,
            custom_step_needs_code: codes.custom_step_needs_code,
        },
        sessions: SessionSettings {
            idle: settings.sessions.idle_minutes,
            absolute: settings.sessions.absolute_minutes,
            ..SessionSettings::default()
        },
        client_links: ClientLinkSettings {
            lifetime: SignedDuration::from_hours(settings.client_links.hours),
            sendings_daily_max: settings.client_links.sendings_daily_max,
        },
        retention: retention(settings),
        sign_up_confirmation: settings.sign_up_confirmation,
        account_limits: AccountLimits {
            young_for: SignedDuration::from_hours(24 * settings.accounts.young_days),
            young_daily_sum_max: settings.accounts.young_daily_sum_max,
            young_transfer_max: settings.accounts.young_transfer_max,
            young_declines_hourly_max: settings.accounts.young_declines_hourly_max,
            declines_hourly_max: settings.accounts.declines_hourly_max,
        },
        table_choices: table_choices(settings),
        operator: Operator {
            name: settings.operator.name.value()?.clone(),
            code: settings.operator.code.value()?.as_str().to_owned(),
            iban: settings.operator.iban.value()?.clone(),
            address: settings.operator.address.value()?.clone(),
            vat: settings.operator.vat,
            fiscal: Fiscal {
                fiscal_number: settings.fiscal.number.clone(),
                prro_number: settings.fiscal.prro_number.clone(),
                fiscal_qr_url: settings.fiscal.qr_url.clone(),
            },
            provider: provider(settings),
        },
        support: Support {
            email: settings.support.email.value()?.clone(),
            phone: settings.support.phone.value()?.clone(),
        },
        acquirer_names: AcquirerNames {
            monobank: settings.acquirer.legal_name.clone(),
            liqpay: settings.liqpay.legal_name.clone(),
        },
        page_hosts: page_hosts(settings),
        sandbox,
        refuses_demonstration: false,
    })
}

/// What the operator decides about the tables.
pub fn table_choices(settings: &Settings) -> TableChoices {
    let fees = &settings.fees;
    TableChoices {
        reading: fees.reading,
        unconfirmed_templates: fees.unconfirmed_templates.clone().unwrap_or_default(),
        stale_fees_refused_from: fees.last_year_refused_from,
    }
}

/// The payment service provider that receipts name.
fn provider(settings: &Settings) -> Option<Provider> {
    let provider = &settings.provider;
    Some(Provider {
        name: provider.name.clone()?,
        code: provider.code.as_ref().map(|code| code.as_str().to_owned()),
        authorisation: provider.authorisation.clone(),
    })
}

/// How long rows are kept. Zero days mean for ever.
pub fn retention(settings: &Settings) -> RetentionSettings {
    let retention = &settings.retention;
    let limited = |time: SignedDuration| (!time.is_zero()).then_some(time);
    RetentionSettings {
        sessions: retention.sessions_days,
        login_operations: retention.login_operations_days,
        letters: retention.letters_days,
        complaints: limited(retention.complaints_days),
        reports: limited(retention.reports_days),
        audit: limited(retention.audit_days),
        bookkeeping: retention.bookkeeping_days,
        anonymises_orders: retention.anonymise_orders,
    }
}

/// The configured public address, or the one the cabinet listens on.
///
/// # Errors
/// Returns an error when nobody could reach it.
pub fn public_url(settings: &Settings) -> anyhow::Result<BaseUrl> {
    match &settings.public_url {
        Some(url) => Ok(url.clone()),
        None => {
            BaseUrl::parse(&format!("http://{}", settings.listen)).context("CABINET_PUBLIC_URL")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{RunMode, from_pairs};

    /// The required settings of a real installation, without the offer.
    const COMPLETE: &[(&str, &str)] = &[
        (
            "CABINET_SECRET_KEY",
            "a-secret-key-of-at-least-32-characters",
        ),
        ("CABINET_ACQUIRER_TOKEN", "hidden-value"),
        ("CABINET_SMS_TOKEN", "hidden-value"),
        ("CABINET_SMS_SENDER", "Cabinet"),
        ("CABINET_OPERATOR_NAME", "ТОВ «Кабінет»"),
        ("CABINET_OPERATOR_CODE", "32855961"),
        ("CABINET_OPERATOR_IBAN", "UA223052990000026001234567890"),
        ("CABINET_OPERATOR_ADDRESS", "м. Київ, вул. Перша, 1"),
        ("CABINET_SUPPORT_EMAIL", "support@cabinet.example"),
        ("CABINET_SUPPORT_PHONE", "0 800 000 000"),
    ];
    const MAIL: &[(&str, &str)] = &[
        ("CABINET_MAIL_HOST", "127.0.0.1"),
        ("CABINET_MAIL_USER", "cabinet"),
        ("CABINET_MAIL_PASSWORD", "hidden-value"),
        ("CABINET_MAIL_FROM", "Кабінет <cabinet@cabinet.example>"),
    ];

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        from_pairs(RunMode::Serve, pairs).unwrap()
    }

    fn without<'a>(pairs: &[(&'a str, &'a str)], name: &str) -> Vec<(&'a str, &'a str)> {
        let mut rest = pairs.to_vec();
        rest.retain(|(other, _)| *other != name);
        rest
    }

    #[test]
    fn nothing_that_every_start_needs_may_be_missing() {
        let parts = |settings: &Settings| -> anyhow::Result<()> {
            environment(settings)?;
            app_settings(settings, &public_url(settings)?, false)?;
            settings.secret_key.value()?;
            Ok(())
        };
        parts(&settings(COMPLETE)).unwrap();
        for (name, _) in COMPLETE {
            let error = parts(&settings(&without(COMPLETE, name))).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{name} is not set, and this start needs it")
            );
        }
    }

    #[test]
    fn a_message_service_in_the_order_needs_its_account() {
        let both = ("CABINET_SMS_PROVIDERS", "smsclub, turbosms");
        let mut pairs = COMPLETE.to_vec();
        pairs.push(both);
        let text = sms(&settings(&pairs)).map(drop).unwrap_err().to_string();
        assert!(text.contains("CABINET_SMSCLUB_TOKEN"), "{text}");
        pairs.extend([
            ("CABINET_SMSCLUB_TOKEN", "hidden-value"),
            ("CABINET_SMSCLUB_SENDER", "Cabinet"),
        ]);
        let services = sms(&settings(&pairs)).unwrap();
        let order: Vec<SmsService> = services.iter().map(|sms| sms.service()).collect();
        assert_eq!(order, [SmsService::SmsClub, SmsService::TurboSms]);
        // A service that is not in the order needs none.
        let one = [
            ("CABINET_SMS_PROVIDERS", "smsclub"),
            pairs[pairs.len() - 2],
            pairs[pairs.len() - 1],
        ];
        sms(&settings(&one)).unwrap();
        let missing = |pairs: &[(&str, &str)]| {
            let reading = crate::settings::reading_of(RunMode::Serve, pairs);
            let missing = reading.missing().into_iter();
            missing.map(|error| error.to_string()).collect::<String>()
        };
        assert!(!missing(&one).contains("CABINET_SMS_TOKEN"));
        assert!(missing(&[]).contains("CABINET_SMS_TOKEN"));
        for wrong in ["", "other", "turbosms,turbosms", "turbosms,"] {
            let read = from_pairs(RunMode::Serve, &[("CABINET_SMS_PROVIDERS", wrong)]);
            assert!(read.is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_crosses_a_network_in_clear_only_if_that_is_said() {
        let check = |pairs: &[(&str, &str)]| {
            check_encryption(&settings(pairs)).map_err(|error| error.to_string())
        };
        let name = "CABINET_DATABASE_URL";
        let allowed = ("CABINET_DATABASE_ALLOW_PLAINTEXT", "true");
        for clear in ["", "?sslmode=disable", "?sslmode=prefer"] {
            let url = format!("postgres://app:hidden-value@db.example/cabinet{clear}");
            let text = check(&[(name, &url)]).unwrap_err();
            assert!(
                text.contains(allowed.0) && !text.contains("hidden-value"),
                "{text}"
            );
            assert_eq!(check(&[(name, &url), allowed]), Ok(()));
        }
        let encrypted = "postgres://app:hidden-value@db.example/cabinet?sslmode=require";
        assert_eq!(check(&[(name, encrypted)]), Ok(()));
    }

    #[test]
    fn only_the_sandbox_does_without_a_real_offer() {
        let settings = settings(&[]);
        let offer = &settings.offer.file_uk;
        assert_eq!(offer_text(offer, true).unwrap(), None);
        let text = offer_text(offer, false).unwrap_err().to_string();
        assert!(text.contains("CABINET_OFFER_FILE_UK"), "{text}");
    }

    #[test]
    fn mail_is_set_up_as_a_whole_or_not_at_all() {
        assert!(smtp(&settings(&[])).unwrap().is_none());
        assert!(smtp(&settings(MAIL)).unwrap().is_some());
        for name in [
            "CABINET_MAIL_USER",
            "CABINET_MAIL_PASSWORD",
            "CABINET_MAIL_FROM",
        ] {
            let settings = settings(&without(MAIL, name));
            let text = smtp(&settings).map(|_| ()).unwrap_err().to_string();
            assert!(text.contains(name), "{name}: {text}");
        }
        let mut pairs = without(MAIL, "CABINET_MAIL_FROM");
        pairs.push(("CABINET_MAIL_FROM", "hidden-value"));
        let error = smtp(&settings(&pairs)).map(|_| ()).unwrap_err();
        let text = format!("{error:#}");
        assert!(
            text.contains("CABINET_MAIL_FROM") && !text.contains("hidden-value"),
            "{text}"
        );
    }
}
