//! `POST /cart/item/complaint`: a notary reports an error in an item. The complaint is stored, and the support gets a letter.

use cabinet_domain::{Complaint, ItemId, Key, Line, NotaryId, Phone};
use cabinet_storage::account::notaries;
use cabinet_storage::cart::complaints;
use cabinet_storage::{StorageError, cart, lock_notary};

use super::Cart;
use super::item_id::item_not_found;
use crate::account::refuse_many_complaints;
use crate::kernel::refusal::{AppError, FieldErrors, Result};
use crate::kernel::texts;
use crate::worker::outbox::write_letter;

/// Longest complaint, in characters.
const COMPLAINT_CHARS_MAX: usize = 2000;
/// Complaints of a notary within a day.
const COMPLAINTS_DAILY_MAX: i64 = 30;

impl Cart {
    /// Stores a complaint and returns its number. Where a mail server is set up, the letter to the support is stored in the same unit of
    /// work. It has the phone only if the notary wants to be called back.
    ///
    /// What says the same about the item is the same complaint until it is closed: the answer to the first may have been lost.
    ///
    /// # Errors
    /// `complaint_text_required`, `text_too_long`, `cart_item_not_found`, `too_many_today`.
    pub async fn complain(
        &self,
        notary: NotaryId,
        item: Option<String>,
        text: Option<String>,
        call_back: bool,
        mut errors: FieldErrors,
    ) -> Result<i64> {
        let item = item.as_deref().and_then(ItemId::parse);
        errors.refuse_card("text", text.as_deref());
        let text = if errors.has("text") {
            None
        } else {
            let line = Line::parse(text.as_deref().unwrap_or_default(), COMPLAINT_CHARS_MAX);
            errors.take(
                "text",
                line.map_err(|error| error.key(Key::ComplaintTextRequired)),
            )
        };
        errors.check()?;
        let (Some(item), Some(text)) = (item, text) else {
            return Err(item_not_found());
        };
        let (id, letter_id, now) = (self.ids.new_id(), self.ids.new_id(), self.clock.now());
        let notifier = self.own_accounts.notifier.clone();
        let phone = self.readable_phone(notary).await?;
        let kept = self
            .store
            .write(move |tx| {
                let locked = lock_notary(tx, notary)?;
                let Some((_, found)) = cart::item_of(tx, notary, item)? else {
                    return Ok(None);
                };
                let same = complaints::same_open(tx, notary, item, &text, call_back)?;
                if same.is_some() {
                    return Ok(same);
                }
                refuse_many_complaints(tx, notary, COMPLAINTS_DAILY_MAX, now)?;
                let complaint = Complaint {
                    id,
                    number: complaints::next_number(tx)?,
                    notary_id: notary,
                    item_id: item,
                    text: text.clone(),
                    call_back,
                    created_at: now,
                };
                complaints::insert(tx, &locked, &complaint)?;
                if let Some(support) = notifier.support_mailbox() {
                    let phone = (phone.as_ref(), call_back);
                    let letter = texts::complaint_letter(phone, &found.content, &complaint);
                    write_letter(tx, letter_id, support, letter, now)?;
                }
                Ok::<_, AppError>(Some(complaint.number))
            })
            .await?;
        kept.ok_or_else(item_not_found)
    }

    /// Returns the phone of a notary. An unreadable one is `None`: it must not keep the complaint from the support. It is
    /// read in a unit of work of its own, because a value that cannot be read ends the unit.
    async fn readable_phone(&self, notary: NotaryId) -> Result<Option<Phone>> {
        match self
            .store
            .read(move |tx| notaries::phone_of(tx, notary))
            .await
        {
            Err(StorageError::Inconsistent { .. }) => Ok(None),
            phone => Ok(phone?),
        }
    }
}
