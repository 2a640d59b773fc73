//! The lines of a workbook (XLSX).
//!
//! Its bytes come from outside. Parts are read one after another, cells and texts are counted, and of each text no more is kept than a
//! field may hold. What multiplies is not read at all: styles, defined names, dimensions, merged cells, formulas. Dates are numbers here,
//! because no column of the cabinet's has a date.

use std::collections::BTreeMap;

use cabinet_domain::{Inn, Key, Locale, sheet_name};

use super::cells::{COLUMNS_MAX, LINES_MAX, Line, kept};
use super::markup::{Element, Markup};
use super::parts::{Part, Parts};
use super::references::{Reference, without_escapes};

/// Most sheets among which one is looked for.
const SHEETS_MAX: usize = 1_000;
/// What a cell has whose formula has no stored result: a sign that no field takes, so that the cell is mended and no default stands for it.
const WITHOUT_RESULT: &str = "=\u{1a}";
/// Most cells that are looked at.
const CELLS_MAX: usize = 100_000;
/// Most texts that cells may point at.
const STRINGS_MAX: usize = 200_000;
/// Most characters that are kept of all cells together: 200 payments have a tenth of them.
const CHARS_MAX: usize = 1024 * 1024;
/// Longest number of a cell, in characters. Programs write 24 at most.
const NUMBER_CHARS_MAX: usize = 400;
/// Decimal places of a number that are kept: beyond them a computed number differs from the one that the program shows.
const DECIMAL_PLACES: usize = 6;

/// Whether the bytes begin as an archive does.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK")
}

/// Returns the lines of the sheet with the name of the template's, or of the first one that a person sees.
///
/// # Errors
/// `sheet_unreadable`, `sheet_too_large`.
pub(super) fn lines(bytes: &[u8]) -> Result<Vec<Line>, Key> {
    let mut parts = Parts::open(bytes)?;
    let book = Book::read(&mut parts)?;
    let strings = match &book.strings {
        Some(name) => match parts.text(Part::SharedStrings, name)? {
            Some(text) => shared_strings(&text)?,
            None => Vec::new(),
        },
        None => Vec::new(),
    };
    let sheet = parts.text(Part::Sheet, &book.sheet)?;
    lines_of(&sheet.ok_or(Key::SheetUnreadable)?, &strings)
}

/// Where the parts of a workbook are in its archive.
struct Book {
    /// The sheet that is read.
    sheet: String,
    /// The texts that cells point at. A workbook without texts, or with texts in its cells alone, has none.
    strings: Option<String>,
}

impl Book {
    fn read(parts: &mut Parts<'_>) -> Result<Book, Key> {
        let of_package = parts.text(Part::Relationships, "_rels/.rels")?;
        let of_package = Relationships(of_package.ok_or(Key::SheetUnreadable)?);
        let workbook = of_package.target(|kind, _| kind == "officeDocument")?;
        let workbook = workbook.ok_or(Key::SheetUnreadable)?;
        let workbook = workbook.trim_start_matches('/');
        let (folder, name) = workbook.rsplit_once('/').unwrap_or(("", workbook));
        let place = |target: String| match target.strip_prefix('/') {
            Some(whole) => whole.to_owned(),
            None if folder.is_empty() => target,
            None => format!("{folder}/{target}"),
        };
        let relationships = place(format!("_rels/{name}.rels"));
        let relationships = parts.text(Part::Relationships, &relationships)?;
        let relationships = Relationships(relationships.ok_or(Key::SheetUnreadable)?);
        let workbook = parts.text(Part::Workbook, workbook)?;
        let sheets = relationships.sheets()?;
        let sheet = sheet_to_read(&workbook.ok_or(Key::SheetUnreadable)?, sheets)?;
        let strings = relationships.target(|kind, _| kind == "sharedStrings")?;
        Ok(Book {
            sheet: place(sheet),
            strings: strings.map(place),
        })
    }
}

/// The text of a part that names others.
struct Relationships(String);

