//! Rows of the register of notaries, and how an account is compared with them.

use crate::{CertificateNumber, Email, Line, NotaryStatus, Phone, fold_for_search};

/// A row of the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterRow {
    /// The line of the file. The header is line 1.
    pub line: usize,
    /// Surname, name, patronymic, as the register spells them.
    pub full_name: Line,
    /// Number of the certificate of the right to practise.
    pub certificate_number: Option<CertificateNumber>,
    /// Identifier in the register.
    pub registry_identifier: Option<Line>,
    /// Whether the notary practises: nothing says that the activity has stopped.
    pub is_active: bool,
    /// How she practises, by her office or district: privately or for the state. `None`: the row does not tell.
    pub practises_as: Option<NotaryStatus>,
    /// Her telephone.
    pub phone: Option<Phone>,
    /// Her address for letters.
    pub email: Option<Email>,
}

impl RegisterRow {
    /// Returns the status that the row tells. A stopped activity counts more than the office. `None`: the notary practises, and the
    /// row does not say how.
    #[must_use]
    pub const fn status(&self) -> Option<NotaryStatus> {
        if self.is_active {
            self.practises_as
        } else {
            Some(NotaryStatus::Suspended)
        }
    }

    /// Whether a code can be sent to the notary.
    #[must_use]
    pub const fn has_contact(&self) -> bool {
        self.phone.is_some() || self.email.is_some()
    }

    /// Returns what identifies the row in every load of the register: the certificate, or the identifier where there is no
    /// certificate. `None`: the row has neither.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        let certificate = self.certificate_number.as_ref();
        let identifier = self.registry_identifier.as_ref();
        certificate
            .map(|number| format!("certificate:{}", certificate_digits(number.as_str())))
            .or_else(|| {
                identifier.map(|text| format!("identifier:{}", fold_for_search(text.as_str())))
            })
    }
}

/// Returns the digits of a certificate number for a comparison. Registers write some numbers with leading zeros.
#[must_use]
pub fn certificate_digits(number: &str) -> &str {
    let digits = number.trim_start_matches('0');
    if digits.is_empty() { number } else { digits }
}
