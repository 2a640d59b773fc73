//! The table of what was paid for, with one or more columns of sums.

use cabinet_domain::{Locale, Money};

use crate::frame::{Draft, LABEL, STRONG, VALUE, joined};
use crate::order::{Checked, ReceiptItem, Sums};
use crate::sheet::{Align, Cell, Column, LEFT, RIGHT, Row};
use crate::structure::NodeKind;
use crate::units::{Length, POINT};
use crate::wording::kind;

/// A column of sums.
pub(crate) struct SumColumn {
    pub(crate) heading: &'static str,
    pub(crate) of: fn(&Checked<'_>) -> Money,
    /// All items together.
    pub(crate) total: Money,
}

const NUMBER: Column = Column {
    x: LEFT,
    width: 20 * POINT,
    align: Align::Left,
};
const SUM_WIDTH: Length = 76 * POINT;
/// White space of a row above and below.
const AIR: Length = 3 * POINT;

/// Draws the table; its last row, with the totals and so named, stands only under more than one item.
pub(crate) fn composition(
    draft: &mut Draft<'_>,
    sums: &Sums<'_>,
    columns: &[SumColumn],
    total: &str,
) {
    let (words, locale, fonts) = (draft.words, draft.locale, draft.sheets.fonts);
    let places = places(columns.len());
    let first = places.first().map_or(RIGHT, |place| place.x);
    let names = Column {
        x: LEFT + NUMBER.width,
        width: first - LEFT - NUMBER.width - 8 * POINT,
        align: Align::Left,
    };
    let row = |leading: Vec<Cell>, sums: Vec<Cell>| {
        Row::new(fonts, leading.into_iter().chain(sums).collect(), AIR, AIR)
    };
    // The only item's row is the total as well.
    let last_style = if sums.items.len() > 1 { VALUE } else { STRONG };
    let cell = |column: Column, text: String, style, kind| Cell {
        column,
        text,
        style,
        kind,
    };

    let head = row(
        vec![
            cell(
                NUMBER,
                words.number_sign.to_owned(),
                LABEL,
                NodeKind::ColumnHeader,
            ),
            cell(
                names,
                words.column_what.to_owned(),
                LABEL,
                NodeKind::ColumnHeader,
            ),
        ],
        columns
            .iter()
            .zip(&places)
            .map(|(column, place)| {
                cell(
                    *place,
                    column.heading.to_owned(),
                    LABEL,
                    NodeKind::ColumnHeader,
                )
            })
            .collect(),
    );
    let mut rows: Vec<Row> = sums
        .items
        .iter()
        .map(|one| {
            let leading = vec![
                cell(NUMBER, one.place.to_string(), VALUE, NodeKind::TableCell),
                cell(names, what(one.item, locale), VALUE, NodeKind::RowHeader),
            ];
            let figures = columns.iter().zip(&places).map(|(column, place)| {
                let style = if place.x + place.width == RIGHT {
                    last_style
                } else {
                    VALUE
                };
                cell(
                    *place,
                    (column.of)(one).display(locale),
                    style,
                    NodeKind::TableCell,
                )
            });
            row(leading, figures.collect()).ruled()
        })
        .collect();

    if sums.items.len() > 1 {
        let leading = vec![cell(
            names,
            total.to_owned(),
            STRONG,
            NodeKind::WideRowHeader,
        )];
        let totals = columns.iter().zip(&places).map(|(column, place)| {
            cell(
                *place,
                column.total.display(locale),
                STRONG,
                NodeKind::TableCell,
            )
        });
        rows.push(row(leading, totals.collect()).ruled());
    }

    let first = head
        .height()
        .saturating_add(rows.first().map_or(0, Row::height));
    draft.sheets.keep(first, head.height());
    let table = draft.sheets.structure.open(NodeKind::Table);
    let part = draft.sheets.structure.open(NodeKind::TableHead);
    draft.sheets.rows(std::slice::from_ref(&head), None);
    draft.sheets.structure.close(part);
    let part = draft.sheets.structure.open(NodeKind::TableBody);
    draft.sheets.rows(&rows, Some(&head));
    draft.sheets.structure.close(part);
    draft.sheets.structure.close(table);
    draft.sheets.skip(16 * POINT);
}

/// So many columns of sums, the last one at the right edge.
fn places(count: usize) -> Vec<Column> {
    (0..count)
        .rev()
        .filter_map(|from_right| Length::try_from(from_right + 1).ok())
        .map(|from_right| Column {
            x: RIGHT.saturating_sub(from_right.saturating_mul(SUM_WIDTH)),
            width: SUM_WIDTH,
            align: Align::Right,
        })
        .collect()
}

/// What an item is for: its kind, the chosen option, and how many units at what price.
fn what(item: &ReceiptItem, locale: Locale) -> String {
    let name = joined(&[kind(item.kind, locale), &item.label], " – ");
    if item.count.get() > 1 {
        format!(
            "{name}, {}\u{a0}×\u{a0}{}",
            item.count,
            item.amount.display(locale)
        )
    } else {
        name
    }
}
