//! Checks of a start without `--sandbox`: nothing of the sandbox may be in use, nothing may be missing, and the address must be safe.
//! `cabinet serve` refuses with all that is found, and `cabinet check` tells it before.

use std::fmt;

use anyhow::anyhow;
use cabinet_app::TableChoices;
use cabinet_app::catalogue::reference::{
    ReferenceData, is_demonstration_account, is_demonstration_name, refuse_demonstration,
    stored_tables,
};
use cabinet_app::kernel::keys::{KeysError, is_strong};
use cabinet_app::sandbox_data::has_sandbox_notaries;
use cabinet_gateways::liqpay::is_test_key;
use cabinet_gateways::outbound::BaseUrl;
use cabinet_storage::Store;
use secrecy::ExposeSecret;

use crate::settings::{Reading, SANDBOX_SECRET_KEY, Settings, SettingsError};
use crate::wiring;

/// Everything that stops a start, each in words that say what to do.
#[derive(Debug)]
pub struct Refusals(Vec<String>);

impl Refusals {
    /// Returns an error if something stops the start.
    ///
    /// # Errors
    /// Names all of it.
    pub fn check(found: Vec<String>) -> Result<(), Refusals> {
        if found.is_empty() {
            Ok(())
        } else {
            Err(Refusals(found))
        }
    }
}

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [one] => f.write_str(one),
            all => write!(
                f,
                "{} things stop the start:\n  {}\n`cabinet check` also looks at the outside services",
                all.len(),
                all.join("\n  ")
            ),
        }
    }
}

impl std::error::Error for Refusals {}

/// Returns the settings of a start without the sandbox.
///
/// # Errors
/// Names everything that is wrong, missing or unsafe.
pub fn accept(reading: Reading) -> Result<Settings, Refusals> {
    Refusals::check(problems_of_settings(&reading))?;
    Ok(reading.settings)
}

/// Returns everything about the settings that stops a start.
pub fn problems_of_settings(reading: &Reading) -> Vec<String> {
    let wrong = reading.errors.iter().map(ToString::to_string);
    let missing = reading.missing();
    let mut found: Vec<String> = wrong
        .chain(missing.iter().map(ToString::to_string))
        .collect();
    let unsafe_ones = unsafe_settings(&reading.settings);
    let unbuilt = wiring::problems(&reading.settings);
    let unbuilt = unbuilt.iter().map(|error| format!("{error:#}"));
    for text in unsafe_ones.into_iter().chain(unbuilt) {
        // What is wrong or missing is told once.
        if !found
            .iter()
            .any(|told| setting_of(told) == setting_of(&text))
        {
            found.push(text);
        }
    }
    found
}

/// The setting that a text begins with; or else the whole text.
fn setting_of(text: &str) -> &str {
    let end = text.find([' ', ':']).unwrap_or(text.len());
    if text.starts_with("CABINET_") {
        text.get(..end).unwrap_or(text)
    } else {
        text
    }
}

/// Names the sandbox's key and operator, keys that don't fit together, and a public address without encryption.
fn unsafe_settings(settings: &Settings) -> Vec<String> {
    let mut found = unsafe_keys(settings);
    let is_https = settings.public_url.as_ref().is_some_and(BaseUrl::is_https);
    let is_local = settings.listen.ip().is_loopback() && settings.public_url.is_none();
    if !is_local && !is_https {
        found.push("CABINET_PUBLIC_URL must be https outside this machine".to_owned());
    }
    // A proxy in front ends TLS. Without this header all notaries would share the proxy's address and its limits.
    if is_https && settings.client_address_header.is_none() {
        found.push(SettingsError::missing("client_address_header").to_string());
    }
    let operator = &settings.operator;
    if operator.iban.get().is_some_and(is_demonstration_account) {
        found.push(
            "CABINET_OPERATOR_IBAN is a demonstration account: transfers are paid from your own"
                .to_owned(),
        );
    }
    if operator
        .name
        .get()
        .is_some_and(|name| is_demonstration_name(name))
    {
        found.push(
            "CABINET_OPERATOR_NAME is that of the sandbox's operator: set your own".to_owned(),
        );
    }
    if settings
        .liqpay
        .public_key
        .as_deref()
        .is_some_and(is_test_key)
    {
        found.push(
            "CABINET_LIQPAY_PUBLIC_KEY is a test shop's, whose payments bring no money while transfers pay real money out: set your shop's"
                .to_owned(),
        );
    }
    found
}

