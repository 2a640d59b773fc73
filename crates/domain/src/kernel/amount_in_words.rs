//! Sums in words, as payment documents need them: hryvnias in words, kopiykas in two digits.

use crate::{Locale, Money};

/// The numbers below twenty, masculine.
const UKRAINIAN_UNITS: [&str; 20] = [
    "",
    "один",
    "два",
    "три",
    "чотири",
    "п’ять",
    "шість",
    "сім",
    "вісім",
    "дев’ять",
    "десять",
    "одинадцять",
    "дванадцять",
    "тринадцять",
    "чотирнадцять",
    "п’ятнадцять",
    "шістнадцять",
    "сімнадцять",
    "вісімнадцять",
    "дев’ятнадцять",
];
/// The tens; ten and the teens are among the units.
const UKRAINIAN_TENS: [&str; 10] = [
    "",
    "",
    "двадцять",
    "тридцять",
    "сорок",
    "п’ятдесят",
    "шістдесят",
    "сімдесят",
    "вісімдесят",
    "дев’яносто",
];
const UKRAINIAN_HUNDREDS: [&str; 10] = [
    "",
    "сто",
    "двісті",
    "триста",
    "чотириста",
    "п’ятсот",
    "шістсот",
    "сімсот",
    "вісімсот",
    "дев’ятсот",
];

/// Returns the sum in words, with a capital first letter: `Триста сорок гривень 00 копійок`, `Three hundred forty
/// hryvnias 00 kopiykas`.
#[must_use]
pub fn amount_in_words(sum: Money, locale: Locale) -> String {
    let hryvnias = sum.kopiykas() / 100;
    let kopiykas = sum.kopiykas() % 100;
    let text = match locale {
        Locale::Uk => format!(
            "{} {} {kopiykas:02} {}",
            number_in_ukrainian(hryvnias),
            ukrainian_form(hryvnias, ["гривня", "гривні", "гривень"]),
            ukrainian_form(kopiykas, ["копійка", "копійки", "копійок"]),
        ),
        Locale::En => format!(
            "{} {} {kopiykas:02} {}",
            number_in_english(hryvnias),
            if hryvnias == 1 { "hryvnia" } else { "hryvnias" },
            if kopiykas == 1 { "kopiyka" } else { "kopiykas" },
        ),
    };
    capitalised(&text)
}

