//! Checks of a start without `--sandbox`: nothing of the sandbox may be in use, and the address must be safe.

use anyhow::{anyhow, bail};
use cabinet_app::Services;
use cabinet_app::keys::{KeysError, is_strong};
use cabinet_gateways::outbound::BaseUrl;
use secrecy::ExposeSecret;

use crate::settings::{SANDBOX_SECRET_KEY, Settings, SettingsError};

/// Refuses the sandbox's key and a public address without encryption.
///
/// # Errors
/// Names the setting.
pub fn check_settings(settings: &Settings) -> anyhow::Result<()> {
    if settings
        .secret_key
        .get()
        .is_some_and(|key| key.expose_secret() == SANDBOX_SECRET_KEY)
    {
        bail!("CABINET_SECRET_KEY is the sandbox's, which everybody knows");
    }
    if let Some(key) = settings.secret_key.get()
        && !is_strong(key.expose_secret())
    {
        bail!(
            "CABINET_SECRET_KEY is easy to guess. Make one by `cabinet keys new`, which also says how to replace the present one"
        );
    }
    let rotates = settings.previous_secret_key.is_some() || settings.receipt_secret_keys.is_some();
    if rotates && settings.wallet_secret_key.is_none() {
        bail!(
            "CABINET_WALLET_SECRET_KEY is not set, and the secret key was rotated: every saved card would be lost. Set it to the secret key from before the first rotation, and leave it there"
        );
    }
    let is_https = settings.public_url.as_ref().is_some_and(BaseUrl::is_https);
    let is_local = settings.listen.ip().is_loopback() && settings.public_url.is_none();
    if !is_local && !is_https {
        bail!("CABINET_PUBLIC_URL must be https outside this machine");
    }
    // A proxy in front ends TLS. Without this header all notaries would share the proxy's address and its limits.
    if is_https && settings.client_address_header.is_none() {
        return Err(SettingsError::missing("client_address_header").into());
    }
    Ok(())
}

/// Refuses a database with the sandbox's notaries or the sandbox's accounts.
///
/// # Errors
/// Says what is in the database, or that it failed.
pub async fn check_data(services: &Services) -> anyhow::Result<()> {
    if services.sandbox_data.has_sandbox_notaries().await? {
        bail!(
            "the database holds the sandbox's demo notaries: a real installation needs a database of its own"
        );
    }
    services.reference.refresh().await?;
    if let Ok(reference) = services.reference.current()
        && reference.has_demonstration()
    {
        bail!(
            "the reference data holds demonstration accounts, which must not be paid to: load real data by `cabinet reference load DIR`"
        );
    }
    Ok(())
}

/// Says what to do about keys that the database does not expect.
pub fn explain_keys(error: KeysError) -> anyhow::Error {
    match error {
        KeysError::OtherWallet => anyhow!(
            "{error}: set CABINET_WALLET_SECRET_KEY to the secret key that this installation began with. If it is lost, `cabinet keys forget wallet` gives up all saved cards"
        ),
        KeysError::ReceiptsUnprovable(_) => anyhow!(
            "{error}: add the earlier secret keys to CABINET_RECEIPT_SECRET_KEYS. If one is lost, `cabinet keys forget receipts` gives up the check of what was printed under it"
        ),
        KeysError::Storage(_) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{RunMode, from_pairs};

    fn refusal(pairs: &[(&str, &str)]) -> Option<String> {
        let settings = from_pairs(RunMode::Serve, pairs).unwrap();
        check_settings(&settings)
            .err()
            .map(|error| error.to_string())
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
}
