//! Search in names that mix alphabets.

use crate::Money;
use crate::kernel::client_code::{cyrillic_look_alike, to_cyrillic_capitals};
use crate::kernel::person_name::{is_apostrophe, is_combining};
use crate::kernel::text::composed;
use crate::kernel::typed_sum::TypedSum;

/// Returns a text prepared for a search: capitals, Latin look-alikes replaced by Cyrillic letters, apostrophes dropped,
/// each run of white space and dashes as one space, each base with its mark as one character.
///
/// Official names of recipients contain Latin letters inside Ukrainian words («Запорiжжя» with U+0069). Payments keep
/// that spelling, so both the row and the searched text must be folded. The result is never shown.
#[must_use]
pub fn fold_for_search(text: &str) -> String {
    let (capitals, _) = to_cyrillic_capitals(&composed(text));
    let mut folded = String::with_capacity(capitals.len());
    for character in capitals.chars() {
        match character {
            '\'' | '’' | 'ʼ' | '`' | '′' => {}
            // Series of documents never have this letter, so the common table lacks it; names do have it.
            'Y' => folded.push('У'),
            '-' | '‐' | '‑' | '–' | '—' => push_space(&mut folded),
            space if space.is_whitespace() => push_space(&mut folded),
            other => folded.push(other),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// A word of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoughtWord {
    /// The word, folded.
    pub word: String,
    /// The sum that it may name.
    pub sum: Option<Money>,
}

impl SoughtWord {
    /// Returns what is looked for among the sums of payments: the sum as [`Money::decimal`] writes it between spaces, where the word has
    /// kopiykas; otherwise the word itself.
    #[must_use]
    pub fn in_sums(&self) -> String {
        match self.sum {
            Some(sum) if self.word.contains(['.', ',']) => format!(" {} ", sum.decimal()),
            _ => self.word.clone(),
        }
    }
}

/// Returns the words of a search, at most `limit`. A text that is a sum as a whole («1 020,00 грн») is one word, and so are digits in
/// groups of three that end in kopiykas. A number sign before a word and a currency after a sum are dropped.
#[must_use]
pub fn sought_words(text: &str, limit: usize) -> Vec<SoughtWord> {
    if let Some(word) = whole_sum(text) {
        return Vec::from([word]);
    }
    // Before folding, which makes a blank of a dash: «1-245» is no sum.
    let given: Vec<&str> = text.split_whitespace().collect();
    let currencies = ["грн", "грн.", "₴", "UAH"].map(fold_for_search);
    let mut words: Vec<SoughtWord> = Vec::new();
    let mut rest = given.as_slice();
    while let Some(first) = rest.first() {
        let (group, others) = rest.split_at(grouped(rest));
        rest = others;
        let is_currency = currencies.contains(&fold_for_search(first));
        if is_currency && words.last().is_some_and(|word| word.sum.is_some()) {
            continue;
        }
        let typed = group.concat();
        let folded = fold_for_search(&typed);
        let parts = folded
            .split(' ')
            .map(|word| word.trim_start_matches(['№', '#']))
            .filter(|word| !word.is_empty());
        words.extend(parts.map(|word| SoughtWord {
            word: word.to_owned(),
            // What was folded away may have been more than a separator.
            sum: typed.contains(word).then(|| sum_of(word)).flatten(),
        }));
    }
    words.truncate(limit);
    words
}

/// Reads a text that is a sum as a whole.
fn whole_sum(text: &str) -> Option<SoughtWord> {
    let sum = Money::parse_typed(text).ok()?;
    let TypedSum { whole, fraction } = TypedSum::read(text)?;
    let word = match (&*whole, &*fraction) {
        (_, "") => whole,
        ("", _) => format!("0.{fraction}"),
        _ => format!("{whole}.{fraction}"),
    };
    Some(SoughtWord {
        word,
        sum: Some(sum),
    })
}

/// Returns how many of the first words make one number with kopiykas. Without them «12 345» may be two words.
fn grouped(words: &[&str]) -> usize {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((first, others)) = words.split_first() else {
        return 0;
    };
    if !is_digits(first) || first.len() > 3 {
        return 1;
    }
    let mut count = 1;
    for word in others {
        count += 1;
        if let Some((whole, kopiykas)) = word.split_once(['.', ','])
            && whole.len() == 3
            && is_digits(whole)
            && is_digits(kopiykas)
            && kopiykas.len() <= 2
        {
            return count;
        }
        if word.len() != 3 || !is_digits(word) {
            return 1;
        }
    }
    1
}

/// Reads a sum in hryvnias.
fn sum_of(word: &str) -> Option<Money> {
    let (whole, kopiykas) = word.split_once(['.', ',']).unwrap_or((word, "0"));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_sum = (1..=10).contains(&whole.len())
        && is_digits(whole)
        && (1..=2).contains(&kopiykas.len())
        && is_digits(kopiykas);
    is_sum
        .then(|| Money::parse_decimal(&format!("{whole}.{kopiykas:0<2}")).ok())
        .flatten()
}

/// Returns the key by which clients are found: as [`fold_for_search`], and accents, further apostrophes and quotation marks do not
/// count either. A typed text is found in a stored key if each of its words occurs there. The result is never shown.
#[must_use]
pub fn search_key(text: &str) -> String {
    let folded = fold_for_search(text);
    let mut key = String::with_capacity(folded.len());
    for character in folded.chars() {
        match character {
            '«' | '»' | '"' | '“' | '”' | '„' => {}
            ignored if is_apostrophe(ignored) || is_combining(ignored) => {}
            other => {
                let base = without_accent(other);
                key.push(cyrillic_look_alike(base).unwrap_or(base));
            }
        }
    }
    key
}

/// Returns the Latin capital without its accent; other characters as they are.
const fn without_accent(capital: char) -> char {
    match capital {
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' => 'A',
        'Ç' | 'Ć' | 'Ĉ' | 'Ċ' | 'Č' => 'C',
        'Ď' | 'Đ' => 'D',
        'È'..='Ë' | 'Ē' | 'Ĕ' | 'Ė' | 'Ę' | 'Ě' => 'E',
        'Ĝ' | 'Ğ' | 'Ġ' | 'Ģ' => 'G',
        'Ì'..='Ï' | 'Ĩ' | 'Ī' | 'Ĭ' | 'Į' | 'İ' => 'I',
        'Ĺ' | 'Ļ' | 'Ľ' | 'Ł' => 'L',
        'Ñ' | 'Ń' | 'Ņ' | 'Ň' => 'N',
        'Ò'..='Ö' | 'Ø' | 'Ō' | 'Ŏ' | 'Ő' => 'O',
        'Ŕ' | 'Ŗ' | 'Ř' => 'R',
        'Ś' | 'Ŝ' | 'Ş' | 'Š' | 'Ș' => 'S',
        'Ţ' | 'Ť' | 'Ț' => 'T',
        'Ù'..='Ü' | 'Ũ' | 'Ū' | 'Ŭ' | 'Ů' | 'Ű' | 'Ų' => 'U',
        // As in the folding of names: it looks like У.
        'Ý' | 'Ÿ' => 'У',
        'Ź' | 'Ż' | 'Ž' => 'Z',
        other => other,
    }
}

/// Adds one space unless the text is empty or ends in one.
fn push_space(folded: &mut String) {
    if !folded.is_empty() && !folded.ends_with(' ') {
        folded.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_look_alikes_inside_ukrainian_words_are_found() {
        // The first of each pair has Latin letters, as official lists do.
        for (official, typed) in [
            (
                "ГУК у Зап.обл/ТГ м.Запорiжжя",
                "ГУК у Зап.обл/ТГ м.Запоріжжя",
            ),
            ("ГУК у м.Києвi/Шевченк.р-н", "гук у м.києві/шевченк.р-н"),
            ("YK y м.Xapкoвi", "УК у м.Харкові"),
            ("Київ", "Ки\u{456}\u{308}в"),
        ] {
            assert_eq!(
                fold_for_search(official),
                fold_for_search(typed),
                "{official}"
            );
        }
    }

    #[test]
    fn apostrophes_dashes_and_spaces_do_not_matter() {
        assert_eq!(
            fold_for_search("  Кам’янець–Подільський "),
            "КАМЯНЕЦЬ ПОДІЛЬСЬКИЙ"
        );
        assert_eq!(
            fold_for_search("Кам'янець - \u{a0}Подільський"),
            "КАМЯНЕЦЬ ПОДІЛЬСЬКИЙ"
        );
        assert_eq!(fold_for_search(" – "), "");
    }

    fn read(text: &str) -> Vec<(String, Option<i64>)> {
        let words = sought_words(text, 8).into_iter();
        words
            .map(|word| (word.in_sums(), word.sum.map(Money::kopiykas)))
            .collect()
    }

    #[test]
    fn a_sum_is_read_as_people_write_it() {
        for text in [
            "1020,50",
            "1 020,50",
            "1\u{a0}020.5 грн",
            "1020.50 UAH",
            "1020,50 ₴",
        ] {
            assert_eq!(
                read(text),
                [(" 1020.50 ".to_owned(), Some(102_050))],
                "{text}"
            );
        }
        assert_eq!(read("4 080"), [("4080".to_owned(), Some(408_000))]);
        assert_eq!(
            read("коваль 12 345,00"),
            [
                ("КОВАЛЬ".to_owned(), None),
                (" 12345.00 ".to_owned(), Some(1_234_500))
            ]
        );
    }

    #[test]
    fn other_words_stay_as_they_are() {
        assert_eq!(
            read("№100001 коваль 12 345"),
            [
                ("100001".to_owned(), Some(10_000_100)),
                ("КОВАЛЬ".to_owned(), None),
                ("12".to_owned(), Some(1_200)),
                ("345".to_owned(), Some(34_500))
            ]
        );
        assert_eq!(read("20.11.2026"), [("20.11.2026".to_owned(), None)]);
        assert_eq!(
            read("1-245"),
            [
                ("1".to_owned(), Some(100)),
                ("245".to_owned(), Some(24_500))
            ]
        );
        assert!(read("  ").is_empty());
        assert_eq!(sought_words("а б в", 2).len(), 2);
    }

    #[test]
    fn different_letters_stay_different() {
        assert_ne!(fold_for_search("Галич"), fold_for_search("Ґалич"));
        assert_ne!(fold_for_search("Рівне"), fold_for_search("Ривне"));
    }
}
