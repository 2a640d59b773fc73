//! The calculation of a deal: what is paid, by whom, on which ground, and why something is not.

use std::collections::BTreeMap;

use cabinet_domain::{
    Count, DealAction, DealPayer, DealRecord, DealState, Line, Locale, Money, OrderId,
    RecordedPayment,
};
use jiff::Timestamp;

use crate::act_wording::ActWording;
use crate::deal_wording::DealWording;
use crate::error::ReceiptError;
use crate::extract::signing_lines;
use crate::font::Fonts;
use crate::format::{date, named};
use crate::frame;
use crate::marks::{Align, Column};
use crate::paint::{About, pdf};
use crate::row::height_of;
use crate::sheet::{MEASURE, RIGHT, Sheets, WIDE};
use crate::slip::rows_of;
use crate::structure::NodeKind;
use crate::style::{HEADING, LEAD, SLIP_SUM, SMALL, STRONG, TITLE, WARNING};
use crate::units::{Length, POINT};
use crate::wording::Wording;

/// Height of the lines to sign on.
const SIGNING_HEIGHT: Length = 90 * POINT;
/// Width of the sum beside the name of a payment.
const SUM_WIDTH: Length = 130 * POINT;

/// A deal with those who pay.
#[derive(Clone, Debug)]
pub struct PrintedDeal {
    /// What was calculated and decided.
    pub record: DealRecord,
    /// Name and code of those who pay, as far as they are known. Either may be empty.
    pub parties: BTreeMap<DealPayer, (String, String)>,
}

/// What the document shows.
#[derive(Clone, Debug)]
pub struct DealCalculation {
    /// The notary's name.
    pub notary_name: String,
    /// The deals: one, or those that an order has payments of.
    pub deals: Vec<PrintedDeal>,
    /// The number of the order that the document is made from.
    pub order_number: Option<String>,
    /// When it was made, or the deal was put into the cart.
    pub made_at: Timestamp,
    /// Tells documents apart.
    pub document_id: String,
    /// Whether it is made in the sandbox. Every page then says that it proves nothing.
    pub sandbox: bool,
}

/// The languages of a document.
#[derive(Clone, Copy)]
struct Words {
    deal: &'static DealWording,
    all: &'static Wording,
    locale: Locale,
}

impl Words {
    fn sum(self, sum: Money) -> String {
        format!("{}\u{a0}{}", sum.display(self.locale), self.all.currency)
    }
}

/// Makes the document as PDF/A-2a with tags. The same input gives the same bytes.
///
/// # Errors
/// Faults of the program.
pub fn deal_calculation(
    calculation: &DealCalculation,
    locale: Locale,
) -> Result<Vec<u8>, ReceiptError> {
    let words = Words {
        deal: DealWording::of(locale),
        all: Wording::of(locale),
        locale,
    };
    let mut sheets = Sheets::new(Fonts::get()?);
    sheets.text(&calculation.notary_name, STRONG, WIDE);
    sheets.skip(8 * POINT);
    if calculation.sandbox {
        sheets.text(words.all.sandbox, WARNING, WIDE);
    }
    let title = words.deal.title;
    let node = sheets.structure.leaf(NodeKind::Heading(1), title);
    sheets.add_to_outline(title);
    sheets.paragraph(title, TITLE, WIDE, node);
    sheets.skip(8 * POINT);
    for (index, printed) in calculation.deals.iter().enumerate() {
        if index > 0 {
            sheets.turn_page();
        }
        deal(&mut sheets, words, printed);
    }
    signature(&mut sheets, words, &calculation.notary_name);
    let order = calculation.order_number.as_ref();
    let of_order = order.map_or_else(String::new, |number| {
        format!("{}\u{a0}{number} · ", words.all.order)
    });
    let about = format!("{of_order}{title}");
    let sandbox = calculation.sandbox;
    frame::head_and_foot(
        &mut sheets,
        words.all,
        &about,
        &calculation.notary_name,
        sandbox,
    );
    if sandbox {
        frame::sandbox_mark(&mut sheets, words.all);
    }
    let number = order.map_or_else(String::new, |number| {
        format!(" {} {number}", words.all.number_sign)
    });
    let about = About {
        title: format!("{title}{number}"),
        author: calculation.notary_name.clone(),
        document_id: calculation.document_id.clone(),
        dated: calculation.made_at,
        locale,
    };
    pdf(&[sheets], about)
}

