//! What a fee is a multiple of, as its row says it.
//!
//! State fees are multiples of minimums that a law sets on 1 January of each year (Law 1952-IV art. 34, Law 755-IV art. 36). The row keeps
//! the multiple, so that the sum of another year follows from the minimums of that year.

use cabinet_domain::{Money, TermId};

use crate::cells::Cells;
use crate::problem::Reason;

/// The columns of a multiple: of what, how many times, and to what each part is rounded.
pub(crate) const MULTIPLE_COLUMNS: [&str; 3] = [BASE, MULTIPLES, ROUNDED_TO];
pub(crate) const BASE: &str = "base";
const MULTIPLES: &str = "multiples";
const ROUNDED_TO: &str = "rounded_to";

/// Parts of one that a multiple is counted in: it has four decimals at most.
const PARTS_OF_ONE: i128 = 10_000;

/// What a fee is a multiple of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// The subsistence minimum of an able-bodied person on 1 January.
    SubsistenceMinimum,
    /// The minimum monthly wage on 1 January.
    MinimumWage,
    /// The fee of another term on the same day, by the same reading.
    FeeOf(TermId),
}

impl Base {
    fn parse(text: &str) -> Option<Base> {
        match text {
            "subsistence_minimum" => Some(Base::SubsistenceMinimum),
            "minimum_wage" => Some(Base::MinimumWage),
            _ => TermId::parse(text.strip_prefix("fee:")?).map(Base::FeeOf),
        }
    }
}

/// A fee as multiples of a base. Each multiple is rounded by itself, and the parts are added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Multiple {
    pub(crate) base: Base,
    /// The multiples in ten-thousandths, at least one.
    parts: Vec<i64>,
    /// What each part is rounded to, halves up.
    rounded_to: Money,
}

impl Multiple {
    /// Returns the fee for a sum of the base. `None`: it is zero or out of range.
    pub(crate) fn of(&self, base: Money) -> Option<Money> {
        let unit = i128::from(self.rounded_to.kopiykas());
        let step = unit * PARTS_OF_ONE;
        let parts = self.parts.iter().map(|part| {
            let exact = i128::from(base.kopiykas()) * i128::from(*part);
            (exact + step / 2) / step * unit
        });
        let sum = Money::from_kopiykas(i64::try_from(parts.sum::<i128>()).ok()?).ok()?;
        (!sum.is_zero()).then_some(sum)
    }
}

/// Reads the columns of a multiple. All of them are empty where nothing is known of it.
pub(crate) fn multiple(cells: &mut Cells<'_>) -> Option<Option<Multiple>> {
    if MULTIPLE_COLUMNS
        .iter()
        .all(|column| cells.raw(column).is_empty())
    {
        return Some(None);
    }
    let base = cells.word(BASE, Base::parse);
    let parts = match cells.raw(MULTIPLES) {
        "" => cells.refuse(Reason::Empty { column: MULTIPLES }),
        text => text
            .split_whitespace()
            .map(read_multiple)
            .collect::<Option<Vec<i64>>>()
            .or_else(|| cells.refuse(Reason::MultipleInvalid)),
    };
    let rounded_to = match cells.raw(ROUNDED_TO) {
        "" => Money::from_kopiykas(1).ok(),
        _ => cells.money(ROUNDED_TO),
    };
    Some(Some(Multiple {
        base: base?,
        parts: parts?,
        rounded_to: rounded_to?,
    }))
}

/// Reads a multiple such as `0.0125` as ten-thousandths: above zero, below a thousand, four decimals at most.
fn read_multiple(text: &str) -> Option<i64> {
    let text = text.replace(',', ".");
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, "0"));
    let are_digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !are_digits(whole, 3) || !are_digits(decimals, 4) {
        return None;
    }
    let parts = format!("{whole}{decimals:0<4}").parse().ok()?;
    (parts > 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiple_has_a_point_or_a_comma_and_four_decimals_at_most() {
        for (text, parts) in [
            ("0.1", 1_000),
            ("0,0125", 125),
            ("5", 50_000),
            ("2.5", 25_000),
            ("999.9999", 9_999_999),
        ] {
            assert_eq!(read_multiple(text), Some(parts), "{text}");
        }
        for text in [
            "", "0", "0.0", ".5", "5.", "0.00001", "1000", "-1", "1e3", "0.1.2", "٥",
        ] {
            assert_eq!(read_multiple(text), None, "{text}");
        }
    }

    #[test]
    fn each_part_is_rounded_halves_up_and_added() {
        let sum = |parts: &[i64], rounded_to: i64, base: i64| {
            let multiple = Multiple {
                base: Base::SubsistenceMinimum,
                parts: parts.to_vec(),
                rounded_to: Money::from_kopiykas(rounded_to).unwrap(),
            };
            let sum = multiple.of(Money::from_kopiykas(base).unwrap());
            sum.map(Money::kopiykas)
        };
        // 998.40 and 4992.00: together 5990.40, and rounded one by one 1000 and 4990.
        assert_eq!(sum(&[3_000, 15_000], 1_000, 332_800), Some(599_000));
        assert_eq!(sum(&[1_000], 1_000, 5_000), Some(1_000));
        assert_eq!(sum(&[1_000], 1_000, 4_999), None);
        assert_eq!(sum(&[500], 1, 864_700), Some(43_235));
        assert_eq!(sum(&[9_999_999], 1, Money::MAX.kopiykas()), None);
    }
}
