//! Reads subject (RFC 2047) and text (RFC 2045) of a plain e-mail in UTF-8.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Subject and text of a letter.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) subject: String,
    pub(super) text: String,
}

/// Reads a letter with CRLF line ends. What can't be decoded is kept as it is.
pub(super) fn read(letter: &[u8]) -> Content {
    let whole = String::from_utf8_lossy(letter);
    let (head, body) = split(&whole);
    Content {
        subject: decode_words(&header(head, "subject")),
        text: text_of(head, body),
    }
}

/// Returns the headers and the body of a letter.
fn split(text: &str) -> (&str, &str) {
    text.split_once("\r\n\r\n").unwrap_or((text, ""))
}

/// Returns the decoded text of a body.
fn text_of(head: &str, body: &str) -> String {
    let coding = header(head, "content-transfer-encoding").to_lowercase();
    let bytes = match coding.trim() {
        "base64" => from_base64(body),
        "quoted-printable" => quoted_printable(body, false),
        _ => body.as_bytes().to_vec(),
    };
    String::from_utf8_lossy(&bytes)
        .replace("\r\n", "\n")
        .trim_end()
        .to_owned()
}

/// Returns the value of the first header of that name with its continuation lines joined, or an empty text.
fn header(head: &str, name: &str) -> String {
    let mut lines = head.split("\r\n");
    let first = lines.by_ref().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then_some(value)
    });
    let Some(first) = first else {
        return String::new();
    };
    let folded = lines.take_while(|line| line.starts_with([' ', '\t']));
    let value: String = std::iter::once(first).chain(folded).collect();
    value.trim().to_owned()
}

/// Decodes the encoded words of a header. White space between two of them belongs to the encoding.
fn decode_words(value: &str) -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let mut rest = value;
    let mut after_word = false;
    while let Some((before, word, behind)) = next_word(rest) {
        if !(after_word && before.trim().is_empty()) {
            bytes.extend_from_slice(before.as_bytes());
        }
        // A character may be split over two words, so the bytes are decoded after all words are joined.
        bytes.extend(word);
        after_word = true;
        rest = behind;
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the text before the next encoded word, the word's bytes, and the rest.
fn next_word(text: &str) -> Option<(&str, Vec<u8>, &str)> {
    let (before, word) = text.split_once("=?")?;
    let (_charset, word) = word.split_once('?')?;
    let (coding, word) = word.split_once('?')?;
    let (content, behind) = word.split_once("?=")?;
    let bytes = match coding {
        "B" | "b" => from_base64(content),
        "Q" | "q" => quoted_printable(content, true),
        _ => return None,
    };
    Some((before, bytes, behind))
}

fn from_base64(text: &str) -> Vec<u8> {
    let packed: String = text.split_ascii_whitespace().collect();
    STANDARD
        .decode(&packed)
        .unwrap_or_else(|_| text.as_bytes().to_vec())
}

/// Decodes `=XX` and soft line breaks. In a header an underscore stands for a space.
fn quoted_printable(text: &str, in_header: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'=' => {
                if let Some(behind) = rest.strip_prefix(b"\r\n") {
                    rest = behind;
                } else if let Some((code, behind)) = rest.split_at_checked(2)
                    && let Some(decoded) = hexadecimal(code)
                {
                    bytes.push(decoded);
                    rest = behind;
                } else {
                    bytes.push(byte);
                }
            }
            b'_' if in_header => bytes.push(b' '),
            _ => bytes.push(byte),
        }
    }
    bytes
}

fn hexadecimal(code: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(code).ok()?;
    u8::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(subject: &str, text: &str) -> Content {
        Content {
            subject: subject.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_plain_letter_is_read_as_it_is() {
        let letter = b"From: a@b.example\r\nsubject:  Hello\r\n there\r\nTo: c@d.example\r\n\r\nOne\r\n\r\nTwo\r\n";
        assert_eq!(read(letter), content("Hello there", "One\n\nTwo"));
        assert_eq!(read(b"no head at all"), content("", ""));
    }

    #[test]
    fn quoted_printable_is_decoded_and_soft_line_ends_are_gone() {
        let letter = "Subject: =?utf-8?Q?=D0=A1=D1=83=D0=BC=D0=B0_1?=\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\n\
                      =D0=A1=\r\n=D1=83=D0=BC=D0=B0 =3D 1_000 =zz\r\n";
        assert_eq!(
            read(letter.as_bytes()),
            content("Сума 1", "Сума = 1_000 =zz")
        );
    }

    #[test]
    fn base64_is_decoded_over_its_lines() {
        let letter = "Subject: Re: =?UTF-8?b?0KE=?= =?UTF-8?b?0YPQvNCw?= (2)\r\nContent-Transfer-Encoding: base64\r\n\r\n\
                      0KHRg9C8\r\n0LA=\r\n";
        assert_eq!(read(letter.as_bytes()), content("Re: Сума (2)", "Сума"));
    }

    #[test]
    fn a_character_cut_in_two_by_the_end_of_a_word_is_whole_again() {
        let letter = "Subject: =?utf-8?q?=D0?=\r\n =?utf-8?q?=A1?=\r\n\r\n";
        assert_eq!(read(letter.as_bytes()).subject, "С");
    }

    #[test]
    fn what_is_no_encoded_word_stays() {
        for subject in ["=?utf-8?x?abc?=", "=?utf-8?q", "a =? b", "==?="] {
            let letter = format!("Subject: {subject}\r\n\r\n");
            assert_eq!(read(letter.as_bytes()).subject, subject);
        }
    }
}
