//! Drawing of text, bars and QR codes.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use krilla::text::{GlyphId, KrillaGlyph};

use crate::font::{Fonts, Weight};
use crate::marks::{Ink, Mark};
use crate::sheet::capitals;
use crate::text::{Letter, Paragraph};
use crate::units::{Length, POINT, points, ratio};

/// The angle of the slanted mark in degrees. A negative one rises to the right.
const SLANT: f32 = -32.0;
/// Type size of the hryvnia sign, in percent of the diameter of its circle.
const SIGN_PERCENT: Length = 84;

pub(super) fn draw_text(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) {
    let Mark::Text {
        x,
        baseline,
        weight,
        size,
        ink,
        letters,
        ..
    } = mark
    else {
        return;
    };
    let face = fonts.of(*weight);
    let (text, glyphs) = shaped(letters, face.units_per_em);
    surface.set_fill(Some(fill(*ink)));
    let start = Point::from_xy(points(*x), points(*baseline));
    surface.draw_glyphs(
        start,
        &glyphs,
        face.font.clone(),
        &text,
        points(*size),
        false,
    );
}

fn shaped(letters: &[Letter], units_per_em: i32) -> (String, Vec<KrillaGlyph>) {
    let mut text = String::with_capacity(letters.len().saturating_mul(2));
    let mut glyphs = Vec::with_capacity(letters.len());
    for letter in letters {
        let start = text.len();
        text.push(letter.shown);
        glyphs.push(KrillaGlyph::new(
            GlyphId::new(letter.glyph.id),
            ratio(letter.advance, units_per_em),
            0.0,
            0.0,
            0.0,
            start..text.len(),
            None,
        ));
    }
    (text, glyphs)
}

pub(super) fn draw_slanted(
    surface: &mut Surface<'_>,
    fonts: &Fonts,
    (centre_x, centre_y): (Length, Length),
    size: Length,
    letters: &[Letter],
    width: Length,
) {
    let face = fonts.of(Weight::SemiBold);
    surface.set_fill(Some(fill(Ink::Pale)));
    surface.push_transform(&Transform::from_rotate_at(
        SLANT,
        points(centre_x),
        points(centre_y),
    ));
    let (text, glyphs) = shaped(letters, face.units_per_em);
    // Capital letters are about 0.7 of the type size high.
    let baseline = centre_y.saturating_add(size / 20 * 7);
    let start = Point::from_xy(points(centre_x.saturating_sub(width / 2)), points(baseline));
    surface.draw_glyphs(start, &glyphs, face.font.clone(), &text, points(size), true);
    surface.pop();
}

/// Draws the dark modules of a QR code as strokes one module thick, with one module as the unit of length. This takes a quarter of
/// the bytes of rectangles.
pub(super) fn draw_modules(
    surface: &mut Surface<'_>,
    (x, y): (Length, Length),
    side: Length,
    count: usize,
    dark: &[bool],
) {
    let Ok(modules) = i32::try_from(count.max(1)) else {
        return;
    };
    let mut path = PathBuilder::new();
    for (row, modules) in (0_u16..).zip(dark.chunks(count.max(1))) {
        let mut column = 0_u16;
        for run in modules.chunk_by(|left, right| left == right) {
            let end = column.saturating_add(u16::try_from(run.len()).unwrap_or(u16::MAX));
            if run.first() == Some(&true) {
                path.move_to(f32::from(column), f32::from(row));
                path.line_to(f32::from(end), f32::from(row));
            }
            column = end;
        }
    }
    let Some(path) = path.finish() else { return };
    // A stroke extends half its width to both sides of its line.
    let module = side / modules;
    let scale = ratio(side, modules.saturating_mul(POINT));
    let (left, top) = (points(x), points(y.saturating_add(module / 2)));
    surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, left, top));
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke {
        paint: color(Ink::Black).into(),
        width: 1.0,
        ..Stroke::default()
    }));
    surface.draw_path(&path);
    surface.set_stroke(None);
    surface.pop();
}

/// Draws the hryvnia sign in a white circle.
pub(super) fn draw_hryvnia(
    surface: &mut Surface<'_>,
    fonts: &Fonts,
    (centre_x, centre_y): (Length, Length),
    across: Length,
) {
    let radius = across / 2;
    // The control points of a quarter of a circle: 4/3 · (√2 − 1) of the radius.
    let handle = radius / 10_000 * 5_523;
    let at = |x: Length, y: Length| {
        (
            points(centre_x.saturating_add(x)),
            points(centre_y.saturating_add(y)),
        )
    };
    let mut path = PathBuilder::new();
    let (x, y) = at(radius, 0);
    path.move_to(x, y);
    for (first, second, end) in [
        ((radius, handle), (handle, radius), (0, radius)),
        ((-handle, radius), (-radius, handle), (-radius, 0)),
        ((-radius, -handle), (-handle, -radius), (0, -radius)),
        ((handle, -radius), (radius, -handle), (radius, 0)),
    ] {
        let ((x1, y1), (x2, y2), (x, y)) = (
            at(first.0, first.1),
            at(second.0, second.1),
            at(end.0, end.1),
        );
        path.cubic_to(x1, y1, x2, y2, x, y);
    }
    path.close();
    if let Some(path) = path.finish() {
        surface.set_fill(Some(fill(Ink::White)));
        surface.draw_path(&path);
    }
    let size = across / 100 * SIGN_PERCENT;
    let sign = Paragraph::new(fonts, "₴", Weight::SemiBold, size, Length::MAX);
    let Some(line) = sign.lines.first() else {
        return;
    };
    let face = fonts.of(Weight::SemiBold);
    let (text, glyphs) = shaped(sign.letters_of(*line), face.units_per_em);
    let start = Point::from_xy(
        points(centre_x.saturating_sub(sign.width() / 2)),
        points(centre_y.saturating_add(capitals(size) / 2)),
    );
    surface.set_fill(Some(fill(Ink::Black)));
    // As outlines, so that it is not copied with the text.
    surface.draw_glyphs(start, &glyphs, face.font.clone(), &text, points(size), true);
}

pub(super) fn rect(x: Length, y: Length, width: Length, height: Length) -> Option<Rect> {
    Rect::from_xywh(points(x), points(y), points(width), points(height))
}

pub(super) fn draw_bar(surface: &mut Surface<'_>, rect: Option<Rect>, ink: Ink) {
    let mut path = PathBuilder::new();
    if let Some(rect) = rect {
        path.push_rect(rect);
    }
    if let Some(path) = path.finish() {
        surface.set_fill(Some(fill(ink)));
        surface.draw_path(&path);
    }
}

fn fill(ink: Ink) -> Fill {
    Fill {
        paint: color(ink).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::NonZero,
    }
}

fn color(ink: Ink) -> rgb::Color {
    match ink {
        Ink::Black => rgb::Color::new(0x1d, 0x1b, 0x1a),
        Ink::Grey => rgb::Color::new(0x6b, 0x64, 0x5d),
        Ink::Seal => rgb::Color::new(0x7a, 0x1f, 0x2b),
        Ink::Line => rgb::Color::new(0xcf, 0xc8, 0xbe),
        Ink::Pale => rgb::Color::new(0xf5, 0xec, 0xea),
        Ink::White => rgb::Color::white(),
    }
}
