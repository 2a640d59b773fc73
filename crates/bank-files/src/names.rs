//! Hiding persons' names in a bank's words: the reason of a return may be the whole text of the payment.

/// Fewest letters by which a word is known in its other cases.
const STEM_MIN: usize = 3;
/// Letters in which the cases of a name differ at its end.
const ENDING: usize = 2;
/// What stands for a name.
const HIDDEN: &str = "…";

/// Hides each word of these persons' names in a text, in any case of letters or grammar. A word that only begins like a name is hidden,
/// too: a reason that lacks a word harms less than a name that everybody reads.
#[must_use]
pub fn without_names(text: &str, names: &[&str]) -> String {
    let names: Vec<Vec<char>> = names
        .iter()
        .flat_map(|name| name.split(|letter| !is_of_word(letter)))
        .map(plain)
        .filter(|name| name.len() > 1)
        .collect();
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let belongs = is_of_word(first);
        let end = rest
            .find(|letter| is_of_word(letter) != belongs)
            .unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        let word = plain(part);
        let is_name = belongs && names.iter().any(|name| is_form(&word, name));
        shown.push_str(if is_name { HIDDEN } else { part });
        rest = after;
    }
    shown
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphabetic() || is_apostrophe(letter)
}

const fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | 'ʼ' | '`')
}

fn plain(word: &str) -> Vec<char> {
    let letters = word.chars().filter(|letter| !is_apostrophe(*letter));
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns whether a word is a name in one of its grammatical cases.
fn is_form(word: &[char], name: &[char]) -> bool {
    if name.len() <= STEM_MIN {
        return word == name;
    }
    let stem = name.len().saturating_sub(ENDING).max(STEM_MIN);
    let same = word
        .iter()
        .zip(name)
        .take_while(|(one, other)| one == other);
    same.count() >= stem && word.len() <= name.len() + ENDING
}

#[cfg(test)]
mod tests {
    use super::without_names;

    #[test]
    fn names_are_hidden_whole_alone_and_in_other_cases() {
        let names = [
            "Гнатюк Петро Олександрович",
            "Дем'яненко Ян-Мар’ян Іванівна",
        ];
        for (text, shown) in [
            (
                "Мито, Гнатюк Петро Олександрович, код 1",
                "Мито, … … …, код 1",
            ),
            ("за ГНАТЮКА П.О.; Петром", "за … П.О.; …"),
            ("платіж Дем’яненка повернено", "платіж … повернено"),
            ("ян, Мар'яна", "…, …"),
            (
                "Рахунок отримувача закрито (AC04)",
                "Рахунок отримувача закрито (AC04)",
            ),
            ("", ""),
        ] {
            assert_eq!(without_names(text, &names), shown, "{text}");
            assert_eq!(without_names(shown, &names), shown);
        }
        assert_eq!(without_names("Гнатюк", &[]), "Гнатюк");
    }
}
