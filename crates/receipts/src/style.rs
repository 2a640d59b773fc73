//! The styles of a receipt's text.

use crate::font::Weight;
use crate::marks::{Ink, Style};
use crate::units::{Length, POINT};

pub(crate) const TITLE: Style = style(Weight::SemiBold, 22, 28, Ink::Black);
pub(crate) const SUM: Style = style(Weight::SemiBold, 38, 44, Ink::Black);
pub(crate) const CURRENCY: Style = style(Weight::Regular, 19, 44, Ink::Grey);
pub(crate) const LEAD: Style = style(Weight::Regular, 10, 14, Ink::Black);
pub(crate) const HEADING: Style = style(Weight::SemiBold, 11, 15, Ink::Black);
pub(crate) const SLIP_SUM: Style = style(Weight::SemiBold, 13, 15, Ink::Black);
pub(crate) const VALUE: Style = style(Weight::Regular, 9, 12, Ink::Black);
pub(crate) const STRONG: Style = style(Weight::SemiBold, 9, 12, Ink::Black);
pub(crate) const LABEL: Style = style(Weight::Regular, 8, 12, Ink::Grey);
pub(crate) const SMALL: Style = style(Weight::Regular, 8, 11, Ink::Grey);
pub(crate) const CODE: Style = style(Weight::SemiBold, 8, 11, Ink::Black);
pub(crate) const WARNING: Style = style(Weight::SemiBold, 10, 14, Ink::Seal);

const fn style(weight: Weight, size: Length, leading: Length, ink: Ink) -> Style {
    Style {
        weight,
        size: size * POINT,
        leading: leading * POINT,
        ink,
    }
}
