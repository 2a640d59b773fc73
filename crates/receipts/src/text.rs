//! Turns any text into lines of glyphs: cleaning, measuring, breaking.
//!
//! Names and purposes come from people, banks and the acquirer, so they may contain any Unicode character. A character without
//! a glyph is drawn as a white square. Screen readers and copied text still have the original character.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::font::{Fonts, Glyph, Typeface, Weight};
use crate::units::{Length, at_size};

/// Longest text, in letters. The rest is replaced by an ellipsis, so that no text can fill a thousand pages.
const LETTERS_MAX: usize = 4_000;

/// A letter with its glyph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter {
    /// The drawn character.
    pub(crate) shown: char,
    /// The original character.
    pub(crate) written: char,
    pub(crate) glyph: Glyph,
    /// Distance to the next letter in font units, with kerning.
    pub(crate) advance: i32,
}

/// The letters of a paragraph that form a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    /// The end of the line, after the spaces at which it was broken. They belong to it, so that screen readers separate the words.
    pub(crate) end: usize,
    /// Its width without the spaces at the end.
    pub(crate) width: Length,
}

/// A text in one weight and size, broken into lines.
#[derive(Clone, Debug)]
pub(crate) struct Paragraph {
    pub(crate) weight: Weight,
    pub(crate) size: Length,
    letters: Vec<Letter>,
    pub(crate) lines: Vec<Line>,
}

impl Paragraph {
    /// Breaks a text so that no line is wider than `width`.
    pub(crate) fn new(
        fonts: &Fonts,
        text: &str,
        weight: Weight,
        size: Length,
        width: Length,
    ) -> Paragraph {
        let face = fonts.of(weight);
        let letters = letters(text, face);
        let lines = break_lines(&letters, face.units_per_em, size, width);
        Paragraph {
            weight,
            size,
            letters,
            lines,
        }
    }

    /// Returns the letters of a line.
    pub(crate) fn letters_of(&self, line: Line) -> &[Letter] {
        self.letters.get(line.start..line.end).unwrap_or_default()
    }

    /// Returns the width of the widest line.
    pub(crate) fn width(&self) -> Length {
        self.lines.iter().map(|line| line.width).max().unwrap_or(0)
    }
}

/// Converts a text into letters with glyphs. Line breaks and tabs become spaces. Control characters, direction marks, joiners
/// and combining marks that can't be composed are left out.
fn letters(text: &str, face: &Typeface) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::with_capacity(text.len().min(LETTERS_MAX));
    let push = |written: char| {
        let shown = match written {
            '\u{2000}'..='\u{2006}' | '\u{2008}'..='\u{200A}' | '\u{205F}' | '\u{3000}' => ' ',
            '\u{2007}' | '\u{202F}' => '\u{A0}',
            other => other,
        };
        let (shown, glyph) = face
            .glyph(shown)
            .map_or_else(|| face.substitute(), |glyph| (shown, glyph));
        if let Some(before) = letters.last_mut() {
            before.advance = before
                .glyph
                .advance
                .saturating_add(face.kerning(before.glyph.id, glyph.id));
        }
        letters.push(Letter {
            shown,
            written,
            glyph,
            advance: glyph.advance,
        });
    };
    // Most texts need no composing, which is the most expensive step.
    if text.chars().all(is_composed) {
        fill(text.chars().filter_map(drawable), push);
    } else {
        fill(text.nfc().filter_map(drawable), push);
    }
    letters
}

/// Passes on up to `LETTERS_MAX` letters, and an ellipsis for the rest.
fn fill(mut source: impl Iterator<Item = char>, mut push: impl FnMut(char)) {
    source.by_ref().take(LETTERS_MAX).for_each(&mut push);
    if source.next().is_some() {
        push('…');
    }
}

/// Returns whether a character never changes by composing. These are the blocks of Ukrainian and English text without combining
/// marks.
fn is_composed(letter: char) -> bool {
    matches!(letter, '\0'..='\u{2FF}' | '\u{400}'..='\u{482}' | '\u{48A}'..='\u{52F}' | '\u{2010}'..='\u{2122}')
}

/// Returns the character to draw, or `None` if it is invisible.
fn drawable(written: char) -> Option<char> {
    match written {
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        // Soft hyphen, joiners, direction marks, byte order mark, variation selectors, tags.
        '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E0FFF}' => None,
        other if other.is_control() || is_combining_mark(other) => None,
        other => Some(other),
    }
}

/// Returns whether a word that is longer than a line may be broken after this character.
fn breaks_after(letter: char) -> bool {
    matches!(
        letter,
        '-' | '–' | '—' | '/' | ';' | ',' | '.' | '_' | '@' | '&' | '?' | '=' | ')'
    )
}

fn break_lines(letters: &[Letter], units_per_em: i32, size: Length, width: Length) -> Vec<Line> {
    let room = i64::from(width).saturating_mul(i64::from(units_per_em)) / i64::from(size.max(1));
    let mut lines = Vec::new();
    let mut start = 0;
    while start < letters.len() {
        let (end, units) = line_end(letters, start, room);
        lines.push(Line {
            start,
            end,
            width: at_size(units, size, units_per_em),
        });
        start = end;
    }
    lines
}

