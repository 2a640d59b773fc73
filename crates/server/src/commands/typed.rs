//! Days, numbers and names as people type them.

use cabinet_domain::kyiv_date;
use jiff::civil::Date;

use crate::{console, environment};

/// Reads a day (Kyiv): `2026-11-28`, `28.11.2026`, `today` or `yesterday`.
///
/// # Errors
/// Says how a day is written.
pub fn day(text: &str) -> Result<Date, String> {
    day_on(text, kyiv_date(environment::now()))
        .ok_or_else(|| "a day is written 2026-11-28, 28.11.2026, today or yesterday".to_owned())
}

fn day_on(text: &str, today: Date) -> Option<Date> {
    let text = text.trim().to_lowercase();
    match text.as_str() {
        "today" | "сьогодні" => return Some(today),
        "yesterday" | "вчора" | "учора" => return today.yesterday().ok(),
        _ => {}
    }
    let parts: Vec<&str> = text.split('.').collect();
    if let [day, month, year] = parts[..] {
        let year = (year.len() == 4).then(|| year.parse().ok())??;
        return Date::new(year, month.parse().ok()?, day.parse().ok()?).ok();
    }
    text.parse().ok()
}

/// Reads the number of an order: `100001`, `№100001`, `# 100 001`.
///
/// # Errors
/// Says how a number is written.
pub fn order_number(text: &str) -> Result<i64, String> {
    let digits: String = text
        .trim()
        .trim_start_matches(['№', '#'])
        .chars()
        .filter(|sign| !sign.is_whitespace())
        .collect();
    digits
        .parse()
        .map_err(|_| "the number of an order has digits alone, as 100001".to_owned())
}

/// Reads who is looked for: the text itself, or a line of standard input where the text is `-`. So names, telephones and codes of people stay out of
/// the history of the shell and out of the list of processes, which every user of the machine may read.
///
/// # Errors
/// Standard input has no line, or can't be read.
pub fn or_of_input(text: &str) -> Result<String, String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    match console::line("Who or what is looked for? ") {
        Ok(line) if !line.trim().is_empty() => Ok(line.trim().to_owned()),
        Ok(_) => Err("standard input has no line with it".to_owned()),
        Err(error) => Err(format!("standard input can't be read: {error}")),
    }
}

/// Returns a telephone number without the word before it: `тел. 067 111 22 33`. Any other text stays as it is.
pub fn bare_phone(text: &str) -> &str {
    let text = text.trim();
    let is_of_word =
        |sign: char| sign.is_alphabetic() || matches!(sign, '.' | ':') || sign.is_whitespace();
    let rest = text.trim_start_matches(is_of_word);
    let word: String = text
        .strip_suffix(rest)
        .unwrap_or_default()
        .chars()
        .filter(|sign| sign.is_alphabetic())
        .collect();
    match word.to_lowercase().as_str() {
        "тел" | "телефон" | "т" | "моб" | "tel" => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_day_is_read_as_people_write_it() {
        let today = date(2026, 3, 1);
        for (text, read) in [
            ("2026-11-28", Some(date(2026, 11, 28))),
            ("28.11.2026", Some(date(2026, 11, 28))),
            ("1.3.2026", Some(today)),
            ("today", Some(today)),
            ("Вчора", Some(date(2026, 2, 28))),
            ("yesterday", Some(date(2026, 2, 28))),
            ("28.11.26", None),
            ("29.02.2026", None),
            ("tomorrow", None),
            ("", None),
        ] {
            assert_eq!(day_on(text, today), read, "{text}");
        }
    }

    #[test]
    fn a_telephone_is_read_with_the_word_before_it() {
        for (text, bare) in [
            ("тел. 067 111 22 33", "067 111 22 33"),
            ("Тел.: +380671112233", "+380671112233"),
            ("моб. (067) 111-22-33", "(067) 111-22-33"),
            ("tel:0671112233", "0671112233"),
            (" 067 111 22 33 ", "067 111 22 33"),
            ("NOTAR20001", "NOTAR20001"),
            ("тел", ""),
        ] {
            assert_eq!(bare_phone(text), bare, "{text}");
        }
    }

    #[test]
    fn the_number_of_an_order_is_read_as_people_write_it() {
        for text in [
            "100001",
            "№100001",
            "№ 100 001",
            "#100001",
            " 100\u{a0}001 ",
        ] {
            assert_eq!(order_number(text), Ok(100_001), "{text}");
        }
        assert!(order_number("100001a").is_err() && order_number("№").is_err());
    }
}
