//! Why a payment was refused or came back, in words.

use cabinet_domain::{Line, names_payment_card};

/// Longest reason, in characters.
const REASON_CHARS_MAX: usize = 300;
/// What a reason says where the bank says nothing.
const NOT_TOLD: &str = "Банк не назвав причини";

/// Codes of reasons (`ExternalStatusReason1Code`, `ExternalReturnReason1Code` of ISO 20022) with their meanings in Ukrainian.
const REASONS: &[(&str, &str)] = &[
    ("AC01", "Неправильний номер рахунку"),
    ("AC02", "Неправильний номер рахунку платника"),
    ("AC03", "Неправильний номер рахунку отримувача"),
    ("AC04", "Рахунок закрито"),
    ("AC06", "Рахунок заблоковано"),
    ("AC07", "Рахунок отримувача закрито"),
    ("AC13", "Рахунок платника іншого виду"),
    ("AC14", "Рахунок отримувача іншого виду"),
    ("AG01", "Операцію за рахунком заборонено"),
    ("AG02", "Неправильний код операції"),
    ("AM01", "Сума дорівнює нулю"),
    ("AM02", "Сума перевищує дозволену"),
    ("AM03", "Валюта не підтримується"),
    ("AM04", "Недостатньо коштів"),
    ("AM05", "Повторний платіж"),
    ("AM09", "Неправильна сума"),
    ("AM10", "Неправильна контрольна сума"),
    ("BE01", "Дані отримувача не відповідають рахунку"),
    ("BE04", "Немає адреси отримувача"),
    ("BE05", "Невідомий ініціатор платежу"),
    ("BE06", "Отримувача не знайдено"),
    ("BE07", "Немає адреси платника"),
    ("BE16", "Неправильний код платника"),
    ("BE17", "Неправильний код отримувача"),
    ("CH03", "Дата виконання надто пізня"),
    ("CNOR", "Банк отримувача не обслуговує такі платежі"),
    ("CURR", "Неправильна валюта"),
    ("CUST", "Відкликано платником"),
    ("CUTA", "Відкликано за запитом"),
    ("DT01", "Неправильна дата"),
    ("DU01", "Повторне повідомлення"),
    ("DU02", "Повторний пакет платежів"),
    ("DU03", "Повторний платіж"),
    ("DU04", "Повторний номер документа"),
    ("DU05", "Повторний номер інструкції"),
    ("DUPL", "Повторний платіж"),
    ("ED05", "Розрахунок не відбувся"),
    ("FF01", "Неправильний формат"),
    ("FOCR", "Повернено за запитом платника"),
    ("FR01", "Підозра на шахрайство"),
    ("FRAD", "Шахрайство"),
    ("MD07", "Отримувач помер"),
    ("MS02", "Причину не вказав отримувач"),
    ("MS03", "Причину не вказав банк"),
    ("NARR", "Причину вказано в тексті"),
    ("NOAS", "Отримувач не відповів"),
    ("RC01", "Неправильний код банку"),
    ("RC04", "Неправильний код банку отримувача"),
    ("RF01", "Неунікальний номер платежу"),
    ("RR01", "Немає рахунку або коду платника"),
    ("RR02", "Немає назви або адреси платника"),
    ("RR03", "Немає назви або адреси отримувача"),
    ("RR04", "Вимоги законодавства"),
    ("RR05", "Немає обов’язкової інформації для держави"),
    ("RR06", "Неправильна податкова інформація"),
    ("RR07", "Неправильне призначення платежу"),
    ("SL01", "Умови обслуговування платника"),
    ("SL02", "Умови обслуговування отримувача"),
    ("TM01", "Надіслано після закінчення операційного дня"),
    ("UPAY", "Безпідставний платіж"),
];

/// Codes by which a bank says that it had the same payment before.
const DUPLICATES: &[&str] = &[
    "AM05", "DU01", "DU02", "DU03", "DU04", "DU05", "DUPL", "RF01",
];

/// Returns whether a code says that the bank had the same payment before.
pub(crate) fn says_duplicate(code: &str) -> bool {
    DUPLICATES.contains(&code.trim())
}

/// Returns what a code of ISO 20022 means, in Ukrainian. `None`: the code is not in the list.
#[must_use]
pub fn reason_in_words(code: &str) -> Option<&'static str> {
    let found = REASONS.iter().find(|(known, _)| *known == code);
    found.map(|(_, words)| *words)
}

/// Returns the reason of a return as it is stored: the meaning of the code, the code, and the bank's own text. A text that names a
/// payment card, or cannot be stored, is left out.
pub(crate) fn reason_of<'a>(code: &str, told: impl IntoIterator<Item = &'a str>) -> String {
    let code = code.trim();
    let meaning = match (reason_in_words(code), code) {
        (Some(words), code) => format!("{words} ({code})"),
        (None, "") => String::new(),
        (None, code) => format!("Код причини {code}"),
    };
    let told: Vec<&str> = told.into_iter().collect();
    let mut told = told.join(" ");
    // Some banks write the meaning of the code out.
    if reason_in_words(code).is_some_and(|words| words == told.trim()) {
        told.clear();
    }
    let parts: Vec<String> = [meaning, told]
        .iter()
        .filter_map(|part| storable(part))
        .collect();
    storable(&parts.join(": ")).unwrap_or_else(|| NOT_TOLD.to_owned())
}

/// Returns the text as a line, shortened; `None` where it can't be stored.
fn storable(text: &str) -> Option<String> {
    let line = Line::parse(text, usize::MAX).ok()?.into_string();
    if names_payment_card(&line) {
        return None;
    }
    let short: String = line.chars().take(REASON_CHARS_MAX).collect();
    Some(short.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{DUPLICATES, REASON_CHARS_MAX, REASONS, reason_in_words, reason_of};

    #[test]
    fn a_reason_has_the_meaning_the_code_and_the_banks_text() {
        assert_eq!(reason_of("AC04", []), "Рахунок закрито (AC04)");
        assert_eq!(
            reason_of(" BE17 ", ["код не відповідає", "рахунку"]),
            "Неправильний код отримувача (BE17): код не відповідає рахунку"
        );
        assert_eq!(
            reason_of("AC04", ["Рахунок закрито "]),
            "Рахунок закрито (AC04)"
        );
        assert_eq!(reason_of("X9", ["Лист №5"]), "Код причини X9: Лист №5");
        assert_eq!(reason_of("", ["Рахунок закрито"]), "Рахунок закрито");
        for nothing in ["", " ", "\u{202e}"] {
            assert_eq!(reason_of("", [nothing]), "Банк не назвав причини");
        }
    }

    #[test]
    fn a_reason_names_no_card_and_fits() {
        let card = "картка 4242 4242 4242 4242";
        assert_eq!(reason_of("AC04", [card]), "Рахунок закрито (AC04)");
        assert_eq!(reason_of("", [card]), "Банк не назвав причини");
        let long = "ї".repeat(1000);
        assert_eq!(
            reason_of("AC04", [long.as_str()]).chars().count(),
            REASON_CHARS_MAX
        );
    }

    #[test]
    fn every_code_stands_once_and_has_a_meaning() {
        assert!(REASONS.is_sorted_by(|one, next| one.0 < next.0));
        for (code, words) in REASONS {
            assert!(code.len() == 4 && !words.is_empty(), "{code}");
        }
        for code in DUPLICATES {
            assert!(reason_in_words(code).is_some(), "{code}");
        }
    }
}
