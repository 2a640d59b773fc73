//! Sending a returned part again with corrected requisites.

use std::sync::Arc;

use cabinet_domain::payment::{RefundScope, unexplained};
use cabinet_domain::{
    AuditAction, AuditObject, Key, Money, NotaryId, Order, OrderId, OrderItem, OrderStatus, Origin,
    PartRefund, Transfer, TransferId,
};
use cabinet_reference::ReferenceData;
use cabinet_storage::account::notaries;
use cabinet_storage::order::orders;
use cabinet_storage::payment::{payments, refunds};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{Change, StorageError, Tx};
use jiff::Timestamp;

use super::parts::own_name;
use super::{Locked, Returns, locked, texts};
use crate::account::account_limits::is_held;
use crate::audit::AuditEntry;
use crate::cart::{OwnCodes, PayeeContext, PaymentRequest, corrected_payee};
use crate::kernel::asker::Decider;
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::operator::alarms::{AfterCommit, log};
use crate::order::own_order::{not_found, own_transfer, transfer_id};
use crate::payment::approval::{Charge, Signer};
use crate::payment::asked_proof::{CorrectedPart, ProofSubject};
use crate::transfer::seal::{is_sealed, raise_about, seal_stored};

/// The corrected requisites, as a request names them. Nothing of it is trusted.
#[derive(Clone, Debug, Default)]
pub struct PayeeRequest {
    /// The account.
    pub iban: Option<String>,
    /// The code of its owner.
    pub okpo: Option<String>,
    /// The recipient. The notary's own part bears the name of the profile, whatever is named here.
    pub recipient_name: Option<String>,
    /// The purpose.
    pub purpose: Option<String>,
}

/// A correction that is ready to be stored.
#[derive(Clone)]
struct Correction {
    signer: Signer,
    part: CorrectedPart,
    reference: Arc<ReferenceData>,
    origin: Origin,
}

impl Returns {
    /// Plans a new transfer that sends a returned one again with corrected requisites. The same request again changes nothing. Where the
    /// returned one came back before the database was restored and waits for the operator, the new one does, too.
    ///
    /// # Errors
    /// Every bad field at once; `order_not_found`, `order_not_paid`, `order_refunded`; `part_not_returned`; `part_decided`;
    /// `confirmation_required` with what is to be proved and `device_too_new_for_part`, for another account that is not known;
    /// `part_given_back` while the card was given back more than the notary has asked for, which may be this part.
    pub async fn send_again(
        &self,
        signer: Signer,
        transfer: &str,
        request: PayeeRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<()> {
        let id = transfer_id(transfer)?;
        let now = self.clock.now();
        let (part, reference) = self
            .checked(signer.notary, id, request, errors, now)
            .await?;
        let correction = Correction {
            signer,
            part,
            reference,
            origin,
        };
        let (this, unit) = (self.clone(), self.ids.unit_at(now));
        let write = move |tx: &mut Tx| this.plan(tx, &correction, &mut unit.clone());
        log(&self.store.write(write).await?);
        Ok(())
    }

    /// Returns what is to be proved before a returned part goes to another account.
    ///
    /// # Errors
    /// Every bad field at once; `order_not_found`.
    pub async fn to_prove(
        &self,
        notary: NotaryId,
        transfer: &str,
        request: PayeeRequest,
        errors: FieldErrors,
    ) -> Result<ProofSubject> {
        let (id, now) = (transfer_id(transfer)?, self.clock.now());
        let (part, _) = self.checked(notary, id, request, errors, now).await?;
        Ok(ProofSubject::Part(Box::new(part)))
    }

    /// Checks the corrected requisites.
    async fn checked(
        &self,
        notary: NotaryId,
        id: TransferId,
        request: PayeeRequest,
        errors: FieldErrors,
        now: Timestamp,
    ) -> Result<(CorrectedPart, Arc<ReferenceData>)> {
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some((order, known)) = own_transfer(tx, notary, id)? else {
                return Ok(None);
            };
            let items = orders::items_of(tx, order.id)?;
            let item = items.into_iter().find(|item| item.id == known.item_id);
            let owner = notaries::by_id(tx, notary)?;
            Ok(item.zip(owner).map(|found| (order, known, found)))
        };
        let found: Option<(Order, Transfer, (OrderItem, _))> = self.store.read(read).await?;
        let (order, known, (item, owner)) = found.ok_or_else(not_found)?;
        let profile = owner.profile;
        let reference = self.reference.current()?;
        let own_codes = OwnCodes {
            inn: profile.inn.clone(),
            okpo: profile.okpo.clone(),
            iban: profile.iban.clone(),
            name: None,
            status: owner.practice.known(),
        };
        let context = PayeeContext {
            transfer: &known,
            content: &item.content,
            client: &order.client,
            own_codes: &own_codes,
            own_name: own_name(&profile),
            reference: &reference,
            now,
        };
        let request = PaymentRequest {
            iban: request.iban,
            okpo: request.okpo,
            recipient_name: request.recipient_name,
            purpose: request.purpose,
            ..PaymentRequest::default()
        };
        let payee = corrected_payee(&request, errors, &context)?;
        let part = CorrectedPart {
            transfer: known,
            payee,
        };
        Ok((part, reference))
    }

