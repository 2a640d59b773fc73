//! `cabinet notary list|set`.

use anyhow::{anyhow, bail};
use cabinet_app::administration::{AccountChange, Administration};
use cabinet_domain::{LoginStep, Phone};
use clap::Subcommand;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on accounts.
#[derive(Subcommand)]
pub enum Action {
    /// Lists accounts: phone (masked), login step, flow.
    List,
    /// Changes properties that only the operator may change.
    Set {
        /// The account's phone.
        phone: String,
        /// How the account logs in: otp, phone_call or custom.
        #[arg(long)]
        login_step: Option<String>,
        /// true: the popup with saved cards; false: straight to the acquirer's page.
        #[arg(long)]
        new_flow: Option<bool>,
        /// Ends every session of the account.
        #[arg(long)]
        end_sessions: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the phone is unknown, or when the database fails.
pub async fn run(settings: Settings, action: Action) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let administration = Administration::new(store.clone());
    match action {
        Action::List => {
            for notary in administration.accounts().await? {
                let flow = if notary.chooses_payment_method {
                    "new flow"
                } else {
                    "legacy flow"
                };
                let verified = if notary.phone_verified_at.is_some() {
                    ""
                } else {
                    ", phone not verified"
                };
                console::print(&format!(
                    "{}  {}  {}, {flow}{verified}\n",
                    notary.id,
                    notary.phone.masked(),
                    notary.login_step.as_str()
                ));
            }
        }
        Action::Set {
            phone,
            login_step,
            new_flow,
            end_sessions,
        } => {
            let phone =
                Phone::parse(&phone).map_err(|_| anyhow!("that is not a telephone number"))?;
            let login_step = match login_step {
                None => None,
                Some(step) => Some(
                    LoginStep::parse(&step)
                        .ok_or_else(|| anyhow!("--login-step: otp, phone_call or custom"))?,
                ),
            };
            let now = environment::now();
            let change = AccountChange {
                login_step,
                chooses_payment_method: new_flow,
                end_sessions,
            };
            if !administration.change_account(phone, change, now).await? {
                bail!("nobody is registered with that number");
            }
            console::print("The account was changed.\n");
        }
    }
    store.close().await;
    Ok(())
}
