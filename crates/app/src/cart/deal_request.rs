//! What a request about the payments of a deal says.

use std::collections::BTreeMap;

use cabinet_domain::{DealAction, Key, Line, Money};

use crate::deal::RequestedDeal;
use crate::kernel::idempotency::Fingerprint;
use crate::kernel::keys::Digest;
use crate::kernel::refusal::FieldErrors;

/// Longest reason of the notary, in characters.
const REASON_CHARS_MAX: usize = 250;

/// A deal whose payments are to be added. Nothing of it is trusted.
#[derive(Default)]
pub struct DealToAdd {
    /// The deal.
    pub deal: RequestedDeal,
    /// Who pays, by the word of the party.
    pub parties: BTreeMap<String, RequestedParty>,
    /// What is to be done, by the line of the calculation.
    pub lines: BTreeMap<String, RequestedDealLine>,
}

/// A party to a deal who pays.
#[derive(Default)]
pub struct RequestedParty {
    /// The code.
    pub inn: Option<String>,
    /// The name.
    pub full_name: Option<String>,
}

/// What is to be done with a payment of a deal.
#[derive(Default)]
pub struct RequestedDealLine {
    /// A word of [`DealAction`].
    pub action: Option<String>,
    /// The sum on the screen, without commission; with `other_sum` the notary's own.
    pub amount: Option<Money>,
    /// Why it is left out or has another sum.
    pub reason: Option<String>,
    /// The region of a fee's recipient.
    pub region_id: Option<String>,
    /// The recipient of a fee.
    pub requisite_id: Option<String>,
}

impl DealToAdd {
    /// How many payments are to be added.
    #[must_use]
    pub fn payments_count(&self) -> usize {
        let actions = self.lines.values().map(|line| line.action.as_deref());
        let adds = |action: Option<&str>| {
            action
                .and_then(DealAction::parse)
                .is_some_and(|action| action != DealAction::LeaveOut)
        };
        actions.filter(|action| adds(*action)).count()
    }

    /// Returns a digest of the whole request. It begins with the key, which is not stored: the digest can't be guessed from a name,
    /// also once one of several clients is erased.
    pub(super) fn fingerprint(&self, key: &str, errors: &FieldErrors) -> Digest {
        let mut fingerprint = Fingerprint::default();
        fingerprint.text(Some(key));
        let RequestedDeal {
            kind_id,
            price,
            valuation,
            building_price,
            costs,
            objects,
            owners,
            payers,
            answers,
        } = &self.deal;
        fingerprint.text(kind_id.as_deref());
        fingerprint.sum(*price);
        fingerprint.sum(*valuation);
        fingerprint.sum(*building_price);
        fingerprint.sum(*costs);
        for count in [objects, owners] {
            fingerprint.text(count.map(|count| count.to_string()).as_deref());
        }
        for (part, of) in payers.iter().flatten() {
            fingerprint.text(Some(&format!("{part}/{of}")));
        }
        for (fact, answer) in answers.iter().flatten() {
            fingerprint.text(Some(fact));
            fingerprint.text(Some(answer));
        }
        fingerprint.text(None);
        for (party, RequestedParty { inn, full_name }) in &self.parties {
            fingerprint.text(Some(party));
            fingerprint.text(inn.as_deref());
            fingerprint.text(full_name.as_deref());
        }
        fingerprint.text(None);
        for (id, line) in &self.lines {
            let RequestedDealLine {
                action,
                amount,
                reason,
                region_id,
                requisite_id,
            } = line;
            fingerprint.text(Some(id));
            for text in [action, reason, region_id, requisite_id] {
                fingerprint.text(text.as_deref());
            }
            fingerprint.sum(*amount);
        }
        fingerprint.errors(errors);
        fingerprint.digest()
    }
}

/// Reads the notary's reason.
pub(super) fn read_reason(
    field: String,
    reason: Option<&str>,
    errors: &mut FieldErrors,
) -> Option<Line> {
    errors.refuse_card(field.clone(), reason);
    let read = Line::parse(reason.unwrap_or_default(), REASON_CHARS_MAX);
    errors.take(field, read.map_err(|error| error.key(Key::FieldRequired)))
}