    /// Plans the new transfer, unless the same request did it before.
    fn plan(
        &self,
        tx: &mut Tx,
        correction: &Correction,
        unit: &mut UnitContext,
    ) -> Result<Vec<AfterCommit>> {
        let (signer, part) = (correction.signer, &correction.part);
        let notary = signer.notary;
        let (decider, _) = Decider::from(signer).lock(tx, unit.now)?;
        let Locked {
            order,
            locked,
            transfer: old,
            replacement,
        } = locked(tx, &decider, &part.transfer)?;
        let payee = &part.payee;
        if replacement.is_some_and(|known| known.planned.payee == *payee) {
            return Ok(Vec::new());
        }
        // Somebody else's session could send money to an account of somebody else.
        let mut approved = None;
        if payee.iban != old.planned.payee.iban {
            let charge = Charge::of_part(part);
            let subject = ProofSubject::Part(Box::new(part.clone()));
            let given = self.approvals.approve(
                tx,
                (&decider, signer),
                order.id,
                (subject, &charge),
                &correction.reference,
                unit.now,
            )?;
            approved = Some(given?);
        }
        if is_given_back_unasked(tx, order.id)? {
            return Err(Refusal::conflict(Key::PartGivenBack).into());
        }
        let amount = old.planned.amount;
        let mut waits = old.held_at.is_some();
        if let Some(made_at) = notaries::created_at_of(tx, notary)? {
            let is_of_tables = correction.reference.account(&payee.iban).is_some();
            waits |= is_held(
                tx,
                &self.account_limits,
                (made_at, unit.now),
                (&payee.iban, amount),
                is_of_tables,
            )?;
        }
        let id = TransferId::new(unit.new_id());
        if old.refund.is_some()
            || refunds::is_given_back_whole(tx, order.id)?
            || !transfers::replace(tx, id, (&locked, &old), payee, waits, unit.now)?
        {
            return Err(Refusal::conflict(Key::PartDecided).into());
        }
        debug_assert_eq!(order.status, OrderStatus::Paid);
        let committed = self.seal(tx, unit, &old, id)?;
        self.facts.add_bank(tx, &order, &payee.iban)?;
        let before = &old.planned.payee;
        AuditEntry::new(AuditAction::TransferSentAgain)
            .of_notary(notary)
            .on_order(order.id)
            .on(AuditObject::Transfer(id))
            .with("amount", amount)
            .changed("iban", Some(&before.iban), Some(&payee.iban))
            .changed("okpo", Some(&before.okpo), Some(&payee.okpo))
            .proved_by(approved)
            .record(tx, unit, &correction.origin)?;
        if waits {
            AuditEntry::new(AuditAction::TransferHeld)
                .of_notary(notary)
                .on_order(order.id)
                .on(AuditObject::Transfer(id))
                .with("amount", amount)
                .record(tx, unit, &correction.origin)?;
        }
        let number = transfers::by_id(tx, id)?.map(|new| new.document_number);
        let notice = texts::sent_again(
            &order,
            &old,
            number.unwrap_or_default(),
            self.notifier.support_phone(),
        );
        self.notifier.tell_everywhere(tx, unit, notary, &notice)?;
        tx.announce(Change::Order(notary, order.id));
        Ok(committed)
    }

    /// Seals what sends a returned transfer again. Where the seal of that one does not fit, it may be the sum or the account that somebody has
    /// changed: the new one gets none, and a person is called.
    fn seal(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        old: &Transfer,
        new: TransferId,
    ) -> Result<Vec<AfterCommit>, StorageError> {
        let mut committed = Vec::new();
        if !is_sealed(tx, &self.seals, old)? {
            raise_about(tx, unit, old.order_id, &mut committed)?;
        } else if let Some(new) = transfers::by_id(tx, new)? {
            seal_stored(tx, &self.seals, &new)?;
        }
        Ok(committed)
    }
}

/// Whether the card was given back all that was left of what pays the order, or more of it than is explained and than the parts that the notary
/// has asked back and that are not marked yet.
fn is_given_back_unasked(tx: &mut Tx, order: OrderId) -> Result<bool, StorageError> {
    let Some(case) = payments::case_of(tx, order)? else {
        return Ok(false);
    };
    let all = transfers::of_order(tx, order)?;
    let counting = case.counting_charge().map(|charge| charge.id);
    let is_whole = case.refunds.iter().any(|refund| {
        refund.is_done()
            && refund.scope == RefundScope::Whole
            && Some(refund.attempt_id) == counting
    });
    let is_asked = |refund: PartRefund| refund.refunded_at.is_none();
    let asked = all.iter().filter(|one| one.refund.is_some_and(is_asked));
    let asked = Money::sum(asked.map(|transfer| transfer.planned.amount));
    Ok(is_whole || unexplained(&case, &all) > asked.unwrap_or(Money::ZERO))
}
