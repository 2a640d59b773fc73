//! Check digits of accounts and codes. The bank calculates them by itself, not by the cabinet's code.

/// Characters of a Ukrainian IBAN.
const IBAN_CHARS: usize = 29;
/// The bank code of accounts that the Treasury keeps.
const TREASURY: &str = "899998";

/// Returns whether a text is a Ukrainian IBAN with right check digits (ISO 13616).
pub(super) fn is_iban(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("UA") else {
        return false;
    };
    if text.len() != IBAN_CHARS || !is_digits(digits) {
        return false;
    }
    // The country and the check digits go to the end, letters become two digits: U = 30, A = 10.
    let (check, account) = digits.split_at(2);
    let remainder = [account, "3010", check]
        .concat()
        .bytes()
        .fold(0_u32, |left, digit| {
            (left * 10 + u32::from(digit - b'0')) % 97
        });
    remainder == 1
}

/// Returns the code of the bank that keeps an account.
pub(super) fn bank_of(iban: &str) -> &str {
    iban.get(4..10).unwrap_or_default()
}

/// Returns whether the Treasury keeps an account.
pub(super) fn is_treasury(iban: &str) -> bool {
    bank_of(iban) == TREASURY
}

/// Returns whether an account may take payments with budget codes: the code of its bank begins with 8.
pub(super) fn is_budget(iban: &str) -> bool {
    bank_of(iban).starts_with('8')
}

/// Returns whether a text is a code by its form: 8 digits of an enterprise, or 10 of a person.
pub(super) fn is_code(text: &str) -> bool {
    matches!(text.len(), 8 | 10) && is_digits(text)
}

/// Returns whether a text is the code of an enterprise with a right check digit.
///
/// The seven digits are weighted by 1 to 7, and from 3000 0000 to 6000 0000 by 7, 1, 2, …, 6. A sum of 10 modulo 11 is calculated
/// again with weights that are two higher, and counts as 0 if it is 10 again.
pub(super) fn is_enterprise_code(text: &str) -> bool {
    if text.len() != 8 || !is_digits(text) {
        return false;
    }
    let digits: Vec<u32> = text.bytes().map(|digit| u32::from(digit - b'0')).collect();
    let is_middle = ("30000000".."60000000").contains(&text);
    let weights: [u32; 7] = if is_middle {
        [7, 1, 2, 3, 4, 5, 6]
    } else {
        [1, 2, 3, 4, 5, 6, 7]
    };
    let rest = |more: u32| {
        let sum: u32 = digits
            .iter()
            .zip(weights)
            .map(|(digit, weight)| digit * (weight + more))
            .sum();
        sum % 11
    };
    let check = match rest(0) {
        10 => rest(2) % 10,
        rest => rest,
    };
    digits.last() == Some(&check)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_digits_of_an_account_are_counted() {
        assert!(is_iban("UA223052990000026001234567890"));
        assert!(is_treasury("UA348999980999022010300300001"));
        for wrong in [
            "UA233052990000026001234567890",
            "UA22305299000002600123456789",
            "PL223052990000026001234567890",
            "",
        ] {
            assert!(!is_iban(wrong), "{wrong}");
        }
    }

    #[test]
    fn the_check_digit_of_an_enterprise_is_counted() {
        for right in ["37993783", "32855961", "14360570", "00032112"] {
            assert!(is_enterprise_code(right), "{right}");
        }
        for wrong in ["37993784", "3799378", "379937830", "3799378а"] {
            assert!(!is_enterprise_code(wrong), "{wrong}");
        }
    }
}
