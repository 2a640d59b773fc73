//! Sums.

use cabinet_domain::{Locale, Money};

/// A sum is hryvnias with at most two decimals, never negative, and reads back from each way it is written.
pub fn amount(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    let Ok(sum) = Money::parse_decimal(text) else {
        return;
    };
    assert!((0..=Money::MAX.kopiykas()).contains(&sum.kopiykas()));
    let decimals = text
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    assert!(decimals <= 2, "a part of a kopiyka was read");
    assert_eq!(Money::parse_decimal(&sum.decimal()), Ok(sum));
    let shown = sum
        .display(Locale::Uk)
        .replace('\u{a0}', "")
        .replace(',', ".");
    assert_eq!(shown, sum.decimal());
    assert_eq!(sum.display(Locale::En).replace(',', ""), sum.decimal());
    let (part, rest) = sum.share(cabinet_domain::Percent::NOTARY_SHARE);
    assert_eq!(part.plus(rest), Ok(sum));
}
