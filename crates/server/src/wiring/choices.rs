//! What the operator has chosen, as the use cases and the web server take it.

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::Context;
use cabinet_api::{ApiSettings, OfferTexts};
use cabinet_app::{
    AcquirerNames, AppSettings, AttackSettings, ClientLinkSettings, CodeSettings, Fiscal, Operator,
    Provider, RetentionSettings, SessionSettings, SlipTitles, Support, TableChoices,
};
use cabinet_domain::payment::{AcquirerDelays, Delays};
use cabinet_domain::{AccountLimits, CardFigures, RegisterNumberRule};
use cabinet_gateways::outbound::BaseUrl;
use jiff::SignedDuration;

use crate::settings::{Required, Settings};

pub(super) fn app_settings(
    settings: &Settings,
    public_url: &BaseUrl,
    sandbox: bool,
    refuses_demonstration: bool,
) -> anyhow::Result<AppSettings> {
    Ok(AppSettings {
        public_url: public_url.as_str().to_owned(),
        codes: codes(settings),
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
        card_figures: CardFigures {
            daily_unproved_max: settings.accounts.card_daily_unproved_max,
            told_from: settings.accounts.card_told_from,
        },
        register_number: RegisterNumberRule {
            chars_max: settings.acts.register_number_chars_max,
            marks: settings.acts.register_number_marks.clone(),
        },
        delays: Delays {
            monobank: AcquirerDelays {
                statement: settings.acquirer.statement_minutes,
                refunds: settings.acquirer.refund_minutes,
            },
            liqpay: AcquirerDelays {
                statement: settings.liqpay.statement_minutes,
                refunds: settings.liqpay.refund_minutes,
            },
        },
        table_choices: table_choices(settings),
        operator: operator(settings)?,
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
        refuses_demonstration,
    })
}

/// One-time codes.
fn codes(settings: &Settings) -> CodeSettings {
    let codes = &settings.codes;
    CodeSettings {
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
        all_calls_hourly_max: codes.all_calls_hourly_max,
        unanswered_min: codes.unanswered_min,
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
        device_known_after: SignedDuration::from_hours(codes.device_known_after_hours),
    }
}

/// Who runs the service, as receipts name it.
fn operator(settings: &Settings) -> anyhow::Result<Operator> {
    Ok(Operator {
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
        slip_titles: SlipTitles {
            accepted: settings.receipt.title_accepted.clone(),
            confirmed: settings.receipt.title_confirmed.clone(),
        },
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

/// How long events of the audit trail are kept; `None`: for ever.
pub fn audit_kept(settings: &Settings) -> Option<SignedDuration> {
    retention(settings).audit
}

/// The hosts of payment pages.
pub fn page_hosts(settings: &Settings) -> Vec<String> {
    let mut hosts = settings.acquirer.page_hosts.clone();
    if settings.liqpay.public_key.is_some() {
        hosts.push(settings.liqpay.base_url.authority().to_owned());
    }
    hosts
}

pub(super) fn api_settings(
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
pub(super) fn offer_text(
    file: &Required<PathBuf>,
    sandbox: bool,
) -> anyhow::Result<Option<String>> {
    if sandbox && file.get().is_none() {
        return Ok(None);
    }
    let path = file.value()?;
    std::fs::read_to_string(path)
        .with_context(|| format!("{}: {} can't be read", file.name(), path.display()))
        .map(Some)
}

/// The configured public address, or the one the cabinet listens on.
///
/// # Errors
/// Returns an error when nobody could reach it.
pub(super) fn public_url(settings: &Settings) -> anyhow::Result<BaseUrl> {
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
    use crate::wiring::tests::{COMPLETE, settings};

    #[test]
    fn the_settings_and_the_use_cases_have_the_same_defaults() {
        let settings = settings(COMPLETE);
        let url = public_url(&settings).unwrap();
        let shipped = app_settings(&settings, &url, false, false).unwrap();
        assert_eq!(shipped.codes, CodeSettings::default());
        assert_eq!(shipped.codes.attack, AttackSettings::default());
        assert_eq!(shipped.sessions, SessionSettings::default());
        assert_eq!(shipped.client_links, ClientLinkSettings::default());
        assert_eq!(shipped.retention, RetentionSettings::default());
        assert_eq!(shipped.account_limits, AccountLimits::default());
        assert_eq!(shipped.card_figures, CardFigures::default());
        assert_eq!(shipped.register_number, RegisterNumberRule::default());
    }

    #[test]
    fn only_the_sandbox_does_without_a_real_offer() {
        let settings = settings(&[]);
        let offer = &settings.offer.file_uk;
        assert_eq!(offer_text(offer, true).unwrap(), None);
        let text = offer_text(offer, false).unwrap_err().to_string();
        assert!(text.contains("CABINET_OFFER_FILE_UK"), "{text}");
    }
}
