//! `--sandbox`: starts the sandbox beside the cabinet and fills an empty database with its notaries, or shares the sandbox of another
//! process with the same database.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use cabinet_app::Services;
use cabinet_app::sandbox_data::{SANDBOX_NOTARIES, SandboxPayment};
use cabinet_clock::{PassingTime, SystemClock};
use cabinet_domain::OperatorReason;
use cabinet_gateways::outbound::BaseUrl;
use cabinet_sandbox::{Customer, PaidInvoice, Sandbox, SandboxSettings};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::environment::SystemRandomness;
use crate::settings::Settings;
use crate::{reference_data, shutdown};

/// The number that calls come from.
const CALLER: &str = "+380440000000";
/// Cards saved for every notary of the sandbox.
const SAVED_CARDS: [&str; 3] = ["4242424242424242", "5555555555554444", "4000000000000002"];
/// The register of notaries of the sandbox: its own notaries, and some who can sign up.
const REGISTER: &str = include_str!("sandbox-register.csv");
/// The file of the sandbox's invoices and saved cards.
const JOURNAL: &str = "sandbox-journal.jsonl";

/// The running sandbox.
pub struct RunningSandbox {
    /// `None` where it runs in another process, which has filled the database.
    own: Option<Sandbox>,
    url: String,
}

impl RunningSandbox {
    /// Returns what a person needs to try the cabinet: addresses, phones and cards.
    pub fn welcome(&self, public_url: &str) -> String {
        let mut text = format!(
            "\nКабінет нотаріуса / Notary dashboard:  {public_url}\nПісочниця / Sandbox:                   {url}\n\n\
             Коди входу надходять сюди / Login codes arrive here: {url}/inbox\n\nДемо-нотаріуси / Demo notaries:\n",
            url = self.url
        );
        for notary in SANDBOX_NOTARIES {
            text.push_str(&format!("  {}  {}\n", notary.phone, notary.about));
        }
        text.push_str("\nКартки / Cards: 4242 4242 4242 4242 (сплачує / pays), 4000 0000 0000 0002 (відмова / declined), 4000 0000 0000 3063 (3-D Secure)\n\n");
        text
    }
}