impl Relationships {
    /// Returns the targets of the sheets with cells by their ids.
    fn sheets(&self) -> Result<BTreeMap<String, String>, Key> {
        let mut sheets = BTreeMap::new();
        let mut markup = Markup::of(&self.0);
        while let Some(element) = markup.next_within(0)? {
            let kind = element.attribute("Type")?.unwrap_or_default();
            if element.name() != "Relationship" || !kind.ends_with("/worksheet") {
                continue;
            }
            if sheets.len() == SHEETS_MAX {
                return Err(Key::SheetTooLarge);
            }
            if let (Some(id), Some(target)) =
                (element.attribute("Id")?, element.attribute("Target")?)
            {
                sheets.entry(id).or_insert(target);
            }
        }
        Ok(sheets)
    }

    /// Returns the target of the first relationship that is wanted by its kind, the last word of its type, and its id.
    fn target(&self, is_wanted: impl Fn(&str, &str) -> bool) -> Result<Option<String>, Key> {
        let mut markup = Markup::of(&self.0);
        while let Some(element) = markup.next_within(0)? {
            if element.name() != "Relationship" {
                continue;
            }
            let kind = element.attribute("Type")?.unwrap_or_default();
            let id = element.attribute("Id")?.unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default();
            if is_wanted(kind, &id) {
                return element.attribute("Target");
            }
        }
        Ok(None)
    }
}

/// Returns the target of the sheet that is read: with the name of the template's, or the first. Sheets of charts have no cells, and a
/// hidden sheet is nothing that the notary sees. `sheets`: the targets of those with cells.
fn sheet_to_read(workbook: &str, mut sheets: BTreeMap<String, String>) -> Result<String, Key> {
    let ours = Locale::ALL.map(sheet_name);
    let mut first = None;
    let mut markup = Markup::of(workbook);
    while let Some(element) = markup.next_within(0)? {
        if element.name() != "sheet" || is_hidden(&element)? {
            continue;
        }
        let name = element.attribute("name")?.unwrap_or_default();
        let is_ours = ours.contains(&name.as_str());
        if is_ours || first.is_none() {
            let id = element.attribute("id")?.ok_or(Key::SheetUnreadable)?;
            let Some(target) = sheets.remove(&id) else {
                continue;
            };
            if is_ours {
                return Ok(target);
            }
            first = Some(target);
        }
    }
    first.ok_or(Key::SheetUnreadable)
}

fn is_hidden(sheet: &Element<'_>) -> Result<bool, Key> {
    let state = sheet.attribute("state")?;
    Ok(matches!(state.as_deref(), Some("hidden" | "veryHidden")))
}

/// Returns the texts that cells point at, each as it is kept of a cell. The number of them that the part tells is not believed.
fn shared_strings(text: &str) -> Result<Vec<String>, Key> {
    let mut strings = Vec::new();
    let mut markup = Markup::of(text);
    while let Some(element) = markup.next_within(0)? {
        if element.name() != "si" {
            continue;
        }
        if strings.len() == STRINGS_MAX {
            return Err(Key::SheetTooLarge);
        }
        strings.push(rich_text(&mut markup)?);
    }
    Ok(strings)
}

/// Returns the text of the element that began last: of all its runs, without the reading of signs.
fn rich_text(markup: &mut Markup<'_>) -> Result<String, Key> {
    let place = markup.depth();
    let mut text = String::new();
    while let Some(element) = markup.next_within(place)? {
        match element.name() {
            "t" => text.push_str(&markup.text()?),
            "rPh" => markup.skip()?,
            _ => {}
        }
    }
    Ok(kept(without_escapes(&text).chars()))
}

/// The lines of a sheet as they are filled.
struct Lines {
    lines: Vec<Line>,
    chars_left: usize,
}

fn lines_of(sheet: &str, strings: &[String]) -> Result<Vec<Line>, Key> {
    let mut markup = Markup::of(sheet);
    let cells = loop {
        let element = markup.next_within(0)?.ok_or(Key::SheetUnreadable)?;
        if element.name() == "sheetData" {
            break markup.depth();
        }
    };
    let mut read = Lines {
        lines: Vec::new(),
        chars_left: CHARS_MAX,
    };
    // Rows and cells without a reference follow those before them.
    let mut at = Reference { row: 0, column: 0 };
    let mut cells_left = CELLS_MAX;
    while let Some(element) = markup.next_within(cells)? {
        match element.name() {
            "row" => {
                at.row = match element.attribute("r")? {
                    Some(number) => Reference::row(&number).ok_or(Key::SheetUnreadable)?,
                    None => at.row.saturating_add(1),
                };
                at.column = 0;
            }
            "c" => {
                cells_left = cells_left.checked_sub(1).ok_or(Key::SheetTooLarge)?;
                if let Some(reference) = element.attribute("r")? {
                    at = Reference::parse(&reference).ok_or(Key::SheetUnreadable)?;
                }
                let text = text_of_cell(&mut markup, &element, strings)?;
                read.put(at, text)?;
                at.column = at.column.saturating_add(1);
            }
            _ => {}
        }
    }
    Ok(read.lines)
}

