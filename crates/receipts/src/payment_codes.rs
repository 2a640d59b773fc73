//! A sheet with the QR codes of an unpaid order, by which a client pays the recipients from any bank.

use cabinet_domain::{Iban, Locale, Money, OrderId, amount_in_words};
use jiff::Timestamp;

use crate::act_wording::ActWording;
use crate::error::ReceiptError;
use crate::font::Fonts;
use crate::format::{joined, moment, named};
use crate::frame;
use crate::marks::{Align, Column, Ink, Mark, Owner, Style};
use crate::paint::{About, pdf};
use crate::sheet::{LEFT, MEASURE, Sheets, WIDE};
use crate::structure::NodeKind;
use crate::style::{HEADING, LABEL, LEAD, SLIP_SUM, SMALL, STRONG, TITLE, VALUE, WARNING};
use crate::transfer_code::{Symbol, TransferLink};
use crate::units::{Length, POINT};
use crate::wording::Wording;

/// Side of a code. Its modules are at least half a millimetre.
const CODE_SIDE: Length = 160 * POINT;
/// The requisites beside a code, with room for the light zone of four modules that a code needs.
const BESIDE: Column = Column {
    x: LEFT + CODE_SIDE + 24 * POINT,
    width: MEASURE - CODE_SIDE - 24 * POINT,
    align: Align::Left,
};
/// Height that is kept free for a code with its requisites. A purpose has at most 420 characters.
const BLOCK_HEIGHT: Length = 236 * POINT;

/// An unpaid order and its transfers.
#[derive(Clone)]
pub struct PaymentCodes {
    /// The order's id.
    pub id: OrderId,
    /// The short order number.
    pub number: String,
    /// When the sheet was made.
    pub made_at: Timestamp,
    /// The notary.
    pub notary_name: String,
    /// The client's name.
    pub client_name: String,
    /// The client's code.
    pub client_code: String,
    /// The operator of the service.
    pub operator_name: String,
    /// The transfers, in the sequence of the order.
    pub transfers: Vec<CodedTransfer>,
    /// What all of them add up to.
    pub total: Money,
    /// Whether the sheet was made in the sandbox.
    pub sandbox: bool,
}

/// A transfer with its code.
#[derive(Clone)]
pub struct CodedTransfer {
    /// Name of the recipient.
    pub recipient_name: String,
    /// EDRPOU or tax id of the recipient.
    pub recipient_code: String,
    /// Account of the recipient.
    pub iban: Iban,
    /// Name of the recipient's bank, if it is known.
    pub bank_name: Option<String>,
    /// The sum, without commission.
    pub amount: Money,
    /// The purpose as the code has it.
    pub purpose: String,
    /// The code; `None` if the requisites don't fit.
    pub link: Option<TransferLink>,
}

/// Makes the sheet as PDF/A-2a with tags. The same input gives the same bytes.
///
/// # Errors
/// Faults of the program.
pub fn payment_codes(codes: &PaymentCodes, locale: Locale) -> Result<Vec<u8>, ReceiptError> {
    let (words, all) = (ActWording::of(locale), Wording::of(locale));
    let mut sheets = Sheets::new(Fonts::get()?);
    head(&mut sheets, codes, (words, all), locale);
    for (index, transfer) in codes.transfers.iter().enumerate() {
        block(
            &mut sheets,
            (index + 1, codes.transfers.len()),
            transfer,
            (words, all),
            locale,
        );
    }
    let title = words.codes_title;
    let about = format!("{}\u{a0}{} · {title}", all.order, codes.number);
    frame::head_and_foot(
        &mut sheets,
        all,
        &about,
        &codes.operator_name,
        codes.sandbox,
    );
    if codes.sandbox {
        frame::sandbox_mark(&mut sheets, all);
    }
    let about = About {
        title: format!("{title} {} {}", all.number_sign, codes.number),
        author: codes.operator_name.clone(),
        document_id: format!("codes-{}", codes.id),
        dated: codes.made_at,
        locale,
    };
    pdf(&[sheets], about)
}

/// Returns `Codes-{orderId}.pdf`.
#[must_use]
pub fn payment_codes_name(order: OrderId) -> String {
    format!("Codes-{order}.pdf")
}

