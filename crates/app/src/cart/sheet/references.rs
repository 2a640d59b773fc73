//! What is written in a workbook's own way: references to cells, and characters that XML can't carry.

/// Last row and column of a sheet, counted from 1.
const ROWS: u32 = 1_048_576;
const COLUMNS: usize = 16_384;

/// A cell of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// The number of its row. The first is 1.
    pub(super) row: u32,
    /// The place of its column. The first is 0.
    pub(super) column: usize,
}

impl Reference {
    /// Reads a reference such as `B12`.
    pub(super) fn parse(text: &str) -> Option<Reference> {
        let digits = text.find(|sign: char| !sign.is_ascii_alphabetic())?;
        let (letters, row) = text.split_at_checked(digits)?;
        if letters.len() > 3 {
            return None;
        }
        let column = letters.bytes().fold(0, |column, letter| {
            column * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
        });
        Some(Reference {
            row: Reference::row(row)?,
            column: (1..=COLUMNS).contains(&column).then(|| column - 1)?,
        })
    }

    /// Reads the number of a row.
    pub(super) fn row(text: &str) -> Option<u32> {
        let is_number =
            (1..=7).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit());
        let row: u32 = is_number.then(|| text.parse().ok())??;
        (1..=ROWS).contains(&row).then_some(row)
    }
}

/// Returns a text with its escaped characters, such as `_x000D_`, resolved (ECMA-376, part 1, section 22.9.2.19).
pub(super) fn without_escapes(text: &str) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find("_x") {
        let (before, from) = rest.split_at(place);
        resolved.push_str(before);
        let sign = from.get(2..6).zip(from.get(6..7)).and_then(|(code, end)| {
            let is_code = end == "_" && code.bytes().all(|sign| sign.is_ascii_hexdigit());
            let code = is_code.then(|| u32::from_str_radix(code, 16).ok())??;
            Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
        });
        let length = match sign {
            Some(sign) => {
                resolved.push(sign);
                7
            }
            None => {
                resolved.push_str("_x");
                2
            }
        };
        rest = from.get(length..).unwrap_or_default();
    }
    resolved.push_str(rest);
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_up_to_the_last_cell() {
        let at = |row, column| Some(Reference { row, column });
        for (text, expected) in [
            ("A1", at(1, 0)),
            ("z9", at(9, 25)),
            ("AA10", at(10, 26)),
            ("XFD1048576", at(1_048_576, 16_383)),
            ("XFE1", None),
            ("A1048577", None),
            ("A0", None),
            ("A", None),
            ("12", None),
            ("", None),
            ("AAAA1", None),
            ("A99999999999999999999", None),
            ("A-1", None),
            ("Я1", None),
        ] {
            assert_eq!(Reference::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn escaped_characters_are_resolved() {
        for (text, expected) in [
            ("рядок_x000D_\nдругий", "рядок\r\nдругий"),
            ("_x005F_x000D_", "_x000D_"),
            ("_x00", "_x00"),
            ("_xyz__x0041_", "_xyz_A"),
            ("_xD800_", "\u{fffd}"),
            ("_x_xІІІІ_", "_x_xІІІІ_"),
            ("", ""),
        ] {
            assert_eq!(without_escapes(text), expected);
        }
    }
}
