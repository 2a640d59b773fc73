//! `--sandbox`: the outside world in a box, demo notaries, and keys that are worth nothing.
//!
//! Without the flag everything of it is refused, not ignored: its settings, its keys and its data.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use cabinet_app::App;
use cabinet_app::demonstration::{DEMO_NOTARIES, DemoPayment};
use cabinet_sandbox::{PaidInvoice, Sandbox, SandboxSettings};
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::environment::{SystemClock, SystemRandomness};
use crate::settings::{Settings, SettingsError};
use crate::{commands, wiring};

const LISTEN: &str = "127.0.0.1:8081";
/// Only the cabinet sends letters there, so any port does, and two sandboxes never want the same.
const SMTP_LISTEN: &str = "127.0.0.1:0";
const SECRET_KEY: &str = "sandbox-secret-key-worth-nothing-at-all";
/// Saved for every demo notary, so that a saved card can be tried at once.
const DEMO_CARDS: [&str; 3] = ["4242424242424242", "5555555555554444", "4000000000000002"];
/// Remembers invoices and saved cards, beside a database in a file.
const JOURNAL: &str = "sandbox-journal.jsonl";

/// The running sandbox.
pub struct World {
    sandbox: Sandbox,
    url: String,
}

impl World {
    /// What a person needs to know to try the cabinet.
    pub fn welcome(&self, public_url: &str) -> String {
        let mut text = format!(
            "\nКабінет нотаріуса / Notary dashboard:  {public_url}\nПісочниця / Sandbox:                   {url}\n\n\
             Коди входу надходять сюди / Login codes arrive here: {url}/inbox\n\nДемо-нотаріуси / Demo notaries:\n",
            url = self.url
        );
        for notary in DEMO_NOTARIES {
            text.push_str(&format!("  {}  {}\n", notary.phone, notary.about));
        }
        text.push_str("\nКартки / Cards: 4242 4242 4242 4242 (сплачує / pays), 4000 0000 0000 0002 (відмова / declined), 4000 0000 0000 3063 (3-D Secure)\n\n");
        text
    }
}

/// Starts the sandbox and points the settings at it.
///
/// # Errors
/// When a setting names a real outside service, or the sandbox can't listen.
pub async fn start(
    settings: &mut Settings,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<World> {
    for (name, is_set) in [
        (
            "CABINET_ACQUIRER_BASE_URL",
            settings.acquirer.base_url.is_some(),
        ),
        ("CABINET_ACQUIRER_TOKEN", settings.acquirer.token.is_some()),
        ("CABINET_SMS_BASE_URL", settings.sms.base_url.is_some()),
        ("CABINET_SMS_TOKEN", settings.sms.token.is_some()),
        ("CABINET_CALLS_BASE_URL", settings.calls.base_url.is_some()),
        ("CABINET_CALLS_ACCOUNT", settings.calls.account.is_some()),
        ("CABINET_CALLS_TOKEN", settings.calls.token.is_some()),
        ("CABINET_MAIL_HOST", settings.mail.host.is_some()),
        ("CABINET_MAIL_USER", settings.mail.user.is_some()),
        ("CABINET_MAIL_PASSWORD", settings.mail.password.is_some()),
    ] {
        if is_set {
            bail!("{name} names a real service: it does not go with --sandbox");
        }
    }
    let listen = match settings.sandbox_listen {
        Some(listen) => listen,
        None => LISTEN.parse::<SocketAddr>()?,
    };
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("the sandbox can't listen on {listen}"))?;
    let url = format!("http://{}", listener.local_addr()?);
    let smtp_listen = match settings.sandbox_smtp_listen {
        Some(listen) => listen,
        None => SMTP_LISTEN.parse::<SocketAddr>()?,
    };
    let smtp_listener = TcpListener::bind(smtp_listen)
        .await
        .with_context(|| format!("the sandbox's mail server can't listen on {smtp_listen}"))?;
    let smtp_address = smtp_listener.local_addr()?;
    let mut world = SandboxSettings::new(url.clone());
    world.journal = journal(settings);
    settings.acquirer.base_url = Some(url.clone());
    settings.acquirer.page_hosts = Some(listener.local_addr()?.to_string());
    settings.acquirer.token = Some(SecretString::from(world.acquirer_token.clone()));
    settings.sms.base_url = Some(url.clone());
    settings.calls.base_url = Some(url.clone());
    settings.calls.account = Some(world.call_sid.clone());
    settings.calls.token = Some(SecretString::from(world.call_token.clone()));
    settings.calls.caller = Some("+380440000000".to_owned());
    settings.mail.host = Some(smtp_address.ip().to_string());
    settings.mail.port = Some(smtp_address.port());
    settings.mail.user = Some(world.mail_user.clone());
    settings.mail.password = Some(SecretString::from(world.mail_password.clone()));
    settings
        .mail
        .from
        .get_or_insert_with(|| "Кабінет нотаріуса <cabinet@cabinet.example>".to_owned());
    settings.sms.token = Some(SecretString::from(world.sms_token.clone()));
    settings
        .sms
        .sender
        .get_or_insert_with(|| "Cabinet".to_owned());
    settings
        .secret_key
        .get_or_insert_with(|| SecretString::from(SECRET_KEY));
    settings
        .operator
        .name
        .get_or_insert_with(|| "ТОВ «Демонстраційний кабінет»".to_owned());
    settings
        .operator
        .code
        .get_or_insert_with(|| "32855961".to_owned());
    settings
        .operator
        .iban
        .get_or_insert_with(|| "UA223052990000026001234567890".to_owned());
    settings
        .operator
        .address
        .get_or_insert_with(|| "м. Київ, вул. Демонстраційна, 1".to_owned());
    settings
        .support
        .email
        .get_or_insert_with(|| "support@cabinet.example".to_owned());
    settings
        .support
        .phone
        .get_or_insert_with(|| "0 800 000 000".to_owned());
    let sandbox = Sandbox::new(world, Arc::new(SystemClock), Arc::new(SystemRandomness))
        .map_err(|error| anyhow!("the sandbox can't be made: {error}"))?;
    let (serving, until) = (sandbox.clone(), end(stopped.clone()));
    tokio::spawn(async move { serving.serve_smtp(smtp_listener, until).await });
    let (serving, until) = (sandbox.clone(), end(stopped));
    tokio::spawn(async move {
        if let Err(error) = serving.serve(listener, until).await {
            tracing::error!(%error, "The sandbox ended");
        }
    });
    Ok(World { sandbox, url })
}

