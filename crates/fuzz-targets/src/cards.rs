//! Card numbers: their masks, and full numbers in disguise.

use cabinet_domain::{MaskedPan, RegistryIdentifier, TruncatedPan, luhn_fits, names_payment_card};

/// No type for a card ever holds more than ten digits of it.
pub fn cards(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    for card in [
        TruncatedPan::parse_profile(text),
        TruncatedPan::parse_mask(text),
    ] {
        let Ok(card) = card else { continue };
        assert_eq!(digits(card.as_str()), 10);
        assert!(!names_payment_card(card.as_str()));
        assert_eq!(TruncatedPan::parse_mask(card.as_str()).as_ref(), Ok(&card));
    }
    for mask in [MaskedPan::parse(text), MaskedPan::from_acquirer(text)] {
        let Some(mask) = mask else { continue };
        assert!(digits(mask.as_str()) <= 10 && mask.as_str().contains('*'));
        assert!(!names_payment_card(mask.as_str()));
        assert_eq!(MaskedPan::parse(mask.as_str()).as_ref(), Some(&mask));
    }
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// First digits of cards in use: Visa, Mastercard (two ranges), Maestro, PROSTIR, American Express.
const BEGINNINGS: [&str; 6] = ["4", "5", "2", "6", "9", "37"];

/// The digit zero of scripts whose digits stand in a row from zero to nine.
const ZEROS: [char; 8] = ['0', '٠', '۰', '०', '๐', '０', '𝟎', '𝟶'];

/// What people and attackers put between the groups of a number. Each is used alone or with others.
const JOINTS: [&str; 32] = [
    " ", "\u{a0}", "\u{2009}", "\u{3000}", "\t", "-", "‐", "‑", "–", "—", "−", ".", "/", "\\", "|",
    "_", "*", "~", "'", "’", "·", "•", "\u{ad}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}",
    "\u{feff}", "\u{301}", "\u{2063}", "\u{2800}", "－",
];

/// A full card number is seen in every disguise: digits of any script, marks that nobody sees between all digits, and
/// signs between groups. The first bytes choose the number, the others its disguise.
pub fn in_disguise(bytes: &[u8]) {
    let mut choices = bytes.iter().copied().map(usize::from);
    let mut choose = |from: usize| choices.next().unwrap_or_default() % from;
    let beginning = BEGINNINGS[choose(BEGINNINGS.len())];
    let length = if beginning == "37" { 15 } else { 16 };
    let mut number = beginning.to_owned();
    while number.len() < length - 1 {
        number.push(char::from_digit(u32::try_from(choose(10)).unwrap(), 10).unwrap());
    }
    let last = (0..10)
        .find(|last| luhn_fits(&format!("{number}{last}")))
        .unwrap();
    number.push_str(&last.to_string());

    let groups: &[usize] = match choose(4) {
        0 => &[length],
        1 => &[1; 16][..length],
        2 if length == 16 => &[2; 8],
        _ if length == 16 => &[4; 4],
        _ => &[4, 6, 5],
    };
    let mut disguised = String::from("карта ");
    let mut rest = number.chars();
    for (place, group) in groups.iter().enumerate() {
        for _ in 0..if place == 0 { 0 } else { 1 + choose(3) } {
            disguised.push_str(JOINTS[choose(JOINTS.len())]);
        }
        for digit in rest.by_ref().take(*group) {
            let zero = u32::from(ZEROS[choose(ZEROS.len())]);
            disguised.push(char::from_u32(zero + digit.to_digit(10).unwrap()).unwrap());
            if choose(4) == 3 {
                disguised
                    .push(['\u{ad}', '\u{200b}', '\u{2060}', '\u{301}', '\u{20dd}'][choose(5)]);
            }
        }
    }
    disguised.push_str(" кінець");
    assert!(
        names_payment_card(&disguised),
        "{number} is not seen in {disguised:?}"
    );
    // An identifier is as short as a card of American Express, and takes letters and digits of every script.
    let bare: String = disguised
        .chars()
        .filter(|letter| letter.is_numeric())
        .collect();
    if RegistryIdentifier::parse(&bare).is_ok() {
        assert!(
            names_payment_card(&bare),
            "{number} is not seen in {bare:?}"
        );
    }
}
