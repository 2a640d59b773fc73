//! Tells the operator of guessed codes, of codes that nobody enters, and of messages and calls that run out.

use cabinet_domain::LoginStep;
use cabinet_domain::payment::AlarmKind;
use cabinet_storage::account::login_operations;
use cabinet_storage::{StorageError, Store, Tx};

use super::limits::{DAY, are_codes_guessed, are_codes_unanswered, is_running_out};
use crate::kernel::refusal::Result;
use crate::operator::alarms::Alarms;
use crate::settings::CodeSettings;

/// The subject of the alarms of the installation: there is one of a kind until somebody closes it.
const SUBJECT: &str = "installation";

/// Watches the codes of the whole installation.
#[derive(Clone)]
pub(crate) struct CodeWatch {
    pub(crate) store: Store,
    pub(crate) alarms: Alarms,
    pub(crate) settings: CodeSettings,
    /// Whether a voice service is set up.
    pub(crate) can_call: bool,
}

impl CodeWatch {
    /// Opens the alarms that are due.
    pub(crate) async fn look(&self) -> Result<()> {
        let (settings, can_call) = (self.settings.clone(), self.can_call);
        let now = self.alarms.ids.clock.now();
        let read = move |tx: &mut Tx| -> Result<Vec<(AlarmKind, String)>, StorageError> {
            let mut runs_out = |step| is_running_out(tx, step, &settings, now);
            let of_installation = [
                (runs_out(LoginStep::Otp)?, AlarmKind::MessagesRunningOut),
                (runs_out(LoginStep::PhoneCall)?, AlarmKind::CallsRunningOut),
                (
                    are_codes_guessed(tx, &settings, now)?,
                    AlarmKind::CodesGuessed,
                ),
                (
                    are_codes_unanswered(tx, &settings, now)?,
                    AlarmKind::CodesUnanswered,
                ),
            ];
            // Where calls can be made, they are what is left after the codes.
            let (step, most) = if can_call {
                (LoginStep::PhoneCall, settings.calls_daily_max)
            } else {
                (LoginStep::Otp, settings.daily_max)
            };
            let used_up = login_operations::used_up(tx, step, most, now - DAY)?;
            let due = of_installation.into_iter().filter(|(is_due, _)| *is_due);
            let due = due.map(|(_, kind)| (kind, SUBJECT.to_owned()));
            let of_notaries = used_up.into_iter();
            Ok(due
                .chain(of_notaries.map(|notary| (AlarmKind::EntriesUsedUp, notary.to_string())))
                .collect())
        };
        for (kind, subject) in self.store.read(read).await? {
            self.alarms.raise(kind, subject).await?;
        }
        Ok(())
    }
}
