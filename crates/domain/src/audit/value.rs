//! Values of the audit trail, masked by their types.

use std::fmt;

use jiff::civil::Date;

use crate::{
    AccountStanding, Balance, Browser, BudgetCode, CancelledItems, CertificateNumber, Email,
    EndReason, Iban, Inn, Line, LoginStep, Money, NotaryStatus, NotaryStatusBy, Okpo,
    OperatorReason, OrderStatus, PersonName, Phone, RegistryIdentifier, StandingBy, TransferStatus,
    TruncatedPan,
};

/// A value as the audit trail keeps it: enough to see that it changed, too little to know it. It can only be made from a typed
/// value, so that no personal data is kept by mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditValue(String);

/// Stands for characters that are not kept.
const HIDDEN: &str = "•••";

impl AuditValue {
    /// The value of a field of which nothing is kept.
    #[must_use]
    pub fn hidden() -> Self {
        Self(HIDDEN.to_owned())
    }

    /// A word of the program.
    #[must_use]
    pub fn word(word: &'static str) -> Self {
        Self(word.to_owned())
    }

    /// A number of things.
    #[must_use]
    pub fn count(count: u64) -> Self {
        Self(count.to_string())
    }

    /// A line about the tables of fees and accounts of recipients. They are published and name no client and no notary.
    #[must_use]
    pub fn of_tables(line: &str) -> Self {
        Self(line.to_owned())
    }

    /// Reads a stored value.
    #[must_use]
    pub const fn from_saved(text: String) -> Self {
        Self(text)
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Keeps so many characters at both ends. A text that has hardly more is hidden as a whole.
    fn ends(text: &str, first: usize, last: usize) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let hidden = characters.len().saturating_sub(first).saturating_sub(last);
        if hidden < 2 {
            return Self::hidden();
        }
        let part = |characters: &[char]| characters.iter().collect::<String>();
        let (head, tail) = characters.split_at(first);
        let (_, tail) = tail.split_at(hidden);
        Self(format!("{}{HIDDEN}{}", part(head), part(tail)))
    }
}

impl fmt::Display for AuditValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `+38050•••4455`.
impl From<&Phone> for AuditValue {
    fn from(phone: &Phone) -> Self {
        Self::ends(phone.as_str(), 6, 4)
    }
}

/// `UA22•••7890`.
impl From<&Iban> for AuditValue {
    fn from(iban: &Iban) -> Self {
        Self::ends(iban.as_str(), 4, 4)
    }
}

/// `o•••@host`.
impl From<&Email> for AuditValue {
    fn from(email: &Email) -> Self {
        Self(email.masked())
    }
}

/// The initials.
impl From<&PersonName> for AuditValue {
    fn from(name: &PersonName) -> Self {
        let initials: Vec<String> = name
            .as_str()
            .split_whitespace()
            .filter_map(|word| word.chars().next())
            .map(|first| format!("{first}."))
            .collect();
        Self(initials.join(" "))
    }
}

/// The last two digits.
impl From<&Inn> for AuditValue {
    fn from(inn: &Inn) -> Self {
        Self::ends(inn.as_str(), 0, 2)
    }
}

/// The last two digits.
impl From<&Okpo> for AuditValue {
    fn from(okpo: &Okpo) -> Self {
        Self::ends(okpo.as_str(), 0, 2)
    }
}

/// The first two characters: the custom login step takes the identifier as its code.
impl From<&RegistryIdentifier> for AuditValue {
    fn from(identifier: &RegistryIdentifier) -> Self {
        Self::ends(identifier.as_str(), 2, 0)
    }
}

/// The last two digits.
impl From<&CertificateNumber> for AuditValue {
    fn from(number: &CertificateNumber) -> Self {
        Self::ends(number.as_str(), 0, 2)
    }
}

/// The last four digits.
impl From<&TruncatedPan> for AuditValue {
    fn from(pan: &TruncatedPan) -> Self {
        Self::ends(pan.as_str(), 0, 4)
    }
}

/// The whole code: it stands in the budget classification.
impl From<&BudgetCode> for AuditValue {
    fn from(code: &BudgetCode) -> Self {
        Self(code.as_str().to_owned())
    }
}

