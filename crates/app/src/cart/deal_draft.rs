//! The calculation of a deal before its payments are in the cart, to be printed.

use std::collections::BTreeMap;

use cabinet_domain::{
    DealAction, DealPayer, DealRecord, Inn, Key, NotaryId, PersonName, RequisiteId, kyiv_date,
};
use cabinet_reference::{Outcome, ReferenceData, ToPay, Way};

use super::Cart;
use super::deal_request::{DealToAdd, RequestedDealLine, RequestedParty, read_reason};
use crate::deal;
use crate::deal::record::{Decision, RecordDay, record};
use crate::kernel::refusal::{FieldErrors, Result};

/// A deal that is not in the cart.
pub struct DealDraft {
    /// What was calculated and decided so far.
    pub record: DealRecord,
    /// Who pays, as far as it was entered: name and code, either of which may be missing.
    pub parties: BTreeMap<DealPayer, (Option<PersonName>, Option<Inn>)>,
}

impl Cart {
    /// Calculates a deal for its document. Names, recipients and reasons may be missing; a payment that nothing was decided about is
    /// shown as it is calculated. Nothing is stored.
    ///
    /// # Errors
    /// Every bad field at once.
    pub async fn deal_draft(
        &self,
        notary: NotaryId,
        asked: DealToAdd,
        errors: FieldErrors,
    ) -> Result<DealDraft> {
        let status = self.status(notary).await?.counts_as;
        let (reference, version) = self.reference.current_version()?;
        let date = kyiv_date(self.clock.now());
        let DealToAdd {
            deal,
            parties,
            lines,
        } = asked;
        let calculation = deal::calculate(&reference, deal.clone(), status, date, errors)?;
        let mut errors = FieldErrors::new();
        let mut decided = BTreeMap::new();
        for to_pay in &calculation.lines {
            let wanted = lines.get(&to_pay.id());
            if let Some(decision) = decide(&reference, to_pay, wanted, &mut errors) {
                decided.insert(to_pay.id(), decision);
            }
        }
        let parties = read_parties(&parties, &mut errors);
        errors.check()?;
        let day = RecordDay {
            status,
            date,
            version,
        };
        Ok(DealDraft {
            record: record(&reference, &deal, &calculation, day, decided),
            parties,
        })
    }
}

/// Returns what was decided about a payment that can be made here.
fn decide(
    reference: &ReferenceData,
    to_pay: &ToPay<'_>,
    wanted: Option<&RequestedDealLine>,
    errors: &mut FieldErrors,
) -> Option<Decision> {
    let field = |name: &str| format!("lines.{}.{name}", to_pay.id());
    let (owed, way) = match &to_pay.outcome {
        Outcome::Nothing => return None,
        Outcome::Due(due) => (Some(due.sum), due.way),
        Outcome::Unknown { way } => (None, *way),
    };
    if !way.is_payable() {
        return None;
    }
    let word = wanted.and_then(|line| line.action.as_deref());
    let Some(action) = word.map_or(Some(DealAction::Add), DealAction::parse) else {
        errors.add(field("action"), Key::IdInvalid);
        return None;
    };
    let is_template = matches!(way, Way::Template(_));
    if action == DealAction::OtherSum && !is_template {
        errors.add(field("amount"), Key::AmountInvalid);
        return None;
    }
    let own = wanted.and_then(|line| line.amount);
    let sum = if action == DealAction::OtherSum {
        own
    } else {
        owed
    };
    let reason = wanted
        .and_then(|line| line.reason.as_deref())
        .filter(|text| action != DealAction::Add && !text.trim().is_empty())
        .and_then(|text| read_reason(field("reason"), Some(text), errors));
    let mut decision = Decision::new(action, sum, reason);
    if action != DealAction::LeaveOut {
        let chosen = wanted.and_then(|line| line.requisite_id.as_deref());
        let requisite = chosen
            .and_then(RequisiteId::parse)
            .and_then(|id| reference.requisite(&id));
        match (way, requisite) {
            (Way::Template(template), _) => decision.goes_to(template.recipient_name()),
            (_, Some(requisite)) => decision.goes_to(requisite.name()),
            _ => {}
        }
    }
    Some(decision)
}

/// Reads what was entered of those who pay.
fn read_parties(
    parties: &BTreeMap<String, RequestedParty>,
    errors: &mut FieldErrors,
) -> BTreeMap<DealPayer, (Option<PersonName>, Option<Inn>)> {
    let mut read = BTreeMap::new();
    for (word, RequestedParty { inn, full_name }) in parties {
        let Some(party) = DealPayer::parse(word) else {
            continue;
        };
        let typed = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let name = typed(full_name).and_then(|text| {
            let field = format!("parties.{word}.full_name");
            errors.refuse_card(field.clone(), Some(&text));
            if errors.has(&field) {
                return None;
            }
            let name = PersonName::parse(&text);
            errors.take(
                field,
                name.map_err(|error| error.key(Key::ClientFullNameRequired)),
            )
        });
        let code = typed(inn).and_then(|text| {
            let field = format!("parties.{word}.inn");
            errors.take(field, Inn::parse(&text))
        });
        read.insert(party, (name, code));
    }
    read
}
