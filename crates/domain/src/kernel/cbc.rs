//! Budget revenue codes.

use std::fmt;

use crate::Key;
use crate::kernel::text::without_white_space;

/// A code of the budget classification (`cbc_code`): exactly 8 digits (specification, point 9).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BudgetCode(String);

/// Codes of fees for information from state registers (secondary sources).
const REGISTER_INFORMATION: [&str; 2] = ["22012700", "22012800"];

impl BudgetCode {
    /// Parses a code; white space is ignored.
    ///
    /// # Errors
    /// Returns [`Key::CbcLength`] for anything but 8 digits, also for an empty text.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let code = without_white_space(text);
        if code.len() == 8 && code.bytes().all(|byte| byte.is_ascii_digit()) {
            Ok(Self(code))
        } else {
            Err(Key::CbcLength)
        }
    }

    /// Returns whether the code is one of fees for information from state registers.
    #[must_use]
    pub fn is_register_information(&self) -> bool {
        REGISTER_INFORMATION.contains(&self.as_str())
    }

    /// Returns the 8 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Shows the code: it is public and identifies nobody.
impl fmt::Debug for BudgetCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BudgetCode({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_from_registers_has_codes_of_its_own() {
        let is_information = |code| BudgetCode::parse(code).unwrap().is_register_information();
        assert!(is_information("22012700") && is_information("22012800"));
        assert!(!is_information("22012600"));
    }

    #[test]
    fn exactly_eight_digits() {
        assert_eq!(
            BudgetCode::parse(" 2201\u{a0}2600 ").unwrap().as_str(),
            "22012600"
        );
        for text in [
            "",
            "2201260",
            "220126000",
            "2201260O",
            "２２０１２６００",
            "-2201260",
        ] {
            assert_eq!(BudgetCode::parse(text), Err(Key::CbcLength), "{text}");
        }
    }
}
