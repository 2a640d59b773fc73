//! Builds the parts of the cabinet from the settings.

mod choices;
mod database;
mod outside;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use cabinet_api::ApiSettings;
use cabinet_app::audit::Recorder;
use cabinet_app::operator::OperatorServices;
use cabinet_app::operator::erasure::Wallets;
use cabinet_app::operator::support_desk::SupportDesk;
use cabinet_app::{Keys, Notifier, Secrets, Services, Support, compose};
use cabinet_clock::PassingTime;
use cabinet_storage::{DatabaseUrl, Store, StoreOptions};

use self::choices::{api_settings, app_settings, offer_text, public_url};
use self::database::open;
use self::outside::{acquirers, environment, read_report};
use crate::settings::{Required, Settings};

pub use self::choices::{audit_kept, page_hosts, retention, table_choices};
pub use self::database::{
    check_encryption, is_missing, open_any_store, open_or_make_store, open_store, open_to_look,
};
pub use self::outside::{liqpay, monobank, phone_calls, sms, smtp};

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

/// How long a unit of work of the server waits for a lock on PostgreSQL. Then it gives its connection back to those who wait for none.
const LOCK_TIME_MAX: Duration = Duration::from_secs(2);

/// Options of a server's database. SQLite has one lock for all, which a command may hold for longer.
fn of_server(database: &DatabaseUrl) -> StoreOptions {
    let usual = StoreOptions::default();
    StoreOptions {
        lock_timeout: if database.is_sqlite() {
            usual.lock_timeout
        } else {
            LOCK_TIME_MAX
        },
        ..usual
    }
}

/// Builds every part of a server. `time` advances its clock.
///
/// # Errors
/// Returns an error when a setting is missing or the database can't be opened.
pub async fn wire(settings: &Settings, start: Start, time: &PassingTime) -> anyhow::Result<Wired> {
    let sandbox = start.sandbox;
    let public_url = public_url(settings)?;
    let keys = keys(settings)?;
    let environment = environment(settings, time)?;
    if environment.mail.is_none() {
        tracing::warn!(
            "No mail server is set up (CABINET_MAIL_HOST): complaints are kept, and the support gets no letter"
        );
    }
    let app_settings = app_settings(settings, &public_url, sandbox, !sandbox)?;
    let api_settings = api_settings(settings, &public_url, sandbox)?;
    let options = StoreOptions {
        exclusive: true,
        create: start.migrates,
        ..of_server(&settings.database_url)
    };
    let store = open(settings, options).await?;
    Ok(Wired {
        services: compose(store, environment, keys, app_settings),
        api: api_settings,
        public_url: public_url.as_str().to_owned(),
    })
}

/// Returns everything about the settings by which a server without the sandbox can't be built. Settings that are missing are named, too.
pub fn problems(settings: &Settings) -> Vec<anyhow::Error> {
    let time = PassingTime::default();
    let parts = [
        check_encryption(settings),
        public_url(settings).map(drop),
        keys(settings).map(drop),
        acquirers(settings, &time).map(drop),
        sms(settings, &time).map(drop),
        phone_calls(settings, &time).map(drop),
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
            environment(settings, &PassingTime::default())?,
            app_settings(settings, &public_url, false, false)?,
        ))
    };
    let (keys, environment, app_settings) =
        parts().context("this command needs the settings of the server")?;
    let store = open_store(settings).await?;
    Ok(compose(store, environment, keys, app_settings))
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
    let operator = operator(settings, &store, recorder);
    let desk = operator.support_desk(keys(settings).ok(), read_report);
    Ok((store, desk))
}

/// The use cases of the operator for a command. It may run without the settings of the server: then notices name no telephone.
pub fn operator(settings: &Settings, store: &Store, recorder: Recorder) -> OperatorServices {
    let named = |contact: &Required<String>| contact.get().cloned().unwrap_or_default();
    let support = Support {
        email: named(&settings.support.email),
        phone: named(&settings.support.phone),
    };
    OperatorServices {
        store: store.clone(),
        recorder,
        notifier: Notifier::new(support, settings.mail.host.is_some()),
        sign_up_confirmation: settings.sign_up_confirmation,
        retention: retention(settings),
    }
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
        acquirer: Arc::new(monobank(settings, &PassingTime::default())?),
        keys: Arc::new(keys(settings)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{RunMode, from_pairs};

    /// The required settings of a real installation, without the offer.
    pub(super) const COMPLETE: &[(&str, &str)] = &[
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

    pub(super) fn settings(pairs: &[(&str, &str)]) -> Settings {
        from_pairs(RunMode::Serve, pairs).unwrap()
    }

    pub(super) fn without<'a>(pairs: &[(&'a str, &'a str)], name: &str) -> Vec<(&'a str, &'a str)> {
        let mut rest = pairs.to_vec();
        rest.retain(|(other, _)| *other != name);
        rest
    }

    #[test]
    fn nothing_that_every_start_needs_may_be_missing() {
        let parts = |settings: &Settings| -> anyhow::Result<()> {
            environment(settings, &PassingTime::default())?;
            app_settings(settings, &public_url(settings)?, false, false)?;
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
}
