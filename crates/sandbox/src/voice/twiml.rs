//! Reads the TwiML that a confirming call needs: `Say` and `Gather`.

/// A `Gather`: the call waits for keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gather {
    /// The address that the pressed keys are sent to.
    pub(super) action: String,
    /// After so many keys the call goes on; those that follow are not heard. `None`: silence ends the keys.
    pub(super) keys: Option<usize>,
    /// Whether the address is called after silence too.
    pub(super) action_on_empty_result: bool,
}

/// Returns the first `Gather`.
pub(super) fn gather(text: &str) -> Option<Gather> {
    let (_, rest) = text.split_once("<Gather")?;
    let (attributes, _) = rest.split_once('>')?;
    Some(Gather {
        action: attribute(attributes, "action")?,
        keys: attribute(attributes, "numDigits").and_then(|number| number.parse().ok()),
        action_on_empty_result: attribute(attributes, "actionOnEmptyResult").as_deref()
            == Some("true"),
    })
}

/// Returns the texts of all `Say`, in order.
pub(super) fn words(text: &str) -> Vec<String> {
    let said = |part: &str| {
        let (_, rest) = part.split_once('>')?;
        let (words, _) = rest.split_once("</Say>")?;
        Some(plain(words.trim()))
    };
    text.split("<Say").skip(1).filter_map(said).collect()
}

fn attribute(attributes: &str, name: &str) -> Option<String> {
    let start = attributes.find(&format!(" {name}=\""))? + name.len() + 3;
    let (value, _) = attributes.get(start..)?.split_once('"')?;
    Some(plain(value))
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"<Response><Gather input="dtmf" numDigits="3" action="http://h/k?a=1&amp;b=2" actionOnEmptyResult="true"><Say language="uk-UA">Натисніть &quot;один&quot;.</Say></Gather><Say>Бувайте</Say><Hangup/></Response>"#;

    #[test]
    fn the_question_and_the_words_are_found() {
        let expected = Gather {
            action: "http://h/k?a=1&b=2".to_owned(),
            keys: Some(3),
            action_on_empty_result: true,
        };
        assert_eq!(gather(TEXT), Some(expected));
        assert_eq!(words(TEXT), ["Натисніть \"один\".", "Бувайте"]);
    }

    #[test]
    fn what_is_no_question_is_none() {
        assert_eq!(gather("<Response><Hangup/></Response>"), None);
        assert_eq!(gather("<Gather>"), None);
        assert!(words("<Say>cut off").is_empty());
    }
}
