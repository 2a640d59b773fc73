//! The payment receipt: what was paid to whom, with a slip for each transfer.

use cabinet_domain::{
    AfterReturn, BudgetCode, Iban, Line, Locale, Money, NotarialAct, PartRole, PaymentCode,
    Percent, TransferStatus, amount_in_words,
};

use crate::act_wording::ActWording;
use crate::codes_paid;
use crate::draft::{Draft, Head};
use crate::error::ReceiptError;
use crate::format::{date, day, joined, named};
use crate::items_table::{SumColumn, items_table, what_and_to_whom};
use crate::order::{Checked, ReceiptOrder, ReceiptTransfer, Selection, Sums, check};
use crate::parties::Parties;
use crate::slip::Slip;
use crate::wording::{Wording, transfer_status_name};

/// Makes the payment receipt of an order or of one of its items, as PDF/A-2a and PDF/UA-1.
///
/// The same input gives the same bytes. The large sum is what the recipients get. The commission and the sum charged to the card
/// stand below it.
///
/// # Errors
/// [`ReceiptError::NoSuchItem`] or [`ReceiptError::NothingPaid`] if the selection is empty, [`ReceiptError::SumsDisagree`] or
/// [`ReceiptError::SumTooLarge`] if the sums are wrong. Other errors are faults of the program.
pub fn payment_receipt(
    order: &ReceiptOrder,
    selection: Selection,
    locale: Locale,
) -> Result<Vec<u8>, ReceiptError> {
    let draft = draft(order, selection, locale)?;
    draft.finish(format!("payment-{}", selection.id_in(order)))
}

/// Lays the receipt out.
pub(crate) fn draft(
    order: &ReceiptOrder,
    selection: Selection,
    locale: Locale,
) -> Result<Draft<'_>, ReceiptError> {
    let sums = check(order, selection)?;
    if let Some(paid) = &order.by_codes {
        return codes_paid::payment_draft(order, paid, &sums, locale);
    }
    let words = Wording::of(locale);
    let mut draft = Draft::begin(order, locale, head(&sums, words, locale)?)?;
    let columns = [
        SumColumn {
            heading: words.column_amount,
            of: |one| one.amount,
            total: sums.amount,
        },
        SumColumn {
            heading: words.column_commission,
            of: |one| one.commission,
            total: sums.commission,
        },
        SumColumn {
            heading: words.column_total,
            of: |one| one.item.total,
            total: sums.total,
        },
    ];
    let act = ActWording::of(locale).act;
    draft.head_facts(&head_facts(order, &sums, words, act));
    items_table(
        &mut draft,
        &sums,
        what_and_to_whom,
        &columns,
        words.total_charged,
    );
    draft.card_operation();
    for one in &sums.items {
        for transfer in &one.item.transfers {
            let slip = slip(&draft, one, transfer);
            draft.slip(&slip);
        }
    }
    Ok(draft)
}

/// Returns what the first page says of the payer and of the act, so that this page can be read alone. The slip of a single transfer stands
/// on the first page and names the payer itself.
fn head_facts(
    order: &ReceiptOrder,
    sums: &Sums<'_>,
    words: &Wording,
    act_heading: &'static str,
) -> Vec<(&'static str, String)> {
    let mut clients: Vec<String> = Vec::new();
    for one in &sums.items {
        let client = Parties::of(order, one.item, words).actual_payer;
        if !clients.contains(&client) {
            clients.push(client);
        }
    }
    let slips: usize = sums.items.iter().map(|one| one.item.transfers.len()).sum();
    if slips < 2 {
        clients.clear();
    }
    vec![
        (words.actual_payer, clients.join("; ")),
        (act_heading, act_in_a_line(&order.act, words)),
    ]
}

/// Returns what is known of an act: its number with its day, and its object.
fn act_in_a_line(act: &NotarialAct, words: &Wording) -> String {
    let number = act.register_number.as_ref();
    let number = number.map(|number| format!("{}\u{a0}{}", words.number_sign, number.as_str()));
    let day = act.date.map(date).unwrap_or_default();
    let number_and_day = match number {
        Some(number) if !day.is_empty() => format!("{number} {}\u{a0}{day}", words.of_date),
        number => number.unwrap_or(day),
    };
    joined(
        &[&number_and_day, &as_text(&act.object, Line::as_str)],
        ", ",
    )
}

