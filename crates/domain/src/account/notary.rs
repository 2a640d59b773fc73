//! Notaries: the users of the cabinet.

use std::fmt;
use std::ops::RangeInclusive;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::kernel::words::words;
use crate::{
    Email, Iban, Inn, Key, Line, NotaryId, Okpo, PersonName, Phone, Practice, SignUpConfirmation,
    Standing, StandingBy, TruncatedPan,
};

words! {
    /// How a notary confirms at a login to be the owner of the phone. It is a property of the account
    /// (specification, "Readings: sessions").
    LoginStep {
        /// A code by SMS.
        Otp = "otp",
        /// A call that is confirmed by a key.
        PhoneCall = "phone_call",
        /// The registry identifier as the code; set by the operator alone.
        Custom = "custom",
    }
}

/// A notary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notary {
    /// The id.
    pub id: NotaryId,
    /// The phone, unique among notaries.
    pub phone: Phone,
    /// What the notary edits.
    pub profile: Profile,
    /// The login step.
    pub login_step: LoginStep,
    /// True: she chooses a payment method in a popup with her saved cards. False: the payment goes straight to the
    /// acquirer's page. The column and the public field are called `new_flow_enabled`, as in the specification.
    pub chooses_payment_method: bool,
    /// When the terms in force were agreed to.
    pub agreed_terms_at: Option<Timestamp>,
    /// When the phone was verified; `None` while the sign-up is unfinished.
    pub phone_verified_at: Option<Timestamp>,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When the account was last changed.
    pub updated_at: Timestamp,
    /// Whether the owner may order.
    pub standing: Standing,
    /// Her status, which decides what she may order.
    pub practice: Practice,
    /// The name that she has asked for in the place of the confirmed one. The operator decides.
    pub requested_name: Option<PersonName>,
}

impl Notary {
    /// Whether another name waits for the operator: somebody has confirmed the present one.
    #[must_use]
    pub fn has_confirmed_name(&self, rule: SignUpConfirmation) -> bool {
        let by_nobody =
            rule == SignUpConfirmation::Nobody && self.standing.by == StandingBy::Setting;
        self.standing.confirmed_at.is_some() && !by_nobody
    }
}

/// The part of an account that its owner edits. What was never filled in is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Surname, name, patronymic.
    pub full_name: PersonName,
    /// Identifier in the register.
    pub registry_identifier: RegistryIdentifier,
    /// The notary's own code, in any form that a client's may have.
    pub inn: Option<Inn>,
    /// Number of the certificate of the right to practise.
    pub certificate_number: Option<CertificateNumber>,
    /// A second phone.
    pub phone_additional: Option<Phone>,
    /// For letters.
    pub email: Option<Email>,
    /// Address of the office.
    pub notary_address: Option<Line>,
    /// A card, for recognition only.
    pub card_pan: Option<TruncatedPan>,
    /// The notary's own account.
    pub iban: Option<Iban>,
    /// The code that belongs to the account.
    pub okpo: Option<Okpo>,
    /// The day the exemption ends.
    pub exemption_date_finish: Option<Date>,
}

impl Profile {
    /// The longest address of an office, in characters.
    pub const ADDRESS_CHARS_MAX: usize = 300;

    /// Returns a profile with the required fields alone.
    #[must_use]
    pub const fn new(full_name: PersonName, registry_identifier: RegistryIdentifier) -> Self {
        Self {
            full_name,
            registry_identifier,
            inn: None,
            certificate_number: None,
            phone_additional: None,
            email: None,
            notary_address: None,
            card_pan: None,
            iban: None,
            okpo: None,
            exemption_date_finish: None,
        }
    }
}

/// An account to be made.
#[derive(Clone, Debug)]
pub struct NewNotary {
    /// The id.
    pub id: NotaryId,
    /// The phone.
    pub phone: Phone,
    /// Surname, name, patronymic.
    pub full_name: PersonName,
    /// Identifier in the register.
    pub registry_identifier: RegistryIdentifier,
    /// The login step.
    pub login_step: LoginStep,
    /// See [`Notary::chooses_payment_method`].
    pub chooses_payment_method: bool,
    /// When the terms in force were agreed to.
    pub agreed_terms_at: Option<Timestamp>,
    /// When the phone was verified.
    pub phone_verified_at: Option<Timestamp>,
    /// When the account is made.
    pub created_at: Timestamp,
    /// Who has confirmed that its owner is a notary. `None`: the account waits.
    pub confirmation: Option<StandingBy>,
}

