//! Who pays a transfer, on whose behalf, and who made the payment out. Every paper takes the parties from here, so that no two papers
//! name different ones.

use crate::format::named;
use crate::order::{ReceiptItem, ReceiptOrder};
use crate::wording::Wording;

/// The parties of the transfers of an item, each with its code, as papers print them.
pub(crate) struct Parties {
    /// Who orders the transfer at the bank, from an account of its own: the operator, as in the lists for the bank.
    pub(crate) payer: String,
    /// On whose behalf it is paid, and whose card was charged: the client.
    pub(crate) actual_payer: String,
    /// The notary through whom the client pays. She stands in no instruction of a bank.
    pub(crate) made_out_by: String,
}

impl Parties {
    pub(crate) fn of(order: &ReceiptOrder, item: &ReceiptItem, words: &Wording) -> Parties {
        Parties {
            payer: named(&order.operator.name, &order.operator.code, words),
            actual_payer: named(&item.client_name, &item.client_code, words),
            made_out_by: made_out_by(order, words),
        }
    }

    /// Returns the payer, the actual payer and the maker with their labels.
    pub(crate) fn lines(self, words: &Wording) -> [(&'static str, String); 3] {
        [
            (words.payer, self.payer),
            (words.actual_payer, self.actual_payer),
            (words.made_out_by, self.made_out_by),
        ]
    }
}

/// Returns the notary who made the payments of an order out.
pub(crate) fn made_out_by(order: &ReceiptOrder, words: &Wording) -> String {
    let code = order.notary_code.as_deref().unwrap_or_default();
    named(&order.notary_name, code, words)
}