/// Ready when the cabinet stops.
async fn end(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Beside a database in a file; with PostgreSQL the sandbox forgets.
fn journal(settings: &Settings) -> Option<PathBuf> {
    let url = settings
        .database_url
        .as_ref()
        .map_or("sqlite:var/cabinet.sqlite", |url| url.expose_secret());
    let file = PathBuf::from(url.strip_prefix("sqlite:")?);
    Some(file.parent()?.join(JOURNAL))
}

/// Fills an empty database with reference data, demo notaries and their history.
///
/// # Errors
/// When the database holds the data of a real installation, or can't be written.
pub async fn furnish(app: &App, world: &World) -> anyhow::Result<()> {
    if app.has_real_notaries().await? {
        bail!("the database holds notaries of a real installation: it does not go with --sandbox");
    }
    app.follow_reference().await?;
    if app.reference().is_err() {
        let files = commands::reference::built_in();
        let loaded = cabinet_app::maintenance::load_reference(app.store(), files, app.now()).await;
        loaded.map_err(|_| anyhow!("the built-in reference data can't be loaded"))?;
        app.follow_reference().await?;
    }
    app.add_demo_notaries().await?;
    for notary in DEMO_NOTARIES {
        let wallet = app
            .keys()
            .wallet(notary.id())
            .ok_or_else(|| anyhow!("a wallet can't be named"))?;
        for card in DEMO_CARDS {
            world
                .sandbox
                .save_card(wallet.as_str(), card)
                .map_err(|_| anyhow!("a demo card can't be saved"))?;
        }
    }
    let sandbox = &world.sandbox;
    app.add_demo_history(|payment: &DemoPayment| {
        let paid = PaidInvoice {
            reference: payment.reference.clone(),
            amount: payment.sum,
            destination: payment.destination.clone(),
            card_number: DEMO_CARDS[0].to_owned(),
            at: payment.at,
        };
        sandbox.seed_paid(&paid).ok()
    })
    .await?;
    Ok(())
}

/// Refuses what belongs to the sandbox in a start without it.
///
/// # Errors
/// Naming what does not belong.
pub fn refuse_leftovers(settings: &Settings) -> anyhow::Result<()> {
    if settings.sandbox_listen.is_some() {
        bail!("CABINET_SANDBOX_LISTEN is set, but there is no --sandbox");
    }
    if settings.sandbox_smtp_listen.is_some() {
        bail!("CABINET_SANDBOX_SMTP_LISTEN is set, but there is no --sandbox");
    }
    if settings
        .secret_key
        .as_ref()
        .is_some_and(|key| key.expose_secret() == SECRET_KEY)
    {
        bail!("CABINET_SECRET_KEY is the sandbox's, which everybody knows");
    }
    let public_url = settings.public_url.as_deref().unwrap_or_default();
    let on_this_machine = wiring::listen(settings)?.ip().is_loopback() && public_url.is_empty();
    if !on_this_machine && !public_url.starts_with("https://") {
        bail!("CABINET_PUBLIC_URL must be https outside this machine");
    }
    // TLS belongs to a proxy in front: without its word all notaries would share its address, and the limits of that one address.
    if public_url.starts_with("https://") && settings.client_address_header.is_none() {
        return Err(SettingsError::Missing("CABINET_CLIENT_ADDRESS_HEADER").into());
    }
    Ok(())
}

/// Refuses demo data in a start without the sandbox.
///
/// # Errors
/// Naming what does not belong.
pub async fn refuse_demonstration(app: &App) -> anyhow::Result<()> {
    if app.has_demo_notaries().await? {
        bail!(
            "the database holds the sandbox's demo notaries: a real installation needs a database of its own"
        );
    }
    app.follow_reference().await?;
    if let Ok(reference) = app.reference()
        && reference.has_demonstration()
    {
        bail!(
            "the reference data holds demonstration accounts, which must not be paid to: load real data by `cabinet reference load DIR`"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_proxy_the_header_with_the_clients_address_is_needed() {
        let mut settings = Settings {
            public_url: Some("https://cabinet.example".to_owned()),
            ..Settings::default()
        };
        let text = refuse_leftovers(&settings).unwrap_err().to_string();
        assert!(text.contains("CABINET_CLIENT_ADDRESS_HEADER"), "{text}");
        settings.client_address_header = Some("x-forwarded-for".to_owned());
        assert!(refuse_leftovers(&settings).is_ok());
    }
}
