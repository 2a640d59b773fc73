//! Complaints of notaries: what is open, answering one, closing one without an answer.

use cabinet_domain::{
    AuditAction, AuditValue, KeptComplaint, Line, OperatorReason, kyiv_date, long_numbers,
    without_other_numbers,
};
use cabinet_storage::cart::complaints;
use cabinet_storage::order::{order_search, orders};
use cabinet_storage::{StorageError, Store, Tx, lock_notary};
use jiff::Timestamp;
use uuid::Uuid;

use super::lines::ItemLine;
use super::mask::Mask;
use super::order_file::payment_line;
use super::{DeskError, of_complaint, texts};
use crate::audit::{AuditEntry, Recorder};
use crate::kernel::notifier::Notifier;

/// Complaints that are listed at most.
const LISTED_MAX: u32 = 1_000;
/// Longest answer, in characters: it may leave as a text message.
const ANSWER_CHARS_MAX: usize = 600;

/// A complaint with the payment that it is about.
#[derive(Clone, Debug)]
pub struct ListedComplaint {
    /// The complaint, as the notary wrote it.
    pub complaint: KeptComplaint,
    /// The payment; persons are masked. `None`: nothing has it any more.
    pub payment: Option<ItemLine>,
}

/// The support's list of complaints. It needs only the database.
#[derive(Clone)]
pub struct Complaints {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) notifier: Notifier,
}

impl Complaints {
    /// Returns the complaints that nobody has closed, or all of them, the earliest first, as notaries wrote them. That they are shown is
    /// recorded.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn list(&self, closed_too: bool) -> Result<Vec<ListedComplaint>, DeskError> {
        let read = move |tx: &mut Tx| -> Result<Vec<ListedComplaint>, StorageError> {
            let listed = complaints::list(tx, closed_too, LISTED_MAX)?;
            let with_payment = |complaint: KeptComplaint| -> Result<ListedComplaint, StorageError> {
                let payment = complaints::payment_of(tx, complaint.item_id)?;
                let place = (complaint.item_id, 0);
                let mask = Mask { is_full: false };
                Ok(ListedComplaint {
                    payment: payment
                        .map(|(content, client)| payment_line(place, &content, &client, mask)),
                    complaint,
                })
            };
            listed.into_iter().map(with_payment).collect()
        };
        let listed = self.store.read_long(read).await?;
        self.recorder
            .record_list_shown(&self.store, AuditValue::word("complaints"), listed.len())
            .await?;
        Ok(listed)
    }

    /// Answers a complaint: the notary is told, and the complaint is closed.
    ///
    /// # Errors
    /// [`DeskError::Answer`], [`DeskError::NoComplaint`], [`DeskError::ComplaintClosed`].
    pub async fn answer(
        &self,
        complaint: &str,
        answer: &str,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        self.close_with(complaint, Some(answer.to_owned()), reason, now)
            .await
    }

    /// Closes a complaint without an answer. Nobody is told.
    ///
    /// # Errors
    /// [`DeskError::NoComplaint`], [`DeskError::ComplaintClosed`].
    pub async fn close(
        &self,
        complaint: &str,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        self.close_with(complaint, None, reason, now).await
    }

    async fn close_with(
        &self,
        complaint: &str,
        answer: Option<String>,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        let text = complaint.trim().trim_start_matches('№').trim_start();
        let (number, id) = (text.parse::<i64>().ok(), Uuid::try_parse(text).ok());
        let (this, reason) = (self.clone(), reason.clone());
        let write = move |tx: &mut Tx| -> Result<(), DeskError> {
            let found = match (number, id) {
                (Some(number), _) => complaints::by_number(tx, number)?,
                (None, Some(id)) => complaints::by_id(tx, id)?,
                (None, None) => None,
            };
            let found = found.ok_or(DeskError::NoComplaint)?;
            let answer = answer.as_deref().map(|text| this.read_answer(tx, text));
            let answer = answer.transpose()?;
            this.store_answer(tx, &found, answer.as_ref(), &reason, now)
        };
        self.store.write(write).await
    }

    /// Reads what a notary is told. It may name the installation's telephone and references of payments here, which no person has.
    fn read_answer(&self, tx: &mut Tx, text: &str) -> Result<Line, DeskError> {
        let support = self
            .notifier
            .support_phone()
            .chars()
            .filter(char::is_ascii_digit);
        let support: String = support.collect();
        let known = order_search::known_references(tx, &long_numbers(text))?;
        let is_known =
            |number: &str| number == support || known.iter().any(|reference| reference == number);
        without_other_numbers(text, ANSWER_CHARS_MAX, is_known).map_err(DeskError::Answer)
    }

    fn store_answer(
        &self,
        tx: &mut Tx,
        complaint: &KeptComplaint,
        answer: Option<&Line>,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        let notary = complaint.notary_id;
        let _locked = lock_notary(tx, notary)?;
        if !complaints::close(tx, complaint.id, answer, now)? {
            let day = kyiv_date(complaint.closed_at.unwrap_or(now));
            return Err(DeskError::ComplaintClosed(day));
        }
        let order = match complaint.order_number {
            Some(number) => orders::id_of(tx, number)?,
            None => None,
        };
        let action = match answer {
            Some(_) => AuditAction::ComplaintAnswered,
            None => AuditAction::ComplaintClosed,
        };
        let mut unit = self.recorder.unit_at(now);
        AuditEntry::new(action)
            .of_notary(notary)
            .on_order(order)
            .on(of_complaint(complaint.id))
            .because(reason)
            .record(tx, &mut unit, &self.recorder.origin())?;
        if let Some(answer) = answer {
            let notice = texts::answered(complaint.number, answer, self.notifier.support_phone());
            self.notifier.tell(tx, &mut unit, notary, notice)?;
        }
        Ok(())
    }
}
