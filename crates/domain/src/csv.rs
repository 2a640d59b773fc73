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

/// Returns the cells of one row, read by the `csv` crate. Returns `None` for a row with an open quotation mark, which
/// would swallow the rows after it, or with text after a closing one, which would lose the marks.
#[must_use]
pub fn cells_of(line: &str, separator: char) -> Option<Vec<String>> {
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
