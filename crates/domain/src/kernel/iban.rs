//! Ukrainian account numbers.

use std::fmt;

use crate::kernel::text::without_white_space;
use crate::{Key, Okpo};

/// A Ukrainian IBAN with a right checksum, kept as `UA` and 27 digits.
///
/// Counted from 1: characters 3-4 are the check digits, 5-10 the bank's code, 11-29 the account padded with zeros on
/// the left (specification, "Readings: identifiers").
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iban(String);

/// A parsed IBAN, and what was corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IbanReading {
    /// The account number.
    pub iban: Iban,
    /// Whether a Cyrillic letter А was replaced by the Latin one; the form says so.
    pub cyrillic_letter_replaced: bool,
}

/// Characters in a Ukrainian IBAN.
const CHARS: usize = 29;
/// Bank codes of the Treasury: electronic administration of taxes, and the older one of Kyiv.
const TREASURY_BANK_CODES: [&str; 2] = ["899998", "820172"];
/// Balance code of accounts that persons hold for their own needs.
const OWN_NEEDS_BALANCE_CODE: &str = "2620";

impl Iban {
    /// Parses an IBAN; see [`Iban::read`].
    ///
    /// # Errors
    /// As [`Iban::read`].
    pub fn parse(text: &str) -> Result<Self, Key> {
        Self::read(text).map(|reading| reading.iban)
    }

    /// Parses an IBAN: white space is removed, `ua` becomes upper case, a Cyrillic А in the country code is replaced.
    ///
    /// # Errors
    /// Returns [`Key::IbanRequired`] for an empty text, [`Key::IbanInvalid`] unless it is `UA` and 27 digits with a
    /// right checksum (ISO 13616, mod 97).
    pub fn read(text: &str) -> Result<IbanReading, Key> {
        let bare = without_white_space(text);
        if bare.is_empty() {
            return Err(Key::IbanRequired);
        }
        let mut characters = bare.chars();
        let is_u = matches!(characters.next(), Some('U' | 'u'));
        let (is_a, cyrillic_letter_replaced) = match characters.next() {
            Some('A' | 'a') => (true, false),
            Some('\u{410}' | '\u{430}') => (true, true),
            _ => (false, false),
        };
        let digits = characters.as_str();
        let is_ukrainian = is_u
            && is_a
            && digits.len() == CHARS - 2
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_ukrainian || !checksum_fits(digits) {
            return Err(Key::IbanInvalid);
        }
        Ok(IbanReading {
            iban: Self(["UA", digits].concat()),
            cyrillic_letter_replaced,
        })
    }

    /// Returns the 29 characters without spaces.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the IBAN in groups of four, separated by plain spaces.
    #[must_use]
    pub fn grouped(&self) -> String {
        let mut text = String::with_capacity(CHARS + CHARS / 4);
        for (index, character) in self.0.chars().enumerate() {
            if index > 0 && index.is_multiple_of(4) {
                text.push(' ');
            }
            text.push(character);
        }
        text
    }

    /// Returns the bank code (MFO), 6 digits: characters 5-10.
    #[must_use]
    pub fn bank_code(&self) -> &str {
        self.0.get(4..10).unwrap_or_default()
    }

    /// Returns whether the account is at the Treasury.
    #[must_use]
    pub fn is_treasury(&self) -> bool {
        TREASURY_BANK_CODES.contains(&self.bank_code())
    }

    /// Returns whether the fifth character is 8. It marks a budget payment, which needs a purpose in a fixed form and a
    /// budget code (specification, point 5, and "Readings: identifiers").
    #[must_use]
    pub fn is_budget_account(&self) -> bool {
        self.0.as_bytes().get(4) == Some(&b'8')
    }

    /// Returns the balance code: the first four digits of the account without leading zeros. It is shorter if the
    /// account is.
    #[must_use]
    pub fn balance_code(&self) -> &str {
        let account = self.0.get(10..).unwrap_or_default().trim_start_matches('0');
        account.get(..4).unwrap_or(account)
    }

    /// Refuses an account for own needs (balance code 2620) together with a person's code: a bank may return such a
    /// payment. Treasury accounts use these digits otherwise and are not checked.
    ///
    /// # Errors
    /// [`Key::IbanBalanceCodeByOkpoRule`].
    pub fn balance_code_rule(&self, okpo: &Okpo) -> Result<(), Key> {
        if okpo.is_person() && !self.is_treasury() && self.balance_code() == OWN_NEEDS_BALANCE_CODE
        {
            Err(Key::IbanBalanceCodeByOkpoRule)
        } else {
            Ok(())
        }
    }
}

/// Returns whether the checksum of the 27 digits after `UA` is right: bank and account, then U = 30, A = 10 and the
/// check digits, must be 1 modulo 97.
fn checksum_fits(digits: &str) -> bool {
    let Some((check_digits, account)) = digits.split_at_checked(2) else {
        return false;
    };
    let remainder = account
        .bytes()
        .chain("3010".bytes())
        .chain(check_digits.bytes())
        .fold(0, |remainder, digit| {
            (remainder * 10 + u32::from(digit - b'0')) % 97
        });
    // ISO 7064 yields check digits from 02 to 98. 00, 01 and 99 pass modulo 97 as well, but no bank issues them.
    remainder == 1 && ("02"..="98").contains(&check_digits)
}

/// Hides the account.
impl fmt::Debug for Iban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Iban({}…)", self.bank_code())
    }
}
