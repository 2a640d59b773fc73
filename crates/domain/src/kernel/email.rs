//! E-mail addresses.

use std::fmt;

use crate::{Key, Line};

/// An e-mail address to which letters can be sent: words of letters, digits and the marks of RFC 5322 with dots between them, one `@`, and a
/// host of at least two labels. Quoted names and addresses of machines are no addresses of notaries or clients. A label with Latin and
/// Cyrillic letters is refused: no registry gives one out, and a look-alike letter sends the letter nowhere.
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

    /// Takes an address that was stored. Addresses from before the rule of [`Email::parse`] are kept as they are.
    #[must_use]
    pub fn from_saved(text: &str) -> Option<Self> {
        let line = Line::parse(text, Self::CHARS_MAX).ok()?;
        let parts = line.as_str().split_once('@');
        let is_kept = parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        is_kept.then(|| Self(line.into_string()))
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

/// The longest name before the `@`, in bytes (RFC 5321).
const NAME_BYTES_MAX: usize = 64;
/// The longest label of a host, in characters (RFC 1035).
const LABEL_CHARS_MAX: usize = 63;

fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| {
        let is_host = host.contains('.') && host.split('.').all(is_label);
        name.len() <= NAME_BYTES_MAX && name.split('.').all(is_word) && is_host
    })
}

/// Whether a text may stand between the dots of the name.
fn is_word(text: &str) -> bool {
    let may = |char: char| char.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(char);
    !text.is_empty() && text.chars().all(may)
}

/// Whether a text is a label of a host, in one alphabet.
fn is_label(text: &str) -> bool {
    let is_outer = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let has_latin = text.contains(|char: char| char.is_ascii_alphabetic());
    let has_other = text.contains(|char: char| !char.is_ascii() && char.is_alphabetic());
    text.chars().count() <= LABEL_CHARS_MAX
        && text
            .chars()
            .all(|char| char.is_alphanumeric() || char == '-')
        && is_outer(text.chars().next())
        && is_outer(text.chars().next_back())
        && !(has_latin && has_other)
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
            "",
            "a",
            "a@b",
            "@b.ua",
            "a@.ua",
            "a@b.",
            "a@b@c.ua",
            "a b@c.ua",
            "a,b@c.ua",
            "a<b>@c.ua",
            "a;b@c.ua",
            "a..b@c.ua",
            ".a@c.ua",
            "a@-c.ua",
            "a@c_d.ua",
            // A Cyrillic letter in a Latin host.
            "a@gm\u{430}il.com",
        ] {
            assert_eq!(Email::parse(bad), Err(Key::EmailInvalid), "{bad}");
        }
        let long = format!("{}@b.ua", "a".repeat(250));
        assert_eq!(Email::parse(&long), Err(Key::TextTooLong));
    }

    #[test]
    fn what_was_stored_before_the_rule_is_still_read() {
        for kept in ["a,b@c.ua", "a@gm\u{430}il.com", "a@b.ua"] {
            assert_eq!(Email::from_saved(kept).unwrap().as_str(), kept);
        }
        assert_eq!(Email::from_saved("a"), None);
        assert_eq!(Email::from_saved("a@b"), None);
    }
}
