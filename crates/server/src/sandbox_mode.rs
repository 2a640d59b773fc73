//! `--sandbox`: the outside world in a box, demo notaries, and keys that are worth nothing.
//!
//! Without the flag everything of it is refused, not ignored: its settings, its keys and its data.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use cabinet_app::App;
use cabinet_app::demonstration::{DEMO_NOTARIES, DemoPayment};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_sandbox::{PaidInvoice, Sandbox, SandboxSettings};
use secrecy::ExposeSecret;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::commands;
use crate::environment::{SystemClock, SystemRandomness};
use crate::settings::{SANDBOX_SECRET_KEY, Settings, SettingsError};

/// The number that calls come from.
const CALLER: &str = "+380440000000";
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
    let listen = settings.sandbox_listen;
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("the sandbox can't listen on {listen}"))?;
    let url = format!("http://{}", listener.local_addr()?);
    let smtp_listen = settings.sandbox_smtp_listen;
    let smtp_listener = TcpListener::bind(smtp_listen)
        .await
        .with_context(|| format!("the sandbox's mail server can't listen on {smtp_listen}"))?;
    let smtp_address = smtp_listener.local_addr()?;
    let mut world = SandboxSettings::new(url.clone());
    world.journal = journal(settings);
    point_at(settings, &world, listener.local_addr()?, smtp_address)?;
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

/// Points the settings of the outside services at the sandbox.
fn point_at(
    settings: &mut Settings,
    world: &SandboxSettings,
    address: SocketAddr,
    smtp_address: SocketAddr,
) -> anyhow::Result<()> {
    let base_url = BaseUrl::parse(&format!("http://{address}")).context(
        "the sandbox can't be reached from outside this machine: CABINET_SANDBOX_LISTEN",
    )?;
    settings.acquirer.base_url = base_url.clone();
    settings.acquirer.page_hosts = vec![address.to_string()];
    settings
        .acquirer
        .token
        .set(world.acquirer_token.clone().into());
    settings.sms.base_url = base_url.clone();
    settings.sms.token.set(world.sms_token.clone().into());
    settings.calls.base_url = base_url;
    settings.calls.account = Some(world.call_sid.clone());
    settings.calls.token.set(world.call_token.clone().into());
    settings.calls.caller.set(CALLER.to_owned());
    settings.mail.host = Some(smtp_address.ip().to_string());
    settings.mail.port = smtp_address.port();
    settings.mail.user = Some(world.mail_user.clone());
    settings.mail.password = Some(world.mail_password.clone().into());
    Ok(())
}

/// Ready when the cabinet stops.
async fn end(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Beside a database in a file; with PostgreSQL the sandbox forgets.
fn journal(settings: &Settings) -> Option<PathBuf> {
    let url = settings.database_url.to_string();
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
    if settings
        .secret_key
        .get()
        .is_some_and(|key| key.expose_secret() == SANDBOX_SECRET_KEY)
    {
        bail!("CABINET_SECRET_KEY is the sandbox's, which everybody knows");
    }
    let is_https = settings.public_url.as_ref().is_some_and(BaseUrl::is_https);
    let on_this_machine = settings.listen.ip().is_loopback() && settings.public_url.is_none();
    if !on_this_machine && !is_https {
        bail!("CABINET_PUBLIC_URL must be https outside this machine");
    }
    // TLS belongs to a proxy in front: without its word all notaries would share its address, and the limits of that one address.
    if is_https && settings.client_address_header.is_none() {
        return Err(SettingsError::missing("client_address_header").into());
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
    use crate::settings::{Purpose, from_pairs};

    fn refusal(pairs: &[(&str, &str)]) -> Option<String> {
        let settings = from_pairs(Purpose::Serve, pairs).unwrap();
        refuse_leftovers(&settings)
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

    #[test]
    fn the_sandboxs_key_and_clear_text_outside_this_machine_are_refused() {
        let text = refusal(&[("CABINET_SECRET_KEY", SANDBOX_SECRET_KEY)]).unwrap();
        assert!(text.contains("CABINET_SECRET_KEY"), "{text}");
        let text = refusal(&[("CABINET_LISTEN", "0.0.0.0:8080")]).unwrap();
        assert!(text.contains("CABINET_PUBLIC_URL"), "{text}");
        assert_eq!(refusal(&[]), None);
    }
}
