//! Search in names that mix alphabets.

use crate::client_code::to_cyrillic_capitals;

/// Returns a text prepared for a search: capitals, Latin look-alikes replaced by Cyrillic letters, apostrophes dropped,
/// each run of white space and dashes as one space.
///
/// Official names of recipients contain Latin letters inside Ukrainian words («Запорiжжя» with U+0069). Payments keep
/// that spelling, so both the row and the searched text must be folded. The result is never shown.
#[must_use]
pub fn fold_for_search(text: &str) -> String {
    let (capitals, _) = to_cyrillic_capitals(text);
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

    #[test]
    fn different_letters_stay_different() {
        assert_ne!(fold_for_search("Галич"), fold_for_search("Ґалич"));
        assert_ne!(fold_for_search("Рівне"), fold_for_search("Ривне"));
    }
}