impl Lines {
    fn put(&mut self, at: Reference, text: String) -> Result<(), Key> {
        if at.column >= COLUMNS_MAX || text.is_empty() {
            return Ok(());
        }
        let chars = text.chars().count();
        let left = self.chars_left.checked_sub(chars);
        self.chars_left = left.ok_or(Key::SheetTooLarge)?;
        // A row is named by its number, and a cell stands in a row.
        let last = self.lines.last().map_or(1, |(last, _)| *last);
        if at.row < last {
            return Err(Key::SheetUnreadable);
        }
        if self.lines.last().is_none_or(|(last, _)| *last != at.row) {
            if self.lines.len() == LINES_MAX {
                return Err(Key::SheetTooLarge);
            }
            self.lines.push((at.row, Vec::new()));
        }
        if let Some((_, line)) = self.lines.last_mut() {
            if line.len() <= at.column {
                line.resize(at.column + 1, String::new());
            }
            if let Some(place) = line.get_mut(at.column) {
                *place = text;
            }
        }
        Ok(())
    }
}

/// Returns the text of the cell that began last, as the spreadsheet program shows it.
fn text_of_cell(
    markup: &mut Markup<'_>,
    cell: &Element<'_>,
    strings: &[String],
) -> Result<String, Key> {
    let kind = cell.attribute("t")?;
    let place = markup.depth();
    let (mut text, mut within) = (None, None);
    let mut is_formula = false;
    while let Some(element) = markup.next_within(place)? {
        match element.name() {
            "is" => within = Some(rich_text(markup)?),
            "v" => text = Some(text_of_value(&markup.text()?, kind.as_deref(), strings)?),
            "f" => {
                is_formula = true;
                markup.skip()?;
            }
            _ => markup.skip()?,
        }
    }
    // A text within the cell may stand in `v` once more, or there alone.
    match within.or(text) {
        None if is_formula => Ok(WITHOUT_RESULT.to_owned()),
        text => Ok(text.unwrap_or_default()),
    }
}

/// Returns the text of a whole number. A tax id that begins with a zero may be stored as a number of nine digits, like that of an ID card; the
/// zero then stands in the format of the cell, and formats are not read. Both are told where the number may be either: no field takes them.
fn with_hidden_zero(text: &str) -> String {
    let with_zero = format!("0{text}");
    let is_whole = text.len() == 9 && text.bytes().all(|digit| digit.is_ascii_digit());
    if is_whole && Inn::parse(&with_zero).is_ok() {
        format!("{text} / {with_zero}")
    } else {
        text.to_owned()
    }
}

fn text_of_value(value: &str, kind: Option<&str>, strings: &[String]) -> Result<String, Key> {
    let trimmed = value.trim();
    if trimmed.is_empty() {
        return Ok(String::new());
    }
    match kind {
        Some("s") => {
            let place: usize = trimmed.parse().map_err(|_| Key::SheetUnreadable)?;
            strings.get(place).cloned().ok_or(Key::SheetUnreadable)
        }
        Some("n") | None if trimmed.len() <= NUMBER_CHARS_MAX => match trimmed.parse::<f64>() {
            Ok(number) => {
                let text = format!("{number:.DECIMAL_PLACES$}");
                let text = text.trim_end_matches('0').trim_end_matches('.');
                Ok(with_hidden_zero(&kept(text.chars())))
            }
            Err(_) if kind.is_none() => Ok(kept(value.chars())),
            Err(_) => Err(Key::SheetUnreadable),
        },
        Some("n") | None => Err(Key::SheetUnreadable),
        Some("b") => match trimmed {
            "0" | "false" => Ok("false".to_owned()),
            "1" | "true" => Ok("true".to_owned()),
            _ => Err(Key::SheetUnreadable),
        },
        Some("str" | "inlineStr" | "d" | "e") => Ok(kept(without_escapes(value).chars())),
        Some(_) => Err(Key::SheetUnreadable),
    }
}
