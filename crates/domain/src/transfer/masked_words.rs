//! Hiding codes and accounts in a bank's words, before they are shown to everybody or leave the cabinet in a letter.

/// Fewest digits that are hidden: they may be somebody's code, account or card.
const HIDDEN_DIGITS_MIN: usize = 6;

/// Hides long numbers in a text, with the two letters and the digits of an IBAN before them. Digits belong to one number if nothing
/// but single spaces or hyphens stands between them, as in an account that is written in groups of four. Days such as 05.03.2026 and
/// short numbers stay.
#[must_use]
pub fn without_codes(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut shown = String::with_capacity(text.len());
    let mut place = 0;
    while let Some(letter) = letters.get(place) {
        if !letter.is_ascii_digit() {
            shown.push(*letter);
            place += 1;
            continue;
        }
        let (end, digits) = number_at(&letters, place);
        if digits >= HIDDEN_DIGITS_MIN {
            shown.push('…');
        } else {
            shown.extend(letters.get(place..end).unwrap_or_default());
        }
        place = end;
    }
    shown
}

/// Returns the end of the number that begins at a digit, and how many digits it has.
fn number_at(letters: &[char], start: usize) -> (usize, usize) {
    let is_digit = |place: usize| letters.get(place).is_some_and(char::is_ascii_digit);
    let (mut end, mut digits) = (start, 0);
    while is_digit(end) {
        digits += 1;
        end += 1;
        let is_separated = matches!(letters.get(end), Some(' ' | '\u{a0}' | '-'));
        if is_separated && is_digit(end + 1) {
            end += 1;
        }
    }
    (end, digits)
}

#[cfg(test)]
mod tests {
    use super::without_codes;

    #[test]
    fn long_numbers_of_a_bank_are_hidden_however_they_are_grouped() {
        for (text, shown) in [
            ("Рахунок закрито; код 12", "Рахунок закрито; код 12"),
            ("Невірний код 3652504575, UA22305299", "Невірний код …, UA…"),
            (
                "UA22 3052 9900 0002 6001 2335 6671 8 закрито",
                "UA… закрито",
            ),
            ("картка 4242 4242-4242\u{a0}4242.", "картка …."),
            ("123456", "…"),
            ("12345 6", "…"),
            ("12345", "12345"),
            (
                "повернуто 05.03.2026, пункт 5",
                "повернуто 05.03.2026, пункт 5",
            ),
            ("12  345678", "12  …"),
            ("", ""),
        ] {
            assert_eq!(without_codes(text), shown, "{text}");
        }
    }
}