/// Returns `Deal-{orderId}.pdf`, or `Deal.pdf` before there is an order.
#[must_use]
pub fn deal_calculation_name(order: Option<OrderId>) -> String {
    order.map_or_else(
        || "Deal.pdf".to_owned(),
        |order| format!("Deal-{order}.pdf"),
    )
}

fn deal(sheets: &mut Sheets, words: Words, printed: &PrintedDeal) {
    let record = &printed.record;
    let (locale, wording) = (words.locale, words.deal);
    let sum = |sum: Option<Money>| sum.map(|sum| words.sum(sum)).unwrap_or_default();
    let several = |count: Count| match count {
        Count::ONE => String::new(),
        several => several.to_string(),
    };
    let facts = [
        (wording.kind, record.kind_names.in_locale(locale).to_owned()),
        (wording.date, date(record.date)),
        (wording.price, sum(record.price)),
        (wording.valuation, sum(record.valuation)),
        (wording.building_price, sum(record.building_price)),
        (wording.costs, sum(record.costs)),
        (wording.objects, several(record.objects)),
        (wording.owners, several(record.owners)),
        (wording.notary, wording.status(record.status).to_owned()),
        (wording.tables, record.tables_version.to_string()),
    ];
    part(sheets, wording.deal, &facts, 0);
    let answers: Vec<(&str, String)> = record
        .answers
        .iter()
        .map(|answered| {
            let answer = answered.answer_names.in_locale(locale).to_owned();
            (answered.question.in_locale(locale), answer)
        })
        .collect();
    if !answers.is_empty() {
        part(sheets, wording.answers, &answers, 0);
    }
    heading(sheets, wording.payments, 90 * POINT);
    for payment in &record.payments {
        block(sheets, words, payment, &printed.parties);
    }
    totals(sheets, words, printed);
}

/// Writes a payment: name and sum on one line, everything else below.
fn block(
    sheets: &mut Sheets,
    words: Words,
    payment: &RecordedPayment,
    parties: &BTreeMap<DealPayer, (String, String)>,
) {
    let (locale, wording) = (words.locale, words.deal);
    let lines = lines_of(words, payment, parties);
    let rows = rows_of(sheets.fonts, &lines);
    let head = 5 * POINT + SLIP_SUM.leading + 3 * POINT;
    sheets.keep(head + height_of(&rows), head + 40 * POINT);
    let section = sheets.structure.open(NodeKind::Section);
    sheets.rule();
    sheets.skip(5 * POINT);
    let top = sheets.y();
    let name = payment.names.in_locale(locale);
    let node = sheets.structure.leaf(NodeKind::Heading(3), name);
    let left = Column {
        width: MEASURE - SUM_WIDTH,
        ..WIDE
    };
    let height = sheets.paragraph(name, HEADING, left, node);
    sheets.move_to(top);
    let right = Column {
        x: RIGHT - SUM_WIDTH,
        width: SUM_WIDTH,
        align: Align::Right,
    };
    let figure = match shown(payment) {
        Some(sum) => (words.sum(sum), SLIP_SUM),
        None if payment.state == DealState::Nothing => (wording.nothing.to_owned(), SMALL),
        None if payment.action == Some(DealAction::LeaveOut) => {
            (wording.left_out.to_owned(), SMALL)
        }
        None => ("–".to_owned(), SLIP_SUM),
    };
    sheets.text(&figure.0, figure.1, right);
    sheets.move_to(top + height.max(SLIP_SUM.leading) + 3 * POINT);
    let table = sheets.structure.open(NodeKind::Table);
    sheets.rows(&rows, None);
    sheets.structure.close(table);
    sheets.structure.close(section);
    sheets.skip(8 * POINT);
}

