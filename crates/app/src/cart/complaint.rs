//! `POST /cart/item/complaint`: the notary tells what is wrong with an item.

use cabinet_domain::{ItemId, Key, Line, NotaryId};
use cabinet_storage::complaints::{self, Complaint};
use cabinet_storage::{StorageError, cart};

use crate::App;
use crate::refusal::{FieldErrors, Outcome, Refusal};

/// Longest complaint, in characters.
const COMPLAINT_CHARS_MAX: usize = 2000;

impl App {
    /// Keeps a complaint for the support.
    ///
    /// # Errors
    /// `complaint_text_required`, `text_too_long`, `cart_item_not_found`.
    pub async fn complain(
        &self,
        notary: NotaryId,
        item: Option<String>,
        text: Option<String>,
        mut errors: FieldErrors,
    ) -> Outcome<()> {
        let item = item.as_deref().and_then(ItemId::parse);
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
            return Err(Refusal::not_found(Key::CartItemNotFound)
                .on("cart_item_id")
                .into());
        };
        let (id, now) = (self.new_id(), self.now());
        let kept = self
            .inner
            .store
            .write(move |tx| {
                if cart::item_of(tx, notary, item)?.is_none() {
                    return Ok(false);
                }
                let complaint = Complaint {
                    id,
                    notary_id: notary,
                    item_id: item,
                    text: text.clone(),
                    created_at: now,
                };
                complaints::insert(tx, &complaint)?;
                Ok::<_, StorageError>(true)
            })
            .await?;
        if kept {
            Ok(())
        } else {
            Err(Refusal::not_found(Key::CartItemNotFound)
                .on("cart_item_id")
                .into())
        }
    }
}