/// Writes the title, for whom is paid, and what the reader must know.
fn head(
    sheets: &mut Sheets,
    codes: &PaymentCodes,
    (words, all): (&ActWording, &Wording),
    locale: Locale,
) {
    sheets.text(&codes.operator_name, STRONG, WIDE);
    sheets.skip(10 * POINT);
    if codes.sandbox {
        sheets.text(all.sandbox, WARNING, WIDE);
    }
    let node = sheets
        .structure
        .leaf(NodeKind::Heading(1), words.codes_title);
    sheets.add_to_outline(words.codes_title);
    sheets.paragraph(words.codes_title, TITLE, WIDE, node);
    let order = format!("{}\u{a0}{}", all.order, codes.number);
    let made = format!("{}\u{a0}{}", words.made, moment(codes.made_at));
    sheets.text(&joined(&[&order, &made], " · "), VALUE, WIDE);
    let client = named(&codes.client_name, &codes.client_code, all);
    sheets.text(&format!("{}: {client}", all.actual_payer), VALUE, WIDE);
    let notary = format!("{}: {}", words.notary, codes.notary_name);
    sheets.text(&notary, VALUE, WIDE);
    let sum = codes.total.display(locale);
    let total = format!("{}: {sum}\u{a0}{}", words.sum_of_codes, all.currency);
    sheets.text(&total, STRONG, WIDE);
    sheets.skip(10 * POINT);
    let node = sheets
        .structure
        .leaf(NodeKind::Heading(2), words.read_first);
    sheets.paragraph(words.read_first, WARNING, WIDE, node);
    for rule in words.rules {
        sheets.text(rule, LEAD, WIDE);
    }
    sheets.skip(12 * POINT);
}

/// Writes one transfer: its code, and the same requisites beside it.
fn block(
    sheets: &mut Sheets,
    (place, count): (usize, usize),
    transfer: &CodedTransfer,
    (words, all): (&ActWording, &Wording),
    locale: Locale,
) {
    sheets.keep(BLOCK_HEIGHT, BLOCK_HEIGHT);
    let section = sheets.structure.open(NodeKind::Section);
    sheets.rule();
    sheets.skip(10 * POINT);
    let heading = format!("{} {place} {} {count}", words.transfer, words.of);
    sheets.add_to_outline(&heading);
    let node = sheets.structure.leaf(NodeKind::Heading(2), &heading);
    sheets.paragraph(&heading, HEADING, WIDE, node);
    sheets.skip(6 * POINT);
    let top = sheets.y();
    picture(sheets, transfer, words);
    sheets.move_to(top);
    let sum = format!("{}\u{a0}{}", transfer.amount.display(locale), all.currency);
    sheets.text(&sum, SLIP_SUM, BESIDE);
    sheets.text(&amount_in_words(transfer.amount, locale), SMALL, BESIDE);
    sheets.skip(4 * POINT);
    let account = transfer.iban.grouped().replace(' ', "\u{a0}");
    let bank = transfer.bank_name.clone().unwrap_or_default();
    for (label, value, style) in [
        (
            all.recipient,
            named(&transfer.recipient_name, &transfer.recipient_code, all),
            VALUE,
        ),
        ("IBAN", account, VALUE),
        (all.recipient_bank, bank, VALUE),
        (all.purpose, transfer.purpose.clone(), VALUE),
    ] {
        requisite(sheets, label, &value, style);
    }
    let lowest = sheets.y().max(top + CODE_SIDE);
    sheets.move_to(lowest + 16 * POINT);
    sheets.structure.close(section);
}

/// Writes a value below its label, if there is one.
fn requisite(sheets: &mut Sheets, label: &str, value: &str, style: Style) {
    if !value.is_empty() {
        sheets.text(label, LABEL, BESIDE);
        sheets.text(value, style, BESIDE);
        sheets.skip(2 * POINT);
    }
}

/// Draws the code, or says why there is none.
fn picture(sheets: &mut Sheets, transfer: &CodedTransfer, words: &ActWording) {
    let Some(symbol) = transfer.link.as_ref().and_then(Symbol::of) else {
        let column = Column {
            width: CODE_SIDE,
            ..WIDE
        };
        let style = Style {
            ink: Ink::Seal,
            ..VALUE
        };
        sheets.text(words.no_code, style, column);
        return;
    };
    let (x, y) = (LEFT, sheets.y());
    let node = sheets.structure.leaf(NodeKind::Figure, words.picture);
    sheets.put(Mark::Modules {
        x,
        y,
        side: CODE_SIDE,
        count: symbol.side,
        dark: symbol.dark,
        sign_across: symbol.sign_across,
        owner: Owner::Node(node),
    });
}
