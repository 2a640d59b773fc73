//! Free text that people type or paste: names, addresses, complaints.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;

use crate::Key;

/// A line of free text: trimmed, 1 to N characters, without control characters or direction marks.
///
/// White space in it (also pasted no-break spaces, tabs and line ends) becomes plain spaces, and zero-width characters
/// are removed, and a letter typed as a base and a mark becomes one character, so that two texts that look the same are equal. Inner
/// spaces stay as typed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(String);

/// Why a text was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing but white space.
    #[error("the text is empty")]
    Empty,
    /// Longer than the field allows.
    #[error("the text is too long")]
    TooLong,
    /// A control character, a direction mark or a code point that is no character.
    #[error("the text has a character that is not allowed")]
    NotAllowed,
    /// No name: without a Cyrillic or Latin letter, or with letters or signs that no name here has.
    #[error("the text is no name in Cyrillic or Latin letters")]
    NotAName,
}

impl TextError {
    /// Returns the message key; `when_empty` is the key of the field for an empty text.
    #[must_use]
    pub const fn key(self, when_empty: Key) -> Key {
        match self {
            Self::Empty => when_empty,
            Self::TooLong => Key::TextTooLong,
            Self::NotAllowed => Key::TextInvalid,
            Self::NotAName => Key::NameInvalid,
        }
    }
}

impl Line {
    /// Parses a line of at most `chars_max` characters (Unicode scalar values, counted after trimming).
    ///
    /// # Errors
    /// Returns the fitting [`TextError`]; a forbidden character takes precedence over the length.
    pub fn parse(text: &str, chars_max: usize) -> Result<Self, TextError> {
        Self::parse_saved(&typed_line(text)?, chars_max)
    }

    /// Reads a stored line. Earlier versions accepted tags and characters of private use.
    ///
    /// # Errors
    /// As [`Line::parse`].
    pub fn parse_saved(text: &str, chars_max: usize) -> Result<Self, TextError> {
        let clean = tidy(text)?;
        if clean.is_empty() {
            Err(TextError::Empty)
        } else if clean.chars().count() > chars_max {
            Err(TextError::TooLong)
        } else {
            Ok(Self(clean))
        }
    }

    /// Wraps a text that another type has tidied and measured.
    pub(crate) const fn tidied(text: String) -> Self {
        Self(text)
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the owned text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Shows only the length: a free text may name a person.
impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({} chars)", self.0.chars().count())
    }
}

/// The full name of a person or an entity: a [`Line`] of at most [`PersonName::CHARS_MAX`] characters in which runs of
/// spaces are one space.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonName(String);

impl PersonName {
    /// The longest name that the national payment system carries.
    pub const CHARS_MAX: usize = 140;

    /// Reads a stored name. Earlier versions accepted tags, characters of private use, and what is no name.
    ///
    /// # Errors
    /// As [`Line::parse`].
    pub fn parse_saved(text: &str) -> Result<Self, TextError> {
        let spaced = tidy(text)?
            .split(' ')
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        Line::parse_saved(&spaced, Self::CHARS_MAX).map(|line| Self(line.0))
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Wraps a name whose characters were replaced by no more of them.
    pub(crate) const fn changed(text: String) -> Self {
        Self(text)
    }

    /// Returns the first letter of each word: `Г. П. О.`
    #[must_use]
    pub fn initials(&self) -> String {
        let initials: Vec<String> = self
            .0
            .split(' ')
            .filter_map(|word| word.chars().find(|letter| letter.is_alphabetic()))
            .map(|letter| format!("{letter}."))
            .collect();
        initials.join(" ")
    }

    /// Returns the name as a line.
    #[must_use]
    pub fn to_line(&self) -> Line {
        Line(self.0.clone())
    }
}

/// Hides the name.
impl fmt::Debug for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonName(…)")
    }
}

/// Returns whether a character is invisible: zero-width characters and the soft hyphen, which pasting brings, joiners, fillers and operators
/// that have no form of their own. Two names that look alike would differ by them.
pub(crate) const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
    )
}

/// Returns whether a character between digits is not seen and leaves them in their order: invisible characters, marks of the writing
/// direction that spreadsheets and telephones put around copied numbers, and variation selectors. What reverses the order that is
/// seen (U+202B, U+202D, U+202E, U+2067) is not among them.
pub(crate) const fn is_unseen_between_digits(character: char) -> bool {
    is_invisible(character)
        || matches!(
            character,
            '\u{200e}' | '\u{200f}' | '\u{202a}' | '\u{202c}' | '\u{2066}' | '\u{2068}' | '\u{2069}' | '\u{180b}'..='\u{180d}'
                | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'
        )
}

/// Returns the text without white space and characters that are not seen, as codes and numbers are read.
pub(crate) fn without_white_space(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    bare.extend(
        text.chars().filter(|character| {
            !character.is_whitespace() && !is_unseen_between_digits(*character)
        }),
    );
    bare
}

