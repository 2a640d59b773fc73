//! Phones, accounts and codes.

use cabinet_domain::{
    BudgetCode, CertificateNumber, Iban, Inn, InnKind, Okpo, Phone, RegistryIdentifier,
};

/// A phone is `+380` and nine digits, reads back, and shows at most its operator and last two digits when masked.
pub fn phone(bytes: &[u8]) {
    let Some(Ok(phone)) = crate::text_of(bytes).map(Phone::parse) else {
        return;
    };
    let rest = phone.as_str().strip_prefix("+380").unwrap();
    assert!(rest.len() == 9 && is_digits(rest));
    assert_eq!(phone.digits(), &phone.as_str()[1..]);
    for text in [phone.as_str(), phone.digits(), &format!("0{rest}")] {
        assert_eq!(Phone::parse(text).as_ref(), Ok(&phone));
    }
    let masked = phone.masked();
    assert_eq!(
        masked.bytes().filter(u8::is_ascii_digit).count(),
        7,
        "{masked}"
    );
    assert_eq!(format!("{phone:?}"), "Phone(…)");
}

/// An account is `UA`, 27 digits and a right checksum, and reads back also from groups.
pub fn iban(bytes: &[u8]) {
    let Some(Ok(iban)) = crate::text_of(bytes).map(Iban::parse) else {
        return;
    };
    let digits = iban.as_str().strip_prefix("UA").unwrap();
    assert!(digits.len() == 27 && is_digits(digits));
    let (check, account) = digits.split_at(2);
    // By ISO 13616: the number with U = 30, A = 10 and the check digits at its end leaves 1.
    let rearranged = format!("{account}3010{check}");
    assert_eq!(remainder_of_97(&rearranged), 1, "{iban:?}");
    assert_eq!(Iban::parse(iban.as_str()).as_ref(), Ok(&iban));
    assert_eq!(Iban::parse(&iban.grouped()).as_ref(), Ok(&iban));
    assert_eq!(iban.bank_code().len(), 6);
    assert!(iban.balance_code().len() <= 4);
}

/// Divides nine digits at a time, as the standard describes it for paper.
fn remainder_of_97(digits: &str) -> u64 {
    let mut rest = String::new();
    for piece in digits.as_bytes().chunks(9) {
        rest.push_str(std::str::from_utf8(piece).unwrap());
        rest = (rest.parse::<u64>().unwrap() % 97).to_string();
    }
    rest.parse().unwrap()
}

/// A code has the form of its kind and reads back.
pub fn codes(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    if let Ok(inn) = Inn::parse(text) {
        let code = inn.as_str();
        match inn.kind() {
            InnKind::TaxId => assert!(code.len() == 10 && is_digits(code)),
            InnKind::IdCard => assert!(code.len() == 9 && is_digits(code)),
            InnKind::Edrpou => assert!(code.len() == 8 && is_digits(code)),
            InnKind::Passport => {
                let number: String = code.chars().skip(2).collect();
                let series: Vec<char> = code.chars().take(2).collect();
                assert!(number.len() == 6 && is_digits(&number), "{number}");
                let is_capital =
                    |letter: &char| "АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯ".contains(*letter);
                assert!(
                    series.len() == 2 && series.iter().all(is_capital),
                    "{series:?}"
                );
            }
        }
        assert_eq!(Inn::parse(code).as_ref(), Ok(&inn));
    }
    if let Ok(okpo) = Okpo::parse(text) {
        assert!(is_digits(okpo.as_str()));
        assert_eq!(okpo.as_str().len(), if okpo.is_person() { 10 } else { 8 });
        assert_eq!(Okpo::parse(okpo.as_str()).as_ref(), Ok(&okpo));
    }
    if let Ok(code) = BudgetCode::parse(text) {
        assert!(code.as_str().len() == 8 && is_digits(code.as_str()));
        assert_eq!(BudgetCode::parse(code.as_str()).as_ref(), Ok(&code));
    }
    if let Ok(number) = CertificateNumber::parse(text) {
        assert!((1..=10).contains(&number.as_str().len()) && is_digits(number.as_str()));
    }
    if let Ok(identifier) = RegistryIdentifier::parse(text) {
        let length = identifier.as_str().chars().count();
        assert!(RegistryIdentifier::CHARS.contains(&length));
        assert_eq!(
            RegistryIdentifier::parse_saved(identifier.as_str()).as_ref(),
            Some(&identifier)
        );
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
