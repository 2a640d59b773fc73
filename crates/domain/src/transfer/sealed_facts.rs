//! What the seal of a transfer covers (decision 74).

use crate::{BudgetCode, ItemId, OrderId, PlannedTransfer, TransferId};

/// Everything of a transfer that says who gets how much, from whom and for what.
#[derive(Clone, Copy, Debug)]
pub struct SealedFacts<'a> {
    /// The id: no transfer has the seal of another.
    pub id: TransferId,
    /// The order.
    pub order: OrderId,
    /// The item.
    pub item: ItemId,
    /// The transfer that it sends again.
    pub replaces: Option<TransferId>,
    /// Part, amount, payee and actual payer.
    pub planned: &'a PlannedTransfer,
    /// The budget code that was given for the item.
    pub budget_code: Option<&'a BudgetCode>,
}

impl SealedFacts<'_> {
    /// Returns the bytes of which a seal is made. Facts that differ in anything have different bytes: each part begins with its length.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let PlannedTransfer {
            role,
            payee,
            amount,
            actual_payer,
        } = self.planned;
        let ids = [self.id.uuid(), self.order.uuid(), self.item.uuid()];
        let [id, order, item] = &ids;
        let replaces = self.replaces.map(|id| *id.uuid().as_bytes());
        let amount = amount.kopiykas().to_be_bytes();
        let parts: [&[u8]; 13] = [
            id.as_bytes(),
            order.as_bytes(),
            item.as_bytes(),
            replaces.as_ref().map_or(&[], |id| id.as_slice()),
            role.as_str().as_bytes(),
            &amount,
            payee.name.as_str().as_bytes(),
            payee.iban.as_str().as_bytes(),
            payee.okpo.as_str().as_bytes(),
            payee.purpose.as_str().as_bytes(),
            actual_payer.inn.as_str().as_bytes(),
            actual_payer.name.as_str().as_bytes(),
            self.budget_code
                .map_or(&[], |code| code.as_str().as_bytes()),
        ];
        let mut bytes = Vec::new();
        for part in parts {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(part);
        }
        bytes
    }
}
