//! The transfers that the operator compares with what the bank has: the planned ones, and those that were marked as sent.

use cabinet_domain::{Money, NotaryId, Okpo, PartRole, TransferId, kyiv_day_start};
use cabinet_storage::transfer::transfer_list::{TransferRow, planned, sent};
use cabinet_storage::transfer::transfers::UndecidedTransfer;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::operator::support_desk::Mask;

/// Which transfers are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedStatus {
    /// Owed and not sent yet, held ones too.
    Planned,
    /// Marked as sent, neither credited nor returned.
    Sent,
}

/// A transfer of the list. `None`: there is nothing, or it can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTransfer {
    /// The id.
    pub id: TransferId,
    /// The number of its document.
    pub document_number: i64,
    /// The short number of its order.
    pub order_number: i64,
    /// Which part of the price it is.
    pub role: Option<PartRole>,
    /// The sum.
    pub amount: Option<Money>,
    /// Name of the recipient. That of a person is masked.
    pub recipient: Option<String>,
    /// When it was planned first.
    pub planned_at: Timestamp,
    /// The value date of the list with which it was sent.
    pub value_date: Option<Date>,
    /// Since when it waits for the operator.
    pub held_at: Option<Timestamp>,
}

/// Returns the transfers of a status, by order and document. With a day (Kyiv) those that were planned on it, or sent with it as their value
/// date.
pub(crate) fn listed(
    tx: &mut Tx,
    status: ListedStatus,
    day: Option<Date>,
) -> Result<Vec<ListedTransfer>, StorageError> {
    let rows = match (status, day) {
        (ListedStatus::Sent, day) => sent(tx, day)?,
        (ListedStatus::Planned, None) => planned(tx, None)?,
        (ListedStatus::Planned, Some(day)) => {
            let until = day.tomorrow().ok().and_then(kyiv_day_start);
            match kyiv_day_start(day).zip(until) {
                Some(between) => planned(tx, Some(between))?,
                None => Vec::new(),
            }
        }
    };
    Ok(rows.into_iter().map(shown).collect())
}

/// A transfer that came back and about which nobody has decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnedTransfer {
    /// The id.
    pub id: TransferId,
    /// The number of its document.
    pub document_number: i64,
    /// The short number of its order.
    pub order_number: i64,
    /// The notary who decides.
    pub notary: NotaryId,
    /// The sum.
    pub amount: Money,
    /// Name of the recipient. That of a person is masked.
    pub recipient: Option<String>,
    /// Why it came back, in the bank's words, without long numbers.
    pub reason: Option<String>,
    /// When it was learned that it came back.
    pub since: Timestamp,
}

impl From<UndecidedTransfer> for ReturnedTransfer {
    fn from(row: UndecidedTransfer) -> ReturnedTransfer {
        let mask = Mask { is_full: false };
        let is_person = may_be_person(row.role, row.recipient_code.as_ref());
        ReturnedTransfer {
            id: row.id,
            document_number: row.document_number,
            order_number: row.order_number,
            notary: row.notary,
            amount: row.amount,
            recipient: row
                .recipient
                .map(|name| mask.recipient(name.as_str(), is_person)),
            reason: row.reason.map(|reason| mask.words(&reason)),
            since: row.since,
        }
    }
}

/// Whether a recipient may be a person. The notary is one, whatever code her account has. Who can't be told from a person is taken for one.
fn may_be_person(role: Option<PartRole>, code: Option<&Okpo>) -> bool {
    let is_entity = role == Some(PartRole::Recipient) && code.is_some_and(|code| !code.is_person());
    !is_entity
}

fn shown(row: TransferRow) -> ListedTransfer {
    let is_person = may_be_person(row.role, row.recipient_code.as_ref());
    let mask = Mask { is_full: false };
    ListedTransfer {
        id: row.id,
        document_number: row.document_number,
        order_number: row.order_number,
        role: row.role,
        amount: row.amount,
        recipient: row
            .recipient
            .map(|name| mask.recipient(name.as_str(), is_person)),
        planned_at: row.planned_at,
        value_date: row.value_date,
        held_at: row.held_at,
    }
}
