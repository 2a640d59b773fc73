//! Accounts that are invented: nothing may really be paid to them, whatever a table says.
//!
//! The mark of a row is for the one who keeps the tables. It can be taken away by hand, so the accounts are known by themselves.

use cabinet_domain::Iban;

/// How invented accounts begin, after the check digits: bank code and account.
const INVENTED: &[(&str, &str)] = &[
    // The starter tables: accounts of the Treasury with the balance code 999, which no revenue account has.
    ("899998", "0999"),
    // The starter tables: a bank code that no bank has.
    ("399999", ""),
    // The operator of the sandbox.
    ("322001", "0000026007233566001"),
    // The operator in the examples of the documentation.
    ("305299", "0000026001234567890"),
];
/// The stem of the word in the names of invented recipients, in lower case.
const INVENTED_NAME: &str = "демонстраційн";
/// Characters before the bank's code: the country and the check digits.
const HEAD_CHARS: usize = 4;

/// Returns whether an account is a known invented one.
#[must_use]
pub fn is_demonstration_account(iban: &Iban) -> bool {
    let number = iban.as_str().get(HEAD_CHARS..).unwrap_or_default();
    INVENTED.iter().any(|(bank, account)| {
        number
            .strip_prefix(bank)
            .is_some_and(|rest| rest.starts_with(account))
    })
}

/// Returns whether a name says that its owner is invented.
#[must_use]
pub fn is_demonstration_name(name: &str) -> bool {
    name.to_lowercase().contains(INVENTED_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_accounts_are_known_and_real_ones_of_the_same_banks_are_not() {
        for (text, invented) in [
            ("UA348999980999022010300300001", true),
            ("UA513999990000026009990000001", true),
            ("UA573220010000026007233566001", true),
            ("UA223052990000026001234567890", true),
            // Revenue accounts of the Treasury, and accounts of the same banks.
            ("UA388999980313090206000026001", false),
            ("UA903052992990004149123456789", false),
            ("UA303220010000026007233566002", false),
        ] {
            assert_eq!(
                is_demonstration_account(&Iban::parse(text).unwrap()),
                invented,
                "{text}"
            );
        }
    }

    #[test]
    fn invented_names_are_known_in_any_case() {
        assert!(is_demonstration_name("ТОВ «Демонстраційний кабінет»"));
        assert!(is_demonstration_name(
            "ГУК у м.Києві/ДЕМОНСТРАЦІЙНИЙ р-н/22010300"
        ));
        assert!(!is_demonstration_name(
            "ГУК у м.Києві/Голосіїв.р-н/22010300"
        ));
    }
}
