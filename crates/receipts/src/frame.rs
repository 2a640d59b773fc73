//! The parts of a page outside of its text: running head, foot and the mark of the sandbox.

use crate::font::Weight;
use crate::marks::{Align, Column, Ink, Mark, Owner, Style};
use crate::sheet::{LEFT, MEASURE, Sheets};
use crate::style::SMALL;
use crate::text::Paragraph;
use crate::units::{Length, PAGE_HEIGHT, PAGE_WIDTH, POINT};
use crate::wording::Wording;

/// The slanted mark of the sandbox.
const MARK_SIZE: Length = 160 * POINT;
/// Width of the left half of head and foot.
const LEFT_WIDTH: Length = MEASURE / 2 + 60 * POINT;
const LEFT_HALF: Column = Column {
    x: LEFT,
    width: LEFT_WIDTH,
    align: Align::Left,
};
const RIGHT_HALF: Column = Column {
    x: LEFT + LEFT_WIDTH,
    width: MEASURE - LEFT_WIDTH,
    align: Align::Right,
};
const HEAD_TOP: Length = 40 * POINT;
const FOOT_TOP: Length = PAGE_HEIGHT - 42 * POINT;

/// Adds the foot of every page, which says what the document is about, and the head of every page but the first.
pub(crate) fn head_and_foot(
    sheets: &mut Sheets,
    words: &Wording,
    about: &str,
    operator_name: &str,
    sandbox: bool,
) {
    let count = sheets.pages.len();
    for page in 0..count {
        let number = format!("{} {} {} {count}", words.page, page + 1, words.page_of);
        sheets.outside_text(page, about, SMALL, LEFT_HALF, FOOT_TOP, Owner::Foot);
        sheets.outside_text(page, &number, SMALL, RIGHT_HALF, FOOT_TOP, Owner::Foot);
        if page == 0 {
            continue;
        }
        sheets.outside_text(page, operator_name, SMALL, LEFT_HALF, HEAD_TOP, Owner::Head);
        if sandbox {
            let warning = Style {
                weight: Weight::SemiBold,
                ink: Ink::Seal,
                ..SMALL
            };
            let text = words.sandbox;
            sheets.outside_text(page, text, warning, RIGHT_HALF, HEAD_TOP, Owner::Head);
        }
    }
}

/// Adds the slanted mark of the sandbox to every page, behind the text.
pub(crate) fn sandbox_mark(sheets: &mut Sheets, words: &Wording) {
    let word = Paragraph::new(
        sheets.fonts,
        words.sandbox_mark,
        Weight::SemiBold,
        MARK_SIZE,
        4 * PAGE_WIDTH,
    );
    let letters = word
        .lines
        .first()
        .map(|line| word.letters_of(*line).to_vec())
        .unwrap_or_default();
    for page in &mut sheets.pages {
        let mark = Mark::Slanted {
            centre_x: PAGE_WIDTH / 2,
            centre_y: PAGE_HEIGHT / 2,
            size: MARK_SIZE,
            letters: letters.clone(),
            width: word.width(),
        };
        page.insert(0, mark);
    }
}