/// A notary's identifier in the register: letters and digits. Underscores were accepted earlier, and their accounts keep them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegistryIdentifier(String);

impl RegistryIdentifier {
    /// Its length in characters. The maximum is that of its field; the minimum is that of a code, because the custom
    /// login step takes the identifier as its code (specification, points 5 and 9).
    pub const CHARS: RangeInclusive<usize> = 4..=15;

    /// Parses a new identifier, trimmed.
    ///
    /// # Errors
    /// Returns [`Key::RegistryIdentifierRequired`] for an empty text, [`Key::RegistryIdentifierInvalid`] for other
    /// characters or another length.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let text = text.trim();
        if text.is_empty() {
            Err(Key::RegistryIdentifierRequired)
        } else if Self::CHARS.contains(&text.chars().count())
            && text.chars().all(char::is_alphanumeric)
        {
            Ok(Self(text.to_owned()))
        } else {
            Err(Key::RegistryIdentifierInvalid)
        }
    }

    /// Parses an identifier that an account may have. Those of 1 to 3 characters and those with underscores were accepted earlier,
    /// and their accounts keep them.
    #[must_use]
    pub fn parse_saved(text: &str) -> Option<Self> {
        let fits = (1..=*Self::CHARS.end()).contains(&text.chars().count())
            && text
                .chars()
                .all(|character| character.is_alphanumeric() || character == '_');
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the identifier.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Hides the identifier: with the custom login step it is a code.
impl fmt::Debug for RegistryIdentifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RegistryIdentifier(…)")
    }
}

/// The number of a certificate of the right to practise: 1 to 10 digits. Those in the open register have up to five.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CertificateNumber(String);

impl CertificateNumber {
    /// The most digits.
    pub const DIGITS_MAX: usize = 10;

    /// Parses a number.
    ///
    /// # Errors
    /// Returns [`Key::CertificateNumberInvalid`] for anything but 1 to 10 digits.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let fits = (1..=Self::DIGITS_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_digit());
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(Key::CertificateNumberInvalid)
        }
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Hides the number: the open register names its owner.
impl fmt::Debug for CertificateNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateNumber(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registry_identifier_is_as_long_as_a_code_at_least() {
        for good in ["NOTAR12345", "НОТ1", " abcd ", "123456789012345"] {
            let read = RegistryIdentifier::parse(good).unwrap();
            assert_eq!(read.as_str(), good.trim());
            assert_eq!(RegistryIdentifier::parse_saved(read.as_str()), Some(read));
        }
        for bad in [
            "abc",
            "1234567890123456",
            "NOTAR-1",
            "NOTAR 1",
            "НОТ_1",
            "дужедовгийзапис1",
        ] {
            assert_eq!(
                RegistryIdentifier::parse(bad),
                Err(Key::RegistryIdentifierInvalid),
                "{bad}"
            );
        }
        assert_eq!(
            RegistryIdentifier::parse(" "),
            Err(Key::RegistryIdentifierRequired)
        );
    }

    #[test]
    fn an_identifier_of_an_older_account_is_still_read() {
        for saved in ["A", "12", "Ї_1", "OTHER_1"] {
            assert_eq!(
                RegistryIdentifier::parse_saved(saved).unwrap().as_str(),
                saved
            );
        }
        for wrong in ["", "A B", "1234567890123456"] {
            assert_eq!(RegistryIdentifier::parse_saved(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_certificate_number_is_digits() {
        for good in ["1", "1209", "1234567890"] {
            assert_eq!(CertificateNumber::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "12a", "12345678901", "１２"] {
            assert_eq!(
                CertificateNumber::parse(bad),
                Err(Key::CertificateNumberInvalid),
                "{bad}"
            );
        }
    }
}
