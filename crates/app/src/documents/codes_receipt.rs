//! The data of receipts of an order that was paid by QR codes: what the codes name, who marked it and what the payer told.

use cabinet_domain::{
    BankAnswer, Inn, Locale, Money, Order, OrderItem, PartRole, PersonName, PlannedTransfer,
    TransferStatus,
};
use cabinet_receipts::{
    Operator, PaidByCodes, ReceiptItem, ReceiptOrder, ReceiptTransfer, SlipTitles,
};
use cabinet_reference::ReferenceData;
use cabinet_storage::account::notaries;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::Receipts;
use super::code::code_of;
use crate::kernel::refusal::{AppError, Result};
use crate::transfer::plan::transfers_of;

/// What was paid by the codes of an order.
pub(super) struct CodesPaper {
    pub(super) items: Vec<(OrderItem, Vec<PlannedTransfer>)>,
    notary_name: PersonName,
    pub(super) notary_code: Option<Inn>,
}

impl CodesPaper {
    /// Reads what the codes of an order name. `None`: its stored content is inconsistent.
    pub(super) fn read(tx: &mut Tx, order: &Order) -> Result<Option<CodesPaper>, StorageError> {
        let Some(notary_name) = notaries::full_name_of(tx, order.notary_id)? else {
            return Ok(None);
        };
        let items = orders::items_of(tx, order.id)?;
        let with_transfers = items.into_iter().map(|item| {
            let transfers = transfers_of(&item.content, &order.client, &notary_name)?;
            Some((item, transfers))
        });
        let items: Option<Vec<_>> = with_transfers.collect();
        let notary_code = notaries::inn_of(tx, order.notary_id)?;
        Ok(items.map(|items| CodesPaper {
            items,
            notary_name,
            notary_code,
        }))
    }

    /// Returns what all codes add up to.
    pub(super) fn total(&self) -> Option<Money> {
        let transfers = self.items.iter().flat_map(|(_, transfers)| transfers);
        Money::sum(transfers.map(|transfer| transfer.amount)).ok()
    }
}

impl Receipts {
    /// Returns the data of the receipts of an order that was paid by QR codes.
    pub(super) async fn codes_receipt(&self, order: Order, locale: Locale) -> Result<ReceiptOrder> {
        let broken = {
            let id = order.id;
            move || AppError::Broken(format!("order {id} can't be put on a receipt"))
        };
        let read = {
            let order = order.clone();
            move |tx: &mut Tx| CodesPaper::read(tx, &order)
        };
        let paper = self.store.read_long(read).await?.ok_or_else(broken)?;
        let payment = order.codes_payment().ok_or_else(broken)?;
        let reference = self.facts.reference.current()?;
        let items: Option<Vec<ReceiptItem>> = paper
            .items
            .iter()
            .map(|(item, transfers)| {
                let of_order = (&order, payment.marked_at);
                receipt_item(of_order, (item, transfers), &reference, locale)
            })
            .collect();
        let operator = &self.facts.operator;
        Ok(ReceiptOrder {
            id: order.id,
            number: order.number.to_string(),
            act: order.act.clone(),
            created_at: order.created_at,
            paid_at: payment.marked_at,
            by_codes: Some(PaidByCodes {
                reference: payment
                    .reference
                    .as_ref()
                    .map(|line| line.as_str().to_owned()),
            }),
            notary_name: paper.notary_name.as_str().to_owned(),
            notary_code: paper.notary_code.map(|code| code.as_str().to_owned()),
            provider: None,
            slip_titles: SlipTitles::default(),
            vat: operator.vat,
            fiscal: operator.fiscal.clone(),
            operator: Operator {
                name: operator.name.clone(),
                code: operator.code.clone(),
                iban: operator.iban.clone(),
                address: operator.address.clone(),
            },
            // No card was charged.
            acquirer_name: String::new(),
            card: None,
            payment_system: None,
            authorisation_code: None,
            rrn: None,
            payment_reference: String::new(),
            verification: Some(self.verification(code_of(&self.keys, &order))),
            items: items.ok_or_else(broken)?,
            sandbox: self.sandbox,
        })
    }
}

/// Returns an item without commission. `None`: its amount overflows.
fn receipt_item(
    (order, marked_at): (&Order, Timestamp),
    (item, transfers): (&OrderItem, &[PlannedTransfer]),
    reference: &ReferenceData,
    locale: Locale,
) -> Option<ReceiptItem> {
    let content = &item.content;
    Some(ReceiptItem {
        id: item.id,
        kind: content.kind,
        label: content
            .option
            .as_ref()
            .map(|option| option.names.in_locale(locale).to_owned())
            .unwrap_or_default(),
        client_code: order.client.inn.as_str().to_owned(),
        client_name: order.client.full_name.as_str().to_owned(),
        count: content.count,
        amount: content.price.amount,
        commission: Money::ZERO,
        total: content.price.amount.times(content.count).ok()?,
        transfers: transfers
            .iter()
            .map(|transfer| receipt_transfer(item, transfer, marked_at, reference, locale))
            .collect(),
    })
}

fn receipt_transfer(
    item: &OrderItem,
    transfer: &PlannedTransfer,
    marked_at: Timestamp,
    reference: &ReferenceData,
    locale: Locale,
) -> ReceiptTransfer {
    let payee = &transfer.payee;
    let credit = item
        .codes_credit
        .as_ref()
        .filter(|_| transfer.role == PartRole::Notary);
    ReceiptTransfer {
        // No document of ours: neither its number nor its status is printed.
        document_number: 0,
        made_at: marked_at,
        recipient_name: payee.name.as_str().to_owned(),
        recipient_code: payee.okpo.as_str().to_owned(),
        bank_name: reference.bank_name(&payee.iban, locale).map(str::to_owned),
        iban: payee.iban.clone(),
        purpose: payee.purpose.as_str().to_owned(),
        budget_code: transfer.revenue_code(item.content.cbc_code.as_ref()),
        payment_code: transfer.payment_code(),
        amount: transfer.amount,
        role: transfer.role,
        status: TransferStatus::Planned,
        status_at: marked_at,
        value_date: None,
        // What the notary's own bank told her, not the operator's.
        bank: BankAnswer {
            credited_on: credit.map(|credit| credit.on),
            ..BankAnswer::default()
        },
        returned: None,
        given_back: false,
    }
}
