//! `POST /cart/sheet/add`: rows of a sheet into the cart, all at once or none.

use std::collections::HashMap;

use cabinet_domain::{CartItem, ClientId, ItemId, Key, Money, NotaryId, SessionId};
use jiff::SignedDuration;

use super::cells::SheetRow;
use super::report::check_row;
use crate::cart::Cart;
use crate::cart::add::{AddedItem, FromSheet, KeyedRequest, NewItem};
use crate::cart::conflicts::Conflicts;
use crate::kernel::idempotency::Fingerprint;
use crate::kernel::keys::Digest;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};

/// A row that is to be added. Nothing of it is trusted.
pub struct SheetRowToAdd {
    /// The row.
    pub row: SheetRow,
    /// Amount and commission of one unit, as the screen showed it.
    pub sum: Option<Money>,
    /// It is wanted although the same payment was added before, or stands twice in the sheet.
    pub again: bool,
}

impl Cart {
    /// Puts rows of a sheet into the groups of their clients: all of them, or none. Requests with the same `key` add once and get the
    /// same answer. A payment that came from a sheet within the last 30 days is added once more only where the row says so.
    ///
    /// # Errors
    /// Every bad cell at once, as `rows.<number>.<column>`; `price_changed` with the rows that cost something else today;
    /// `sheet_row_added` and `sheet_row_repeated` at `rows.<number>.row`; and what [`Cart::add`] refuses.
    pub async fn add_sheet(
        &self,
        (notary, session): (NotaryId, SessionId),
        rows: Vec<SheetRowToAdd>,
        key: Option<&str>,
        mut errors: FieldErrors,
    ) -> Result<AddedItem> {
        let keyed = key
            .map(|key| KeyedRequest::read(key, fingerprint(key, &rows, &errors)))
            .transpose()?;
        if let Some(added) = self.added_before(notary, keyed).await? {
            return Ok(added);
        }
        let now = self.clock.now();
        let reference = self.reference.current()?;
        let own = self.own(notary).await?;
        let (mut conflicts, mut first) = (Conflicts::default(), HashMap::new());
        let mut new = Vec::with_capacity(rows.len());
        for (place, SheetRowToAdd { row, sum, again }) in (0..).zip(rows) {
            let checked = check_row(&row, sum, (&reference, &own), now);
            let number = row.number;
            match checked.result {
                Ok(payment) => {
                    let digest = payment.digest(notary, &self.keys);
                    if first.insert(digest.current, number).is_some() && !again {
                        conflicts.add(format!("rows.{number}.row"), Key::SheetRowRepeated);
                    }
                    // A millisecond apart: the cart shows items by their time, so in the order of the sheet.
                    let moment = now + SignedDuration::from_millis(place);
                    new.push(NewItem {
                        notary,
                        session,
                        own_accounts: self.own_accounts.clone(),
                        client: ClientId::new(self.ids.new_id()),
                        inn: payment.inn,
                        full_name: payment.full_name,
                        item: CartItem {
                            id: ItemId::new(self.ids.new_id()),
                            created_at: moment,
                            content: payment.content,
                        },
                        unit: self.ids.unit_at(moment),
                        from_sheet: Some(FromSheet {
                            digest,
                            number,
                            again,
                        }),
                        refuse_duplicate: false,
                    });
                }
                Err(findings) => {
                    for finding in findings {
                        let field = format!("rows.{number}.{}", finding.column.as_str());
                        if checked.is_conflict {
                            conflicts.add(field, finding.key);
                        } else {
                            errors.add(field, finding.key);
                        }
                    }
                }
            }
        }
        errors.check()?;
        conflicts.check()?;
        if new.is_empty() {
            return Err(Refusal::field("rows", Key::FieldRequired).into());
        }
        self.put((notary, session), new, None, keyed).await
    }
}

/// Returns a digest of the whole request. It begins with the key, which is not stored: the digest can't be guessed from a name, also
/// once one of several clients is erased.
fn fingerprint(key: &str, rows: &[SheetRowToAdd], errors: &FieldErrors) -> Digest {
    let mut fingerprint = Fingerprint::default();
    fingerprint.text(Some(key));
    for SheetRowToAdd { row, sum, again } in rows {
        fingerprint.text(Some(&row.number.to_string()));
        for (column, text) in row.cells.iter() {
            fingerprint.text(Some(column.as_str()));
            fingerprint.text(Some(text));
        }
        fingerprint.sum(*sum);
        fingerprint.text(again.then_some("again"));
    }
    fingerprint.errors(errors);
    fingerprint.digest()
}