/// Nothing of what a person typed freely.
impl From<&Line> for AuditValue {
    fn from(_: &Line) -> Self {
        Self::hidden()
    }
}

/// The whole text: it names no number of a person.
impl From<&OperatorReason> for AuditValue {
    fn from(reason: &OperatorReason) -> Self {
        Self(reason.as_str().to_owned())
    }
}

/// A digest, in hexadecimal digits.
impl From<&[u8; 32]> for AuditValue {
    fn from(digest: &[u8; 32]) -> Self {
        Self(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl From<&Date> for AuditValue {
    fn from(date: &Date) -> Self {
        Self(date.to_string())
    }
}

impl From<Money> for AuditValue {
    fn from(sum: Money) -> Self {
        Self(sum.decimal())
    }
}

impl From<Balance> for AuditValue {
    fn from(sum: Balance) -> Self {
        Self(sum.decimal())
    }
}

impl From<bool> for AuditValue {
    fn from(value: bool) -> Self {
        Self::word(if value { "true" } else { "false" })
    }
}

impl From<CancelledItems> for AuditValue {
    fn from(items: CancelledItems) -> Self {
        Self::word(items.as_str())
    }
}

impl From<OrderStatus> for AuditValue {
    fn from(status: OrderStatus) -> Self {
        Self::word(status.as_str())
    }
}

impl From<TransferStatus> for AuditValue {
    fn from(status: TransferStatus) -> Self {
        Self::word(status.as_str())
    }
}

impl From<AccountStanding> for AuditValue {
    fn from(standing: AccountStanding) -> Self {
        Self::word(standing.as_str())
    }
}

impl From<NotaryStatus> for AuditValue {
    fn from(status: NotaryStatus) -> Self {
        Self::word(status.as_str())
    }
}

impl From<NotaryStatusBy> for AuditValue {
    fn from(by: NotaryStatusBy) -> Self {
        Self::word(by.as_str())
    }
}

impl From<StandingBy> for AuditValue {
    fn from(by: StandingBy) -> Self {
        Self::word(by.as_str())
    }
}

impl From<LoginStep> for AuditValue {
    fn from(step: LoginStep) -> Self {
        Self::word(step.as_str())
    }
}

impl From<EndReason> for AuditValue {
    fn from(reason: EndReason) -> Self {
        Self::word(reason.as_str())
    }
}

/// The name and the system, as in `Firefox, Windows`.
impl From<&Browser> for AuditValue {
    fn from(browser: &Browser) -> Self {
        Self(browser.as_str().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_name_a_person_is_not_kept() {
        let cases: [(AuditValue, &str); 14] = [
            (
                (&Phone::parse("+380501234455").unwrap()).into(),
                "+38050•••4455",
            ),
            (
                (&Iban::parse("UA223052990000026001234567890").unwrap()).into(),
                "UA22•••7890",
            ),
            (
                (&Email::parse("olena.koval@ukr.net").unwrap()).into(),
                "o•••@ukr.net",
            ),
            (
                (&PersonName::parse("Коваль Олена Іванівна").unwrap()).into(),
                "К. О. І.",
            ),
            (
                (&PersonName::parse("Нечуй-Левицький Іван").unwrap()).into(),
                "Н. І.",
            ),
            ((&Inn::parse("3068208400").unwrap()).into(), "•••00"),
            ((&Okpo::parse("37993783").unwrap()).into(), "•••83"),
            (
                (&RegistryIdentifier::parse("NOTAR12345").unwrap()).into(),
                "NO•••",
            ),
            (
                (&CertificateNumber::parse("12345").unwrap()).into(),
                "•••45",
            ),
            ((&CertificateNumber::parse("123").unwrap()).into(), "•••"),
            (
                (&TruncatedPan::parse_mask("424242******4242").unwrap()).into(),
                "•••4242",
            ),
            (
                (&Line::parse("м. Київ, вул. Перша, 1", 300).unwrap()).into(),
                "•••",
            ),
            (Money::from_kopiykas(36_050).unwrap().into(), "360.50"),
            (true.into(), "true"),
        ];
        for (value, expected) in cases {
            assert_eq!(value.as_str(), expected);
        }
    }
}
