//! The unique end-to-end transaction reference of a transfer.

use std::fmt;

/// A UETR: the reference under which every bank of a transfer's way knows it. It is a UUID of version 4 (ISO 20022,
/// `UUIDv4Identifier`), kept in small letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uetr(String);

/// Places of the dashes.
const DASHES: [usize; 4] = [8, 13, 18, 23];
/// Characters of a UETR.
const CHARS: usize = 36;

impl Uetr {
    /// Reads a UETR in small or capital letters; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Uetr> {
        let text = text.trim().to_ascii_lowercase();
        let fits = |(place, byte): (usize, u8)| match place {
            place if DASHES.contains(&place) => byte == b'-',
            14 => byte == b'4',
            19 => matches!(byte, b'8' | b'9' | b'a' | b'b'),
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        };
        let is_uetr = text.len() == CHARS && text.bytes().enumerate().all(fits);
        is_uetr.then_some(Uetr(text))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Uetr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Uetr;

    #[test]
    fn a_uetr_is_a_uuid_of_version_four() {
        let right = "eb6305c9-1f7f-49de-aed0-16487c27b42d";
        for text in [right, " EB6305C9-1F7F-49DE-AED0-16487C27B42D "] {
            assert_eq!(Uetr::parse(text).unwrap().as_str(), right);
        }
        for text in [
            "",
            "eb6305c91f7f49deaed016487c27b42d",
            "eb6305c9-1f7f-19de-aed0-16487c27b42d",
            "eb6305c9-1f7f-49de-ced0-16487c27b42d",
            "eb6305c9-1f7f-49de-aed0-16487c27b42g",
            "eb6305c9-1f7f-49de-aed0-16487c27b42d0",
            "eb6305c9-1f7f-49de-aed0-16487c27b4ї",
        ] {
            assert_eq!(Uetr::parse(text), None, "{text}");
        }
    }
}