fn unsafe_keys(settings: &Settings) -> Vec<String> {
    let mut found = Vec::new();
    let key = settings.secret_key.get().map(ExposeSecret::expose_secret);
    if key == Some(SANDBOX_SECRET_KEY) {
        found.push("CABINET_SECRET_KEY is the sandbox's, which everybody knows".to_owned());
    } else if key.is_some_and(|key| !is_strong(key)) {
        found.push(
            "CABINET_SECRET_KEY is easy to guess. Make one by `cabinet keys new`, which also says how to replace the present one"
                .to_owned(),
        );
    }
    let rotates = settings.previous_secret_key.is_some() || settings.receipt_secret_keys.is_some();
    if rotates && settings.wallet_secret_key.is_none() {
        found.push(
            "CABINET_WALLET_SECRET_KEY is not set, and the secret key was rotated: every saved card would be lost. Set it to the secret key from before the first rotation, and leave it there"
                .to_owned(),
        );
    }
    found
}

/// What the database of a start without the sandbox has.
pub struct StoredData {
    /// What stops the start.
    pub problems: Vec<String>,
    /// The reference data, if there are any.
    pub reference: Option<ReferenceData>,
}

/// Looks at the data of the database: the sandbox's notaries, no reference data, demonstration accounts.
///
/// # Errors
/// Returns an error when the database fails.
pub async fn examine_data(store: &Store, choices: &TableChoices) -> anyhow::Result<StoredData> {
    let mut problems = Vec::new();
    if has_sandbox_notaries(store).await? {
        problems.push(
            "the database holds the sandbox's demo notaries: a real installation needs a database of its own"
                .to_owned(),
        );
    }
    let reference = match stored_tables(store, choices).await {
        Err(error) => {
            problems.push(error.to_string());
            None
        }
        Ok(None) => {
            problems.push(
                "no reference data is loaded: load your tables by `cabinet reference load DIR`"
                    .to_owned(),
            );
            None
        }
        Ok(Some(tables)) => {
            let refused = refuse_demonstration(&tables.data);
            problems.extend(refused.err().map(|refusal| refusal.to_string()));
            Some(tables.data)
        }
    };
    Ok(StoredData {
        problems,
        reference,
    })
}

/// Refuses a database with the sandbox's notaries or accounts, and one without reference data.
///
/// # Errors
/// Says all that is wrong with the data, or that the database failed.
pub async fn check_data(store: &Store, choices: &TableChoices) -> anyhow::Result<()> {
    Ok(Refusals::check(
        examine_data(store, choices).await?.problems,
    )?)
}