/// Returns the word for the digit of a place; empty for zero.
fn word<const WORDS: usize>(words: [&'static str; WORDS], index: i64) -> &'static str {
    usize::try_from(index)
        .ok()
        .and_then(|index| words.get(index).copied())
        .unwrap_or_default()
}

/// Joins the words that are not empty with spaces.
fn joined(words: &[&str]) -> String {
    words
        .iter()
        .copied()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the text with its first letter in upper case.
fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next()
        .map(|first| first.to_uppercase().chain(rest).collect())
        .unwrap_or_default()
}

/// Returns the form of a noun after a number: one (1, 21), few (2-4, 22-24), many (0, 5-20, 25).
fn ukrainian_form(number: i64, [one, few, many]: [&'static str; 3]) -> &'static str {
    match (number % 100, number % 10) {
        (11..=14, _) => many,
        (_, 1) => one,
        (_, 2..=4) => few,
        _ => many,
    }
}

/// Returns a number below a milliard in Ukrainian, agreeing with a feminine noun such as `гривня`.
fn number_in_ukrainian(number: i64) -> String {
    if number == 0 {
        return "нуль".to_owned();
    }
    let (millions, thousands, units) = (number / 1_000_000, number / 1000 % 1000, number % 1000);
    let named = |count: i64, is_feminine: bool, forms: [&'static str; 3]| {
        if count == 0 {
            String::new()
        } else {
            joined(&[
                &below_thousand_in_ukrainian(count, is_feminine),
                ukrainian_form(count, forms),
            ])
        }
    };
    joined(&[
        &named(millions, false, ["мільйон", "мільйони", "мільйонів"]),
        &named(thousands, true, ["тисяча", "тисячі", "тисяч"]),
        &below_thousand_in_ukrainian(units, true),
    ])
}

/// Returns a number from 0 (empty) to 999; one and two have a gender.
fn below_thousand_in_ukrainian(number: i64, is_feminine: bool) -> String {
    let below_hundred = number % 100;
    let units = match below_hundred {
        0..=19 => below_hundred,
        _ => below_hundred % 10,
    };
    joined(&[
        word(UKRAINIAN_HUNDREDS, number / 100),
        word(UKRAINIAN_TENS, below_hundred / 10),
        match (units, is_feminine) {
            (1, true) => "одна",
            (2, true) => "дві",
            _ => word(UKRAINIAN_UNITS, units),
        },
    ])
}

/// Returns a number below a milliard in English.
fn number_in_english(number: i64) -> String {
    if number == 0 {
        return "zero".to_owned();
    }
    let named = |count: i64, name: &'static str| {
        if count == 0 {
            String::new()
        } else {
            joined(&[&below_thousand_in_english(count), name])
        }
    };
    joined(&[
        &named(number / 1_000_000, "million"),
        &named(number / 1000 % 1000, "thousand"),
        &below_thousand_in_english(number % 1000),
    ])
}

/// Returns a number from 0 (empty) to 999.
fn below_thousand_in_english(number: i64) -> String {
    const UNITS: [&str; 20] = [
        "",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] = [
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let hundreds = match number / 100 {
        0 => String::new(),
        count => joined(&[word(UNITS, count), "hundred"]),
    };
    let below_hundred = match (number % 100 / 10, number % 10) {
        (0 | 1, _) => word(UNITS, number % 100).to_owned(),
        (tens, 0) => word(TENS, tens).to_owned(),
        (tens, units) => format!("{}-{}", word(TENS, tens), word(UNITS, units)),
    };
    joined(&[&hundreds, &below_hundred])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(hryvnias: &str, locale: Locale) -> String {
        amount_in_words(Money::parse_decimal(hryvnias).unwrap(), locale)
    }

    #[test]
    fn ukrainian_sums_agree_in_gender_and_number() {
        for (hryvnias, expected) in [
            ("0.00", "Нуль гривень 00 копійок"),
            ("0.01", "Нуль гривень 01 копійка"),
            ("1.00", "Одна гривня 00 копійок"),
            ("2.02", "Дві гривні 02 копійки"),
            ("5.05", "П’ять гривень 05 копійок"),
            ("10.10", "Десять гривень 10 копійок"),
            ("11.11", "Одинадцять гривень 11 копійок"),
            ("12.14", "Дванадцять гривень 14 копійок"),
            ("21.21", "Двадцять одна гривня 21 копійка"),
            ("99.99", "Дев’яносто дев’ять гривень 99 копійок"),
            ("111.00", "Сто одинадцять гривень 00 копійок"),
            ("340.00", "Триста сорок гривень 00 копійок"),
            ("1000.00", "Одна тисяча гривень 00 копійок"),
            (
                "1684.94",
                "Одна тисяча шістсот вісімдесят чотири гривні 94 копійки",
            ),
            ("2001.00", "Дві тисячі одна гривня 00 копійок"),
            ("12000.00", "Дванадцять тисяч гривень 00 копійок"),
            (
                "16889.60",
                "Шістнадцять тисяч вісімсот вісімдесят дев’ять гривень 60 копійок",
            ),
            (
                "21222.22",
                "Двадцять одна тисяча двісті двадцять дві гривні 22 копійки",
            ),
            ("1000000.00", "Один мільйон гривень 00 копійок"),
            (
                "2002002.00",
                "Два мільйони дві тисячі дві гривні 00 копійок",
            ),
            ("5000003.00", "П’ять мільйонів три гривні 00 копійок"),
            (
                "999999999.99",
                "Дев’ятсот дев’яносто дев’ять мільйонів дев’ятсот дев’яносто дев’ять тисяч дев’ятсот дев’яносто \
                 дев’ять гривень 99 копійок",
            ),
        ] {
            assert_eq!(words(hryvnias, Locale::Uk), expected);
        }
    }

    #[test]
    fn english_sums_agree_in_number() {
        for (hryvnias, expected) in [
            ("0.00", "Zero hryvnias 00 kopiykas"),
            ("1.01", "One hryvnia 01 kopiyka"),
            ("13.13", "Thirteen hryvnias 13 kopiykas"),
            ("340.00", "Three hundred forty hryvnias 00 kopiykas"),
            ("1021.00", "One thousand twenty-one hryvnias 00 kopiykas"),
            ("100000000.00", "One hundred million hryvnias 00 kopiykas"),
            ("5000003.02", "Five million three hryvnias 02 kopiykas"),
        ] {
            assert_eq!(words(hryvnias, Locale::En), expected);
        }
    }
}
