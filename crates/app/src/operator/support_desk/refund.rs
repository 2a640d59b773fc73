//! What the support gives back to a card (decision 49).

use cabinet_domain::payment::{AlarmKind, KnownPart, RefundRefusal, RefundScope, RefundWish};
use cabinet_domain::{
    Key, Money, OperatorReason, OrderStatus, RefundId, Transfer, TransferStatus, kyiv_time,
};
use cabinet_storage::Tx;
use cabinet_storage::transfer::transfers;

use super::actions::{OrderActions, broken};
use super::{DeskError, RefundLine};
use crate::kernel::refusal::AppError;

/// What is given back, and by whom.
#[derive(Clone, Copy, Debug)]
pub enum RefundOrderWish {
    /// The acquirer is asked to give it back.
    Ask(RefundWish),
    /// The acquirer gave it back without our asking: that is recorded, and nothing is sent.
    Record(KnownPart),
}

/// What is given back.
#[derive(Clone, Debug)]
pub struct RefundOrder {
    /// The order's number.
    pub number: i64,
    /// What of it, and by whom.
    pub wish: RefundOrderWish,
    /// Why.
    pub reason: OperatorReason,
}

/// What a refund would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundPreview {
    /// What would be given back.
    pub amount: Money,
    /// The transfers that would not be sent any more, by document.
    pub called_off: Vec<(i64, Money)>,
}

impl OrderActions {
    /// Returns what a refund would do, as far as is known here. The acquirer is not asked, and nothing changes. `None` for what the acquirer
    /// gave back already: it is only recorded.
    ///
    /// # Errors
    /// As the refund.
    pub async fn look_at_refund(
        &self,
        refund: &RefundOrder,
    ) -> Result<Option<RefundPreview>, DeskError> {
        let RefundOrderWish::Ask(wish) = refund.wish else {
            return Ok(None);
        };
        let order = self.by_number(refund.number).await?;
        let looked = self
            .payments
            .look_at_refund(order.id, wish, &refund.reason)
            .await
            .map_err(|error| broken(&error))?;
        let (given, known) =
            looked.map_err(|refusal| DeskError::NotRefunded(advice(refund.number, &refusal)))?;
        let is_called_off = |transfer: &&Transfer| {
            transfer.status == TransferStatus::Planned
                && (given.scope == RefundScope::Whole
                    || given.scope.transfer() == Some(transfer.id))
        };
        Ok(Some(RefundPreview {
            amount: given.amount,
            called_off: known
                .iter()
                .filter(is_called_off)
                .map(|transfer| (transfer.document_number, transfer.planned.amount))
                .collect(),
        }))
    }

    /// Gives money of a paid order back to the card, whole or in part, and returns how far that came. The refund is stored with its reason
    /// before the acquirer is asked for it, and the worker asks on until its end is certain.
    ///
    /// # Errors
    /// [`DeskError::NoOrder`]; [`DeskError::NotRefunded`], which says what to do instead.
    pub async fn refund(&self, refund: &RefundOrder) -> Result<RefundLine, DeskError> {
        let order = self.by_number(refund.number).await?;
        let origin = self.recorder.origin();
        let reason = &refund.reason;
        let came = match refund.wish {
            RefundOrderWish::Ask(wish) => self.payments.refund(&order, wish, reason, origin).await,
            RefundOrderWish::Record(part) => {
                self.payments
                    .record_refund(&order, part, reason, origin)
                    .await
            }
        };
        let given = match came {
            Ok(Ok(given)) => given,
            Ok(Err(refusal)) => {
                return Err(DeskError::NotRefunded(advice(refund.number, &refusal)));
            }
            Err(AppError::Refused(refusal)) if refusal.key == Key::AcquirerUnavailable => {
                return Err(DeskError::NotRefunded(
                    "the acquirer does not tell what was given back before, so nothing was sent: try again in some minutes".to_owned(),
                ));
            }
            Err(error) => return Err(broken(&error)),
        };
        let id = order.id;
        let read = move |tx: &mut Tx| transfers::of_order(tx, id);
        // The refund is under way, so an error here must not look as if it were not.
        let known = self.store.read(read).await.unwrap_or_default();
        let document = given.scope.transfer().and_then(|transfer| {
            let mut known = known.iter();
            let found = known.find(|known| known.id == transfer)?;
            Some(found.document_number)
        });
        Ok(RefundLine::of(&given, document))
    }
}

fn numbers(documents: &[i64]) -> String {
    let texts: Vec<String> = documents.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// Says how an alarm is settled that keeps a refund out.
const fn doubt_advice(kind: AlarmKind) -> &'static str {
    match kind {
        AlarmKind::RefundedInPart => {
            "Say what it was for with --already-given-back and --transfer or --sum, and close the alarm"
        }
        AlarmKind::RefundContradicted => {
            "Compare what was given back with the acquirer's cabinet, and close the alarm"
        }
        AlarmKind::TransferSealBroken => {
            "Look at its transfers, and seal them: cabinet transfers seal"
        }
        AlarmKind::TransferDisputed => {
            "Ask the bank where the money of the disputed transfer is, import its answer as a table of your own, and close the alarm"
        }
        _ => "Ask the acquirer what was charged, and close the alarm",
    }
}

fn under_way(order: i64, id: RefundId) -> String {
    format!(
        "a refund of the order is under way: {id}. Nothing more was begun: the worker asks the acquirer until its end is certain, see cabinet order show {order}"
    )
}

