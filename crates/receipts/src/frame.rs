//! What both receipts share: head and foot, the large sum, the card operation, slips, the check of a receipt.

use cabinet_domain::{Locale, Money, amount_in_words, kyiv_time};
use jiff::Timestamp;
use qrcode::{Color, EcLevel, QrCode};

use crate::error::ReceiptError;
use crate::font::{Fonts, Weight};
use crate::order::{ReceiptOrder, Verification};
use crate::paint::{About, pdf};
use crate::sheet::{
    Align, Cell, Column, Ink, LEFT, MEASURE, Mark, Owner, RIGHT, Row, Sheets, Style, capitals,
    height_of,
};
use crate::structure::NodeKind;
use crate::text::Paragraph;
use crate::units::{Length, PAGE_HEIGHT, PAGE_WIDTH, POINT};
use crate::wording::Wording;

const TITLE: Style = style(Weight::SemiBold, 22, 28, Ink::Black);
const SUM: Style = style(Weight::SemiBold, 38, 44, Ink::Black);
const CURRENCY: Style = style(Weight::Regular, 19, 44, Ink::Grey);
const LEAD: Style = style(Weight::Regular, 10, 14, Ink::Black);
const HEADING: Style = style(Weight::SemiBold, 11, 15, Ink::Black);
const SLIP_SUM: Style = style(Weight::SemiBold, 13, 15, Ink::Black);
pub(crate) const VALUE: Style = style(Weight::Regular, 9, 12, Ink::Black);
pub(crate) const STRONG: Style = style(Weight::SemiBold, 9, 12, Ink::Black);
pub(crate) const LABEL: Style = style(Weight::Regular, 8, 12, Ink::Grey);
const SMALL: Style = style(Weight::Regular, 8, 11, Ink::Grey);
const CODE: Style = style(Weight::SemiBold, 8, 11, Ink::Black);
const WARNING: Style = style(Weight::SemiBold, 10, 14, Ink::Seal);

/// The slanted mark of a demonstration.
const MARK_SIZE: Length = 160 * POINT;
/// Width of the bar in the one colour.
const SEAL_WIDTH: Length = 36 * POINT;
/// Side of the QR code, without the quiet zone that the paper gives.
const CODE_SIDE: Length = 68 * POINT;
/// The column of the QR code at the right edge.
const CODE_COLUMN: Column = Column {
    x: RIGHT - 116 * POINT,
    width: 116 * POINT,
    align: Align::Right,
};
/// The whole width of the text.
pub(crate) const WIDE: Column = Column {
    x: LEFT,
    width: MEASURE,
    align: Align::Left,
};
const LABELS: Column = Column {
    x: LEFT,
    width: 118 * POINT,
    align: Align::Left,
};
const VALUES: Column = Column {
    x: LEFT + 126 * POINT,
    width: MEASURE - 126 * POINT,
    align: Align::Left,
};

const fn style(weight: Weight, size: Length, leading: Length, ink: Ink) -> Style {
    Style {
        weight,
        size: size * POINT,
        leading: leading * POINT,
        ink,
    }
}

/// A receipt that is being written.
pub(crate) struct Draft<'a> {
    pub(crate) sheets: Sheets,
    pub(crate) order: &'a ReceiptOrder,
    pub(crate) words: &'static Wording,
    pub(crate) locale: Locale,
    title: &'static str,
}

/// The requisites of one movement of money.
pub(crate) struct Slip {
    pub(crate) heading: String,
    pub(crate) amount: Money,
    /// Label and value, in the order of a payment instruction; empty values are left out.
    pub(crate) lines: Vec<(&'static str, String)>,
}

impl<'a> Draft<'a> {
    /// Begins with the head of the first page: the operator, the title, the large sum and the sum in words.
    pub(crate) fn begin(
        order: &'a ReceiptOrder,
        locale: Locale,
        title: &'static str,
        sum: Money,
    ) -> Result<Draft<'a>, ReceiptError> {
        let mut draft = Draft {
            sheets: Sheets::new(Fonts::get()?),
            order,
            words: Wording::of(locale),
            locale,
            title,
        };
        draft.head();
        draft.large_sum(sum);
        Ok(draft)
    }

    /// Whose service it is, what the document is, which order it belongs to and how it can be checked.
    fn head(&mut self) {
        let order = self.order;
        let top = self.sheets.y();
        let mut column = WIDE;
        if let Some(verification) = &order.verification {
            self.check_picture(verification);
            self.sheets.move_to(top);
            column.width = CODE_COLUMN.x - LEFT - 16 * POINT;
        }
        self.paragraph(&order.operator.name, STRONG, column);
        let code = format!("{} {}", self.words.operator_code, order.operator.code);
        self.paragraph(
            &joined(&[&code, &order.operator.address], " · "),
            SMALL,
            column,
        );
        self.sheets.skip(16 * POINT);
        self.seal(column);
        let node = self.sheets.structure.leaf(NodeKind::Heading(1), self.title);
        self.sheets.note(self.title);
        self.sheets.paragraph(self.title, TITLE, column, node);
        self.sheets.skip(POINT);
        let made = format!(
            "{}\u{a0}{} {}\u{a0}{}",
            self.words.order,
            order.number,
            self.words.of_date,
            moment(order.created_at)
        );
        self.paragraph(
            &made,
            Style {
                ink: Ink::Grey,
                ..VALUE
            },
            column,
        );
        self.paragraph(
            &format!("{}\u{a0}{}", self.words.paid_at, moment(order.paid_at)),
            STRONG,
            column,
        );
        if let Some(verification) = &order.verification {
            self.check_address(verification, column);
        }
    }

