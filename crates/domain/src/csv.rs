//! Tables as text, as spreadsheets write them: one row a line, cells that may be quoted.

/// The separator of a table: a comma, or the semicolon that spreadsheets write where the comma is the decimal sign.
#[must_use]
pub fn separator_of(header: &str) -> char {
    if header.contains(';') && !header.contains(',') {
        ';'
    } else {
        ','
    }
}

/// The cells of a line; `None` where a quoted cell is not closed or text follows the closing quotation mark.
#[must_use]
pub fn cells_of(line: &str, separator: char) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_cell(quoted)?,
            None => {
                let end = rest.find(separator).unwrap_or(rest.len());
                let (cell, after) = rest.split_at(end);
                (cell.to_owned(), after)
            }
        };
        cells.push(cell);
        match after.strip_prefix(separator) {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(cells),
            None => return None,
        }
    }
}

/// A cell after its opening quotation mark, and what follows the closing one. Two marks in a row stand for one.
fn quoted_cell(quoted: &str) -> Option<(String, &str)> {
    let mut cell = String::new();
    let mut rest = quoted;
    loop {
        let (text, after) = rest.split_once('"')?;
        cell.push_str(text);
        match after.strip_prefix('"') {
            Some(next) => {
                cell.push('"');
                rest = next;
            }
            None => return Some((cell, after)),
        }
    }
}

/// A cell as text for a table, in quotation marks. Where a spreadsheet would take it for a formula, a space stands before it: the
/// text stays what it was for programs that trim what they read, as those of banks do.
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
