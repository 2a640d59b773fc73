//! The picture of a code.

use qrcode::{Color, EcLevel, QrCode, Version};

use super::TransferLink;

/// The versions that the format allows for a code with the hryvnia sign, each with the diameter of the white circle in modules
/// (appendix 1 to the resolution, point 11).
const VERSIONS: [(i16, u8); 8] = [
    (10, 17),
    (11, 19),
    (12, 19),
    (13, 21),
    (14, 23),
    (15, 23),
    (16, 25),
    (17, 25),
];

/// The modules of a code, with error correction M. The hryvnia sign in a white circle covers the middle of a transfer's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Modules of a side.
    pub side: usize,
    /// Row by row.
    pub dark: Vec<bool>,
    /// Diameter of the white circle, in modules; 0 for a code without one.
    pub sign_across: u8,
}

impl Symbol {
    /// Draws a code in the smallest version that the format allows. `None` can't happen for a [`TransferLink`]: the longest one fits.
    #[must_use]
    pub fn of(link: &TransferLink) -> Option<Symbol> {
        VERSIONS.into_iter().find_map(|(version, sign_across)| {
            let version = Version::Normal(version);
            let code = QrCode::with_version(link.as_str(), version, EcLevel::M).ok()?;
            Some(Symbol::drawn(&code, sign_across))
        })
    }

    /// Draws the code of a web address, without the sign. `None` for an address that is too long for a code.
    #[must_use]
    pub fn of_address(address: &str) -> Option<Symbol> {
        let code = QrCode::with_error_correction_level(address, EcLevel::M).ok()?;
        Some(Symbol::drawn(&code, 0))
    }

    fn drawn(code: &QrCode, sign_across: u8) -> Symbol {
        Symbol {
            side: code.width(),
            dark: code
                .to_colors()
                .into_iter()
                .map(|module| module == Color::Dark)
                .collect(),
            sign_across,
        }
    }

    /// Returns the dark modules as the data of an SVG path, one module as the unit.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for (row, modules) in self.dark.chunks(self.side.max(1)).enumerate() {
            let mut column = 0;
            for run in modules.chunk_by(|left, right| left == right) {
                if run.first() == Some(&true) {
                    let length = run.len();
                    path.push_str(&format!("M{column} {row}h{length}v1h-{length}z"));
                }
                column += run.len();
            }
        }
        path
    }
}
