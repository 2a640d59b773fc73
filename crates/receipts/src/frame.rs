//! The parts of a page outside of its text: running head, foot and the mark of the sandbox.

use crate::font::Weight;
use crate::marks::{Align, Column, Ink, Mark, Owner, Style};
use crate::sheet::{LEFT, MEASURE, RIGHT, Sheets};
use crate::style::SMALL;
use crate::text::Paragraph;
use crate::units::{Length, PAGE_HEIGHT, PAGE_WIDTH, POINT};
use crate::wording::Wording;

/// The slanted mark of the sandbox.
const MARK_SIZE: Length = 160 * POINT;
const HEAD_LEFT_WIDTH: Length = MEASURE / 2 + 60 * POINT;
const HEAD_LEFT: Column = from_left(HEAD_LEFT_WIDTH);
const HEAD_RIGHT: Column = to_right(MEASURE - HEAD_LEFT_WIDTH);
/// Room for the number of a page, also with four digits of each of its numbers. The rest of the foot is for what the document is about,
/// which is cut where it is longer.
const PAGE_NUMBER_WIDTH: Length = 100 * POINT;
const FOOT_LEFT: Column = from_left(MEASURE - PAGE_NUMBER_WIDTH);
const FOOT_RIGHT: Column = to_right(PAGE_NUMBER_WIDTH);
const HEAD_TOP: Length = 40 * POINT;
const FOOT_TOP: Length = PAGE_HEIGHT - 42 * POINT;

/// A column of this width at the left edge of the text.
const fn from_left(width: Length) -> Column {
    Column {
        x: LEFT,
        width,
        align: Align::Left,
    }
}

/// A column of this width at the right edge of the text.
const fn to_right(width: Length) -> Column {
    Column {
        x: RIGHT - width,
        width,
        align: Align::Right,
    }
}

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
        sheets.outside_text(page, about, SMALL, FOOT_LEFT, FOOT_TOP, Owner::Foot);
        sheets.outside_text(page, &number, SMALL, FOOT_RIGHT, FOOT_TOP, Owner::Foot);
        if page == 0 {
            continue;
        }
        sheets.outside_text(page, operator_name, SMALL, HEAD_LEFT, HEAD_TOP, Owner::Head);
        if sandbox {
            let warning = Style {
                weight: Weight::SemiBold,
                ink: Ink::Seal,
                ..SMALL
            };
            let text = words.sandbox;
            sheets.outside_text(page, text, warning, HEAD_RIGHT, HEAD_TOP, Owner::Head);
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
