//! Security events: the part of the audit trail that a notary is shown, and the entries of logins and sessions in it.

use cabinet_domain::{
    Actor, AuditAction, AuditEvent, AuditEventId, AuditObject, AuditValue, Key, LoginOperation,
    LoginPurpose, LoginStep, NotaryId, OperationId, Origin, Session, SessionId,
};
use cabinet_storage::account::login_operations;
use cabinet_storage::{StorageError, Tx, audit};
use tracing::Instrument as _;

use super::Accounts;
use crate::audit::{AuditEntry, PROVED, REASON};
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

/// Events of a page if the request does not say how many.
const PAGE_DEFAULT: u32 = 50;
/// The most events of a page.
const PAGE_MAX: u32 = 100;

/// A page of security events.
pub struct SecurityEvents {
    /// The newest first.
    pub events: Vec<AuditEvent>,
    /// What the next page is asked for with. `None` on the last.
    pub next: Option<AuditEventId>,
}

impl Accounts {
    /// `GET /me/security-events`: returns a page of a notary's security events.
    ///
    /// # Errors
    /// `number_invalid`, `id_invalid`.
    pub async fn security_events(
        &self,
        notary: NotaryId,
        limit: Option<i64>,
        before: Option<&str>,
        mut errors: FieldErrors,
    ) -> Result<SecurityEvents> {
        let limit = limit.map_or(Ok(PAGE_DEFAULT), |limit| {
            u32::try_from(limit)
                .ok()
                .filter(|limit| (1..=PAGE_MAX).contains(limit))
                .ok_or(Key::NumberInvalid)
        });
        let limit = errors.take("limit", limit);
        let before = before
            .map(|text| AuditEventId::parse(text).ok_or(Key::IdInvalid))
            .transpose();
        let before = errors.take("before", before);
        errors.check()?;
        let (Some(limit), Some(before)) = (limit, before) else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed).into());
        };
        let read = move |tx: &mut Tx| {
            let actions: Vec<AuditAction> = AuditAction::ALL
                .into_iter()
                .filter(|action| action.is_security_event())
                .collect();
            // One more tells whether there is another page.
            audit::newest_of_notary(tx, notary, &actions, before, limit + 1)
        };
        let mut events = self.store.read(read).await?;
        let has_more = events.len() > limit as usize;
        events.truncate(limit as usize);
        for event in &mut events {
            event
                .changes
                .retain(|change| change.field != REASON && change.field != PROVED);
        }
        let next = events.last().filter(|_| has_more).map(|event| event.id);
        Ok(SecurityEvents { events, next })
    }

    /// Records a wrong code of a login after its answer, where the existence of accounts is hidden: the answer then takes as long as
    /// for an unknown phone.
    pub(super) fn record_failed_entry_later(&self, operation: OperationId, origin: Origin) {
        let (store, unit) = (self.store.clone(), self.ids.unit());
        let recording = async move {
            let write = move |tx: &mut Tx| -> Result<(), StorageError> {
                let found = login_operations::by_id(tx, operation)?;
                found.map_or(Ok(()), |operation| {
                    failed_entry(&operation).record(tx, &mut unit.clone(), &origin)
                })
            };
            if let Err(error) = store.write(write).await {
                tracing::error!(operation.id = %operation, %error, "A failed entry was not recorded");
            }
        };
        tokio::spawn(recording.in_current_span());
    }
}

/// Returns the entry of a login that failed: a wrong code, or a call that was not confirmed.
pub(super) fn failed_entry(operation: &LoginOperation) -> AuditEntry {
    AuditEntry::new(AuditAction::EntryFailed)
        .of_notary(operation.notary_id)
        .with("login_step", operation.step)
}

/// Returns the entry of a confirmation that failed.
pub(super) fn failed_confirmation(operation: &LoginOperation) -> AuditEntry {
    of_confirmation(AuditAction::ConfirmationFailed, operation)
}

/// Returns the entry of a confirmation.
pub(super) fn confirmation(operation: &LoginOperation) -> AuditEntry {
    of_confirmation(AuditAction::ChangeConfirmed, operation)
}

fn of_confirmation(action: AuditAction, operation: &LoginOperation) -> AuditEntry {
    let entry = AuditEntry::new(action)
        .of_notary(operation.notary_id)
        .with("login_step", operation.step);
    match operation.session_id {
        Some(session) => entry.on(AuditObject::Session(session)),
        None => entry,
    }
}

/// Records that a call was not confirmed. The voice service reports it, so the browser is not known.
pub(super) fn record_failed_call(
    tx: &mut Tx,
    unit: &mut UnitContext,
    operation: &LoginOperation,
) -> Result<(), StorageError> {
    let (entry, actor) = match operation.purpose {
        LoginPurpose::Login => (failed_entry(operation), Actor::Stranger),
        LoginPurpose::Confirmation => (
            failed_confirmation(operation),
            Actor::Notary(operation.notary_id),
        ),
        // Until its phone is verified, an account is nobody's.
        LoginPurpose::SignUp => return Ok(()),
    };
    entry.record(tx, unit, &Origin::worker().acted_by(actor))
}

/// Returns the entry of a sign-up whose phone was verified.
pub(super) fn signed_up(notary: NotaryId, session: SessionId) -> AuditEntry {
    AuditEntry::new(AuditAction::SignedUp)
        .of_notary(notary)
        .on(AuditObject::Session(session))
        .with("login_step", LoginStep::Otp)
}

/// Returns the entry of a session that its notary has left.
pub(super) fn signed_out(notary: NotaryId, session: SessionId) -> AuditEntry {
    AuditEntry::new(AuditAction::SignedOut)
        .of_notary(notary)
        .on(AuditObject::Session(session))
}

/// Returns the entry of a session that was ended from outside.
pub(super) fn session_ended(session: &Session) -> AuditEntry {
    sessions_ended(session.notary_id, 1)
        .on(AuditObject::Session(session.id))
        .changed("browser", None, session.browser.as_ref())
}

/// Returns the entry of sessions that were ended from outside.
pub(super) fn sessions_ended(notary: NotaryId, count: u64) -> AuditEntry {
    AuditEntry::new(AuditAction::SessionsEnded)
        .of_notary(notary)
        .with("sessions", AuditValue::count(count))
}