/// Returns the head of the receipt. What a bank has sent back, and what was given back to the card before, stands in the title.
pub(crate) fn head<'a>(
    sums: &Sums<'a>,
    words: &'static Wording,
    locale: Locale,
) -> Result<Head<'a>, ReceiptError> {
    let transfers: Vec<&ReceiptTransfer> = sums
        .items
        .iter()
        .flat_map(|one| &one.item.transfers)
        .collect();
    let those = |is_one: fn(&ReceiptTransfer) -> bool| -> Vec<&'a ReceiptTransfer> {
        let all = transfers.iter().copied();
        all.filter(|transfer| is_one(transfer)).collect()
    };
    let returned = those(ReceiptTransfer::is_missing);
    let given_back = those(|transfer| transfer.given_back);
    let is_all = returned.len() + given_back.len() == transfers.len();
    let title = match (returned.is_empty(), given_back.is_empty()) {
        (true, true) => words.payment_title,
        (true, false) if is_all => words.all_given_back_title,
        (true, false) => words.part_given_back_title,
        (false, _) if is_all => words.all_returned_title,
        (false, _) => words.part_returned_title,
    };
    let clauses = [
        clause(words.not_credited, &returned, words, locale)?,
        clause(words.given_back, &given_back, words, locale)?,
    ];
    let mut sum_label = words.paid_out.to_owned();
    let clauses = joined(&[&clauses[0], &clauses[1]], ", ");
    if !clauses.is_empty() {
        sum_label = format!("{sum_label}, {} {clauses}", words.of_which);
    }
    Ok(Head {
        title,
        sum_label,
        sum: sums.amount,
        returned,
        given_back,
    })
}

/// Returns what became of the sum of some transfers, or nothing where there are none.
fn clause(
    what: &str,
    transfers: &[&ReceiptTransfer],
    words: &Wording,
    locale: Locale,
) -> Result<String, ReceiptError> {
    if transfers.is_empty() {
        return Ok(String::new());
    }
    let sum = Money::sum(transfers.iter().map(|transfer| transfer.amount))
        .map_err(|_| ReceiptError::SumTooLarge)?;
    let sum = sum.display(locale);
    Ok(format!("{what} {sum}\u{a0}{}", words.currency))
}

/// Returns the slip of a transfer. It is called a payment instruction once the bank has confirmed it, unless the operator calls it
/// otherwise.
pub(crate) fn slip(draft: &Draft<'_>, one: &Checked<'_>, transfer: &ReceiptTransfer) -> Slip {
    let words = draft.words;
    let titles = &draft.order.slip_titles;
    let (own, usual) = if transfer.bank.confirms() {
        (&titles.confirmed, words.instruction)
    } else {
        (&titles.accepted, words.transfer_details)
    };
    let title = match (own, draft.locale) {
        (Some(own), Locale::Uk) => own,
        _ => usual,
    };
    let mut lines = parties(draft, one, transfer);
    lines.extend(progress(draft, transfer));
    Slip {
        heading: format!(
            "{title} {}\u{a0}{} {}\u{a0}{}",
            words.number_sign,
            transfer.document_number,
            words.of_date,
            day(transfer.made_at)
        ),
        amount: transfer.amount,
        lines,
    }
}

