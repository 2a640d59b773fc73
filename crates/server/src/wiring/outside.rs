//! The services outside of the cabinet, as the settings name them.

use std::sync::Arc;

use anyhow::Context;
use cabinet_app::Environment;
use cabinet_clock::{PassingTime, SystemClock};
use cabinet_domain::Randomness;
use cabinet_gateways::acquirer::{AcquirerName, Acquirers, InvoiceState};
use cabinet_gateways::liqpay::{self, LiqPay, LiqPaySettings};
use cabinet_gateways::mail::Mail;
use cabinet_gateways::monobank::{self, Monobank, MonobankSettings};
use cabinet_gateways::phone_calls::PhoneCalls;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::sms::{Sms, SmsService, SmsServices};
use cabinet_gateways::smsclub::{SmsClub, SmsClubSettings};
use cabinet_gateways::smtp::{Smtp, SmtpSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use cabinet_gateways::twilio::{Twilio, TwilioSettings};

use crate::environment::SystemRandomness;
use crate::settings::{Settings, SettingsError};

/// The clock, the randomness and the outside services. All are advanced with `time`.
pub(super) fn environment(settings: &Settings, time: &PassingTime) -> anyhow::Result<Environment> {
    Ok(Environment {
        clock: Arc::new(SystemClock::of(time)),
        time: time.clone(),
        randomness: Arc::new(SystemRandomness),
        acquirers: acquirers(settings, time)?,
        phone_calls: phone_calls(settings, time)?,
        mail: smtp(settings)?.map(|smtp| Arc::new(smtp) as Arc<dyn Mail>),
        hub: Arc::new(Hub::new(SystemRandomness.uuid_v4().simple().to_string())),
        sms: sms(settings, time)?,
    })
}

/// The acquirers. LiqPay can be called where its keys are set, also where no new payment is made there.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub(super) fn acquirers(settings: &Settings, time: &PassingTime) -> anyhow::Result<Acquirers> {
    let order = &settings.acquirer.providers;
    let acquirers = Acquirers::only(Arc::new(monobank(settings, time)?));
    let acquirers = match liqpay(settings, time)? {
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
    Ok(acquirers.in_order(order)?)
}

/// The acquirer LiqPay, if it is set up.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn liqpay(settings: &Settings, time: &PassingTime) -> anyhow::Result<Option<LiqPay>> {
    let shop = &settings.liqpay;
    let Some(public_key) = &shop.public_key else {
        return Ok(None);
    };
    let private_key = shop.private_key.value()?.clone();
    let adapter = LiqPaySettings {
        version: shop.version,
        request_hash: shop.request_hash,
        callback_hash: shop.callback_hash,
        time: time.clone(),
        ..LiqPaySettings::new(shop.base_url.clone(), public_key.clone(), private_key)
    };
    Ok(Some(LiqPay::new(adapter)?))
}

/// The acquirer monobank.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn monobank(settings: &Settings, time: &PassingTime) -> anyhow::Result<Monobank> {
    let mut acquirer = MonobankSettings::new(
        settings.acquirer.base_url.clone(),
        settings.acquirer.token.value()?.clone(),
    );
    acquirer.time = time.clone();
    Ok(Monobank::new(acquirer)?)
}

/// Reads the stored body of a report.
pub(super) fn read_report(acquirer: AcquirerName, body: &[u8]) -> Option<InvoiceState> {
    match acquirer {
        AcquirerName::Monobank => monobank::read_report(body),
        AcquirerName::LiqPay => liqpay::read_report(body),
    }
}

/// The SMS services, in their order.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn sms(settings: &Settings, time: &PassingTime) -> anyhow::Result<SmsServices> {
    let mut services: Option<SmsServices> = None;
    for service in &settings.sms.providers {
        let sms = sms_service(settings, time, *service)?;
        services = Some(match services {
            None => SmsServices::only(sms),
            Some(before) => before.then(sms),
        });
    }
    services.ok_or_else(|| SettingsError::missing("sms.providers").into())
}

fn sms_service(
    settings: &Settings,
    time: &PassingTime,
    service: SmsService,
) -> anyhow::Result<Arc<dyn Sms>> {
    Ok(match service {
        SmsService::TurboSms => {
            let mut turbosms = TurboSmsSettings::new(
                settings.sms.base_url.clone(),
                settings.sms.token.value()?.clone(),
                settings.sms.sender.value()?.clone(),
            );
            turbosms.time = time.clone();
            Arc::new(TurboSms::new(turbosms)?)
        }
        SmsService::SmsClub => {
            let account = &settings.smsclub;
            let token = account.token.clone();
            let mut smsclub = SmsClubSettings::new(
                account.base_url.clone(),
                token.ok_or_else(|| SettingsError::missing("smsclub.token"))?,
                account.sender.value()?.clone(),
            );
            smsclub.time = time.clone();
            Arc::new(SmsClub::new(smsclub)?)
        }
    })
}

/// The voice service, if it is set up.
///
/// # Errors
/// Returns an error when a setting is missing or can't be used.
pub fn phone_calls(
    settings: &Settings,
    time: &PassingTime,
) -> anyhow::Result<Option<Arc<dyn PhoneCalls>>> {
    let voice = &settings.calls;
    let Some(account) = &voice.account else {
        return Ok(None);
    };
    let mut twilio = TwilioSettings::new(
        voice.base_url.clone(),
        account.clone(),
        voice.token.value()?.clone(),
        voice.caller.value()?.clone(),
    );
    twilio.time = time.clone();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{RunMode, from_pairs};
    use crate::wiring::tests::{COMPLETE, settings, without};

    const MAIL: &[(&str, &str)] = &[
        ("CABINET_MAIL_HOST", "127.0.0.1"),
        ("CABINET_MAIL_USER", "cabinet"),
        ("CABINET_MAIL_PASSWORD", "hidden-value"),
        ("CABINET_MAIL_FROM", "Кабінет <cabinet@cabinet.example>"),
    ];

    #[test]
    fn a_message_service_in_the_order_needs_its_account() {
        let time = PassingTime::default();
        let both = ("CABINET_SMS_PROVIDERS", "smsclub, turbosms");
        let mut pairs = COMPLETE.to_vec();
        pairs.push(both);
        let text = sms(&settings(&pairs), &time)
            .map(drop)
            .unwrap_err()
            .to_string();
        assert!(text.contains("CABINET_SMSCLUB_TOKEN"), "{text}");
        pairs.extend([
            ("CABINET_SMSCLUB_TOKEN", "hidden-value"),
            ("CABINET_SMSCLUB_SENDER", "Cabinet"),
        ]);
        let services = sms(&settings(&pairs), &time).unwrap();
        let order: Vec<SmsService> = services.iter().map(|sms| sms.service()).collect();
        assert_eq!(order, [SmsService::SmsClub, SmsService::TurboSms]);
        // A service that is not in the order needs none.
        let one = [
            ("CABINET_SMS_PROVIDERS", "smsclub"),
            pairs[pairs.len() - 2],
            pairs[pairs.len() - 1],
        ];
        sms(&settings(&one), &time).unwrap();
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