    /// A short bar in the one colour; beside it what must be seen first on a receipt that proves nothing.
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
        if self.order.demonstration {
            let beside = SEAL_WIDTH + 12 * POINT;
            let column = Column {
                x: LEFT + beside,
                width: column.width - beside,
                ..column
            };
            self.sheets.move_to(y + 3 * POINT / 2 - WARNING.leading / 2);
            self.paragraph(self.words.demonstration, WARNING, column);
        }
        self.sheets.move_to(y + 12 * POINT);
    }

    fn paragraph(&mut self, text: &str, style: Style, column: Column) {
        let node = self.sheets.structure.leaf(NodeKind::Paragraph, text);
        self.sheets.paragraph(text, style, column, node);
    }

    fn large_sum(&mut self, sum: Money) {
        self.sheets.skip(14 * POINT);
        self.sheets.keep(100 * POINT, 100 * POINT);
        let figures = sum.display(self.locale);
        let node = self.sheets.structure.leaf(NodeKind::Paragraph, &figures);
        let top = self.sheets.y();
        let width =
            Paragraph::new(self.sheets.fonts, &figures, SUM.weight, SUM.size, MEASURE).width();
        // The space that a reader hears between the figures and the currency is drawn with the figures.
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
        self.paragraph(&amount_in_words(sum, self.locale), LEAD, WIDE);
        self.sheets.skip(14 * POINT);
    }

    fn check_picture(&mut self, verification: &Verification) {
        // An address too long for a code is still printed at the end of the receipt.
        let Ok(code) = QrCode::with_error_correction_level(&verification.address, EcLevel::M)
        else {
            return;
        };
        let x = RIGHT - CODE_SIDE;
        let y = self.sheets.y();
        let node = self
            .sheets
            .structure
            .leaf(NodeKind::Figure, self.words.check_picture);
        self.sheets.put(Mark::Modules {
            x,
            y,
            side: CODE_SIDE,
            count: code.width(),
            dark: code
                .to_colors()
                .into_iter()
                .map(|module| module == Color::Dark)
                .collect(),
            owner: Owner::Node(node),
        });
        self.sheets.skip(CODE_SIDE + 5 * POINT);
        self.paragraph(&verification.code, CODE, CODE_COLUMN);
    }

    /// A heading of a part, with the height of what must stay with it.
    fn section(&mut self, heading: &str, with: Length) {
        self.sheets.keep(
            HEADING.leading + with,
            HEADING.leading + with.min(60 * POINT),
        );
        let node = self.sheets.structure.leaf(NodeKind::Heading(2), heading);
        self.sheets.paragraph(heading, HEADING, WIDE, node);
        self.sheets.skip(5 * POINT);
    }

    /// The card operation: label above value, side by side.
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
            (self.words.reference, order.reference.clone(), 2),
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

    /// A slip: heading and sum on one line, the requisites under it.
    pub(crate) fn slip(&mut self, slip: &Slip) {
        let fonts = self.sheets.fonts;
        let rows: Vec<Row> = slip
            .lines
            .iter()
            .filter(|(_, value)| !value.trim().is_empty())
            .map(|(label, value)| {
                let cells = vec![
                    Cell {
                        column: LABELS,
                        text: (*label).to_owned(),
                        style: LABEL,
                        kind: NodeKind::RowHeader,
                    },
                    Cell {
                        column: VALUES,
                        text: value.clone(),
                        style: VALUE,
                        kind: NodeKind::TableCell,
                    },
                ];
                Row::new(fonts, cells, POINT, POINT)
            })
            .collect();
        let head = 8 * POINT + SLIP_SUM.leading + 5 * POINT;
        self.sheets.keep(head + height_of(&rows), head + 60 * POINT);
        let section = self.sheets.structure.open(NodeKind::Section);
        self.sheets.rule();
        self.sheets.skip(8 * POINT);
        let top = self.sheets.y();
        self.sheets.note(&slip.heading);
        let node = self
            .sheets
            .structure
            .leaf(NodeKind::Heading(2), &slip.heading);
        let left = Column {
            width: MEASURE - 150 * POINT,
            ..WIDE
        };
        let height = self.sheets.paragraph(&slip.heading, HEADING, left, node);
        self.sheets.move_to(top);
        let sum = self.sum(slip.amount);
        let node = self.sheets.structure.leaf(NodeKind::Paragraph, &sum);
        let right = Column {
            x: RIGHT - 150 * POINT,
            width: 150 * POINT,
            align: Align::Right,
        };
        self.sheets.paragraph(&sum, SLIP_SUM, right, node);
        self.sheets
            .move_to(top + height.max(SLIP_SUM.leading) + 5 * POINT);
        let table = self.sheets.structure.open(NodeKind::Table);
        self.sheets.rows(&rows, None);
        self.sheets.structure.close(table);
        self.sheets.structure.close(section);
        self.sheets.skip(14 * POINT);
    }

    /// A sum with its currency, which never part.
    pub(crate) fn sum(&self, sum: Money) -> String {
        format!("{}\u{a0}{}", sum.display(self.locale), self.words.currency)
    }

    /// Ends the receipt: how it can be checked, the foot of every page, the mark of a demonstration.
    pub(crate) fn finish(mut self, document_id: String) -> Result<Vec<u8>, ReceiptError> {
        self.frame_pages();
        if self.order.demonstration {
            self.demonstration();
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
        pdf(&self.sheets, about)
    }

    /// Where the receipt can be checked, as a link if it is one.
    fn check_address(&mut self, verification: &Verification, column: Column) {
        let node = self.sheets.structure.open(NodeKind::Paragraph);
        let link = self
            .sheets
            .structure
            .leaf(NodeKind::Link, &verification.address);
        self.sheets.structure.close(node);
        let (pages, top) = (self.sheets.pages.len(), self.sheets.y());
        let text = format!("{} {}", self.words.check, verification.address);
        let height = self.sheets.paragraph(&text, SMALL, column, link);
        let is_web = ["https://", "http://"]
            .iter()
            .any(|scheme| verification.address.starts_with(scheme));
        if is_web && height > 0 && self.sheets.pages.len() == pages {
            let address = verification.address.clone();
            self.sheets.put(Mark::Link {
                x: column.x,
                y: top,
                width: column.width,
                height,
                address,
                owner: link,
            });
        }
    }

    fn frame_pages(&mut self) {
        let count = self.sheets.pages.len();
        let half = MEASURE / 2;
        let left = Column {
            x: LEFT,
            width: half + 60 * POINT,
            align: Align::Left,
        };
        let right = Column {
            x: LEFT + half + 60 * POINT,
            width: half - 60 * POINT,
            align: Align::Right,
        };
        let about = format!(
            "{} · {}\u{a0}{}",
            self.title, self.words.order, self.order.number
        );
        for page in 0..count {
            let number = format!(
                "{} {} {} {}",
                self.words.page,
                page + 1,
                self.words.page_of,
                count
            );
            let foot = PAGE_HEIGHT - 42 * POINT;
            self.sheets
                .outside_text(page, &about, SMALL, left, foot, Owner::Foot);
            self.sheets
                .outside_text(page, &number, SMALL, right, foot, Owner::Foot);
            if page > 0 {
                let top = 40 * POINT;
                self.sheets.outside_text(
                    page,
                    &self.order.operator.name,
                    SMALL,
                    left,
                    top,
                    Owner::Head,
                );
                if self.order.demonstration {
                    let style = Style {
                        weight: Weight::SemiBold,
                        ink: Ink::Seal,
                        ..SMALL
                    };
                    self.sheets.outside_text(
                        page,
                        self.words.demonstration,
                        style,
                        right,
                        top,
                        Owner::Head,
                    );
                }
            }
        }
    }

    fn demonstration(&mut self) {
        let word = Paragraph::new(
            self.sheets.fonts,
            self.words.demonstration_mark,
            Weight::SemiBold,
            MARK_SIZE,
            4 * PAGE_WIDTH,
        );
        let letters = word
            .lines
            .first()
            .map(|line| word.letters_of(*line).to_vec())
            .unwrap_or_default();
        for page in &mut self.sheets.pages {
            let mark = Mark::Slanted {
                centre_x: PAGE_WIDTH / 2,
                centre_y: PAGE_HEIGHT / 2,
                size: MARK_SIZE,
                letters: letters.clone(),
                width: word.width(),
            };
            page.insert(0, mark);
        }
    }
}

/// Day and time in Kyiv, `20.11.2026 10:21:33`.
pub(crate) fn moment(at: Timestamp) -> String {
    kyiv_time(at).strftime("%d.%m.%Y\u{a0}%H:%M:%S").to_string()
}

/// Day in Kyiv, `20.11.2026`.
pub(crate) fn day(at: Timestamp) -> String {
    kyiv_time(at).strftime("%d.%m.%Y").to_string()
}

/// The parts that are there, with a separator between.
pub(crate) fn joined(parts: &[&str], separator: &str) -> String {
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(separator)
}

/// A person or organisation: name and code.
pub(crate) fn named(name: &str, code: &str, words: &Wording) -> String {
    let code = code.trim();
    let code = if code.is_empty() {
        String::new()
    } else {
        format!("{}\u{a0}{code}", words.code)
    };
    joined(&[name, &code], ", ")
}

/// How a payment system writes its name: acquirers say `visa` for Visa.
fn brand(payment_system: &str) -> String {
    let mut letters = payment_system.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