/// What is said of a payment below its name and sum, each with its label.
fn lines_of(
    words: Words,
    payment: &RecordedPayment,
    parties: &BTreeMap<DealPayer, (String, String)>,
) -> [(&'static str, String); 8] {
    let (locale, wording) = (words.locale, words.deal);
    let reason = payment.reason.as_ref();
    let is_elsewhere = payment.state != DealState::Nothing && payment.action.is_none();
    let recipient = payment.recipient.as_ref();
    [
        (wording.payer, payer(words, payment.payer, parties)),
        (
            wording.share,
            payment.share.map_or_else(String::new, |share| {
                format!("{}/{}", share.part(), share.of())
            }),
        ),
        (wording.reckoning, reckoning(words, payment)),
        (wording.ground, payment.ground.in_locale(locale).to_owned()),
        (
            wording.recipient,
            recipient.map_or_else(String::new, |name| name.as_str().to_owned()),
        ),
        (wording.decision, decision(words, payment)),
        (
            wording.reason,
            reason.map_or_else(String::new, |reason| Line::as_str(reason).to_owned()),
        ),
        (
            wording.note,
            if is_elsewhere { wording.elsewhere } else { "" }.to_owned(),
        ),
    ]
}

/// The sum that is paid, here or elsewhere.
fn shown(payment: &RecordedPayment) -> Option<Money> {
    match payment.action {
        Some(_) => payment.sum,
        None => payment.owed,
    }
}

fn payer(words: Words, one: DealPayer, parties: &BTreeMap<DealPayer, (String, String)>) -> String {
    let mut word = words.deal.party(one.party).to_owned();
    if one.number > 1
        || parties
            .keys()
            .any(|other| other.party == one.party && other.number > 1)
    {
        word.push_str(&format!("\u{a0}{}", one.number));
    }
    match parties.get(&one) {
        Some((name, code)) if !name.is_empty() || !code.is_empty() => {
            format!("{word}: {}", named(name, code, words.all))
        }
        _ => word,
    }
}

/// Base and rate of a percentage, or where else the sum comes from.
fn reckoning(words: Words, payment: &RecordedPayment) -> String {
    let wording = words.deal;
    match (payment.state, payment.percent) {
        (DealState::Nothing, _) => String::new(),
        (DealState::Unknown, _) => wording.by_notary.to_owned(),
        (DealState::Due, None) => by_tariff(words, payment),
        (DealState::Due, Some(percent)) => {
            let mut text = format!(
                "{}\u{a0}% {}: {}",
                rate(percent.basis_points, words.locale),
                wording.base(percent.base),
                words.sum(percent.base_sum)
            );
            for (word, limit) in [
                (wording.at_least, percent.minimum),
                (wording.at_most, percent.maximum),
            ] {
                if let Some(limit) = limit {
                    text.push_str(&format!(", {word} {}", words.sum(limit)));
                }
            }
            text
        }
    }
}

/// Says that the tables tell a fee, and how it is multiplied for several objects or shares: `за тарифом, 2 × 330,00 грн`.
fn by_tariff(words: Words, payment: &RecordedPayment) -> String {
    let count = payment.count.get();
    let fee = payment
        .owed
        .and_then(|owed| owed.kopiykas().checked_div(count.into()));
    match fee.and_then(|fee| Money::from_kopiykas(fee).ok()) {
        Some(fee) if count > 1 => format!(
            "{}, {count}\u{a0}×\u{a0}{}",
            words.deal.by_tariff,
            words.sum(fee)
        ),
        _ => words.deal.by_tariff.to_owned(),
    }
}

/// Formats hundredths of a percent: 150 is `1,5`.
fn rate(basis_points: i64, locale: Locale) -> String {
    let point = match locale {
        Locale::Uk => ',',
        Locale::En => '.',
    };
    let (whole, rest) = (basis_points / 100, basis_points % 100);
    let text = format!("{whole}{point}{rest:02}");
    text.trim_end_matches('0')
        .trim_end_matches(point)
        .to_owned()
}

/// What the notary decided otherwise than it was calculated.
fn decision(words: Words, payment: &RecordedPayment) -> String {
    let wording = words.deal;
    let what = match payment.action {
        Some(DealAction::LeaveOut) => wording.left_out,
        Some(DealAction::OtherSum) => wording.other_sum,
        Some(DealAction::Add) | None => return String::new(),
    };
    match payment.owed {
        Some(owed) => format!("{what}; {} {}", wording.calculated, words.sum(owed)),
        None => what.to_owned(),
    }
}

/// Writes what each payer pays, in the cabinet and elsewhere.
fn totals(sheets: &mut Sheets, words: Words, printed: &PrintedDeal) {
    let wording = words.deal;
    let mut sums: Vec<(DealPayer, [i64; 2])> = Vec::new();
    for payment in &printed.record.payments {
        let Some(sum) = shown(payment) else { continue };
        let place = usize::from(payment.action.is_none());
        let known = sums.iter().position(|(party, _)| *party == payment.payer);
        let known = known.unwrap_or_else(|| {
            sums.push((payment.payer, [0, 0]));
            sums.len() - 1
        });
        if let Some(total) = sums
            .get_mut(known)
            .and_then(|(_, both)| both.get_mut(place))
        {
            *total = total.saturating_add(sum.kopiykas());
        }
    }
    let text = |[here, besides]: [i64; 2]| {
        let parts = [(wording.in_cabinet, here), (wording.besides, besides)];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(_, sum)| *sum > 0)
            .filter_map(|(word, sum)| Some((word, Money::from_kopiykas(sum).ok()?)))
            .map(|(word, sum)| format!("{word} {}", words.sum(sum)))
            .collect();
        parts.join(", ")
    };
    let mut lines: Vec<(String, String)> = sums
        .iter()
        .map(|(party, both)| (payer(words, *party, &printed.parties), text(*both)))
        .collect();
    if lines.len() > 1 {
        let all = sums.iter().fold([0_i64; 2], |[here, besides], (_, both)| {
            let [more_here, more_besides] = *both;
            [
                here.saturating_add(more_here),
                besides.saturating_add(more_besides),
            ]
        });
        lines.push((wording.all.to_owned(), text(all)));
    }
    if lines.is_empty() {
        return;
    }
    let lines: Vec<(&str, String)> = lines
        .iter()
        .map(|(label, text)| (label.as_str(), text.clone()))
        .collect();
    // Nobody signs a page that has nothing else on it.
    let below = 12 * POINT + SMALL.leading + 8 * POINT + SIGNING_HEIGHT;
    part(sheets, wording.totals, &lines, below);
    sheets.text(wording.without_commission, SMALL, WIDE);
    sheets.skip(8 * POINT);
}

/// Writes labels and values under a heading, on one page with what is `below`.
fn part(sheets: &mut Sheets, text: &str, lines: &[(&str, String)], below: Length) {
    let rows = rows_of(sheets.fonts, lines);
    heading(sheets, text, height_of(&rows) + below);
    sheets.rule();
    sheets.skip(5 * POINT);
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
    sheets.add_to_outline(text);
    sheets.paragraph(text, HEADING, WIDE, node);
    sheets.skip(4 * POINT);
}

fn signature(sheets: &mut Sheets, words: Words, notary_name: &str) {
    let act = ActWording::of(words.locale);
    sheets.keep(SIGNING_HEIGHT, SIGNING_HEIGHT);
    sheets.skip(10 * POINT);
    let text = format!("{} {notary_name}", words.deal.prepared_by);
    sheets.text(&text, LEAD, WIDE);
    sheets.skip(34 * POINT);
    signing_lines(sheets, [act.signature, act.seal, act.date]);
}