/// Says what to do about keys that the database does not expect.
pub fn explain_keys(error: KeysError) -> anyhow::Error {
    match error {
        KeysError::OtherWallet => anyhow!(
            "{error}. If another cabinet works on this database, give this one the same keys. Otherwise set CABINET_WALLET_SECRET_KEY to the secret key that this installation began with. If it is certainly lost, `cabinet keys forget wallet` says what would be given up, and how"
        ),
        KeysError::ReceiptsUnprovable(_) => anyhow!(
            "{error}. If another cabinet works on this database, give this one the same keys. Otherwise add the earlier secret keys to CABINET_RECEIPT_SECRET_KEYS. If one is certainly lost, `cabinet keys forget receipts` says what would be given up, and how"
        ),
        KeysError::Storage(_) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{RunMode, from_pairs, reading_of};

    fn refusal(pairs: &[(&str, &str)]) -> Option<String> {
        let settings = from_pairs(RunMode::Serve, pairs).unwrap();
        let found = unsafe_settings(&settings);
        assert!(found.len() < 2, "{found:?}");
        found.into_iter().next()
    }

    #[test]
    fn behind_a_proxy_the_header_with_the_clients_address_is_needed() {
        let url = ("CABINET_PUBLIC_URL", "https://cabinet.example");
        let text = refusal(&[url]).unwrap();
        assert!(text.contains("CABINET_CLIENT_ADDRESS_HEADER"), "{text}");
        let header = ("CABINET_CLIENT_ADDRESS_HEADER", "x-forwarded-for");
        assert_eq!(refusal(&[url, header]), None);
    }

    const STRONG: &str = "q7Zt0Vw2Kc9xYd4LpR8sJm1NfB6hGe3TuAoXiQyWzE5";

    #[test]
    fn a_key_that_can_be_guessed_is_refused() {
        let text = refusal(&[("CABINET_SECRET_KEY", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]);
        let text = text.unwrap();
        assert!(
            text.contains("CABINET_SECRET_KEY") && text.contains("keys new"),
            "{text}"
        );
        assert!(!text.contains("aaaa"), "{text}");
        assert_eq!(refusal(&[("CABINET_SECRET_KEY", STRONG)]), None);
    }

    #[test]
    fn a_rotation_without_the_wallets_key_is_refused() {
        let old = "the secret from before, of whatever strength";
        for name in ["CABINET_PREVIOUS_SECRET_KEY", "CABINET_RECEIPT_SECRET_KEYS"] {
            let rotated = [("CABINET_SECRET_KEY", STRONG), (name, old)];
            let text = refusal(&rotated).unwrap();
            assert!(text.contains("CABINET_WALLET_SECRET_KEY"), "{text}");
            let [first, second] = rotated;
            assert_eq!(
                refusal(&[first, second, ("CABINET_WALLET_SECRET_KEY", old)]),
                None
            );
        }
    }

    #[test]
    fn the_sandboxs_key_and_clear_text_outside_this_machine_are_refused() {
        let text = refusal(&[("CABINET_SECRET_KEY", SANDBOX_SECRET_KEY)]).unwrap();
        assert!(text.contains("CABINET_SECRET_KEY"), "{text}");
        let text = refusal(&[("CABINET_LISTEN", "0.0.0.0:8080")]).unwrap();
        assert!(text.contains("CABINET_PUBLIC_URL"), "{text}");
        assert_eq!(refusal(&[]), None);
    }

    #[test]
    fn the_operator_of_the_sandbox_is_refused() {
        let name = "CABINET_OPERATOR_IBAN";
        let text = refusal(&[(name, "UA573220010000026007233566001")]).unwrap();
        assert!(text.starts_with(name) && !text.contains("UA57"), "{text}");
        let text = refusal(&[("CABINET_OPERATOR_NAME", "ТОВ «Демонстраційний кабінет»")]);
        assert!(text.unwrap().starts_with("CABINET_OPERATOR_NAME"));
        assert_eq!(refusal(&[(name, "UA303220010000026007233566002")]), None);
    }

    #[test]
    fn a_start_names_everything_at_once_and_each_setting_once() {
        let reading = reading_of(
            RunMode::Serve,
            &[
                ("CABINET_SECRET_KEY", "hidden-value"),
                ("CABINET_PUBLIC_URL", "http://hidden-value.example"),
                ("CABINET_LISTEN", "0.0.0.0:8080"),
                ("CABINET_LISTENN", "x"),
                ("CABINET_MAIL_HOST", "127.0.0.1"),
                ("CABINET_MAIL_USER", "cabinet"),
                ("CABINET_OFFER_FILE_UK", "/nowhere/offer.txt"),
            ],
        );
        let text = accept(reading).map(|_| ()).unwrap_err().to_string();
        for name in [
            "CABINET_SECRET_KEY",
            "CABINET_PUBLIC_URL",
            "CABINET_LISTENN",
            "CABINET_ACQUIRER_TOKEN",
            "CABINET_SMS_TOKEN",
            "CABINET_SMS_SENDER",
            "CABINET_MAIL_FROM",
            "CABINET_MAIL_PASSWORD",
            "CABINET_OPERATOR_NAME",
            "CABINET_OPERATOR_CODE",
            "CABINET_OPERATOR_IBAN",
            "CABINET_OPERATOR_ADDRESS",
            "CABINET_SUPPORT_EMAIL",
            "CABINET_SUPPORT_PHONE",
            "CABINET_OFFER_FILE_UK",
            "CABINET_OFFER_FILE_EN",
        ] {
            let lines = text.lines().map(str::trim);
            let lines: Vec<&str> = lines.filter(|line| line.contains(name)).collect();
            assert_eq!(lines.len(), 1, "{name}: {text}");
        }
        assert!(!text.contains("hidden-value"), "{text}");
        assert!(text.starts_with("16 things stop the start:\n"), "{text}");
    }
}
