//! Tells the operator of guessed codes, and of messages and calls that run out.

use cabinet_domain::LoginStep;
use cabinet_domain::payment::AlarmKind;
use cabinet_storage::{StorageError, Store, Tx};

use super::limits::{are_codes_guessed, is_running_out};
use crate::kernel::refusal::Result;
use crate::operator::alarms::Alarms;
use crate::settings::CodeSettings;

/// The subject of the alarms: there is one of a kind until somebody closes it.
const SUBJECT: &str = "installation";

/// Watches the codes of the whole installation.
#[derive(Clone)]
pub(crate) struct CodeWatch {
    pub(crate) store: Store,
    pub(crate) alarms: Alarms,
    pub(crate) settings: CodeSettings,
}

impl CodeWatch {
    /// Opens the alarms that are due.
    pub(crate) async fn look(&self) -> Result<()> {
        let (settings, now) = (self.settings.clone(), self.alarms.ids.clock.now());
        let read = move |tx: &mut Tx| -> Result<[(bool, AlarmKind); 3], StorageError> {
            let mut runs_out = |step| is_running_out(tx, step, &settings, now);
            Ok([
                (runs_out(LoginStep::Otp)?, AlarmKind::MessagesRunningOut),
                (runs_out(LoginStep::PhoneCall)?, AlarmKind::CallsRunningOut),
                (
                    are_codes_guessed(tx, &settings, now)?,
                    AlarmKind::CodesGuessed,
                ),
            ])
        };
        for (is_due, kind) in self.store.read(read).await? {
            if is_due {
                self.alarms.raise(kind, SUBJECT.to_owned()).await?;
            }
        }
        Ok(())
    }
}
