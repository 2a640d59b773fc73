//! The application for the return of money that its recipient has already (MinFin order 787 of 03.09.2013).

use cabinet_domain::{
    BudgetCode, Iban, Line, Locale, ReturnApplication, TransferId, amount_in_words,
};
use jiff::Timestamp;

use crate::application_wording::{
    ADDRESS, APPLICANT, APPLICATION, ATTACHMENT, BUDGET_CODE, COPIED, COPY, DOCUMENT, FormWording,
    MANNER, MANNER_BANK, NOTES, OWNER, PAYMENT, PHONE, REASON, RETURN_TO, SHEETS, SIGNING,
    SUM_TO_RETURN,
};
use crate::error::ReceiptError;
use crate::extract::{BLANK, signing_lines};
use crate::font::Fonts;
use crate::format::{date, day, named};
use crate::frame;
use crate::marks::{Align, Column};
use crate::order::{ReceiptOrder, ReceiptTransfer};
use crate::paint::{About, pdf};
use crate::parties::Parties;
use crate::row::height_of;
use crate::sheet::{LEFT, RIGHT, Sheets, WIDE};
use crate::slip::rows_of;
use crate::structure::NodeKind;
use crate::style::{HEADING, LABEL, LEAD, SMALL, STRONG, TITLE, VALUE, WARNING};
use crate::units::{Length, POINT};
use crate::wording::Wording;

/// The addressee and the applicant stand on the right, as in any application.
const TOP: Column = Column {
    x: LEFT + 210 * POINT,
    width: RIGHT - LEFT - 210 * POINT,
    align: Align::Left,
};
/// Height of the attachment with the lines to sign on, which stay together.
const SIGNING_HEIGHT: Length = 80 * POINT;
/// Height of the notes.
const NOTES_HEIGHT: Length = 64 * POINT;

/// What an application names beside the order.
#[derive(Clone, Debug)]
pub struct Application {
    /// The form.
    pub form: ReturnApplication,
    /// The number of the transfer's document. The transfer is the last of its part.
    pub document_number: i64,
    /// The code under which the money was booked, if it is known.
    pub budget_code: Option<BudgetCode>,
    /// Why the money is to be returned.
    pub reason: Line,
    /// The applicant's account.
    pub iban: Iban,
    /// When it was made.
    pub made_at: Timestamp,
}

/// Makes the application as PDF/A-2a with tags, in Ukrainian. The same input gives the same bytes.
///
/// # Errors
/// [`ReceiptError::NothingPaid`] if the order has no such transfer. Faults of the program.
pub fn application(order: &ReceiptOrder, asked: &Application) -> Result<Vec<u8>, ReceiptError> {
    let (item, transfer) = order
        .items
        .iter()
        .find_map(|item| {
            let mut all = item.transfers.iter();
            let found = all.find(|one| one.document_number == asked.document_number)?;
            Some((item, found))
        })
        .ok_or(ReceiptError::NothingPaid)?;
    let (words, all) = (FormWording::of(asked.form), Wording::of(Locale::Uk));
    let mut sheets = Sheets::new(Fonts::get()?);
    if order.sandbox {
        sheets.text(all.sandbox, WARNING, WIDE);
    }
    let document = format!(
        "№\u{a0}{} від\u{a0}{}",
        transfer.document_number,
        day(transfer.made_at)
    );
    let paid_by = Parties::of(order, item, all);
    let client = paid_by.actual_payer.clone();
    parties(&mut sheets, words, asked.budget_code.as_ref(), &client);
    request(&mut sheets, words, transfer, &document);
    heading(&mut sheets, REASON, 4 * LEAD.leading);
    sheets.text(asked.reason.as_str(), LEAD, WIDE);
    sheets.skip(12 * POINT);
    payment(&mut sheets, (paid_by, transfer), asked, &document);
    let account = asked.iban.grouped().replace(' ', "\u{a0}");
    let to = [
        (MANNER, MANNER_BANK.to_owned()),
        ("IBAN", account),
        (OWNER, client),
    ];
    part(&mut sheets, RETURN_TO, &to);
    end(&mut sheets, words, &document);
    let title = format!("{APPLICATION} {}", words.subject);
    let about = format!("{APPLICATION}, {COPIED} {document}");
    frame::head_and_foot(&mut sheets, all, &about, APPLICATION, order.sandbox);
    if order.sandbox {
        frame::sandbox_mark(&mut sheets, all);
    }
    let about = About {
        title: format!("{title} {}", document.replace('\u{a0}', " ")),
        author: item.client_name.clone(),
        document_id: format!("application-{}-{}", order.id, asked.document_number),
        dated: asked.made_at,
        locale: Locale::Uk,
    };
    pdf(&[sheets], about)
}

/// Returns `Application-{transferId}.pdf`.
#[must_use]
pub fn application_name(transfer: TransferId) -> String {
    format!("Application-{transfer}.pdf")
}

