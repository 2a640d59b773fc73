//! E-mail addresses.

use std::fmt;

use crate::{Key, Line};

/// An e-mail address: one `@`, text before it, a dot in the text after it, no blanks. This catches typing mistakes and
/// accepts every valid address.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

impl Email {
    /// The longest address, in characters (RFC 5321).
    pub const CHARS_MAX: usize = 254;

    /// Parses an address.
    ///
    /// # Errors
    /// Returns [`Key::EmailInvalid`], or [`Key::TextTooLong`] or [`Key::TextInvalid`] if it is not a valid line
    /// ([`Line::parse`]).
    pub fn parse(text: &str) -> Result<Self, Key> {
        let line =
            Line::parse(text, Self::CHARS_MAX).map_err(|error| error.key(Key::EmailInvalid))?;
        if is_address(line.as_str()) {
            Ok(Self(line.into_string()))
        } else {
            Err(Key::EmailInvalid)
        }
    }

    /// Returns the first letter and the host only: `o•••@example.com`. It may be shown to people who know the address.
    #[must_use]
    pub fn masked(&self) -> String {
        let (name, host) = self.0.rsplit_once('@').unwrap_or_default();
        let first: String = name.chars().take(1).collect();
        format!("{first}•••@{host}")
    }

    /// Returns the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Hides the address.
impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, domain)| {
        let has_dot = domain.contains('.') && domain.split('.').all(|part| !part.is_empty());
        !local.is_empty() && has_dot && !domain.contains('@') && !text.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_mail() {
        for good in ["a@b.ua", "олена@нотаріус.укр", "o.k+1@mail.example.com"] {
            assert_eq!(Email::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "", "a", "a@b", "@b.ua", "a@.ua", "a@b.", "a@b@c.ua", "a b@c.ua",
        ] {
            assert_eq!(Email::parse(bad), Err(Key::EmailInvalid), "{bad}");
        }
        let long = format!("{}@b.ua", "a".repeat(250));
        assert_eq!(Email::parse(&long), Err(Key::TextTooLong));
    }
}
