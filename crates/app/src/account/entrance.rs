//! What happens when a notary enters: the session begins, and she is told of a device that she has not used before.

use cabinet_domain::{
    Actor, AuditAction, AuditObject, AuditValue, LoginOperation, LoginStep, NotaryId, kyiv_time,
};
use cabinet_storage::account::notaries;
use cabinet_storage::{StorageError, Tx};

use super::Accounts;
use super::account_confirmation::entry_refused;
use super::code_check::{CodeCheck, check_code};
use super::one_time_codes::OneTimeCodes;
use super::security_events::failed_entry;
use super::sessions::{Entered, NewSession};
use crate::audit::AuditEntry;
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::texts::{self, NewDevice};
use crate::settings::CodeSettings;

/// What a right code has led to.
pub(super) enum Passed {
    /// A session.
    Entered(NotaryId, Entered),
    /// Another code, because the registry identifier of a new device is not enough.
    CodeNeeded(NotaryId),
}

/// Whether a registry identifier must be followed by a code.
fn needs_code(operation: &LoginOperation, settings: &CodeSettings) -> bool {
    settings.custom_step_needs_code
        && operation.step == LoginStep::Custom
        && operation.budget.is_of_new_device()
}

/// Carries out entries, in the unit of work that has checked the code or the call.
#[derive(Clone)]
pub(super) struct Entrance {
    unit: UnitContext,
    notifier: Notifier,
}

impl Entrance {
    /// Checks the code of a login. Begins its session if the code is right and enough, and records it if it is wrong.
    pub(super) fn check(
        &self,
        tx: &mut Tx,
        session: &NewSession,
        operation: &LoginOperation,
        code: &str,
        codes: &OneTimeCodes,
    ) -> Result<CodeCheck<Passed>, StorageError> {
        let now = self.unit.now;
        match check_code(tx, operation, code, codes, now)? {
            CodeCheck::Accepted(notary) if needs_code(operation, &codes.settings) => {
                Ok(CodeCheck::Accepted(Passed::CodeNeeded(notary)))
            }
            CodeCheck::Accepted(notary) => {
                if let Some(refusal) = entry_refused(tx, operation)? {
                    return Ok(CodeCheck::Refused(refusal));
                }
                let entered = self.enter(tx, session, notary, operation.step.into())?;
                Ok(CodeCheck::Accepted(Passed::Entered(notary, entered)))
            }
            CodeCheck::Wrong(refusal) => {
                if !codes.settings.hide_account_existence {
                    let origin = session.visitor().origin(Actor::Stranger);
                    failed_entry(operation).record(tx, &mut self.unit.clone(), &origin)?;
                }
                Ok(CodeCheck::Wrong(refusal))
            }
            CodeCheck::Refused(refusal) => Ok(CodeCheck::Refused(refusal)),
        }
    }

    /// Begins the session of a login whose code, call or passkey was right. `step`: its word in the audit trail.
    pub(super) fn enter(
        &self,
        tx: &mut Tx,
        session: &NewSession,
        notary: NotaryId,
        step: AuditValue,
    ) -> Result<Entered, StorageError> {
        let mut unit = self.unit.clone();
        let now = unit.now;
        // A notary who had to agree to the terms has done so, or the login would not have started.
        notaries::agree_to_terms(tx, notary, now)?;
        let actor = Actor::Notary(notary);
        let entered = session.insert(tx, &mut unit, notary, actor)?;
        let action = if entered.is_new_device {
            AuditAction::NewDevice
        } else {
            AuditAction::SignedIn
        };
        AuditEntry::new(action)
            .of_notary(notary)
            .on(AuditObject::Session(session.id()))
            .with("login_step", step)
            .record(
                tx,
                &mut unit,
                &session.visitor().origin(Actor::Notary(notary)),
            )?;
        if entered.is_new_device {
            let device = NewDevice {
                browser: session.visitor().browser.as_ref(),
                network: &session.visitor().network,
                at: kyiv_time(now),
                support_phone: self.notifier.support_phone(),
            };
            let message = texts::new_device(&device);
            self.notifier
                .tell_everywhere(tx, &mut unit, notary, &message)?;
        }
        Ok(entered)
    }
}

impl Accounts {
    pub(super) fn entrance(&self) -> Entrance {
        Entrance {
            unit: self.ids.unit(),
            notifier: self.notifier.clone(),
        }
    }
}
