//! What receipts of an order name: whoever checks a paper may type any code of a payer, account of a recipient or sum that stands on it.

use cabinet_domain::{
    Iban, Inn, ItemContent, Money, Order, OrderItem, Transfer, given_back, returned_parts,
};
use cabinet_receipts::Vat;

use super::facts::ReceiptFacts;

/// What the receipts of an order are made of.
pub(super) struct Paper<'a> {
    pub(super) order: &'a Order,
    pub(super) items: &'a [OrderItem],
    /// `None`: no receipt was made yet.
    pub(super) facts: Option<&'a ReceiptFacts>,
    /// All transfers: papers of before a return name the older ones.
    pub(super) transfers: &'a [Transfer],
}

/// Returns whether a text is the code of a payer, the account of a recipient or a sum on the receipts of an order: those of the payment
/// and of the commission, of the order and of each item.
pub(super) fn is_printed(paper: &Paper<'_>, typed: &str) -> bool {
    is_payer(paper, typed)
        || is_account(paper, typed)
        || Money::parse_typed(typed).is_ok_and(|sum| sums(paper).contains(&sum))
}

/// The operator is the payer of the transfers, and the client the actual payer. The notary made them out; papers of before name her as
/// the payer.
fn is_payer(paper: &Paper<'_>, typed: &str) -> bool {
    let Ok(typed) = Inn::parse(typed) else {
        return false;
    };
    let is_recorded = |facts: &ReceiptFacts| {
        facts.operator_code == typed.as_str()
            || facts.notary_code.as_deref() == Some(typed.as_str())
    };
    typed == paper.order.client.inn || paper.facts.is_some_and(is_recorded)
}

/// The operator is the recipient of the commission.
fn is_account(paper: &Paper<'_>, typed: &str) -> bool {
    let Ok(typed) = Iban::parse(typed) else {
        return false;
    };
    let mut payees = paper.transfers.iter().map(|one| &one.planned.payee.iban);
    payees.any(|iban| *iban == typed)
        || paper
            .facts
            .is_some_and(|facts| facts.operator_iban == typed.as_str())
}

/// Returns every sum that a receipt shows. Sums of nothing are left out.
fn sums(paper: &Paper<'_>) -> Vec<Money> {
    let of_items = |of: fn(&ItemContent) -> Money| -> Vec<Money> {
        let items = paper.items.iter().map(|item| &item.content);
        items
            .filter_map(|content| of(content).times(content.count).ok())
            .collect()
    };
    let amounts = of_items(|content| content.price.amount);
    let commissions = of_items(|content| content.price.commission);
    let missing: Vec<Money> = returned_parts(paper.transfers)
        .iter()
        .filter(|part| part.after().is_missing())
        .map(|part| part.end().planned.amount)
        .collect();
    let in_all = [&amounts, &commissions, &missing];
    let in_all = in_all.map(|sums| Money::sum(sums.iter().copied()).ok());
    let given_back = given_back(paper.transfers).ok();
    let vat = match paper.facts.and_then(ReceiptFacts::operator) {
        Some(operator) => match operator.vat {
            Vat::Included(rate) => commissions
                .iter()
                .chain(&in_all[1])
                .map(|commission| commission.contained(rate))
                .collect(),
            Vat::Unstated | Vat::Without => Vec::new(),
        },
        None => Vec::new(),
    };
    let of_units = paper.items.iter().map(|item| item.content.price.amount);
    let charged = paper
        .items
        .iter()
        .filter_map(|item| item.content.total().ok());
    let parts = paper.transfers.iter().map(|one| one.planned.amount);
    let mut sums: Vec<Money> = of_units.chain(charged).chain(parts).collect();
    sums.extend(amounts);
    sums.extend(commissions);
    sums.extend(in_all.into_iter().flatten());
    sums.extend(given_back);
    sums.extend(vat);
    sums.push(paper.order.sum);
    sums.retain(|sum| !sum.is_zero());
    sums
}
