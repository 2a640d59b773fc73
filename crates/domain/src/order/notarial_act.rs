//! The notarial act that payments are for, as the notary enters it for the notarial file.

use jiff::civil::Date;

use crate::{Key, Line};

/// What is known of a notarial act: every part may be missing, because an act is often registered after the fees were paid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotarialAct {
    /// Its number in the register of notarial acts, as the notary writes it.
    pub register_number: Option<Line>,
    /// The day of the act (Kyiv).
    pub date: Option<Date>,
    /// What the act is about, for instance the address of a flat.
    pub object: Option<Line>,
}

impl NotarialAct {
    /// Longest object, in characters. Together with a client's name it must fit the index of the search.
    pub const OBJECT_CHARS_MAX: usize = 250;
    /// The years in which an act can be. Private notaries exist since the law "On Notariate" of 1993.
    const YEARS: std::ops::RangeInclusive<i16> = 1993..=2099;

    /// Returns whether nothing is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.register_number.is_none() && self.date.is_none() && self.object.is_none()
    }

    /// Reads the day of an act, `YYYY-MM-DD`.
    ///
    /// # Errors
    /// [`Key::DateInvalid`], also for a year in which there was no such act.
    pub fn parse_date(text: &str) -> Result<Date, Key> {
        text.parse::<Date>()
            .ok()
            .filter(|date| Self::YEARS.contains(&date.year()))
            .ok_or(Key::DateInvalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_as_the_calendar_has_it() {
        assert!(NotarialAct::parse_date("2026-03-02").is_ok());
        for wrong in ["", "2026-02-30", "02.03.2026", "0206-03-02", "2126-03-02"] {
            assert_eq!(
                NotarialAct::parse_date(wrong),
                Err(Key::DateInvalid),
                "{wrong}"
            );
        }
    }

    #[test]
    fn an_act_of_which_anything_is_known_is_not_empty() {
        assert!(NotarialAct::default().is_empty());
        let object = Line::parse("квартира", NotarialAct::OBJECT_CHARS_MAX).ok();
        let act = NotarialAct {
            object,
            ..NotarialAct::default()
        };
        assert!(!act.is_empty());
    }
}