/// Starts the sandbox, or finds that of another process, and points the settings at it. An own one shares `time` with the cabinet.
///
/// # Errors
/// Returns an error when the sandbox can't listen or start.
pub async fn start(
    settings: &mut Settings,
    time: &PassingTime,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<RunningSandbox> {
    match settings.sandbox_url.clone() {
        Some(shared) => Ok(share(settings, shared)),
        None => start_own(settings, time, stopped).await,
    }
}

/// Points the settings at the sandbox of another process.
fn share(settings: &mut Settings, base_url: BaseUrl) -> RunningSandbox {
    let url = base_url.as_str().to_owned();
    let (host, port) = base_url.host_and_port();
    let page_host = format!("{host}:{port}");
    let of_sandbox = SandboxSettings::new(url.clone());
    let smtp_address = settings.sandbox_smtp_listen;
    point_at(settings, &of_sandbox, base_url, page_host, smtp_address);
    RunningSandbox { own: None, url }
}

async fn start_own(
    settings: &mut Settings,
    time: &PassingTime,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<RunningSandbox> {
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
    let mut sandbox_settings = SandboxSettings::new(url.clone());
    sandbox_settings.journal = journal(settings);
    if let Some(folder) = sandbox_settings.journal.as_deref().and_then(Path::parent) {
        // Whoever tries the product begins in an empty folder.
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} can't be made", folder.display()))?;
    }
    sandbox_settings.time = time.clone();
    sandbox_settings.paying_bank.customer = customer(settings)?;
    let address = listener.local_addr()?.to_string();
    let base_url = BaseUrl::parse(&format!("http://{address}")).context(
        "the sandbox can't be reached from outside this machine: CABINET_SANDBOX_LISTEN",
    )?;
    point_at(settings, &sandbox_settings, base_url, address, smtp_address);
    let sandbox = Sandbox::new(
        sandbox_settings,
        Arc::new(SystemClock::of(time)),
        Arc::new(SystemRandomness),
    )
    .map_err(|error| anyhow!("the sandbox can't be made: {error}"))?;
    let (serving, until) = (sandbox.clone(), shutdown::requested(stopped.clone()));
    tokio::spawn(async move { serving.serve_smtp(smtp_listener, until).await });
    let (serving, until) = (sandbox.clone(), shutdown::requested(stopped));
    tokio::spawn(async move {
        if let Err(error) = serving.serve(listener, until).await {
            tracing::error!(%error, "The sandbox ended");
        }
    });
    Ok(RunningSandbox {
        own: Some(sandbox),
        url,
    })
}

/// Points the settings of the outside services at the sandbox.
fn point_at(
    settings: &mut Settings,
    sandbox: &SandboxSettings,
    base_url: BaseUrl,
    page_host: String,
    smtp_address: SocketAddr,
) {
    settings.acquirer.base_url = base_url.clone();
    settings.acquirer.page_hosts = vec![page_host];
    settings
        .acquirer
        .token
        .set(sandbox.acquirer_token.clone().into());
    settings.liqpay.base_url = base_url.clone();
    settings.liqpay.public_key = Some(sandbox.liqpay_public_key.clone());
    settings
        .liqpay
        .private_key
        .set(sandbox.liqpay_private_key.clone().into());
    settings.smsclub.base_url = base_url.clone();
    settings.smsclub.token = Some(sandbox.sms_club_token.clone().into());
    settings.sms.base_url = base_url.clone();
    settings.sms.token.set(sandbox.sms_token.clone().into());
    settings.calls.base_url = base_url;
    settings.calls.account = Some(sandbox.voice_account.clone());
    settings.calls.token.set(sandbox.voice_token.clone().into());
    settings.calls.caller.set(CALLER.to_owned());
    settings.mail.host = Some(smtp_address.ip().to_string());
    settings.mail.port = smtp_address.port();
    settings.mail.user = Some(sandbox.mail_user.clone());
    settings.mail.password = Some(sandbox.mail_password.clone().into());
}

/// The operator is the customer of the sandbox's bank.
fn customer(settings: &Settings) -> anyhow::Result<Customer> {
    let operator = &settings.operator;
    Ok(Customer {
        name: operator.name.value()?.clone(),
        code: operator.code.value()?.as_str().to_owned(),
        iban: operator.iban.value()?.as_str().to_owned(),
    })
}

/// The journal stands beside a database in a file. With PostgreSQL there is none.
fn journal(settings: &Settings) -> Option<PathBuf> {
    let file = settings.database_url.sqlite_path()?;
    Some(file.parent()?.join(JOURNAL))
}

/// Fills an empty database with reference data, the notaries of the sandbox and their history. The process that has the sandbox does so.
///
/// # Errors
/// Returns an error when the database holds notaries of a real installation, or when it fails.
pub async fn seed(services: &Services, running: &RunningSandbox) -> anyhow::Result<()> {
    if services.sandbox_data.has_real_notaries().await? {
        bail!("the database holds notaries of a real installation: it does not go with --sandbox");
    }
    let Some(sandbox) = &running.own else {
        return Ok(());
    };
    services.reference.refresh().await?;
    if services.reference.current().is_err() {
        let files = reference_data::built_in();
        let reason = OperatorReason::parse("the tables of the sandbox")?;
        let loaded = services
            .operator
            .administration()
            .load_reference(files, &reason, services.now())
            .await;
        loaded.map_err(|_| anyhow!("the built-in reference data can't be loaded"))?;
        services.reference.refresh().await?;
    }
    services.sandbox_data.add_notaries().await?;
    let register = services.operator.account_confirmation();
    if register.last_load().await?.is_none() {
        let loaded = register.load_register(REGISTER, services.now()).await;
        loaded.context("the register of the sandbox can't be loaded")?;
    }
    for notary in SANDBOX_NOTARIES {
        let wallet = services
            .keys
            .wallet(notary.id())
            .ok_or_else(|| anyhow!("a wallet can't be named"))?;
        for card in SAVED_CARDS {
            sandbox
                .save_card(wallet.as_str(), card)
                .map_err(|_| anyhow!("a card of the sandbox can't be saved"))?;
        }
    }
    services
        .sandbox_data
        .add_history(|payment: &SandboxPayment| {
            let paid = PaidInvoice {
                reference: payment.payment_reference.clone(),
                amount: payment.sum,
                destination: payment.destination.clone(),
                card_number: SAVED_CARDS[0].to_owned(),
                at: payment.at,
            };
            sandbox.seed_paid(&paid).ok()
        })
        .await?;
    // What happened to these orders lies in the past, so the doctor would miss its seals.
    services.audit.seal().await?;
    Ok(())
}
