//! The two fonts of the receipts, read once per process.

use std::sync::OnceLock;

use krilla::text::Font;
use skrifa::raw::TableProvider;
use skrifa::raw::tables::kern::SubtableKind;
use skrifa::{FontRef, MetadataProvider};

use crate::error::ReceiptError;

static REGULAR: &[u8] = include_bytes!("../fonts/Inter-Regular.ttf");
static SEMI_BOLD: &[u8] = include_bytes!("../fonts/Inter-SemiBold.ttf");

/// Drawn in place of a letter without a glyph: a white square.
const SUBSTITUTE: char = '\u{25A1}';

/// The weight of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    SemiBold,
}

/// A glyph and its advance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glyph {
    pub(crate) id: u32,
    /// In font units.
    pub(crate) advance: i32,
}

/// A font with its tables as sorted lists.
pub(crate) struct Typeface {
    pub(crate) font: Font,
    pub(crate) units_per_em: i32,
    /// Sorted by the letter.
    glyphs: Vec<(char, Glyph)>,
    /// Sorted by the pair of glyphs; the correction is in font units.
    kerning: Vec<((u32, u32), i32)>,
    substitute: Glyph,
}

/// Both weights.
pub(crate) struct Fonts {
    regular: Typeface,
    semi_bold: Typeface,
}

impl Fonts {
    /// Returns the fonts. They are read at the first call.
    pub(crate) fn get() -> Result<&'static Fonts, ReceiptError> {
        static FONTS: OnceLock<Option<Fonts>> = OnceLock::new();
        FONTS
            .get_or_init(|| {
                Some(Fonts {
                    regular: Typeface::read(REGULAR)?,
                    semi_bold: Typeface::read(SEMI_BOLD)?,
                })
            })
            .as_ref()
            .ok_or(ReceiptError::FontUnreadable)
    }

    pub(crate) fn of(&self, weight: Weight) -> &Typeface {
        match weight {
            Weight::Regular => &self.regular,
            Weight::SemiBold => &self.semi_bold,
        }
    }
}

impl Typeface {
    fn read(data: &'static [u8]) -> Option<Typeface> {
        let file = FontRef::new(data).ok()?;
        let advances = file.hmtx().ok()?;
        let mut glyphs: Vec<(char, Glyph)> = file
            .charmap()
            .mappings()
            .filter_map(|(code, id)| {
                let advance = i32::from(advances.advance(id)?);
                Some((
                    char::from_u32(code)?,
                    Glyph {
                        id: id.to_u32(),
                        advance,
                    },
                ))
            })
            .collect();
        glyphs.sort_unstable_by_key(|(letter, _)| *letter);
        glyphs.dedup_by_key(|(letter, _)| *letter);

        let mut kerning = Vec::new();
        for subtable in file.kern().ok()?.subtables() {
            if let Ok(SubtableKind::Format0(pairs)) = subtable.ok()?.kind() {
                kerning.extend(pairs.pairs().iter().map(|pair| {
                    (
                        (
                            u32::from(pair.left().to_u16()),
                            u32::from(pair.right().to_u16()),
                        ),
                        i32::from(pair.value()),
                    )
                }));
            }
        }
        kerning.sort_unstable_by_key(|(pair, _)| *pair);

        let substitute = find(&glyphs, SUBSTITUTE)?;
        Some(Typeface {
            font: Font::new(data.into(), 0)?,
            units_per_em: i32::from(file.head().ok()?.units_per_em()),
            glyphs,
            kerning,
            substitute,
        })
    }

    /// Returns the glyph of a letter, if the font has it.
    pub(crate) fn glyph(&self, letter: char) -> Option<Glyph> {
        find(&self.glyphs, letter)
    }

    /// Returns the substitute for a letter without a glyph.
    pub(crate) fn substitute(&self) -> (char, Glyph) {
        (SUBSTITUTE, self.substitute)
    }

    /// Returns the kerning of two glyphs in font units. A negative one moves them together.
    pub(crate) fn kerning(&self, left: u32, right: u32) -> i32 {
        self.kerning
            .binary_search_by_key(&(left, right), |(pair, _)| *pair)
            .ok()
            .and_then(|index| self.kerning.get(index))
            .map_or(0, |(_, correction)| *correction)
    }
}

fn find(glyphs: &[(char, Glyph)], letter: char) -> Option<Glyph> {
    let index = glyphs
        .binary_search_by_key(&letter, |(known, _)| *known)
        .ok()?;
    glyphs.get(index).map(|(_, glyph)| *glyph)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_have_every_letter_a_receipt_is_written_in() {
        let fonts = Fonts::get().unwrap();
        let needed = "АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯабвгґдеєжзиіїйклмнопрстуфхцчшщьюяЁёЪъЫыЭэ\
                      ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzĄąĆćĘęŁłŃńÓóŚśŹźŻżŠšŽžÄäÖöÜüßșțĞğİı\
                      0123456789.,:;!?()[]/\\\"'’‘“”„«»–—-−+=*%№§&@#_|·…₴$€ \u{A0}";
        for letter in needed.chars() {
            assert!(
                fonts.of(Weight::Regular).glyph(letter).is_some(),
                "{letter:?} in regular"
            );
            assert!(
                fonts.of(Weight::SemiBold).glyph(letter).is_some(),
                "{letter:?} in semi-bold"
            );
        }
    }

    #[test]
    fn figures_are_tabular() {
        for weight in [Weight::Regular, Weight::SemiBold] {
            let face = Fonts::get().unwrap().of(weight);
            let zero = face.glyph('0').unwrap().advance;
            assert!(
                "123456789"
                    .chars()
                    .all(|digit| face.glyph(digit).unwrap().advance == zero)
            );
        }
    }

    #[test]
    fn no_two_letters_share_a_glyph_so_that_copied_text_is_exact() {
        let face = Fonts::get().unwrap().of(Weight::Regular);
        let mut ids: Vec<u32> = face.glyphs.iter().map(|(_, glyph)| glyph.id).collect();
        let letters = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), letters);
    }

    #[test]
    fn wide_pairs_are_drawn_together() {
        let face = Fonts::get().unwrap().of(Weight::Regular);
        let (te, o) = (face.glyph('Т').unwrap().id, face.glyph('о').unwrap().id);
        assert!(face.kerning(te, o) < 0);
        let (x, y) = (face.glyph('н').unwrap().id, face.glyph('и').unwrap().id);
        assert_eq!(face.kerning(x, y), 0);
    }
}
