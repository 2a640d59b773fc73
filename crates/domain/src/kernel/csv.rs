//! Tables as text, as spreadsheets write them: one row a line, cells that may be quoted.

/// Returns the separator of a table: a comma, or the semicolon that spreadsheets write where the comma is the decimal sign.
#[must_use]
pub fn separator_of(header: &str) -> char {
    if header.contains(';') && !header.contains(',') {
        ';'
    } else {
        ','
    }
}

/// Returns the cells of one row, as the `csv` crate reads them. Returns `None` for a row with an open quotation mark, which
/// would swallow the rows after it, or with text after a closing one, which would lose the marks.
#[must_use]
pub fn cells_of(line: &str, separator: char) -> Option<Vec<String>> {
    // What ends a row, and the mark that is skipped at the beginning of a text, are left to the library. For each row it builds a table of
    // states first, which costs many times what reading the row does.
    if !separator.is_ascii() || line.contains(['\r', '\n', '\u{feff}']) {
        return read_by_library(line, separator);
    }
    let (cells, is_whole) = read_cells(line, separator);
    is_whole.then_some(cells)
}

/// Returns the cells of one row as [`cells_of`]. Quoted cells may have line ends.
#[must_use]
pub fn cells_of_lines(lines: &str, separator: char) -> Option<Vec<String>> {
    let (cells, is_whole) = read_cells(lines, separator);
    is_whole.then_some(cells)
}

/// Returns the cells of a row up to one that can't be read.
#[must_use]
pub fn leading_cells(line: &str, separator: char) -> Vec<String> {
    read_cells(line, separator).0
}

/// Returns the cells of a row, and whether they are all.
fn read_cells(text: &str, separator: char) -> (Vec<String>, bool) {
    let (mut cells, mut rest) = (Vec::new(), text);
    loop {
        let read = match rest.strip_prefix('"') {
            Some(quoted) => quoted_cell(quoted),
            None => {
                let (plain, after) = rest.split_at(rest.find(separator).unwrap_or(rest.len()));
                (!plain.contains('\n')).then(|| (plain.to_owned(), after))
            }
        };
        let Some((cell, after)) = read else {
            return (cells, false);
        };
        if after.is_empty() {
            cells.push(cell);
            return (cells, true);
        }
        // Text after a closing mark: the cell is not known.
        let Some(next) = after.strip_prefix(separator) else {
            return (cells, false);
        };
        cells.push(cell);
        rest = next;
    }
}

/// Returns the text up to the closing quotation mark, and what stands after the mark. Two marks stand for one.
fn quoted_cell(text: &str) -> Option<(String, &str)> {
    let (mut cell, mut rest) = (String::new(), text);
    loop {
        let (piece, after) = rest.split_once('"')?;
        cell.push_str(piece);
        let Some(more) = after.strip_prefix('"') else {
            return Some((cell, after));
        };
        cell.push('"');
        rest = more;
    }
}

fn read_by_library(line: &str, separator: char) -> Option<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(u8::try_from(separator).ok()?)
        .buffer_capacity(line.len().max(1))
        .from_reader(line.as_bytes());
    let record = match reader.records().next() {
        Some(record) => record.ok()?,
        // The reader skips an empty line.
        None => return Some(vec![String::new()]),
    };
    let mut rest = line;
    for (place, cell) in record.iter().enumerate() {
        if place > 0 {
            rest = rest.strip_prefix(separator)?;
        }
        let quoted = format!("\"{}\"", cell.replace('"', "\"\""));
        rest = rest
            .strip_prefix(&*quoted)
            .or_else(|| rest.strip_prefix(cell))?;
    }
    rest.is_empty()
        .then(|| record.iter().map(str::to_owned).collect())
}

/// Returns a quoted cell. A space precedes text that a spreadsheet would take for a formula; programs that trim what
/// they read, as those of banks do, still get the same text.
#[must_use]
pub fn cell(text: &str) -> String {
    let risky = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = text.replace('"', "\"\"");
    if risky {
        format!("\" {text}\"")
    } else {
        format!("\"{text}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Option<Vec<String>> {
        cells_of(line, ',')
    }

    #[test]
    fn cells_may_be_quoted() {
        assert_eq!(cells("a,b").unwrap(), ["a", "b"]);
        assert_eq!(cells("").unwrap(), [""]);
        assert_eq!(cells(",").unwrap(), ["", ""]);
        assert_eq!(cells("\"a,b\",c").unwrap(), ["a,b", "c"]);
        assert_eq!(cells("\"АТ \"\"Банк\"\"\",").unwrap(), ["АТ \"Банк\"", ""]);
        assert_eq!(cells("АТ \"Банк\",x").unwrap(), ["АТ \"Банк\"", "x"]);
        assert_eq!(cells_of("a;\"b;c\";1,5", ';').unwrap(), ["a", "b;c", "1,5"]);
    }

    #[test]
    fn a_quotation_mark_that_swallows_the_line_is_refused() {
        assert_eq!(cells("\"a,b"), None);
        assert_eq!(cells("a,\""), None);
        assert_eq!(cells("\"a\"b,c"), None);
        assert_eq!(cells("\"a\" ,c"), None);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 4_096, failure_persistence: None, ..Default::default() })]
        #[test]
        fn a_row_is_read_as_the_library_reads_it(
            line in "([aї ,;\"]|\"\"|[\\\\\\t'\\r\\n\u{feff}]){0,12}",
            semicolon in proptest::bool::ANY,
        ) {
            let separator = if semicolon { ';' } else { ',' };
            proptest::prop_assert_eq!(cells_of(&line, separator), read_by_library(&line, separator));
        }
    }

    #[test]
    fn a_cell_is_no_formula() {
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\" =HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell("Коваль, О."), "\"Коваль, О.\"");
    }

    #[test]
    fn a_cell_keeps_its_text() {
        for text in [
            "Коваль, О.",
            "+380 «Зв’язок» ТОВ",
            "-",
            "@дім",
            "=1+1",
            "'Апостроф",
        ] {
            let read = cells(&cell(text)).unwrap();
            assert_eq!(
                read.iter().map(|cell| cell.trim()).collect::<Vec<_>>(),
                [text]
            );
        }
    }
}
