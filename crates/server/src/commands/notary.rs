//! `cabinet notary list|find|show|set|set-phone|set-status|end-sessions|confirm|refuse|block|unblock`.

use anyhow::{anyhow, bail};
use cabinet_app::account::{AccountConfirmation, AskedName};
use cabinet_app::audit::Recorder;
use cabinet_app::operator::account_change::AccountChange;
use cabinet_app::operator::administration::Administration;
use cabinet_domain::{LoginStep, NotaryStatus, Phone, StandingDecision};
use clap::{Args, Subcommand};

use super::order::{FullChoice, read_reason};
use super::{notary_file, notary_list, typed};
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on accounts.
#[derive(Subcommand)]
pub enum Action {
    /// Lists accounts: phone (masked), login step, flow, standing, status.
    List {
        /// Only those that wait to be confirmed, or whose new name does, with what they say of themselves.
        #[arg(long)]
        waiting: bool,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Finds accounts by the owner's name or a part of it, in any case. Owners are masked.
    Find {
        /// The name, or parts of it; `-` reads it from standard input.
        #[arg(value_parser = typed::or_of_input)]
        name: String,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Shows an account with its sessions, its cart, newest orders and open complaints. The owner is masked.
    Show {
        /// The phone, the identifier in the register, or the id; `-` reads it from standard input.
        #[arg(value_parser = typed::or_of_input)]
        account: String,
        #[command(flatten)]
        shown: FullChoice,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Gives an account another phone, because the owner has lost the old one. Prove the owner otherwise first: whoever has the phone
    /// can log in. Sessions end, browsers are forgotten, and the old phone, the new one and the email address are told.
    SetPhone {
        /// The old phone, the identifier in the register, or the id; `-` reads it from standard input.
        #[arg(value_parser = typed::or_of_input)]
        account: String,
        /// The new phone; `-` reads it from standard input.
        #[arg(long, value_parser = typed::or_of_input)]
        to: String,
        /// Why, and how the owner was proved; kept in the audit trail.
        #[arg(long)]
        reason: String,
    },
    /// Confirms that the owner of an account is a notary: the account may order. Where nobody has told whether she is a private or a state
    /// notary, `--status` says so; without it somebody at the terminal is asked. A confirmed account gets the name that it asks for: both names
    /// are shown first, and somebody is asked.
    Confirm {
        #[command(flatten)]
        decision: Decision,
        /// Gives the account the name that it asks for without asking.
        #[arg(long)]
        yes: bool,
        /// private, state or suspended, as `set-status` has it.
        #[arg(long)]
        status: Option<String>,
    },
    /// Refuses to confirm an account that waits.
    Refuse(Decision),
    /// Closes an account: its sessions end, its browsers are forgotten, nobody can sign in, nothing new is ordered. Open orders are finished.
    Block(Decision),
    /// Ends a block.
    Unblock(Decision),
    /// Sets whether a notary is private or of a state office, or that her activity is stopped. A later register does not overrule it.
    SetStatus {
        /// The account's phone; `-` reads it from standard input.
        #[arg(value_parser = typed::or_of_input)]
        phone: String,
        /// private, state or suspended.
        #[arg(long)]
        status: String,
        /// Why; kept with the account.
        #[arg(long)]
        reason: String,
    },
    /// Changes properties that only the operator may change: at least one of them. The owner is told at once.
    Set {
        /// The account's phone; `-` reads it from standard input.
        #[arg(value_parser = typed::or_of_input)]
        phone: String,
        #[command(flatten)]
        changes: Changes,
        /// Why, and how the owner was proved; kept in the audit trail.
        #[arg(long)]
        reason: String,
    },
    /// Ends every session of every account and codes that wait for an answer, and forgets all browsers. For a restored copy, in which what was
    /// ended since is alive again. Everybody logs in anew, as from a new device.
    EndSessions {
        /// Says that all accounts are meant; `set --end-sessions` is for one.
        #[arg(long, required = true)]
        all: bool,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
    },
}

/// What is changed of an account.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Changes {
    /// How the account logs in: otp, phone_call or custom.
    #[arg(long)]
    login_step: Option<String>,
    /// true: the popup with saved cards; false: straight to the acquirer's page.
    #[arg(long)]
    new_flow: Option<bool>,
    /// Ends every session of the account and codes that wait for an answer, and forgets its browsers.
    #[arg(long)]
    end_sessions: bool,
}

/// A decision about an account.
#[derive(Args)]
pub struct Decision {
    /// The account's phone; `-` reads it from standard input.
    #[arg(value_parser = typed::or_of_input)]
    phone: String,
    /// Why; kept with the account.
    #[arg(long)]
    reason: String,
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the phone is unknown, the reason can't be kept, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    match &action {
        Action::Show {
            account,
            shown,
            json,
        } => return notary_file::show(&settings, account, shown, *json, recorder).await,
        Action::Find { name, json } => {
            return notary_file::find(&settings, name, *json, recorder).await;
        }
        Action::SetPhone {
            account,
            to,
            reason,
        } => return notary_file::set_phone(&settings, account, to, reason, recorder).await,
        _ => {}
    }
    let store = wiring::open_store(&settings).await?;
    let operator = wiring::operator(&settings, &store, recorder);
    let (administration, confirmation) =
        (operator.administration(), operator.account_confirmation());
    match action {
        Action::List { waiting, json } => {
            let sheet = if waiting {
                notary_list::waiting(&confirmation.waiting().await?)
            } else {
                notary_list::accounts(&administration.accounts().await?)
            };
            console::print(&sheet.list_text(json));
        }
        Action::Confirm {
            decision,
            yes,
            status,
        } => {
            let status = status.as_deref().map(read_status).transpose()?;
            let (phone, reason) = (read_phone(&decision.phone)?, decision.reason.clone());
            decide(&confirmation, StandingDecision::Confirm, decision, yes).await?;
            let is_doubtful = confirmation.has_doubtful_status(&phone).await?;
            let status = match status {
                None if is_doubtful => ask_for_status()?,
                told => told,
            };
            if let Some(status) = status {
                set_status(&confirmation, phone, status, &reason).await?;
            } else if is_doubtful {
                console::print(
                    "Nobody has told whether she is a private or a state notary, and the account counts as private: cabinet notary set-status\n",
                );
            }
        }
        Action::Refuse(decision) => {
            decide(&confirmation, StandingDecision::Refuse, decision, true).await?;
        }
        Action::Block(decision) => {
            decide(&confirmation, StandingDecision::Block, decision, true).await?;
        }
        Action::Unblock(decision) => {
            decide(&confirmation, StandingDecision::Unblock, decision, true).await?;
        }
        Action::Find { .. } | Action::Show { .. } | Action::SetPhone { .. } => {}
        Action::SetStatus {
            phone,
            status,
            reason,
        } => {
            let status = read_status(&status)?;
            set_status(&confirmation, read_phone(&phone)?, status, &reason).await?;
        }
        Action::Set {
            phone,
            changes,
            reason,
        } => {
            set(&administration, &phone, &changes, &reason).await?;
        }
        Action::EndSessions { all: _, reason } => {
            let reason = read_reason(&reason)?;
            let ended = administration
                .end_all_sessions(&reason, environment::now())
                .await?;
            console::print(&format!(
                "Sessions that ended: {}, of {} accounts. All browsers are forgotten: everybody logs in as from a new device.\n",
                ended.sessions, ended.accounts
            ));
        }
    }
    store.close().await;
    Ok(())
}

fn read_phone(text: &str) -> anyhow::Result<Phone> {
    Phone::parse(typed::bare_phone(text)).map_err(|_| anyhow!("that is not a telephone number"))
}

fn read_status(text: &str) -> anyhow::Result<NotaryStatus> {
    NotaryStatus::parse(text.trim()).ok_or_else(|| anyhow!("--status: private, state or suspended"))
}

/// Asks somebody at the terminal for a status. `None`: nobody can be asked, or nothing was answered.
fn ask_for_status() -> anyhow::Result<Option<NotaryStatus>> {
    let answer =
        console::ask("Is she a private or a state notary? (private/state, Enter leaves it open) ")?;
    match answer.as_deref().map(str::trim) {
        None | Some("") => Ok(None),
        Some(status) => read_status(status).map(Some),
    }
}

async fn set_status(
    confirmation: &AccountConfirmation,
    phone: Phone,
    status: NotaryStatus,
    reason: &str,
) -> anyhow::Result<()> {
    confirmation
        .set_status(phone, status, reason, environment::now())
        .await?;
    console::print(&format!(
        "The notary's status is {} now. Where it was another one, she is told.\n",
        status.as_str()
    ));
    Ok(())
}

async fn set(
    administration: &Administration,
    phone: &str,
    changes: &Changes,
    reason: &str,
) -> anyhow::Result<()> {
    let (phone, reason) = (read_phone(phone)?, read_reason(reason)?);
    let login_step = changes.login_step.as_deref().map(|step| {
        LoginStep::parse(step).ok_or_else(|| anyhow!("--login-step: otp, phone_call or custom"))
    });
    let change = AccountChange {
        login_step: login_step.transpose()?,
        chooses_payment_method: changes.new_flow,
        end_sessions: changes.end_sessions,
    };
    let now = environment::now();
    if !administration
        .change_account(phone, change, &reason, now)
        .await?
    {
        bail!("nobody is registered with that number");
    }
    console::print(&told(change));
    Ok(())
}

/// Says what was changed of an account.
fn told(change: AccountChange) -> String {
    let mut text = String::new();
    if let Some(step) = change.login_step {
        text.push_str(&format!("The account logs in by {} now.\n", step.as_str()));
    }
    match change.chooses_payment_method {
        Some(true) => text.push_str("Its payments begin in the popup with saved cards now.\n"),
        Some(false) => text.push_str("Its payments begin on the acquirer's page now.\n"),
        None => {}
    }
    if change.end_sessions {
        text.push_str("Its sessions have ended, and its browsers are forgotten.\n");
    }
    text.push_str("Its owner is told.\n");
    text
}

/// Decides about the name that a confirmed account asks for, as it was shown.
async fn decide_name(
    confirmation: &AccountConfirmation,
    phone: Phone,
    name: &AskedName,
    (takes, yes): (bool, bool),
    reason: &str,
) -> anyhow::Result<()> {
    let shown = format!(
        "The account's name: {}\nIt asks for: {}\n",
        name.own.as_str(),
        name.asked.as_str()
    );
    console::agree(&shown, yes)?;
    let now = environment::now();
    confirmation
        .decide_name(phone, &name.asked, takes, reason, now)
        .await?;
    let outcome = if takes {
        "the account's name now"
    } else {
        "refused, the account keeps its name"
    };
    console::print(&format!("The new name is {outcome}. Its owner is told.\n"));
    Ok(())
}

async fn decide(
    confirmation: &AccountConfirmation,
    decision: StandingDecision,
    Decision { phone, reason }: Decision,
    yes: bool,
) -> anyhow::Result<()> {
    let phone = read_phone(&phone)?;
    if matches!(
        decision,
        StandingDecision::Confirm | StandingDecision::Refuse
    ) && let Some(name) = confirmation.asked_name(&phone).await?
    {
        let takes = decision == StandingDecision::Confirm;
        return decide_name(confirmation, phone, &name, (takes, yes), &reason).await;
    }
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
