//! The table of what was paid for, with one or more columns of sums.

use cabinet_domain::{Locale, Money};

use crate::draft::Draft;
use crate::font::Fonts;
use crate::format::joined;
use crate::marks::{Align, Column, Style};
use crate::order::{Checked, ReceiptItem, Sums};
use crate::row::{Cell, Row};
use crate::sheet::{LEFT, RIGHT};
use crate::structure::NodeKind;
use crate::style::{LABEL, STRONG, VALUE};
use crate::units::{Length, POINT};
use crate::wording::{Wording, receipt_kind_name};

/// A column of sums.
pub(crate) struct SumColumn {
    pub(crate) heading: &'static str,
    pub(crate) of: fn(&Checked<'_>) -> Money,
    /// The total of all items.
    pub(crate) total: Money,
}

const NUMBER: Column = Column {
    x: LEFT,
    width: 20 * POINT,
    align: Align::Left,
};
const SUM_WIDTH: Length = 76 * POINT;
/// White space above and below a row.
const AIR: Length = 3 * POINT;

/// How a row names its item.
pub(crate) type ItemName = fn(&ReceiptItem, Locale) -> String;

/// Draws the table. More than one item has a last row with the totals, which begins with `total`.
pub(crate) fn items_table(
    draft: &mut Draft<'_>,
    sums: &Sums<'_>,
    name: ItemName,
    columns: &[SumColumn],
    total: &str,
) {
    let table = ItemsTable::new(draft, columns);
    let head = table.head(draft.words);
    let has_totals = sums.items.len() > 1;
    // The row of a single item is also the total.
    let last_style = if has_totals { VALUE } else { STRONG };
    let mut rows: Vec<Row> = sums
        .items
        .iter()
        .map(|item| {
            table.item(
                item,
                &name(item.item, draft.locale),
                last_style,
                draft.locale,
            )
        })
        .collect();
    if has_totals {
        rows.push(table.totals(total, draft.locale));
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

/// The columns with their positions.
struct ItemsTable<'a> {
    fonts: &'static Fonts,
    /// The column of names.
    names: Column,
    sums: Vec<(&'a SumColumn, Column)>,
}

impl<'a> ItemsTable<'a> {
    fn new(draft: &Draft<'_>, columns: &'a [SumColumn]) -> Self {
        let places = places(columns.len());
        let first = places.first().map_or(RIGHT, |place| place.x);
        ItemsTable {
            fonts: draft.sheets.fonts,
            names: Column {
                x: LEFT + NUMBER.width,
                width: first - LEFT - NUMBER.width - 8 * POINT,
                align: Align::Left,
            },
            sums: columns.iter().zip(places).collect(),
        }
    }

    fn head(&self, words: &Wording) -> Row {
        let heading = |column, text: &str| cell(column, text, LABEL, NodeKind::ColumnHeader);
        let mut cells = vec![
            heading(NUMBER, words.number_sign),
            heading(self.names, words.column_what),
        ];
        for (column, place) in &self.sums {
            cells.push(heading(*place, column.heading));
        }
        self.row(cells)
    }

    fn item(&self, item: &Checked<'_>, name: &str, last_style: Style, locale: Locale) -> Row {
        let mut cells = vec![
            cell(NUMBER, &item.place.to_string(), VALUE, NodeKind::TableCell),
            cell(self.names, name, VALUE, NodeKind::RowHeader),
        ];
        for (column, place) in &self.sums {
            let is_last = place.x + place.width == RIGHT;
            let style = if is_last { last_style } else { VALUE };
            let sum = (column.of)(item).display(locale);
            cells.push(cell(*place, &sum, style, NodeKind::TableCell));
        }
        self.row(cells).ruled()
    }

    fn totals(&self, total: &str, locale: Locale) -> Row {
        let mut cells = vec![cell(self.names, total, STRONG, NodeKind::WideRowHeader)];
        for (column, place) in &self.sums {
            let sum = column.total.display(locale);
            cells.push(cell(*place, &sum, STRONG, NodeKind::TableCell));
        }
        self.row(cells).ruled()
    }

    fn row(&self, cells: Vec<Cell>) -> Row {
        Row::new(self.fonts, cells, AIR, AIR)
    }
}

fn cell(column: Column, text: &str, style: Style, kind: NodeKind) -> Cell {
    Cell {
        column,
        text: text.to_owned(),
        style,
        kind,
    }
}

/// Returns the positions of the columns of sums, the last one at the right edge.
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

/// Describes an item: its kind, the chosen option, the number of units and their price.
pub(crate) fn what(item: &ReceiptItem, locale: Locale) -> String {
    let name = joined(&[receipt_kind_name(item.kind, locale), &item.label], " – ");
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

/// Describes an item as [`what`] does, and names who gets the money.
pub(crate) fn what_and_to_whom(item: &ReceiptItem, locale: Locale) -> String {
    let words = Wording::of(locale);
    let mut recipients: Vec<&str> = Vec::new();
    for transfer in &item.transfers {
        if !recipients.contains(&transfer.recipient_name.as_str()) {
            recipients.push(&transfer.recipient_name);
        }
    }
    let label = match recipients.len() {
        0 => return what(item, locale),
        1 => words.recipient,
        _ => words.recipients,
    };
    format!("{}. {label}: {}", what(item, locale), recipients.join("; "))
}