/// Writes to whom the application goes and from whom it comes. What is not known is a line to fill in by hand.
fn parties(sheets: &mut Sheets, words: &FormWording, code: Option<&BudgetCode>, client: &str) {
    let blank = (BLANK, VALUE);
    let addressees = words.addressees(code);
    let addressees =
        addressees.map(|(label, name)| (label, name.map_or(blank, |name| (name, STRONG))));
    let applicant = [
        (APPLICANT, (client, STRONG)),
        (ADDRESS, blank),
        (PHONE, blank),
    ];
    for (label, (text, style)) in addressees.into_iter().chain(applicant) {
        sheets.text(label, LABEL, TOP);
        sheets.text(text, style, TOP);
        sheets.skip(4 * POINT);
    }
    sheets.skip(14 * POINT);
}

/// Writes the title and what is asked for.
fn request(sheets: &mut Sheets, words: &FormWording, transfer: &ReceiptTransfer, document: &str) {
    let node = sheets.structure.leaf(NodeKind::Heading(1), APPLICATION);
    sheets.add_to_outline(APPLICATION);
    sheets.paragraph(APPLICATION, TITLE, WIDE, node);
    sheets.text(words.subject, HEADING, WIDE);
    sheets.skip(8 * POINT);
    let sum = transfer.amount.display(Locale::Uk);
    let text = format!(
        "{} за платіжним документом {document} у сумі {sum}\u{a0}грн ({}).",
        words.request,
        amount_in_words(transfer.amount, Locale::Uk).to_lowercase()
    );
    sheets.text(&text, LEAD, WIDE);
    sheets.skip(14 * POINT);
}

/// Writes the payment by which the money came to the budget.
fn payment(
    sheets: &mut Sheets,
    (paid_by, transfer): (Parties, &ReceiptTransfer),
    asked: &Application,
    document: &str,
) {
    let all = Wording::of(Locale::Uk);
    let (bank, recipient) = (&transfer.bank, &transfer.recipient_name);
    let sum = transfer.amount.display(Locale::Uk);
    let code = asked.budget_code.as_ref();
    // A fee for information may go to an account outside of the budget.
    let unknown = match asked.form {
        ReturnApplication::Budget => BLANK,
        ReturnApplication::RegisterInformation => "",
    };
    let reference = bank.bank_reference.as_ref();
    let [payer, actual_payer, made_out_by] = paid_by.lines(all);
    let lines = [
        (DOCUMENT, document.to_owned()),
        (
            "UETR",
            bank.uetr
                .as_ref()
                .map_or_else(String::new, ToString::to_string),
        ),
        (
            all.bank_reference,
            reference.map_or_else(String::new, |text| text.as_str().to_owned()),
        ),
        (
            all.credited_on,
            bank.credited_on.map(date).unwrap_or_default(),
        ),
        payer,
        actual_payer,
        made_out_by,
        (SUM_TO_RETURN, format!("{sum}\u{a0}{}", all.currency)),
        (
            all.recipient,
            named(recipient, &transfer.recipient_code, all),
        ),
        ("IBAN", transfer.iban.grouped().replace(' ', "\u{a0}")),
        (
            all.recipient_bank,
            transfer.bank_name.clone().unwrap_or_default(),
        ),
        (
            BUDGET_CODE,
            code.map_or(unknown, BudgetCode::as_str).to_owned(),
        ),
        (all.purpose, transfer.purpose.clone()),
    ];
    part(sheets, PAYMENT, &lines);
}

/// Writes labels and values under a heading.
fn part(sheets: &mut Sheets, text: &str, lines: &[(&'static str, String)]) {
    let rows = rows_of(sheets.fonts, lines);
    heading(sheets, text, height_of(&rows));
    let table = sheets.structure.open(NodeKind::Table);
    sheets.rows(&rows, None);
    sheets.structure.close(table);
    sheets.skip(12 * POINT);
}

/// Writes a heading that stays on one page with the `with` that follows.
fn heading(sheets: &mut Sheets, text: &str, with: Length) {
    let height = HEADING.leading + 9 * POINT + with;
    sheets.keep(height, height.min(80 * POINT));
    let node = sheets.structure.leaf(NodeKind::Heading(2), text);
    sheets.paragraph(text, HEADING, WIDE, node);
    sheets.skip(4 * POINT);
    sheets.rule();
    sheets.skip(5 * POINT);
}

/// Writes the attachment, the lines to sign on, and how the application is handed in.
fn end(sheets: &mut Sheets, words: &FormWording, document: &str) {
    sheets.keep(SIGNING_HEIGHT, SIGNING_HEIGHT);
    let attachment = format!("{ATTACHMENT}: {COPY} {document}, {SHEETS}");
    sheets.text(&attachment, VALUE, WIDE);
    sheets.skip(36 * POINT);
    signing_lines(sheets, SIGNING);
    sheets.skip(12 * POINT);
    sheets.keep(NOTES_HEIGHT, NOTES_HEIGHT);
    sheets.text(NOTES, LABEL, WIDE);
    for note in words.notes {
        sheets.text(note, SMALL, WIDE);
        sheets.skip(2 * POINT);
    }
}
