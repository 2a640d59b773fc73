//! What a name may be, and mending what slips into it while it is typed or pasted.

use crate::kernel::client_code::cyrillic_look_alike;
use crate::kernel::text::{PersonName, TextError, composed, typed_line};

/// The apostrophe of Ukrainian words.
const APOSTROPHE: char = '’';

impl PersonName {
    /// Parses a name.
    ///
    /// # Errors
    /// As [`crate::Line::parse`], and [`TextError::NotAName`].
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let name = Self::parse_saved(&typed_line(text)?)?;
        if is_name(name.as_str()) {
            Ok(name)
        } else {
            Err(TextError::NotAName)
        }
    }

    /// Returns the name with the apostrophe ’ in its words and without Latin letters inside Cyrillic words.
    ///
    /// Only a word that has Cyrillic letters is changed, and only if each of its Latin letters looks like a Cyrillic one: names of
    /// companies and of foreigners have Latin words. An apostrophe that is not between two letters may be a quotation mark and
    /// stays.
    #[must_use]
    pub fn mended(&self) -> PersonName {
        let words = self
            .as_str()
            .split_inclusive(|character| !is_of_word(character));
        Self::changed(composed(&words.map(mend_word).collect::<String>()))
    }
}

/// Mends a word, which may have a separator at its end.
fn mend_word(word: &str) -> String {
    let is_mixed = is_mixed(word);
    let mut mended = String::with_capacity(word.len());
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        let before = mended.chars().next_back();
        let is_inside = before.is_some_and(is_letter_or_mark)
            && characters.peek().copied().is_some_and(is_letter_or_mark);
        if is_apostrophe(character) && is_inside {
            mended.push(APOSTROPHE);
        } else if is_mixed {
            mended.push(look_alike(character).unwrap_or(character));
        } else {
            mended.push(character);
        }
    }
    mended
}

/// Returns whether a word has Cyrillic letters, and others that all look like Cyrillic ones.
fn is_mixed(word: &str) -> bool {
    let letters = || word.chars().filter(|character| is_letter(*character));
    let is_cyrillic = |character| matches!(character, '\u{400}'..='\u{52f}');
    letters().any(is_cyrillic)
        && letters().any(|letter| !is_cyrillic(letter))
        && letters().all(|letter| is_cyrillic(letter) || look_alike(letter).is_some())
}

/// Returns the Cyrillic letter that looks like this Latin one.
const fn look_alike(latin: char) -> Option<char> {
    Some(match latin {
        'Y' => 'У',
        'a' => 'а',
        'c' => 'с',
        'e' => 'е',
        'i' => 'і',
        'o' => 'о',
        'p' => 'р',
        'x' => 'х',
        'y' => 'у',
        'ï' => 'ї',
        capital => return cyrillic_look_alike(capital),
    })
}

/// Returns whether a text can be the name of a person or an entity: Cyrillic or Latin letters, at least one of them, each with at most
/// one mark that is no part of it, such as a stress; digits, the signs of ASCII, and those of companies' names.
fn is_name(text: &str) -> bool {
    let mut before = None;
    for character in text.chars() {
        let is_marked = is_combining(character) && before.is_some_and(is_name_letter);
        if !is_marked && !is_name_letter(character) && !is_name_sign(character) {
            return false;
        }
        before = Some(character);
    }
    text.chars().any(is_name_letter)
}

const fn is_name_letter(character: char) -> bool {
    matches!(
        character,
        'A'..='Z' | 'a'..='z' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}'
    )
}

const fn is_name_sign(character: char) -> bool {
    is_apostrophe(character)
        || matches!(
            character,
            ' '..='~' | '‐' | '‑' | '–' | '—' | '«' | '»' | '“' | '”' | '„' | '№'
        )
}

/// Returns whether a character is used as an apostrophe.
pub(crate) const fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | 'ʼ' | '`' | '′' | '‘' | '´')
}

/// Returns whether a character is a combining mark, for instance an accent.
pub(crate) const fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

/// The apostrophe U+02BC is a letter for Unicode.
fn is_letter(character: char) -> bool {
    character.is_alphabetic() && !is_apostrophe(character) && !is_combining(character)
}

fn is_letter_or_mark(character: char) -> bool {
    is_letter(character) || is_combining(character)
}

fn is_of_word(character: char) -> bool {
    is_letter_or_mark(character) || is_apostrophe(character)
}
