//! `cabinet keys new|forget`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_app::audit::Recorder;
use cabinet_app::keys::{KeyPurpose, forget};
use cabinet_domain::Randomness as _;
use clap::{Subcommand, ValueEnum};

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
    /// Forgets keys whose secret is lost, so that the cabinet starts without them.
    Forget {
        /// wallet: all saved cards are given up. receipts: receipts printed under lost keys can't be checked.
        purpose: Purpose,
    },
}

/// What the forgotten keys were for.
#[derive(Clone, Copy, ValueEnum)]
pub enum Purpose {
    /// Wallets of saved cards.
    Wallet,
    /// Proofs of receipts.
    Receipts,
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
/// Returns an error when the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let purpose = match action {
        Action::New => {
            print_new();
            return Ok(());
        }
        Action::Forget {
            purpose: Purpose::Wallet,
        } => KeyPurpose::Wallet,
        Action::Forget {
            purpose: Purpose::Receipts,
        } => KeyPurpose::Receipts,
    };
    let store = wiring::open_store(&settings).await?;
    let count = forget(&store, purpose, &recorder, environment::now()).await?;
    console::print(&format!("{count} keys were forgotten.\n"));
    store.close().await;
    Ok(())
}
