//! The two languages of the cabinet (specification, point 9).

/// A language of the interface, of receipts and of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locale {
    /// Ukrainian, the default.
    #[default]
    Uk,
    /// English.
    En,
}

impl Locale {
    /// Both languages, the default first.
    pub const ALL: [Self; 2] = [Self::Uk, Self::En];

    /// Parses `uk` or `en`, exactly; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|locale| locale.code() == text)
    }

    /// Returns the code used on the wire, in storage and in the `lang` of a page.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Uk => "uk",
            Self::En => "en",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_own_codes_and_nothing_else() {
        for locale in Locale::ALL {
            assert_eq!(Locale::parse(locale.code()), Some(locale));
        }
        for text in ["", "UK", "ua", "en-US", " uk"] {
            assert_eq!(Locale::parse(text), None, "{text}");
        }
        assert_eq!(Locale::default(), Locale::Uk);
    }
}