/// Returns whether the last word is a preposition of one letter or a number of one or two digits. Ukrainian typography keeps them
/// with the next word.
fn holds_on(before: &[Letter]) -> bool {
    let word = before
        .rsplit(|letter| letter.shown == ' ')
        .next()
        .unwrap_or_default();
    match word {
        [only] => only.shown.is_alphanumeric() || only.shown == '№',
        [tens, ones] => tens.shown.is_ascii_digit() && ones.shown.is_ascii_digit(),
        _ => false,
    }
}

/// Returns the end of the line that begins at `start`, and its width in font units without the spaces at its end. A line has at
/// least one letter, so that breaking terminates.
fn line_end(letters: &[Letter], start: usize, room: i64) -> (usize, i64) {
    let mut pen: i64 = 0;
    let mut inked: i64 = 0;
    let mut after_space: Option<(usize, i64)> = None;
    let mut after_short: Option<(usize, i64)> = None;
    let mut after_sign: Option<(usize, i64)> = None;
    for (index, letter) in letters.iter().enumerate().skip(start) {
        if letter.shown == ' ' {
            pen = pen.saturating_add(i64::from(letter.advance));
            let place = Some((index + 1, inked));
            if holds_on(letters.get(start..index).unwrap_or_default()) {
                after_short = place;
            } else {
                after_space = place;
            }
            continue;
        }
        let edge = pen.saturating_add(i64::from(letter.glyph.advance));
        if edge > room && index > start {
            return after_space
                .or(after_short)
                .or(after_sign)
                .unwrap_or((index, inked));
        }
        pen = pen.saturating_add(i64::from(letter.advance));
        inked = edge;
        if breaks_after(letter.shown) {
            after_sign = Some((index + 1, inked));
        }
    }
    (letters.len(), inked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::POINT;

    fn paragraph(text: &str, width: Length) -> Paragraph {
        Paragraph::new(
            Fonts::get().unwrap(),
            text,
            Weight::Regular,
            10 * POINT,
            width,
        )
    }

    fn shown(text: &str, width: Length) -> Vec<String> {
        let paragraph = paragraph(text, width);
        let lines = paragraph.lines.clone();
        lines
            .into_iter()
            .map(|line| {
                paragraph
                    .letters_of(line)
                    .iter()
                    .map(|letter| letter.shown)
                    .collect()
            })
            .collect()
    }

    #[test]
    fn words_are_kept_whole_and_the_space_stays_with_the_line_before() {
        assert_eq!(
            shown("Головне управління Казначейства", 75 * POINT),
            ["Головне ", "управління ", "Казначейства"]
        );
    }

    #[test]
    fn a_long_word_is_broken_after_a_sign_and_else_anywhere() {
        assert_eq!(
            shown("*;101;1234567890;зб", 66 * POINT),
            ["*;101;", "1234567890", ";зб"]
        );
        let lines = shown(&"щ".repeat(50), 60 * POINT);
        assert!(lines.len() > 5);
        assert_eq!(lines.concat().chars().count(), 50);
    }

    #[test]
    fn a_no_break_space_does_not_break() {
        assert_eq!(
            shown("сума 1\u{A0}250,50 грн", 48 * POINT),
            ["сума ", "1\u{A0}250,50 ", "грн"]
        );
    }

    #[test]
    fn short_words_and_numbers_stay_with_what_follows_if_they_can() {
        assert_eq!(shown("строк 5 днів", 44 * POINT), ["строк ", "5 днів"]);
        assert_eq!(
            shown("запис у реєстрі", 60 * POINT),
            ["запис ", "у реєстрі"]
        );
        assert_eq!(shown("5 реєстрація", 60 * POINT), ["5 ", "реєстрація"]);
    }

    #[test]
    fn no_line_is_wider_than_asked() {
        let paragraph = paragraph(
            "Сплата адміністративного збору за державну реєстрацію права власності",
            90 * POINT,
        );
        assert!(paragraph.lines.len() > 2);
        assert!(paragraph.width() <= 90 * POINT + 1);
    }

    #[test]
    fn what_the_fonts_lack_becomes_a_square_and_is_remembered() {
        let paragraph = paragraph("Лі 李🙂", 500 * POINT);
        let letters = paragraph.letters_of(paragraph.lines[0]);
        assert_eq!(
            letters
                .iter()
                .map(|letter| letter.shown)
                .collect::<String>(),
            "Лі □□"
        );
        assert_eq!(
            letters
                .iter()
                .map(|letter| letter.written)
                .collect::<String>(),
            "Лі 李🙂"
        );
    }

    #[test]
    fn direction_marks_and_controls_are_left_out_and_decomposed_letters_are_put_together() {
        assert_eq!(
            shown("a\u{202E}b\0c\u{200B}\u{301}d\te", 500 * POINT),
            ["abcd e"]
        );
        assert_eq!(shown("Ки\u{306}іі\u{308}в", 500 * POINT), ["Кйіїв"]);
    }

    #[test]
    fn a_text_without_end_is_cut() {
        let lines = shown(&"о".repeat(100_000), 400 * POINT);
        assert_eq!(lines.concat().chars().count(), LETTERS_MAX + 1);
        assert!(lines.concat().ends_with('…'));
    }

    #[test]
    fn nothing_gives_no_lines() {
        assert!(paragraph("", 10 * POINT).lines.is_empty());
        assert!(paragraph("\u{200B}", 10 * POINT).lines.is_empty());
        assert_eq!(shown("abc", 0), ["a", "b", "c"]);
    }
}
