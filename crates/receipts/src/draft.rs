//! The parts that both receipts have: the head of the first page, the large sum and the card operation.

use cabinet_domain::{AfterReturn, Locale, Money, amount_in_words};

use crate::codes_wording::CodesWording;
use crate::error::ReceiptError;
use crate::font::Fonts;
use crate::format::{brand, date, day, joined, moment};
use crate::marks::{Column, Ink, Mark, Owner, Style};
use crate::order::{ReceiptOrder, ReceiptTransfer, Returned};
use crate::paint::{About, pdf};
use crate::sheet::{LEFT, MEASURE, Sheets, WIDE, capitals};
use crate::structure::NodeKind;
use crate::style::{CURRENCY, HEADING, LABEL, LEAD, SMALL, STRONG, SUM, TITLE, VALUE, WARNING};
use crate::text::Paragraph;
use crate::units::{Length, POINT};
use crate::verification::CODE_COLUMN;
use crate::wording::Wording;
use crate::{frame, verification};

/// Width of the coloured bar.
const SEAL_WIDTH: Length = 36 * POINT;

/// Parts that the head names one by one as not received. The slips name all of them.
const NAMED_MAX: usize = 4;

/// What stands at the top of a receipt.
pub(crate) struct Head<'a> {
    pub(crate) title: &'static str,
    /// What the large sum is.
    pub(crate) sum_label: String,
    /// The large sum.
    pub(crate) sum: Money,
    /// What banks have sent back.
    pub(crate) returned: Vec<&'a ReceiptTransfer>,
    /// What was given back to the card before a bank had it.
    pub(crate) given_back: Vec<&'a ReceiptTransfer>,
}

/// A receipt that is being laid out.
pub(crate) struct Draft<'a> {
    pub(crate) sheets: Sheets,
    pub(crate) order: &'a ReceiptOrder,
    pub(crate) words: &'static Wording,
    pub(crate) locale: Locale,
    title: &'static str,
}

/// Returns what became of a part that came back. Empty: nobody has decided yet.
fn after_return(words: &Wording, back: &Returned, transfer: &ReceiptTransfer) -> String {
    let on = back.to_card_on.map(date).unwrap_or_default();
    match back.after {
        AfterReturn::SentAgain | AfterReturn::Credited => {
            format!("{}\u{a0}{}", words.sent_again, transfer.document_number)
        }
        AfterReturn::CalledOff => joined(&[words.card_refunded, &on], " "),
        AfterReturn::RefundRequested => joined(&[words.card_refund_requested, &on], " "),
        AfterReturn::Refunded => joined(&[words.card_refunded, &on], " "),
        AfterReturn::Undecided => String::new(),
    }
}

