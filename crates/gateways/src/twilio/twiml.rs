//! The spoken texts, in TwiML.

use cabinet_domain::{Locale, LoginPurpose};

/// Seconds of silence after the question before it counts as no answer.
const SILENCE_SECONDS: u8 = 8;

/// Returns the question for the person who answers. It says what is confirmed and how to refuse. The pressed key, or silence, is
/// reported to `key_url`.
pub(super) fn question(
    purpose: LoginPurpose,
    locale: Locale,
    voice_uk: &str,
    key_url: &str,
) -> String {
    let is_action = purpose == LoginPurpose::Confirmation;
    let question = match locale {
        Locale::Uk if is_action => {
            "Вітаємо. У вашому кабінеті нотаріуса потрібно підтвердити дію. Якщо її виконуєте ви, натисніть один. \
             Якщо ні, покладіть слухавку."
        }
        Locale::En if is_action => {
            "Hello. An action in your notary dashboard needs your confirmation. If it is yours, press one. \
             If not, hang up."
        }
        Locale::Uk => {
            "Вітаємо. Хтось входить до кабінету нотаріуса за вашим номером телефону. Якщо це ви, натисніть один. \
             Якщо ні, покладіть слухавку."
        }
        Locale::En => {
            "Hello. Someone is logging in to the notary dashboard with your phone number. If it is you, press one. \
             If not, hang up."
        }
    };
    format!(
        r#"<Response><Gather input="dtmf" numDigits="1" timeout="{SILENCE_SECONDS}" action="{action}" method="POST" actionOnEmptyResult="true">{say}</Gather><Hangup/></Response>"#,
        action = escape(key_url),
        say = say(locale, voice_uk, question),
    )
}

/// Returns the text after a key was pressed.
pub(super) fn reply(
    purpose: LoginPurpose,
    locale: Locale,
    voice_uk: &str,
    confirmed: bool,
) -> String {
    let is_action = purpose == LoginPurpose::Confirmation;
    let words = match (locale, confirmed) {
        (Locale::Uk, true) if is_action => "Дякуємо, дію підтверджено.",
        (Locale::Uk, false) if is_action => "Дію не підтверджено. До побачення.",
        (Locale::En, true) if is_action => "Thank you, the action is confirmed.",
        (Locale::En, false) if is_action => "The action is not confirmed. Goodbye.",
        (Locale::Uk, true) => "Дякуємо, вхід підтверджено.",
        (Locale::Uk, false) => "Вхід не підтверджено. До побачення.",
        (Locale::En, true) => "Thank you, the login is confirmed.",
        (Locale::En, false) => "The login is not confirmed. Goodbye.",
    };
    format!(
        "<Response>{}<Hangup/></Response>",
        say(locale, voice_uk, words)
    )
}

fn say(locale: Locale, voice_uk: &str, words: &str) -> String {
    let words = escape(words);
    match locale {
        Locale::Uk => {
            let voice = escape(voice_uk);
            format!(r#"<Say language="uk-UA" voice="{voice}">{words}</Say>"#)
        }
        Locale::En => format!(r#"<Say language="en-US">{words}</Say>"#),
    }
}

/// Escapes text for XML content and attributes.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_xml_whatever_stands_in_the_address() {
        let address = "https://cabinet.example/voice/key?a=1&b=\"<2>";
        let voice = "Google.uk-UA-Wavenet-A";
        let text = question(LoginPurpose::Login, Locale::Uk, voice, address);
        assert!(
            text.contains(
                r#"action="https://cabinet.example/voice/key?a=1&amp;b=&quot;&lt;2&gt;""#
            )
        );
        assert!(text.contains("натисніть один"));
        assert!(text.chars().count() < 4000);
        let english = question(LoginPurpose::Login, Locale::En, voice, address);
        assert!(english.contains("press one"));
    }

    #[test]
    fn a_call_says_what_it_confirms() {
        let spoken = |purpose| {
            [Locale::Uk, Locale::En].map(|locale| {
                let question = question(purpose, locale, "voice", "https://cabinet.example/key");
                let replies = [true, false].map(|yes| reply(purpose, locale, "voice", yes));
                question + &replies.concat()
            })
        };
        let [ukrainian, english] = spoken(LoginPurpose::Confirmation);
        assert!(
            ukrainian.contains("потрібно підтвердити дію")
                && ukrainian.contains("дію підтверджено")
        );
        assert!(!ukrainian.contains("вхід") && !ukrainian.contains("входить"));
        assert!(english.contains("An action") && english.contains("the action is confirmed"));
        assert!(!english.contains("log"));
        let [ukrainian, english] = spoken(LoginPurpose::Login);
        assert!(ukrainian.contains("вхід підтверджено") && !ukrainian.contains("дію"));
        assert!(english.contains("the login is confirmed") && !english.contains("action is"));
    }
}
