//! What the support's commands print: fields and tables, for a person or as JSON. Both have the same content.

use cabinet_domain::{Money, kyiv_time};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Map, Value, json};

/// Longest text of a table that stands in its column, in characters. A longer one stands below its row, so that the columns keep together.
const CELL_CHARS_MAX: usize = 60;

/// One value.
#[derive(Clone, Debug)]
pub enum Cell {
    /// Nothing is known, or there is nothing.
    Nothing,
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A sum in hryvnias.
    Sum(Money),
    /// A moment: in Kyiv for a person, who is told so, and in UTC as JSON.
    Moment(Timestamp),
    /// A day.
    Day(Date),
    /// Yes or no.
    Flag(bool),
}

macro_rules! cells {
    ($($name:ident: $kind:ty),+ $(,)?) => {$(
        impl From<$kind> for Cell {
            fn from(value: $kind) -> Self {
                Self::$name(value.into())
            }
        }
    )+};
}

cells! { Text: String, Text: &str, Number: i64, Number: u16, Sum: Money, Moment: Timestamp, Day: Date, Flag: bool }

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

impl Cell {
    const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    const fn is_moment(&self) -> bool {
        matches!(self, Self::Moment(_))
    }

    fn shown(&self) -> String {
        match self {
            Self::Nothing => "-".to_owned(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Sum(sum) => sum.decimal(),
            Self::Moment(at) => kyiv_time(*at).strftime("%Y-%m-%d %H:%M:%S").to_string(),
            Self::Day(day) => day.to_string(),
            Self::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Nothing => Value::Null,
            Self::Text(text) => json!(text),
            Self::Number(number) => json!(number),
            Self::Sum(sum) => json!(sum.decimal()),
            Self::Moment(at) => json!(at.to_string()),
            Self::Day(day) => json!(day.to_string()),
            Self::Flag(flag) => json!(flag),
        }
    }
}

/// Rows with the same columns.
struct Table {
    name: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

/// Fields and tables. Names are those of the JSON; a person reads them with blanks.
#[derive(Default)]
pub struct Sheet {
    fields: Vec<(&'static str, Cell)>,
    tables: Vec<Table>,
}

impl Sheet {
    /// Adds a field. A person sees it only if there is something.
    pub fn field(&mut self, name: &'static str, value: impl Into<Cell>) -> &mut Self {
        self.fields.push((name, value.into()));
        self
    }

    /// Adds a table of such columns. A person sees it only if it has rows, and of these the columns in which there is something.
    pub fn table(
        &mut self,
        name: &'static str,
        columns: &[&'static str],
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> &mut Self {
        self.tables.push(Table {
            name,
            columns: columns.to_vec(),
            rows: rows.into_iter().collect(),
        });
        self
    }

    /// Returns it for a program, or for a person.
    pub fn text(&self, as_json: bool) -> String {
        if as_json {
            format!("{:#}\n", self.json())
        } else {
            self.shown()
        }
    }

    /// Returns a list for a program, or for a person, who is told where nothing is in it.
    pub fn list_text(&self, as_json: bool) -> String {
        if as_json || self.tables.iter().any(|table| !table.rows.is_empty()) {
            self.text(as_json)
        } else {
            "None.\n".to_owned()
        }
    }

    fn json(&self) -> Value {
        let mut all = Map::new();
        for (name, cell) in &self.fields {
            all.insert((*name).to_owned(), cell.json());
        }
        for table in &self.tables {
            let row = |cells: &Vec<Cell>| -> Value {
                let cells = table.columns.iter().zip(cells);
                let fields = cells.map(|(name, cell)| ((*name).to_owned(), cell.json()));
                Value::Object(fields.collect())
            };
            let rows = table.rows.iter().map(row).collect();
            all.insert(table.name.to_owned(), Value::Array(rows));
        }
        Value::Object(all)
    }

    fn shown(&self) -> String {
        let fields: Vec<(String, &Cell)> = self
            .fields
            .iter()
            .filter(|(_, cell)| !cell.is_nothing())
            .map(|(name, cell)| (words(name), cell))
            .collect();
        let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (name, cell) in fields {
            let zone = if cell.is_moment() { " Kyiv" } else { "" };
            text.push_str(&format!("{name:<width$}  {}{zone}\n", cell.shown()));
        }
        for table in self.tables.iter().filter(|table| !table.rows.is_empty()) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&table.shown());
        }
        text
    }
}

impl Table {
    fn shown(&self) -> String {
        let is_told = |place: &usize| {
            self.rows
                .iter()
                .any(|row| row.get(*place).is_some_and(|cell| !cell.is_nothing()))
        };
        let places: Vec<usize> = (0..self.columns.len()).filter(is_told).collect();
        let names = places.iter().filter_map(|place| self.columns.get(*place));
        let titles: Vec<String> = names.map(|name| words(name)).collect();
        let row = |row: &Vec<Cell>| -> Vec<String> {
            let cells = places.iter().filter_map(|place| row.get(*place));
            cells.map(Cell::shown).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(row).collect();
        let width = |(column, title): (usize, &String)| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let widths = cells.map(|cell| in_column(cell).chars().count());
            widths.max().unwrap_or(0).max(title.chars().count())
        };
        let widths: Vec<usize> = titles.iter().enumerate().map(width).collect();
        let mut text = format!("{}\n{}", self.heading(), line(&titles, &widths));
        for row in &rows {
            text.push_str(&line(row, &widths));
            for (title, cell) in titles.iter().zip(row).filter(|(_, cell)| is_long(cell)) {
                text.push_str(&format!("    {title}: {cell}\n"));
            }
        }
        text
    }

