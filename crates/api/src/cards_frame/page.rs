//! The frame's HTML, in both languages.

use cabinet_domain::{Key, Locale};
use cabinet_gateways::acquirer::SavedCard;

use crate::offer::escape;

/// What is said above the list.
pub enum Notice {
    /// A card was removed.
    Deleted,
    /// Something failed.
    Failed(Key),
}

struct Words {
    title: &'static str,
    lead: &'static str,
    empty: &'static str,
    add: &'static str,
    delete: &'static str,
    deleted: &'static str,
    closed: &'static str,
    try_again: &'static str,
}

const UK: Words = Words {
    title: "Збережені картки",
    lead: "Номери карток зберігає банк. Тут видно лише перші та останні цифри.",
    empty: "Ще немає жодної картки.",
    add: "Додати картку",
    delete: "Вилучити картку",
    deleted: "Картку вилучено.",
    closed: "Це посилання вже використано або його час минув. Оновіть сторінку «Мої картки».",
    try_again: "Спробувати ще раз",
};

const EN: Words = Words {
    title: "Saved cards",
    lead: "The bank keeps the card numbers. Only the first and last digits are seen here.",
    empty: "No card yet.",
    add: "Add a card",
    delete: "Remove the card",
    deleted: "The card was removed.",
    closed: "This link was used already or has run out. Reload the page “My cards”.",
    try_again: "Try again",
};

const fn words(locale: Locale) -> &'static Words {
    match locale {
        Locale::Uk => &UK,
        Locale::En => &EN,
    }
}

const fn failure(key: Key, locale: Locale) -> &'static str {
    match (key, locale) {
        (Key::AcquirerUnavailable, Locale::Uk) => {
            "Банк зараз не відповідає. Спробуйте за кілька хвилин."
        }
        (Key::AcquirerUnavailable, Locale::En) => {
            "The bank does not answer now. Try again in a few minutes."
        }
        (Key::CardNotFound, Locale::Uk) => "Такої картки вже немає.",
        (Key::CardNotFound, Locale::En) => "That card is gone already.",
        (Key::AcquirerRefused, Locale::Uk) => {
            "Банк відмовив. Спробуйте іншу картку або зверніться до підтримки."
        }
        (Key::AcquirerRefused, Locale::En) => {
            "The bank refused. Try another card or ask the support."
        }
        (_, Locale::Uk) => "Щось пішло не так. Спробуйте ще раз.",
        (_, Locale::En) => "Something went wrong. Try again.",
    }
}

fn document(locale: Locale, body: &str) -> String {
    let (language, title) = (locale.code(), words(locale).title);
    format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"stylesheet\" href=\"/fonts.css\"><link rel=\"stylesheet\" href=\"/cards-frame/style.css\"><script src=\"/cards-frame/height.js\" defer></script></head><body><main aria-label=\"{title}\">{body}</main></body></html>"
    )
}

/// The list of cards.
pub fn cards(cards: &[SavedCard], locale: Locale, notice: Option<Notice>) -> String {
    let words = words(locale);
    let mut body = format!(
        "<h1>{}</h1><p class=\"lead\">{}</p>",
        words.title, words.lead
    );
    match notice {
        Some(Notice::Deleted) => body.push_str(&format!(
            "<p class=\"notice\" role=\"status\">{}</p>",
            words.deleted
        )),
        Some(Notice::Failed(key)) => body.push_str(&format!(
            "<p class=\"notice bad\" role=\"alert\">{}</p>",
            failure(key, locale)
        )),
        None => {}
    }
    if cards.is_empty() {
        body.push_str(&format!("<p class=\"empty\">{}</p>", words.empty));
    } else {
        body.push_str("<ul>");
        for card in cards {
            let mask = escape(card.masked_pan.as_str());
            let last: String = mask
                .chars()
                .rev()
                .take(4)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect();
            body.push_str(&format!(
                "<li><span class=\"brand\">{brand}</span><span class=\"pan\">{mask}</span>\
                 <form method=\"post\" action=\"/cards-frame/delete\"><input type=\"hidden\" name=\"token\" value=\"{token}\">\
                 <button class=\"quiet\" aria-label=\"{delete} {last}\">{delete}</button></form></li>",
                brand = brand(&mask),
                token = escape(card.token.expose()),
                delete = words.delete,
            ));
        }
        body.push_str("</ul>");
    }
    body.push_str(&format!(
        "<form method=\"post\" action=\"/cards-frame/add\"><button>{}</button></form>",
        words.add
    ));
    document(locale, &body)
}

/// The list can't be read now.
pub fn unavailable(key: Key, locale: Locale) -> String {
    let words = words(locale);
    let body = format!(
        "<h1>{}</h1><p class=\"notice bad\" role=\"alert\">{}</p><p><a href=\"/cards-frame\">{}</a></p>",
        words.title,
        failure(key, locale),
        words.try_again
    );
    document(locale, &body)
}

/// Leads on to the list by itself; nobody has time to read it.
pub fn back() -> String {
    "<!doctype html><html lang=\"uk\"><head><meta charset=\"utf-8\"><title>Збережені картки</title>\
     <meta http-equiv=\"refresh\" content=\"0;url=/cards-frame\"></head>\
     <body><a href=\"/cards-frame\">Збережені картки</a></body></html>"
        .to_owned()
}

/// The pass is no longer good.
pub fn closed(locale: Locale) -> String {
    let words = words(locale);
    document(
        locale,
        &format!(
            "<h1>{}</h1><p class=\"notice bad\" role=\"alert\">{}</p>",
            words.title, words.closed
        ),
    )
}

/// The brand by the first digit (specification, point 3).
fn brand(mask: &str) -> &'static str {
    match mask.chars().next() {
        Some('4') => "Visa",
        Some('5') => "Mastercard",
        Some('3') => "AmEx",
        _ => "Card",
    }
}