impl<'a> Draft<'a> {
    /// Starts a receipt with the head of the first page: operator, title, large sum and sum in words.
    pub(crate) fn begin(
        order: &'a ReceiptOrder,
        locale: Locale,
        head: Head<'_>,
    ) -> Result<Draft<'a>, ReceiptError> {
        let mut draft = Draft {
            sheets: Sheets::new(Fonts::get()?),
            order,
            words: Wording::of(locale),
            locale,
            title: head.title,
        };
        let missing = draft.missing(&head);
        draft.head(&missing);
        draft.large_sum(&head.sum_label, head.sum);
        Ok(draft)
    }

    /// Writes the operator, the title, the order and the address of the verification page.
    fn head(&mut self, missing: &[String]) {
        let order = self.order;
        let top = self.sheets.y();
        let mut column = WIDE;
        if let Some(verification) = &order.verification {
            verification::picture(&mut self.sheets, self.words, verification);
            self.sheets.move_to(top);
            column.width = CODE_COLUMN.x - LEFT - 16 * POINT;
        }
        self.sheets.text(&order.operator.name, STRONG, column);
        let code = format!("{} {}", self.words.operator_code, order.operator.code);
        self.sheets.text(
            &joined(&[&code, &order.operator.address], " · "),
            SMALL,
            column,
        );
        self.sheets.skip(16 * POINT);
        self.seal(column);
        let node = self.sheets.structure.leaf(NodeKind::Heading(1), self.title);
        self.sheets.add_to_outline(self.title);
        self.sheets.paragraph(self.title, TITLE, column, node);
        self.sheets.skip(POINT);
        for text in missing.iter().take(NAMED_MAX) {
            self.sheets.text(text, WARNING, column);
        }
        if missing.len() > NAMED_MAX {
            self.sheets.text("…", WARNING, column);
        }
        if !missing.is_empty() {
            self.sheets.skip(4 * POINT);
        }
        let made = format!(
            "{}\u{a0}{} {}\u{a0}{}",
            self.words.order,
            order.number,
            self.words.of_date,
            moment(order.created_at)
        );
        self.sheets.text(
            &made,
            Style {
                ink: Ink::Grey,
                ..VALUE
            },
            column,
        );
        let paid = if order.by_codes.is_some() {
            CodesWording::of(self.locale).marked_at
        } else {
            self.words.paid_at
        };
        self.sheets.text(
            &format!("{paid}\u{a0}{}", moment(order.paid_at)),
            STRONG,
            column,
        );
        if let Some(verification) = &order.verification {
            verification::address(&mut self.sheets, self.words, verification, column);
        }
    }

    /// Draws the coloured bar. On a receipt of the sandbox the warning stands beside it.
    fn seal(&mut self, column: Column) {
        let y = self.sheets.y();
        self.sheets.put(Mark::Bar {
            x: LEFT,
            y,
            width: SEAL_WIDTH,
            height: 3 * POINT,
            ink: Ink::Seal,
            owner: Owner::Ornament,
        });
        if self.order.sandbox {
            let beside = SEAL_WIDTH + 12 * POINT;
            let column = Column {
                x: LEFT + beside,
                width: column.width - beside,
                ..column
            };
            self.sheets.move_to(y + 3 * POINT / 2 - WARNING.leading / 2);
            self.sheets.text(self.words.sandbox, WARNING, column);
        }
        self.sheets.move_to(y + 12 * POINT);
    }

    /// Returns what to say of each part that its recipient does not have: what banks have sent back, with sum, day and reason, and what
    /// was given back to the card, with sum and day.
    fn missing(&self, head: &Head<'_>) -> Vec<String> {
        let words = self.words;
        let returned = head.returned.iter().filter_map(|transfer| {
            let back = transfer.returned.as_ref()?;
            let text = format!(
                "{} {}\u{a0}{} {}, {}\u{a0}{}. {}: {}",
                words.returned_by_bank,
                transfer.amount.display(self.locale),
                words.currency,
                date(back.on),
                words.transfer_number,
                back.document_number,
                words.reason,
                back.reason,
            );
            Some(joined(&[&text, &after_return(words, back, transfer)], ". "))
        });
        let given_back = head.given_back.iter().map(|transfer| {
            format!(
                "{} {}\u{a0}{} {}, {}\u{a0}{}",
                words.given_back_unsent,
                transfer.amount.display(self.locale),
                words.currency,
                day(transfer.status_at),
                words.transfer_number,
                transfer.document_number,
            )
        });
        returned.chain(given_back).collect()
    }

    fn large_sum(&mut self, label: &str, sum: Money) {
        self.sheets.skip(14 * POINT);
        self.sheets.keep(112 * POINT, 112 * POINT);
        self.sheets.text(label, LABEL, WIDE);
        let figures = sum.display(self.locale);
        let node = self.sheets.structure.leaf(NodeKind::Paragraph, &figures);
        let top = self.sheets.y();
        let width =
            Paragraph::new(self.sheets.fonts, &figures, SUM.weight, SUM.size, MEASURE).width();
        // The space between figures and currency, which screen readers need, belongs to the figures.
        self.sheets
            .paragraph(&format!("{figures} "), SUM, WIDE, node);
        let beside = LEFT + width + 9 * POINT;
        self.sheets
            .move_to(top + (capitals(SUM.size) - capitals(CURRENCY.size)) / 2);
        self.sheets.paragraph(
            self.words.currency,
            CURRENCY,
            Column { x: beside, ..WIDE },
            node,
        );
        self.sheets.move_to(top + SUM.leading);
        self.sheets
            .text(&amount_in_words(sum, self.locale), LEAD, WIDE);
        self.sheets.skip(14 * POINT);
    }

    /// Writes a heading that stays on one page with the `with` that follows.
    pub(crate) fn section(&mut self, heading: &str, with: Length) {
        self.sheets.keep(
            HEADING.leading + with,
            HEADING.leading + with.min(60 * POINT),
        );
        let node = self.sheets.structure.leaf(NodeKind::Heading(2), heading);
        self.sheets.paragraph(heading, HEADING, WIDE, node);
        self.sheets.skip(5 * POINT);
    }

    /// Writes the card operation: values beside each other, each below its label.
    pub(crate) fn card_operation(&mut self) {
        let order = self.order;
        let card = joined(
            &[
                &order
                    .card
                    .as_ref()
                    .map(|card| card.as_str().to_owned())
                    .unwrap_or_default(),
                &brand(order.payment_system.as_deref().unwrap_or_default()),
            ],
            ", ",
        );
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let first = [
            (self.words.card, card, 1),
            (
                self.words.authorisation_code,
                text(&order.authorisation_code),
                1,
            ),
            (self.words.rrn, text(&order.rrn), 1),
        ];
        let second = [
            (self.words.acquirer, order.acquirer_name.clone(), 1),
            (
                self.words.payment_reference,
                order.payment_reference.clone(),
                2,
            ),
        ];
        self.section(self.words.payment, 70 * POINT);
        self.sheets.rule();
        let table = self.sheets.structure.open(NodeKind::Table);
        self.sheets.skip(6 * POINT);
        self.sheets.pairs(&first, LABEL, VALUE);
        self.sheets.pairs(&second, LABEL, VALUE);
        self.sheets.structure.close(table);
        self.sheets.skip(14 * POINT);
    }

    /// Writes the PDF.
    pub(crate) fn finish(self, document_id: String) -> Result<Vec<u8>, ReceiptError> {
        let (sheets, about) = self.complete(document_id);
        pdf(&[sheets], about)
    }

    /// Adds head and foot to the pages. Returns them with what the document says of itself.
    pub(crate) fn complete(mut self, document_id: String) -> (Sheets, About) {
        let order = self.order;
        // The number comes first: it tells which order a page belongs to, whatever is cut.
        let about = format!(
            "{}\u{a0}{} · {}",
            self.words.order, order.number, self.title
        );
        let (name, sandbox) = (&order.operator.name, order.sandbox);
        frame::head_and_foot(&mut self.sheets, self.words, &about, name, sandbox);
        if order.sandbox {
            frame::sandbox_mark(&mut self.sheets, self.words);
        }
        let about = About {
            title: format!(
                "{} {} {}",
                self.title, self.words.number_sign, self.order.number
            ),
            author: self.order.operator.name.clone(),
            document_id,
            dated: self.order.paid_at,
            locale: self.locale,
        };
        (self.sheets, about)
    }
}
