//! The verification of a receipt: a QR code, and the address of the page.

use qrcode::{Color, EcLevel, QrCode};

use crate::marks::{Align, Column, Mark, Owner};
use crate::order::Verification;
use crate::sheet::{RIGHT, Sheets};
use crate::structure::NodeKind;
use crate::style::{CODE, SMALL};
use crate::units::{Length, POINT};
use crate::wording::Wording;

/// Side of the QR code, without its quiet zone.
const CODE_SIDE: Length = 68 * POINT;
/// The column of the QR code at the right edge.
pub(crate) const CODE_COLUMN: Column = Column {
    x: RIGHT - 116 * POINT,
    width: 116 * POINT,
    align: Align::Right,
};
/// Draws the QR code at the right edge, with the code as text below it.
pub(crate) fn picture(sheets: &mut Sheets, words: &Wording, verification: &Verification) {
    // An address too long for a QR code is still printed as text.
    let Ok(code) = QrCode::with_error_correction_level(&verification.address, EcLevel::M) else {
        return;
    };
    let x = RIGHT - CODE_SIDE;
    let y = sheets.y();
    let node = sheets.structure.leaf(NodeKind::Figure, words.check_picture);
    sheets.put(Mark::Modules {
        x,
        y,
        side: CODE_SIDE,
        count: code.width(),
        dark: code
            .to_colors()
            .into_iter()
            .map(|module| module == Color::Dark)
            .collect(),
        sign_across: 0,
        owner: Owner::Node(node),
    });
    sheets.skip(CODE_SIDE + 5 * POINT);
    sheets.text(&verification.code, CODE, CODE_COLUMN);
}

/// Writes the address of the verification page, as a link if it is a web address.
pub(crate) fn address(
    sheets: &mut Sheets,
    words: &Wording,
    verification: &Verification,
    column: Column,
) {
    let node = sheets.structure.open(NodeKind::Paragraph);
    let link = sheets.structure.leaf(NodeKind::Link, &verification.address);
    sheets.structure.close(node);
    let (pages, top) = (sheets.pages.len(), sheets.y());
    let text = format!("{} {}", words.check, verification.address);
    let height = sheets.paragraph(&text, SMALL, column, link);
    let is_web = ["https://", "http://"]
        .iter()
        .any(|scheme| verification.address.starts_with(scheme));
    if is_web && height > 0 && sheets.pages.len() == pages {
        let address = verification.address.clone();
        sheets.put(Mark::Link {
            x: column.x,
            y: top,
            width: column.width,
            height,
            address,
            owner: link,
        });
    }
}
