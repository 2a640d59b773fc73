//! What receipts of an order name: whoever checks a paper may type any code of a payer, account of a recipient or sum that stands on it.

use cabinet_domain::{
    Iban, Inn, ItemContent, Money, Order, OrderItem, Transfer, given_back, returned_parts,
};
use cabinet_receipts::Vat;

use super::codes_receipt::CodesPaper;
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

/// What a text on a receipt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedField {
    /// The code of the client, the actual payer.
    ClientCode,
    /// The code of the operator, who is the payer of the transfers.
    OperatorCode,
    /// The code of the notary who made the receipts out. Papers of before name her as the payer.
    NotaryCode,
    /// The account of a recipient.
    Account,
    /// The account of the operator, who is the recipient of the commission.
    OperatorAccount,
    /// A sum.
    Sum,
}

/// Returns as what a text stands on the receipts of an order: those of the payment and of the commission, of the order and of each item.
pub(super) fn printed_field(paper: &Paper<'_>, typed: &str) -> Option<PrintedField> {
    code_field(paper, typed)
        .or_else(|| account_field(paper, typed))
        .or_else(|| {
            let sum = Money::parse_typed(typed).ok()?;
            sums(paper).contains(&sum).then_some(PrintedField::Sum)
        })
}

/// The same of the receipts of an order that was paid by QR codes.
pub(super) fn printed_on_codes_paper(
    order: &Order,
    paper: &CodesPaper,
    operator_code: &str,
    typed: &str,
) -> Option<PrintedField> {
    let transfers = || paper.items.iter().flat_map(|(_, transfers)| transfers);
    if let Ok(code) = Inn::parse(typed) {
        if code == order.client.inn {
            return Some(PrintedField::ClientCode);
        }
        if code.as_str() == operator_code {
            return Some(PrintedField::OperatorCode);
        }
        if paper.notary_code.as_ref() == Some(&code) {
            return Some(PrintedField::NotaryCode);
        }
    }
    if let Ok(iban) = Iban::parse(typed) {
        let is_payee = transfers().any(|transfer| transfer.payee.iban == iban);
        return is_payee.then_some(PrintedField::Account);
    }
    let sum = Money::parse_typed(typed).ok()?;
    let of_items = paper.items.iter().filter_map(|(item, transfers)| {
        let amounts = transfers.iter().map(|transfer| transfer.amount);
        Some([Money::sum(amounts).ok()?, item.content.price.amount])
    });
    let mut sums = of_items
        .flatten()
        .chain(transfers().map(|transfer| transfer.amount))
        .chain(paper.total());
    sums.any(|printed| printed == sum && !sum.is_zero())
        .then_some(PrintedField::Sum)
}

fn code_field(paper: &Paper<'_>, typed: &str) -> Option<PrintedField> {
    let typed = Inn::parse(typed).ok()?;
    if typed == paper.order.client.inn {
        return Some(PrintedField::ClientCode);
    }
    let facts = paper.facts?;
    if facts.operator_code == typed.as_str() {
        return Some(PrintedField::OperatorCode);
    }
    (facts.notary_code.as_deref() == Some(typed.as_str())).then_some(PrintedField::NotaryCode)
}

fn account_field(paper: &Paper<'_>, typed: &str) -> Option<PrintedField> {
    let typed = Iban::parse(typed).ok()?;
    let mut payees = paper.transfers.iter().map(|one| &one.planned.payee.iban);
    if payees.any(|iban| *iban == typed) {
        return Some(PrintedField::Account);
    }
    (paper.facts?.operator_iban == typed.as_str()).then_some(PrintedField::OperatorAccount)
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
