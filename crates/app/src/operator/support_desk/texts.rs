//! The answer to a complaint.

use cabinet_domain::Line;

use crate::worker::outbox::{LetterText, Notice};

/// Returns the notice of an answered complaint.
pub(super) fn answered(number: Option<i64>, answer: &Line, support_phone: &str) -> Notice {
    let number = number.map_or(String::new(), |number| format!(" № {number}"));
    let answer = answer.as_str();
    let more = if support_phone.is_empty() {
        "зверніться до служби підтримки".to_owned()
    } else {
        format!("зателефонуйте до служби підтримки: {support_phone}")
    };
    Notice {
        short: format!("Відповідь на Ваше повідомлення{number}: {answer}"),
        letter: LetterText {
            subject: format!("Відповідь на повідомлення{number} про помилку в платежі"),
            text: format!(
                "Служба підтримки відповідає на Ваше повідомлення{number} про помилку в платежі:\n\n\
                 {answer}\n\n\
                 Якщо питання залишилося, {more}.\n"
            ),
        },
    }
}
