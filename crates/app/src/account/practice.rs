//! The status of notaries: who practises privately, who for the state, and whose activity is stopped (decision 35). It comes from
//! the register of notaries, or from the operator.

use cabinet_domain::{
    AuditAction, Line, Notary, NotaryId, NotaryStatus, NotaryStatusBy, Origin, Practice,
};
use cabinet_storage::account::{notaries, register};
use cabinet_storage::{LockedNotary, StorageError, Tx};

use crate::audit::AuditEntry;
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::{Refusal, RefusalKind};
use crate::kernel::texts;

/// Refuses an order of a notary whose activity is stopped.
///
/// # Errors
/// `notary_suspended`.
pub(crate) fn refuse_suspended(notary: &Notary) -> Result<(), Refusal> {
    let rule = notary.practice.status.order_rule();
    rule.map_err(|key| Refusal::new(RefusalKind::Forbidden, key))
}

/// Takes the status of an account from the register, where that tells another one. Returns the new status.
pub(super) fn status_by_register(
    tx: &mut Tx,
    (locked, notary): (&LockedNotary, &Notary),
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<Option<NotaryStatus>, StorageError> {
    let Some(told) = register::status_told(tx, notary)? else {
        return Ok(None);
    };
    let Some((status, by)) = notary.practice.told_by_register(told) else {
        return Ok(None);
    };
    store_status(tx, (locked, notary), (status, by), None, unit, origin)?;
    Ok((status != notary.practice.status).then_some(status))
}

/// Stores a status, with its event of the audit trail.
pub(super) fn store_status(
    tx: &mut Tx,
    (locked, notary): (&LockedNotary, &Notary),
    (status, by): (NotaryStatus, NotaryStatusBy),
    reason: Option<Line>,
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<(), StorageError> {
    let before = &notary.practice;
    let since = if status == before.status {
        before.since
    } else {
        unit.now
    };
    let practice = Practice {
        status,
        by,
        reason,
        since,
    };
    notaries::set_practice(tx, locked, &practice)?;
    AuditEntry::new(AuditAction::NotaryStatusChanged)
        .of_notary(notary.id)
        .changed("notary_status", Some(before.status), Some(status))
        .with("by", by)
        .decided_because(practice.reason.as_ref())
        .record(tx, unit, origin)
}

/// Compares all accounts with the register that was loaded just now. Returns how many statuses changed; their notaries are told.
pub(super) fn statuses_by_register(
    tx: &mut Tx,
    unit: &mut UnitContext,
    origin: &Origin,
    notifier: &Notifier,
) -> Result<usize, StorageError> {
    let mut changed = 0;
    for listed in notaries::all(tx)? {
        if listed.phone_verified_at.is_none() {
            continue;
        }
        let Some((locked, notary)) = notaries::lock(tx, listed.id)? else {
            continue;
        };
        if let Some(status) = status_by_register(tx, (&locked, &notary), unit, origin)? {
            changed += 1;
            tell_status(tx, unit, (&notary, status), notifier)?;
        }
    }
    Ok(changed)
}

/// Returns the accounts whose status nobody has confirmed, and those for which the register tells another one than the operator has
/// decided.
pub(super) fn doubtful_statuses(tx: &mut Tx) -> Result<DoubtfulStatuses, StorageError> {
    let mut doubtful = DoubtfulStatuses::default();
    for notary in notaries::all(tx)? {
        if notary.phone_verified_at.is_none() {
            continue;
        }
        let practice = &notary.practice;
        if practice.is_doubtful() {
            doubtful.unknown.push(notary.id);
        } else if practice.by == NotaryStatusBy::Operator
            && let Some(Some(told)) = register::status_told(tx, &notary)?
            && told != practice.status
        {
            doubtful.otherwise.push((notary.id, told));
        }
    }
    Ok(doubtful)
}

/// Tells a notary what her status is now.
pub(super) fn tell_status(
    tx: &mut Tx,
    unit: &mut UnitContext,
    (notary, status): (&Notary, NotaryStatus),
    notifier: &Notifier,
) -> Result<(), StorageError> {
    let notice = texts::changed_status(status, notifier.support_phone());
    notifier.tell_known(tx, unit, notary, notice)
}

/// Statuses that the operator should look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoubtfulStatuses {
    /// Accounts that count as private notaries' because nobody has said otherwise.
    pub unknown: Vec<NotaryId>,
    /// Accounts whose status the operator has decided, with what the register tells.
    pub otherwise: Vec<(NotaryId, NotaryStatus)>,
}
