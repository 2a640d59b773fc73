//! Tells the operator of guessed codes and of messages that run out.

use cabinet_domain::payment::AlarmKind;
use cabinet_storage::{StorageError, Store, Tx};

use super::limits::{are_codes_guessed, are_messages_running_out};
use crate::alarms::Alarms;
use crate::refusal::Result;
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
        let read = move |tx: &mut Tx| -> Result<(bool, bool), StorageError> {
            Ok((
                are_codes_guessed(tx, &settings, now)?,
                are_messages_running_out(tx, &settings, now)?,
            ))
        };
        let (guessed, running_out) = self.store.read(read).await?;
        for (is_due, kind) in [
            (guessed, AlarmKind::CodesGuessed),
            (running_out, AlarmKind::MessagesRunningOut),
        ] {
            if is_due {
                self.alarms.raise(kind, SUBJECT.to_owned()).await?;
            }
        }
        Ok(())
    }
}
