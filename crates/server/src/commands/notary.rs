//! `cabinet notary list|show|set|set-phone|set-status|confirm|refuse|block|unblock`.

use anyhow::{anyhow, bail};
use cabinet_app::accounts::AccountConfirmation;
use cabinet_app::administration::{AccountChange, Administration};
use cabinet_app::audit::Recorder;
use cabinet_domain::{LoginStep, Notary, NotaryStatus, Phone, Practice, StandingDecision};
use clap::Subcommand;

use super::notary_file;
use super::order::FullChoice;
use super::register::confirmation;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on accounts.
#[derive(Subcommand)]
pub enum Action {
    /// Lists accounts: phone (masked), login step, flow, standing, status.
    List {
        /// Only those that wait to be confirmed, with what they say of themselves.
        #[arg(long)]
        waiting: bool,
    },
    /// Shows an account with its sessions, newest orders and open complaints. The owner is masked.
    Show {
        /// The phone, the identifier in the register, or the id.
        account: String,
        #[command(flatten)]
        shown: FullChoice,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Gives an account another phone, because the owner has lost the old one. Prove the owner otherwise first: whoever has the phone
    /// can log in. Sessions end, browsers are forgotten, and the old phone, the new one and the e-mail address are told.
    SetPhone {
        /// The old phone, the identifier in the register, or the id.
        account: String,
        /// The new phone.
        #[arg(long)]
        to: String,
        /// Why, and how the owner was proved; kept in the audit trail.
        #[arg(long)]
        reason: String,
    },
    /// Confirms that the owner of an account is a notary: the account may order.
    Confirm(Decision),
    /// Refuses to confirm an account that waits.
    Refuse(Decision),
    /// Closes an account: its sessions end, nobody can sign in, nothing new is ordered. Open orders are finished.
    Block(Decision),
    /// Ends a block.
    Unblock(Decision),
    /// Sets whether a notary is private or of a state office, or that her activity is stopped. A later register does not overrule it.
    SetStatus {
        /// The account's phone.
        phone: String,
        /// private, state or suspended.
        #[arg(long)]
        status: String,
        /// Why; kept with the account.
        #[arg(long)]
        reason: String,
    },
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

/// A decision about an account.
#[derive(clap::Args)]
pub struct Decision {
    /// The account's phone.
    phone: String,
    /// Why; kept with the account.
    #[arg(long)]
    reason: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the phone is unknown, or when the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    match &action {
        Action::Show {
            account,
            shown,
            json,
        } => return notary_file::show(&settings, account, shown, *json, recorder).await,
        Action::SetPhone {
            account,
            to,
            reason,
        } => return notary_file::set_phone(&settings, account, to, reason, recorder).await,
        _ => {}
    }
    let store = wiring::open_store(&settings).await?;
    let administration = Administration::new(store.clone(), recorder.clone());
    match action {
        Action::List { waiting } => {
            let accounts = if waiting {
                confirmation(&settings, &store, recorder).waiting().await?
            } else {
                administration.accounts().await?
            };
            for notary in accounts {
                console::print(&line(&notary, waiting));
            }
        }
        Action::Confirm(decision) => {
            let confirmation = confirmation(&settings, &store, recorder);
            decide(&confirmation, StandingDecision::Confirm, decision).await?;
        }
        Action::Refuse(decision) => {
            let confirmation = confirmation(&settings, &store, recorder);
            decide(&confirmation, StandingDecision::Refuse, decision).await?;
        }
        Action::Block(decision) => {
            let confirmation = confirmation(&settings, &store, recorder);
            decide(&confirmation, StandingDecision::Block, decision).await?;
        }
        Action::Unblock(decision) => {
            let confirmation = confirmation(&settings, &store, recorder);
            decide(&confirmation, StandingDecision::Unblock, decision).await?;
        }
        Action::Show { .. } | Action::SetPhone { .. } => {}
        Action::SetStatus {
            phone,
            status,
            reason,
        } => {
            let status = NotaryStatus::parse(&status)
                .ok_or_else(|| anyhow!("--status: private, state or suspended"))?;
            confirmation(&settings, &store, recorder)
                .set_status(read_phone(&phone)?, status, &reason, environment::now())
                .await?;
            console::print(&format!(
                "The notary's status is {} now. Where it was another one, she is told.\n",
                status.as_str()
            ));
        }
        Action::Set {
            phone,
            login_step,
            new_flow,
            end_sessions,
        } => {
            let phone = read_phone(&phone)?;
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

fn read_phone(text: &str) -> anyhow::Result<Phone> {
    Phone::parse(text).map_err(|_| anyhow!("that is not a telephone number"))
}

/// Returns the line of an account. Of one that waits it also says what the operator compares with the register.
fn line(notary: &Notary, waiting: bool) -> String {
    let (phone, standing) = (&notary.phone, &notary.standing);
    if waiting {
        let profile = &notary.profile;
        let certificate = profile.certificate_number.as_ref();
        return format!(
            "{}  {}  {}, identifier {}, certificate {}, signed up {}\n",
            notary.id,
            phone.as_str(),
            profile.full_name.as_str(),
            profile.registry_identifier.as_str(),
            certificate.map_or("unknown", |number| number.as_str()),
            notary.created_at
        );
    }
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
    let reason = standing.reason.as_ref();
    let reason = reason.map_or(String::new(), |reason| format!(" ({})", reason.as_str()));
    format!(
        "{}  {}  {}, {flow}{verified}, {} since {} by {}{reason}; {}\n",
        notary.id,
        phone.masked(),
        notary.login_step.as_str(),
        standing.account.as_str(),
        standing.since,
        standing.by.as_str(),
        practice(&notary.practice),
    )
}

/// Returns what the list says of a notary's status.
fn practice(practice: &Practice) -> String {
    let status = practice.status.as_str();
    if practice.is_doubtful() {
        return format!("{status}? (nobody has told: cabinet notary set-status)");
    }
    let reason = practice.reason.as_ref();
    let reason = reason.map_or(String::new(), |reason| format!(" ({})", reason.as_str()));
    format!(
        "{status} since {} by {}{reason}",
        practice.since,
        practice.by.as_str()
    )
}

async fn decide(
    confirmation: &AccountConfirmation,
    decision: StandingDecision,
    Decision { phone, reason }: Decision,
) -> anyhow::Result<()> {
    let phone = read_phone(&phone)?;
    let decided = confirmation
        .decide(phone, decision, &reason, environment::now())
        .await?;
    let sessions = if decided.sessions > 0 {
        format!(" Sessions that ended: {}.", decided.sessions)
    } else {
        String::new()
    };
    console::print(&format!(
        "The account is {} now.{sessions} Its owner is told.\n",
        decided.standing.as_str()
    ));
    Ok(())
}
