//! `POST /deal/cart`: the payments of a deal, all at once or none.

use std::collections::BTreeMap;

use cabinet_domain::{
    Count, Deal, DealAction, DealId, DealPayer, Inn, Key, Money, NotaryId, PaymentKind, SessionId,
    kyiv_date,
};
use cabinet_reference::{Outcome, ReferenceData, Template, ToPay, Way};
use jiff::{SignedDuration, Timestamp};

use super::Cart;
use super::add::{AddedItem, KeyedRequest};
use super::check::{CheckedPayment, check};
use super::deal_request::{DealToAdd, RequestedDealLine, RequestedParty, read_reason};
use super::own_codes::Own;
use super::request::PaymentRequest;
use crate::deal;
use crate::deal::record::{Decision, RecordDay, record};
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

/// Checked payments with the lines of the calculation that they come from, and for how many objects or shares each is owed.
type Lines<'r> = Vec<(String, Count, CheckedPayment<'r>)>;

/// The payments of a deal while they are checked.
struct Plan<'r> {
    reference: &'r ReferenceData,
    own: &'r Own,
    now: Timestamp,
    parties: &'r BTreeMap<String, RequestedParty>,
    checked: Lines<'r>,
    decided: BTreeMap<String, Decision>,
    errors: FieldErrors,
    /// The fields that the screen shows otherwise than they are today.
    changed: FieldErrors,
}

impl Cart {
    /// Puts the wanted payments of a deal into the groups of their payers: all of them, or none. The deal is calculated anew.
    /// Requests with the same `key` add once and get the same answer.
    ///
    /// # Errors
    /// Every bad field at once, those of a line as `lines.<id>.<field>` and those of a party as `parties.<party>.<field>`;
    /// `price_changed` with the lines that cost something else today; and what [`Cart::add`] refuses.
    pub async fn add_deal(
        &self,
        (notary, session): (NotaryId, SessionId),
        to_add: DealToAdd,
        key: Option<&str>,
        errors: FieldErrors,
    ) -> Result<AddedItem> {
        let keyed = key
            .map(|key| KeyedRequest::read(key, to_add.fingerprint(key, &errors)))
            .transpose()?;
        if let Some(added) = self.added_before(notary, keyed).await? {
            return Ok(added);
        }
        let now = self.clock.now();
        let (reference, version) = self.reference.current_version()?;
        let own = self.own(notary).await?;
        let DealToAdd {
            deal,
            parties,
            lines,
        } = to_add;
        let (status, date) = (own.codes.status.counts_as, kyiv_date(now));
        let calculation = deal::calculate(&reference, deal.clone(), status, date, errors)?;
        let mut plan = Plan {
            reference: &reference,
            own: &own,
            now,
            parties: &parties,
            checked: Vec::new(),
            decided: BTreeMap::new(),
            errors: FieldErrors::new(),
            changed: FieldErrors::new(),
        };
        let known = |id: &String| {
            let mut calculated = calculation.lines.iter();
            calculated.any(|to_pay| to_pay.id() == *id)
        };
        if !lines.keys().all(known) {
            plan.errors.add("lines", Key::IdInvalid);
        }
        for to_pay in &calculation.lines {
            plan.line(to_pay, lines.get(&to_pay.id()));
        }
        let (checked, mut decided) = plan.finish()?;
        // A millisecond apart: the cart shows items by their time, so in the order of the calculation.
        let moments = (0..).map(|number| now + SignedDuration::from_millis(number));
        let mut new = Vec::with_capacity(checked.len());
        for ((line, count, checked), moment) in checked.into_iter().zip(moments) {
            let item = self
                .new_item((notary, session), checked, moment)
                .times(count);
            if let Some(decision) = decided.get_mut(&line) {
                decision.become_item(&item.item);
            }
            new.push(item);
        }
        let day = RecordDay {
            status,
            date,
            version,
        };
        let deal = Deal {
            id: DealId::new(self.ids.new_id()),
            created_at: now,
            record: record(&reference, &deal, &calculation, day, decided),
        };
        self.put((notary, session), new, Some(deal), keyed).await
    }
}

impl<'r> Plan<'r> {
    fn line(&mut self, to_pay: &ToPay<'r>, wanted: Option<&RequestedDealLine>) {
        let field = |name: &str| format!("lines.{}.{name}", to_pay.id());
        let action = wanted.and_then(|line| line.action.as_deref());
        let action = action.map(|word| DealAction::parse(word).ok_or(Key::IdInvalid));
        let action = match action.transpose() {
            Ok(action) => action,
            Err(key) => return self.errors.add(field("action"), key),
        };
        let adds = matches!(action, Some(DealAction::Add | DealAction::OtherSum));
        let (sum, way) = match &to_pay.outcome {
            // What the screen shows was owed when it was calculated.
            Outcome::Nothing if adds => {
                return self.changed.add(field("amount"), Key::PriceChanged);
            }
            Outcome::Nothing => return,
            Outcome::Due(due) => (Some(due.sum), due.way),
            Outcome::Unknown { way } => (None, *way),
        };
        if !way.is_payable() {
            match way {
                _ if !adds => {}
                // What the screen shows was for the seller or the donee to pay when it was calculated.
                Way::Withheld => self.changed.add(field("amount"), Key::PriceChanged),
                _ => self.errors.add(field("action"), Key::TemplateUnknown),
            }
            return;
        }
        let (Some(wanted), Some(action)) = (wanted, action) else {
            return self.errors.add(field("action"), Key::FieldRequired);
        };
        let is_own_decision =
            action == DealAction::LeaveOut || (action == DealAction::OtherSum && sum.is_some());
        let reason = is_own_decision
            .then(|| read_reason(field("reason"), wanted.reason.as_deref(), &mut self.errors))
            .flatten();
        let decision = Decision::new(action, wanted.amount, reason);
        self.decided.insert(to_pay.id(), decision);
        if action == DealAction::LeaveOut {
            return;
        }
        let Some(amount) = wanted.amount else {
            return self.errors.add(field("amount"), Key::AmountRequired);
        };
        match action {
            DealAction::Add if sum.is_none() => {
                self.errors.add(field("amount"), Key::AmountRequired);
            }
            DealAction::Add if sum != Some(amount) => {
                self.changed.add(field("amount"), Key::PriceChanged);
            }
            // A fee costs what its table says.
            DealAction::OtherSum if !matches!(way, Way::Template(_)) => {
                self.errors.add(field("amount"), Key::AmountInvalid);
            }
            _ => self.check(to_pay, way, wanted, amount),
        }
    }

