//! Free texts: names, purposes, addresses.

use std::sync::OnceLock;

use cabinet_domain::kernel::csv::{cell, cells_of};
use cabinet_domain::{
    Email, Iban, Inn, Line, PaymentCode, PersonName, Profile, Purpose, fold_for_search,
    names_payment_card, tidy,
};

/// What is kept of a text is tidy, not longer than its field, reads back, survives a table, and hides no card number that
/// was not seen in the text as it came.
pub fn names(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    let names_card = names_payment_card(text);
    if let Ok(tidied) = tidy(text) {
        assert_eq!(tidy(&tidied).as_ref(), Ok(&tidied));
        assert!(names_card || !names_payment_card(&tidied), "{tidied:?}");
        let table = cell(&tidied);
        let cells = cells_of(&table, ',').unwrap();
        assert_eq!(cells.len(), 1);
        assert_eq!(cells[0].trim(), tidied);
        assert!(!cells[0].starts_with(['=', '+', '-', '@', '\t', '\r']));
    }
    if let Ok(line) = Line::parse(text, Profile::ADDRESS_CHARS_MAX) {
        assert!(is_one_line(line.as_str(), Profile::ADDRESS_CHARS_MAX));
        let again = Line::parse(line.as_str(), Profile::ADDRESS_CHARS_MAX);
        assert_eq!(again.as_ref(), Ok(&line));
        assert!(names_card || !names_payment_card(line.as_str()));
    }
    if let Ok(name) = PersonName::parse(text) {
        assert!(is_one_line(name.as_str(), PersonName::CHARS_MAX));
        assert!(!name.as_str().contains("  "));
        assert_eq!(PersonName::parse(name.as_str()).as_ref(), Ok(&name));
        assert!(names_card || !names_payment_card(name.as_str()));
    }
    if let Ok(email) = Email::parse(text) {
        assert!(is_one_line(email.as_str(), Email::CHARS_MAX) && email.as_str().contains('@'));
        assert_eq!(Email::parse(email.as_str()).as_ref(), Ok(&email));
        assert!(names_card || !names_payment_card(email.as_str()));
    }
    let folded = fold_for_search(text);
    assert_eq!(fold_for_search(&folded), folded, "{text:?}");
}

/// A purpose is one tidy line of at most 160 characters, fits its payment when it is said to, and hides no card number.
pub fn purpose(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    let Ok(purpose) = Purpose::parse(text) else {
        return;
    };
    assert!(is_one_line(purpose.as_str(), Purpose::TYPED_CHARS_MAX));
    assert_eq!(Purpose::parse(purpose.as_str()).as_ref(), Ok(&purpose));
    assert!(names_payment_card(text) || !names_payment_card(purpose.as_str()));
    let (budget, bank, client) = payment();
    for iban in [budget, bank] {
        let codes = [PaymentCode::parse("101").unwrap()].into();
        if let Ok(fitting) = Purpose::for_payment(text, iban, client, None, &codes) {
            // Only the older form for the budget is stored otherwise than typed, and never longer.
            let (typed, stored) = (purpose.as_str(), fitting.as_str());
            assert!(stored == typed || iban.is_budget_account() && typed.starts_with("*;"));
            assert!(stored.chars().count() <= typed.chars().count());
            assert!(fitting.contains(client));
            assert!(!iban.is_budget_account() || fitting.payment_code().is_some());
            let again = Purpose::for_payment(stored, iban, client, None, &codes);
            assert_eq!(again, Ok(fitting));
        }
    }
}

/// An account of the budget, one at a bank, and the code of a client.
fn payment() -> (&'static Iban, &'static Iban, &'static Inn) {
    static PAYMENT: OnceLock<(Iban, Iban, Inn)> = OnceLock::new();
    let (budget, bank, client) = PAYMENT.get_or_init(|| {
        (
            Iban::parse("UA728999980334100000000026001").unwrap(),
            Iban::parse("UA223052990000026001234567890").unwrap(),
            Inn::parse("3068208400").unwrap(),
        )
    });
    (budget, bank, client)
}

fn is_one_line(text: &str, chars_max: usize) -> bool {
    let fits = (1..=chars_max).contains(&text.chars().count());
    fits && text.trim() == text && !text.contains(char::is_control)
}