    /// Returns the name, with the zone of the times where there are any.
    fn heading(&self) -> String {
        let mut heading = words(self.name).to_uppercase();
        if self.rows.iter().flatten().any(Cell::is_moment) {
            heading.push_str(" (Kyiv time)");
        }
        heading
    }
}

fn is_long(cell: &str) -> bool {
    cell.chars().count() > CELL_CHARS_MAX
}

/// Returns what stands in the column of a cell.
fn in_column(cell: &str) -> &str {
    if is_long(cell) { "(below)" } else { cell }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut written = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        written.push_str(&format!("{:<width$}  ", in_column(cell), width = *width));
    }
    format!("{}\n", written.trim_end())
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::default();
        sheet
            .field("order", 100_001_i64)
            .field("sum", Money::from_kopiykas(36_050).ok())
            .field("card", None::<String>)
            .field("paid_at", "2026-03-02T22:30:00Z".parse::<Timestamp>().ok())
            .table(
                "attempts",
                &["kind", "error", "is_stray"],
                [
                    vec!["invoice".into(), Cell::Nothing, false.into()],
                    vec!["сторінка банку".into(), Cell::Nothing, true.into()],
                ],
            )
            .table("alarms", &["kind"], []);
        sheet
    }

    #[test]
    fn a_person_sees_what_there_is_in_columns_and_kyiv_time() {
        assert_eq!(
            sheet().text(false),
            "order    100001\n\
             sum      360.50\n\
             paid at  2026-03-03 00:30:00 Kyiv\n\
             \n\
             ATTEMPTS\n\
             kind            is stray\n\
             invoice         no\n\
             сторінка банку  yes\n"
        );
    }

    #[test]
    fn a_long_text_stands_below_its_row_and_is_whole() {
        let long = "Клієнт просить повернути гроші, ".repeat(20);
        let moment = "2026-03-02T22:30:00Z".parse::<Timestamp>().ok();
        let mut sheet = Sheet::default();
        sheet.table(
            "complaints",
            &["number", "made", "text", "id"],
            [
                vec![
                    1_i64.into(),
                    moment.into(),
                    long.as_str().into(),
                    "a".into(),
                ],
                vec![2_i64.into(), moment.into(), "Сума не та".into(), "b".into()],
            ],
        );
        let expected = format!(
            "COMPLAINTS (Kyiv time)\n\
             number  made                 text        id\n\
             1       2026-03-03 00:30:00  (below)     a\n    text: {long}\n\
             2       2026-03-03 00:30:00  Сума не та  b\n"
        );
        assert_eq!(sheet.text(false), expected);
        assert_eq!(sheet.json()["complaints"][0]["text"], long);
    }

    #[test]
    fn a_person_is_told_that_a_list_is_empty() {
        let mut sheet = Sheet::default();
        sheet.table("alarms", &["kind"], []);
        assert_eq!(sheet.list_text(false), "None.\n");
        assert_eq!(sheet.list_text(true), "{\n  \"alarms\": []\n}\n");
    }

    #[test]
    fn a_program_gets_every_field_by_its_name() {
        let json: Value = serde_json::from_str(&sheet().text(true)).unwrap();
        let expected = json!({
            "order": 100_001,
            "sum": "360.50",
            "card": null,
            "paid_at": "2026-03-02T22:30:00Z",
            "attempts": [
                { "kind": "invoice", "error": null, "is_stray": false },
                { "kind": "сторінка банку", "error": null, "is_stray": true },
            ],
            "alarms": [],
        });
        assert_eq!(json, expected);
    }
}
