//! `cabinet keys new|forget`.

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_app::audit::Recorder;
use cabinet_app::kernel::keys::{KeyPurpose, KnownKey};
use cabinet_domain::{Randomness as _, kyiv_date};
use clap::{Args, Subcommand, ValueEnum};

use super::order::read_reason;
use crate::environment::SystemRandomness;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Random bytes of a new secret.
const SECRET_BYTES: usize = 32;

const STEPS: &str = "
The first key of an installation: set CABINET_SECRET_KEY to it.

To put it in the place of the present key:
1. CABINET_WALLET_SECRET_KEY: the present key, unless this is set already. It never changes, or saved cards are lost.
2. CABINET_RECEIPT_SECRET_KEYS, one a line: add the key that CABINET_PREVIOUS_SECRET_KEY has, if it is set.
3. CABINET_PREVIOUS_SECRET_KEY: the present key. If others may know it, leave this unset and add the key to
   CABINET_RECEIPT_SECRET_KEYS instead.
4. CABINET_SECRET_KEY: the new key. Start every cabinet again.
After a day, the previous key may move to CABINET_RECEIPT_SECRET_KEYS. Keep every key that stands there.
";

/// Actions on keys.
#[derive(Subcommand)]
pub enum Action {
    /// Prints a new secret key, and how to put it in the place of the present one. Changes nothing.
    New,
    /// Forgets keys that were in use and that the settings have no more, so that the cabinet starts without them. Says first what is lost.
    Forget(Choice),
}

/// Which keys are forgotten.
#[derive(Args)]
pub struct Choice {
    /// wallet: all saved cards are given up. receipts: receipts printed under lost keys can't be checked.
    purpose: Purpose,
    /// Carries it out. Without it the command only says which keys are lost, and what with them.
    #[arg(long, requires = "reason")]
    yes: bool,
    /// Why; kept in the audit trail.
    #[arg(long, requires = "yes")]
    reason: Option<String>,
}

/// What the forgotten keys were for.
#[derive(Clone, Copy, ValueEnum)]
pub enum Purpose {
    /// Wallets of saved cards.
    Wallet,
    /// Proofs of receipts.
    Receipts,
}

impl Purpose {
    const fn of_keys(self) -> KeyPurpose {
        match self {
            Self::Wallet => KeyPurpose::Wallet,
            Self::Receipts => KeyPurpose::Receipts,
        }
    }

    /// What is lost with a key.
    const fn loss(self) -> &'static str {
        match self {
            Self::Wallet => {
                "the saved cards of all notaries: they are in wallets that this key names. Notaries save them anew"
            }
            Self::Receipts => {
                "the check of receipts that were printed under these keys, and links and letters of clients from then"
            }
        }
    }

    /// The setting that takes a key which is not lost after all.
    const fn setting(self) -> &'static str {
        match self {
            Self::Wallet => "CABINET_WALLET_SECRET_KEY",
            Self::Receipts => "CABINET_RECEIPT_SECRET_KEYS",
        }
    }
}

/// Prints a new secret on standard output and the steps of a rotation on standard error.
pub fn print_new() {
    let mut bytes = [0; SECRET_BYTES];
    SystemRandomness.fill(&mut bytes);
    console::print(&format!("{}\n", URL_SAFE_NO_PAD.encode(bytes)));
    console::advise(STEPS);
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the settings have no keys, the reason can't be kept, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let Action::Forget(choice) = action else {
        print_new();
        return Ok(());
    };
    let keys = wiring::keys(&settings).context(
        "this command needs the keys of the server, because it forgets only those that the settings lack",
    )?;
    let reason = choice.reason.as_deref().filter(|_| choice.yes);
    let reason = reason.map(read_reason).transpose()?;
    let (purpose, now) = (choice.purpose, environment::now());
    let store = wiring::open_store(&settings).await?;
    console::print(&match reason {
        None => listing(purpose, &keys.lost(&store, purpose.of_keys()).await?),
        Some(reason) => {
            let lost = keys
                .forget_lost(&store, purpose.of_keys(), &reason, &recorder, now)
                .await?;
            format!("{} keys were forgotten.\n", lost.len())
        }
    });
    store.close().await;
    Ok(())
}

/// Returns which keys would be forgotten, and what would be lost with them.
fn listing(purpose: Purpose, lost: &[KnownKey]) -> String {
    if lost.is_empty() {
        return "Nothing to forget: the settings have every key that was in use.\n".to_owned();
    }
    let mut text = String::new();
    for key in lost {
        let since = kyiv_date(key.first_used_at);
        text.push_str(&format!("Lost     key {}, in use since {since}\n", key.id));
    }
    text.push_str(&format!(
        "Goes     {}\nNothing was forgotten. If you still have such a key, give it in {} instead. To carry it out, repeat the command with --yes and --reason.\n",
        purpose.loss(),
        purpose.setting()
    ));
    text
}
