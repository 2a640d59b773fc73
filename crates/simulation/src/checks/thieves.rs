//! What must hold although thieves have sessions: no money goes to an account of which neither the tables nor the notary know.

use cabinet_domain::{Iban, Okpo, OrderId};
use cabinet_sandbox::LedgerKind;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};

use crate::database::{ACCOUNT, NOTARIES, OWNERS, notary};
use crate::history::History;

/// Checks what was charged, and what the bank was given, since the last look.
pub(crate) fn check_recipients(history: &mut History<'_>) {
    let (charges, payments) = history.thieves.looked_at;
    let ledger = history.acquirer.ledger();
    let given = history.bank.payments().len();
    let charged: Vec<String> = ledger[charges..]
        .iter()
        .filter(|entry| entry.kind == LedgerKind::Charge)
        .map(|entry| entry.invoice_id.clone())
        .collect();
    history.thieves.looked_at = (ledger.len(), given);
    if !charged.is_empty() {
        let invoices = history.acquirer.invoices();
        for invoice in charged {
            let mut found = invoices.iter().filter(|one| one.id == invoice);
            if let Some(order) = found.next().and_then(|one| OrderId::parse(&one.order)) {
                check_order(history, order, &invoice);
            }
        }
    }
    let new = &history.bank.payments()[payments..];
    let strange: Vec<i64> = new
        .iter()
        .filter(|payment| !is_known_account(history, &payment.iban))
        .map(|payment| payment.document_number)
        .collect();
    for number in strange {
        let text = format!("document {number} goes to an account that nobody has proved");
        history.broken.push(text);
    }
}

/// Checks where the transfers go that are planned.
pub(super) fn check_transfers(history: &History<'_>, broken: &mut Vec<String>) {
    for (number, (owner, transfer)) in history.all_transfers() {
        let payee = &transfer.planned.payee;
        if !is_known(history, owner, (&payee.iban, &payee.okpo)) {
            broken.push(format!(
                "document {number} is planned to an account that its notary has not proved"
            ));
        }
    }
}

fn check_order(history: &mut History<'_>, id: OrderId, invoice: &str) {
    let store = history.store.clone();
    let read = move |tx: &mut Tx| -> Result<_, StorageError> {
        let order = orders::by_id(tx, id)?;
        Ok((order, orders::items_of(tx, id)?))
    };
    let read = history
        .executor
        .run(async move { store.read_long(read).await });
    let (order, items) = read.expect("an order can be read");
    let owner = order.and_then(|order| {
        let mut owners = 0..NOTARIES;
        owners.find(|owner| notary(*owner) == order.notary_id)
    });
    let Some(owner) = owner else { return };
    let chosen = items.iter().filter_map(|item| {
        let requisite = item.content.requisite.as_ref()?;
        Some((&requisite.iban, &requisite.okpo))
    });
    let typed = items
        .iter()
        .filter_map(|item| item.content.iban.as_ref().zip(item.content.okpo.as_ref()));
    let mut all = chosen.chain(typed);
    if let Some((iban, _)) = all.find(|pair| !is_known(history, owner, *pair)) {
        let text = format!(
            "{} of {} was charged for {}, which its notary has not proved",
            history.trace.name("invoice", invoice),
            history.name_order(id),
            iban.as_str()
        );
        history.broken.push(text);
    }
}

/// Whether an account with its code is of the tables, or known from before the history, or proved by a notary in it.
fn is_known(history: &History<'_>, owner: usize, (iban, okpo): (&Iban, &Okpo)) -> bool {
    let proved = &history.thieves.proved;
    is_of_tables(history, iban, |code| code == okpo)
        || (iban.as_str() == ACCOUNT && OWNERS.contains(&okpo.as_str()))
        || proved.contains(&(owner, iban.clone(), okpo.clone()))
}

/// Whether some notary knows an account.
fn is_known_account(history: &History<'_>, iban: &str) -> bool {
    let mut proved = history.thieves.proved.iter();
    iban == ACCOUNT
        || proved.any(|(_, known, _)| known.as_str() == iban)
        || Iban::parse(iban).is_ok_and(|iban| is_of_tables(history, &iban, |_| true))
}

fn is_of_tables(history: &History<'_>, iban: &Iban, is_right: impl Fn(&Okpo) -> bool) -> bool {
    let reference = history.services.reference.current();
    let reference = reference.expect("reference data is loaded");
    let known = reference.account(iban);
    known.is_some_and(|known| is_right(&known.okpo))
}