    /// Checks a payment by the rules of any other.
    fn check(
        &mut self,
        to_pay: &ToPay<'r>,
        way: Way<'r>,
        wanted: &RequestedDealLine,
        amount: Money,
    ) {
        let payer = to_pay.payer();
        let (count, amount) = match &to_pay.outcome {
            // The sum on the screen was compared with that of all objects and shares; the item has that of one.
            Outcome::Due(due) if due.count != Count::ONE => (due.count, due.unit),
            _ => (Count::ONE, amount),
        };
        let request = self.request(way, payer, wanted, amount);
        let (reference, codes) = (self.reference, &self.own.codes);
        match check(&request, FieldErrors::new(), reference, codes, self.now) {
            Ok(checked) => {
                self.checked.push((to_pay.id(), count, checked));
            }
            Err(refusal) => {
                let errors = match refusal.kind {
                    RefusalKind::Conflict => &mut self.changed,
                    _ => &mut self.errors,
                };
                for (field, key) in refusal.errors.iter() {
                    let field = match field.strip_prefix("client.") {
                        Some(field) => format!("parties.{payer}.{field}"),
                        None => format!("lines.{}.{field}", to_pay.id()),
                    };
                    errors.add(field, key);
                }
            }
        }
    }

    /// The payment as the form would ask for it.
    fn request(
        &self,
        way: Way<'r>,
        payer: DealPayer,
        wanted: &RequestedDealLine,
        amount: Money,
    ) -> PaymentRequest {
        let party = self.parties.get(&payer.to_string());
        let request = PaymentRequest {
            client_inn: party.and_then(|party| party.inn.clone()),
            client_full_name: party.and_then(|party| party.full_name.clone()),
            // The page of a deal shows no note about a mended name.
            name_as_typed: true,
            amount: Some(amount),
            ..PaymentRequest::default()
        };
        let (payment_type, option, term) = match way {
            Way::Fee {
                payment_type,
                option,
                term,
            } => (payment_type, option, Some(term)),
            Way::Register {
                payment_type,
                option,
            } => (payment_type, option, None),
            Way::Template(template) => return self.by_template(template, request),
            Way::Withheld | Way::Unconfirmed | Way::NoRequisites => return request,
        };
        let own_okpo = self.own.codes.of_account();
        PaymentRequest {
            payment_type_id: Some(payment_type.id().to_string()),
            option_id: Some(option.id().to_string()),
            term_id: term.map(|term| term.id().to_string()),
            region_id: wanted.region_id.clone(),
            requisite_id: wanted.requisite_id.clone(),
            iban: self.own.iban.as_ref().map(|iban| iban.as_str().to_owned()),
            okpo: own_okpo.map(|okpo| okpo.as_str().to_owned()),
            ..request
        }
    }

    fn by_template(&self, template: &Template, request: PaymentRequest) -> PaymentRequest {
        let free_form = self
            .reference
            .payment_type_of(PaymentKind::RequisitesPayment);
        let text = |text: &Option<String>| text.as_deref().unwrap_or_default().trim().to_owned();
        let (name, code) = (text(&request.client_full_name), text(&request.client_inn));
        let code = Inn::parse(&code).map_or(code, |inn| inn.as_str().to_owned());
        PaymentRequest {
            payment_type_id: free_form.map(|payment_type| payment_type.id().to_string()),
            iban: Some(template.iban().as_str().to_owned()),
            okpo: Some(template.okpo().as_str().to_owned()),
            recipient_name: Some(template.recipient_name().to_owned()),
            purpose: Some(template.purpose_for(&name, &code)),
            template_id: Some(template.id().to_string()),
            cbc_code: template.budget_code().map(|code| code.as_str().to_owned()),
            ..request
        }
    }

    /// Returns the checked payments and what was decided about each.
    fn finish(self) -> Result<(Lines<'r>, BTreeMap<String, Decision>), Refusal> {
        self.errors.check()?;
        if self.changed.iter().next().is_some() {
            let mut refusal = Refusal::conflict(Key::PriceChanged);
            refusal.errors = self.changed;
            return Err(refusal);
        }
        if self.checked.is_empty() {
            return Err(Refusal::field("lines", Key::FieldRequired));
        }
        Ok((self.checked, self.decided))
    }
}