/// Returns the text trimmed, with plain spaces only and without invisible characters.
///
/// # Errors
/// [`TextError::NotAllowed`] for control characters and the like.
pub fn tidy(text: &str) -> Result<String, TextError> {
    // The fast path: nearly every text is tidy already.
    if text.chars().all(is_plain) && !text.starts_with(' ') && !text.ends_with(' ') {
        return Ok(text.to_owned());
    }
    let mut clean = String::with_capacity(text.len());
    let mut after_carriage_return = false;
    for character in text.chars() {
        let second_half_of_line_end = after_carriage_return && character == '\n';
        after_carriage_return = character == '\r';
        if second_half_of_line_end || is_invisible(character) {
            continue;
        }
        if character.is_whitespace() {
            clean.push(' ');
        } else if is_allowed(character) {
            clean.push(character);
        } else {
            return Err(TextError::NotAllowed);
        }
    }
    let trimmed = clean.trim_matches(' ');
    Ok(if trimmed.len() == clean.len() {
        clean
    } else {
        trimmed.to_owned()
    })
}

/// Returns a typed text as [`tidy`] does, with each base and its mark as one character (NFC).
///
/// # Errors
/// [`TextError::NotAllowed`] as [`tidy`], and for characters that say nothing to people.
pub(crate) fn typed_line(text: &str) -> Result<String, TextError> {
    if has_meaningless(text) {
        return Err(TextError::NotAllowed);
    }
    Ok(composed(&tidy(text)?))
}

/// Returns the text in NFC.
pub(crate) fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// Returns whether a character is certainly allowed. It covers most characters of usual texts; [`is_allowed`] decides
/// about the others.
fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~' | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{4ff}' | '«' | '»' | '’' | '№')
}

/// Returns whether a character is allowed: no control character, no direction mark, no code point without a character.
fn is_allowed(character: char) -> bool {
    let is_direction_mark = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    let code = u32::from(character);
    let is_no_character =
        (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe || character == '\u{fffd}';
    !character.is_control() && !is_direction_mark && !is_no_character
}

/// Returns whether a text has a character that says nothing to people: a tag, which is an invisible copy of ASCII, or a character
/// of private use, which each font draws as it likes.
fn has_meaningless(text: &str) -> bool {
    text.chars().any(|character| {
        matches!(
            character,
            '\u{e0000}'..='\u{e007f}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{f0000}'..='\u{ffffd}'
                | '\u{100000}'..='\u{10fffd}'
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<String, TextError> {
        Line::parse(text, 10).map(Line::into_string)
    }

    #[test]
    fn lines_are_trimmed_and_have_plain_spaces() {
        assert_eq!(line(" \u{a0}а б\t").as_deref(), Ok("а б"));
        assert_eq!(line("а\u{a0}б\u{2009}в\tг").as_deref(), Ok("а б в г"));
        assert_eq!(line("а\r\nб\nв").as_deref(), Ok("а б в"));
        assert_eq!(line("\u{feff}а\u{200b}б\u{ad}").as_deref(), Ok("аб"));
        assert_eq!(
            line("а\u{34f}б\u{3164}\u{ffa0}\u{2063}в\u{180e}").as_deref(),
            Ok("абв")
        );
        assert_eq!(line("а  б").as_deref(), Ok("а  б"));
    }

    /// The fast path must accept only what the slow one leaves unchanged.
    #[test]
    fn plain_characters_stand_as_they_are() {
        let mut plain = 0;
        for character in ('\0'..=char::MAX).filter(|character| is_plain(*character)) {
            assert!(is_allowed(character) && !is_invisible(character));
            assert!(character == ' ' || !character.is_whitespace());
            plain += 1;
        }
        assert!(plain > 200);
    }

    #[test]
    fn length_is_counted_in_characters_after_trimming() {
        assert_eq!(line("  їїїїїїїїїї  ").as_deref(), Ok("їїїїїїїїїї"));
        assert_eq!(line("їїїїїїїїїїї"), Err(TextError::TooLong));
        assert_eq!(line("🖋🖋🖋🖋🖋🖋🖋🖋🖋🖋").map(|text| text.chars().count()), Ok(10));
        assert_eq!(line(" \u{200b} "), Err(TextError::Empty));
    }

    #[test]
    fn unlawful_characters_are_refused() {
        for bad in [
            "а\0б",
            "а\u{1b}б",
            "а\u{202e}б",
            "\u{200f}",
            "а\u{2066}",
            "\u{fffe}",
            "\u{1ffff}",
            "\u{fffd}",
            "\u{7f}",
            "а\u{e0041}\u{e007f}",
            "а\u{e000}",
            "\u{f8ff}",
            "а\u{f0000}",
            "\u{10fffd}",
        ] {
            assert_eq!(line(bad), Err(TextError::NotAllowed), "{bad:?}");
        }
    }

    #[test]
    fn names_stored_before_are_still_read() {
        let old = "Олена \u{e000}\u{e0041}";
        assert_eq!(PersonName::parse(old), Err(TextError::NotAllowed));
        assert_eq!(PersonName::parse_saved(old).unwrap().as_str(), old);
        assert_eq!(Line::parse_saved(old, 10).unwrap().as_str(), old);
    }

    #[test]
    fn names_have_single_spaces_and_stay_out_of_debug_output() {
        let name = PersonName::parse("  Шевченко   Олена\u{a0} Іванівна ").unwrap();
        assert_eq!(name.as_str(), "Шевченко Олена Іванівна");
        assert_eq!(
            format!("{name:?} {:?}", name.to_line()),
            "PersonName(…) Line(23 chars)"
        );
        assert_eq!(PersonName::parse(&"я".repeat(141)), Err(TextError::TooLong));
        assert!(PersonName::parse(&"я".repeat(140)).is_ok());
        assert_eq!(
            PersonName::parse("\u{a0}").map_err(|error| error.key(Key::FullNameRequired)),
            Err(Key::FullNameRequired)
        );
    }
}