/// Returns who pays what to whom.
fn parties(
    draft: &Draft<'_>,
    one: &Checked<'_>,
    transfer: &ReceiptTransfer,
) -> Vec<(&'static str, String)> {
    let (words, order) = (draft.words, draft.order);
    let provider = order.provider.as_ref().map(|provider| {
        let code = provider.code.as_deref().unwrap_or_default();
        let authorisation = provider.authorisation.as_deref().unwrap_or_default();
        joined(&[&named(&provider.name, code, words), authorisation], ", ")
    });
    let [payer, actual_payer, made_out_by] = Parties::of(order, one.item, words).lines(words);
    vec![
        payer,
        (words.payer_account, account(&order.operator.iban)),
        (words.provider, provider.unwrap_or_default()),
        actual_payer,
        made_out_by,
        (
            words.recipient,
            named(&transfer.recipient_name, &transfer.recipient_code, words),
        ),
        ("IBAN", account(&transfer.iban)),
        (
            words.recipient_bank,
            transfer.bank_name.clone().unwrap_or_default(),
        ),
        (words.purpose, transfer.purpose.clone()),
        (
            words.budget_code,
            as_text(&transfer.budget_code, BudgetCode::as_str),
        ),
        (
            words.payment_code,
            as_text(&transfer.payment_code, PaymentCode::as_str),
        ),
        (
            words.amount_in_words,
            amount_in_words(transfer.amount, draft.locale),
        ),
        (words.part, part(words, one, transfer)),
    ]
}

/// Returns an account in groups that stay on one line.
fn account(iban: &Iban) -> String {
    iban.grouped().replace(' ', "\u{a0}")
}

fn as_text<T>(code: &Option<T>, text: fn(&T) -> &str) -> String {
    code.as_ref()
        .map_or_else(String::new, |code| text(code).to_owned())
}

/// Returns the share of a fee that a transfer is, of fees with two shares.
pub(crate) fn part(words: &Wording, one: &Checked<'_>, transfer: &ReceiptTransfer) -> String {
    if one.item.transfers.len() < 2 {
        return String::new();
    }
    let (share, name) = match transfer.role {
        PartRole::Notary => (Percent::NOTARY_SHARE, words.part_of_notary),
        PartRole::Recipient => (Percent::NOTARY_SHARE.rest(), words.part_of_recipient),
    };
    format!("{}{} {name}", share.get(), words.percent)
}

/// Returns what became of giving the money back to the card.
fn to_card(words: &Wording, transfer: &ReceiptTransfer) -> String {
    if transfer.given_back {
        return joined(&[words.refunded, &day(transfer.status_at)], " ");
    }
    let Some(back) = &transfer.returned else {
        return String::new();
    };
    let text = match back.after {
        AfterReturn::RefundRequested => words.refund_requested,
        AfterReturn::Refunded => words.refunded,
        _ => return String::new(),
    };
    joined(&[text, &back.to_card_on.map(date).unwrap_or_default()], " ")
}

/// Returns the returned transfer in whose place a transfer stands.
fn instead_of(words: &Wording, transfer: &ReceiptTransfer) -> String {
    match &transfer.returned {
        Some(back) if back.document_number != transfer.document_number => format!(
            "{}\u{a0}{}, {} {}",
            words.number_sign,
            back.document_number,
            words.which_came_back,
            date(back.on)
        ),
        _ => String::new(),
    }
}

/// Returns how far a transfer has come, and what banks have told of it.
fn progress(draft: &Draft<'_>, transfer: &ReceiptTransfer) -> Vec<(&'static str, String)> {
    let (words, bank) = (draft.words, &transfer.bank);
    let since = match (transfer.status, &transfer.returned) {
        (TransferStatus::Returned, Some(returned)) => date(returned.on),
        (TransferStatus::Credited, _) => bank
            .credited_on
            .map_or_else(|| day(transfer.status_at), date),
        _ => day(transfer.status_at),
    };
    let status = transfer_status_name(transfer.status, draft.locale);
    let own_return = transfer
        .returned
        .as_ref()
        .filter(|back| back.document_number == transfer.document_number);
    let reason = own_return.map(|back| back.reason.clone());
    vec![
        (words.accepted_on, day(draft.order.paid_at)),
        (
            words.value_date,
            transfer.value_date.map(date).unwrap_or_default(),
        ),
        (
            words.credited_on,
            bank.credited_on.map(date).unwrap_or_default(),
        ),
        (
            "UETR",
            bank.uetr
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
        ),
        (
            words.bank_reference,
            bank.bank_reference
                .as_ref()
                .map(|text| text.as_str().to_owned())
                .unwrap_or_default(),
        ),
        (words.status, format!("{status}, {since}")),
        (words.return_reason, reason.unwrap_or_default()),
        (words.to_card, to_card(words, transfer)),
        (words.instead_of, instead_of(words, transfer)),
    ]
}
