//! The spoken texts, in TwiML.

use cabinet_domain::{Locale, LoginPurpose};

use crate::phone_calls::{PhoneCallRequest, SHOWN_DIGITS};

/// Seconds of silence after the question before it counts as no answer.
const SILENCE_SECONDS: u8 = 8;

/// Returns the question for the person who answers. It says what is confirmed and how to refuse. The pressed keys, or silence, are
/// reported to the `key_url`.
pub(super) fn question(request: &PhoneCallRequest, voice_uk: &str) -> String {
    let (locale, asks_more) = (request.locale, request.asks_for_shown_digits);
    let is_action = request.purpose == LoginPurpose::Confirmation;
    let what = match locale {
        Locale::Uk if is_action => "Вітаємо. У вашому кабінеті нотаріуса потрібно підтвердити дію.",
        Locale::En if is_action => {
            "Hello. An action in your notary dashboard needs your confirmation."
        }
        Locale::Uk => "Вітаємо. Хтось входить до кабінету нотаріуса за вашим номером телефону.",
        Locale::En => {
            "Hello. Someone is logging in to the notary dashboard with your phone number."
        }
    };
    let keys = match locale {
        Locale::Uk if asks_more => {
            "Якщо це ви, натисніть один, а потім дві цифри, які показує ваш екран. Якщо ні, покладіть слухавку. \
             Цифр, які вам хтось назвав, не вводьте."
        }
        Locale::En if asks_more => {
            "If it is you, press one, and then the two digits that your screen shows. If not, hang up. \
             Never enter digits that somebody has told you."
        }
        Locale::Uk if is_action => {
            "Якщо її виконуєте ви, натисніть один. Якщо ні, покладіть слухавку."
        }
        Locale::En if is_action => "If it is yours, press one. If not, hang up.",
        Locale::Uk => "Якщо це ви, натисніть один. Якщо ні, покладіть слухавку.",
        Locale::En => "If it is you, press one. If not, hang up.",
    };
    let key_count = 1 + if asks_more { SHOWN_DIGITS } else { 0 };
    format!(
        r#"<Response><Gather input="dtmf" numDigits="{key_count}" timeout="{SILENCE_SECONDS}" action="{action}" method="POST" actionOnEmptyResult="true">{say}</Gather><Hangup/></Response>"#,
        action = escape(&request.key_url),
        say = say(locale, voice_uk, &format!("{what} {keys}")),
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
    use cabinet_domain::Phone;

    fn asking(purpose: LoginPurpose, locale: Locale, key_url: &str) -> PhoneCallRequest {
        PhoneCallRequest {
            phone: Phone::parse("0501112233").unwrap(),
            purpose,
            asks_for_shown_digits: false,
            locale,
            key_url: key_url.to_owned(),
            progress_url: String::new(),
        }
    }

    #[test]
    fn instructions_are_xml_whatever_stands_in_the_address() {
        let address = "https://cabinet.example/voice/key?a=1&b=\"<2>";
        let voice = "Google.uk-UA-Wavenet-A";
        let text = question(&asking(LoginPurpose::Login, Locale::Uk, address), voice);
        assert!(
            text.contains(
                r#"action="https://cabinet.example/voice/key?a=1&amp;b=&quot;&lt;2&gt;""#
            )
        );
        assert!(text.contains("натисніть один"));
        assert!(text.chars().count() < 4000);
        let english = question(&asking(LoginPurpose::Login, Locale::En, address), voice);
        assert!(english.contains("press one"));
    }

    #[test]
    fn a_call_that_asks_for_the_digits_of_the_page_takes_three_keys() {
        let texts = [Locale::Uk, Locale::En].map(|locale| {
            let mut request = asking(LoginPurpose::Login, locale, "https://cabinet.example/key");
            let plain = question(&request, "voice");
            assert!(plain.contains(r#"numDigits="1""#), "{plain}");
            request.asks_for_shown_digits = true;
            question(&request, "voice")
        });
        assert!(texts.iter().all(|text| text.contains(r#"numDigits="3""#)));
        assert!(texts[0].contains("дві цифри, які показує ваш екран"));
        assert!(texts[1].contains("the two digits that your screen shows"));
    }

    #[test]
    fn a_call_says_what_it_confirms() {
        let spoken = |purpose| {
            [Locale::Uk, Locale::En].map(|locale| {
                let request = asking(purpose, locale, "https://cabinet.example/key");
                let question = question(&request, "voice");
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