/// Says what a refusal means, and what to do.
fn advice(order: i64, refusal: &RefundRefusal) -> String {
    let sum = |money: &Money| money.decimal();
    match refusal {
        RefundRefusal::NotPaid(OrderStatus::Expired | OrderStatus::Failed) => format!(
            "the order is not paid, so there is nothing to give back. If the client was charged all the same: cabinet order ask {order}"
        ),
        RefundRefusal::NotPaid(_) => format!(
            "the order is not paid yet, so there is nothing to give back: cabinet order ask {order}, or cabinet order cancel {order}"
        ),
        RefundRefusal::GivenBackBefore => {
            "all of the order's money was given back before: nothing was sent".to_owned()
        }
        RefundRefusal::ChargedAfterRefund => {
            "all of the order's money was given back before, and a charge that came later stands. Give it back in the acquirer's cabinet".to_owned()
        }
        RefundRefusal::UnderWay(id) => under_way(order, *id),
        RefundRefusal::InDoubt(kind) => format!(
            "an alarm leaves open what was charged or given back: {}. {}; see cabinet order show {order}",
            kind.as_str(),
            doubt_advice(*kind)
        ),
        RefundRefusal::ChargedTwice => {
            "several charges of the order stand. Give the ones that don't count back in the acquirer's cabinet first".to_owned()
        }
        RefundRefusal::TransfersNotCompared => {
            "the database was restored, so the bank may have transfers that are planned here. Mark what the bank has with cabinet transfers import, then cabinet transfers resume --compared, and ask again. Nothing was sent".to_owned()
        }
        RefundRefusal::ReturnedBeforeRestore(documents) => format!(
            "transfers {} came back before the database was restored, and may have been sent again or given back since the copy. Compare the lists that the bank got since, and the acquirer's cabinet; then cabinet transfers release (cabinet transfers held lists them), and ask again. Nothing was sent",
            numbers(documents)
        ),
        RefundRefusal::NotPlanned => {
            "the transfers of the order are not planned, so what recipients are owed is not known. Only all of it can be given back: leave out --sum".to_owned()
        }
        RefundRefusal::NoTransfer(number) => format!(
            "the order has no transfer {number}: cabinet order show {order} lists them by document"
        ),
        RefundRefusal::SentAgain(number, by) => format!(
            "transfer {number} was sent again by transfer {by}: name that one"
        ),
        RefundRefusal::AtTheBank(documents) => format!(
            "the bank has transfers {}. Wait until they are credited or come back; what came back is marked with cabinet transfers import, and then given back with --transfer. Nothing was sent",
            numbers(documents)
        ),
        RefundRefusal::AtTheRecipient(documents) => format!(
            "recipients have the money of transfers {}, so it is not ours to give back: the payer applies for its return (order 787 of the Ministry of Finance), the notary finds the application beside the transfer. If it came back, mark it as returned first: cabinet transfers import. What no recipient has is given back with --transfer or --sum",
            numbers(documents)
        ),
        RefundRefusal::TransferGivenBack(number) => {
            format!("transfer {number} was given back or called off before: nothing was sent")
        }
        RefundRefusal::OpenAtAcquirer => format!(
            "the acquirer works at a refund of the order that was not asked for here, or that was given up here. Wait until it has ended: cabinet order ask {order}. Nothing was sent"
        ),
        RefundRefusal::ToldLess { known, told } => format!(
            "the acquirer tells {} UAH given back, and told {} UAH before. It names no refunds, so what became of one now could not be told. Give what is missing on the card back in its cabinet; once it tells {} UAH again, ask again: cabinet order ask {order}. Nothing was sent",
            sum(told),
            sum(known),
            sum(known)
        ),
        RefundRefusal::MayBeMadeGood => format!(
            "what the acquirer told of refunds contradicted itself, and it names none of them, so what was missing was given back in its cabinet. If this sum is none of that, add --again; see cabinet order show {order}. Nothing was sent"
        ),
        RefundRefusal::GivenUpChargeUnread => format!(
            "another charge of the order was given up because the acquirer had no trace of it, and its statement can't be read now, so whether both were made is not known. Try again in some minutes, and see what is missing: cabinet order ask {order}. Nothing was sent"
        ),
        RefundRefusal::PaymentUnknown(until) => format!(
            "the acquirer does not know another page or card payment of the order, so whether both were paid is not certain before {}: look for it in the acquirer's cabinet, and ask again then. The worker goes on asking, cabinet order ask {order} shows what is missing. Nothing was sent",
            kyiv_time(*until).strftime("%d.%m.%Y %H:%M")
        ),
        RefundRefusal::NotGivenBack { unasked } => format!(
            "the acquirer has given {} UAH back that no refund here explains, which is less than that: nothing was recorded",
            sum(unasked)
        ),
        RefundRefusal::SameSum => {
            "the same sum was given back before. If it is to be given back once more, add --again".to_owned()
        }
        RefundRefusal::Zero => "there is nothing to give back: nothing was sent".to_owned(),
        RefundRefusal::OwedToRecipients { free } => format!(
            "only {} UAH of the charge are owed to no recipient. Name what is not to be sent with --transfer, or leave out --sum to give back all",
            sum(free)
        ),
        RefundRefusal::MoreThanLeft { left } => format!(
            "only {} UAH of the charge are left: nothing was sent",
            sum(left)
        ),
    }
}
