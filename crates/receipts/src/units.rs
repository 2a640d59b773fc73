//! Lengths on a page. All layout uses whole thousandths of a point, so that a receipt is the same on every machine.
//! Floating-point numbers are only made here, for the PDF library.

/// A length on paper in thousandths of a point (1 pt = 1/72 inch).
pub(crate) type Length = i32;

/// One point as a [`Length`].
pub(crate) const POINT: Length = 1_000;

/// Width of an A4 page.
pub(crate) const PAGE_WIDTH: Length = 595_276;
/// Height of an A4 page.
pub(crate) const PAGE_HEIGHT: Length = 841_890;

/// Converts a length to points, as the PDF library needs it.
#[expect(
    clippy::float_arithmetic,
    reason = "the PDF library measures in floating-point points; sums of money never come here"
)]
pub(crate) fn points(length: Length) -> f32 {
    length as f32 / POINT as f32
}

/// Returns `part / whole`, for the scales and advances of the PDF library.
#[expect(
    clippy::float_arithmetic,
    reason = "the PDF library scales by floating-point numbers; sums of money never come here"
)]
pub(crate) fn ratio(part: i32, whole: i32) -> f32 {
    part as f32 / whole as f32
}

/// Converts font units to a length at a type size, rounded up so that measured text fits.
pub(crate) fn at_size(font_units: i64, size: Length, units_per_em: i32) -> Length {
    let scaled = font_units.saturating_mul(i64::from(size));
    let length = scaled
        .div_euclid(i64::from(units_per_em.max(1)))
        .saturating_add(1);
    Length::try_from(length).unwrap_or(Length::MAX)
}

/// Multiplies a length.
pub(crate) fn times(length: Length, count: usize) -> Length {
    length.saturating_mul(Length::try_from(count).unwrap_or(Length::MAX))
}
