//! HTML of the frame's pages, in both languages.

use cabinet_domain::{Key, Locale};
use cabinet_gateways::acquirer::SavedCard;
use maud::{DOCTYPE, Markup, html};

use crate::pages::layout::Page;

/// A message above the list.
pub enum Notice {
    /// A card was removed.
    Deleted,
    /// An action failed.
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
    empty: "Збережених карток ще немає.",
    add: "Додати картку",
    delete: "Видалити картку",
    deleted: "Картку видалено.",
    closed: "Це посилання вже використано, або строк його дії минув. Оновіть сторінку «Мої картки».",
    try_again: "Спробувати ще раз",
};

const EN: Words = Words {
    title: "Saved cards",
    lead: "The bank keeps the card numbers. Only the first and last digits are shown here.",
    empty: "There are no saved cards yet.",
    add: "Add a card",
    delete: "Delete the card",
    deleted: "The card was deleted.",
    closed: "This link has already been used or has expired. Reload the page “My cards”.",
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
            "The bank is not responding. Try again in a few minutes."
        }
        (Key::CardNotFound, Locale::Uk) => "Ця збережена картка вже недоступна.",
        (Key::CardNotFound, Locale::En) => "This saved card is no longer available.",
        (Key::AcquirerRefused, Locale::Uk) => {
            "Банк відхилив запит. Спробуйте іншу картку або зверніться до служби підтримки."
        }
        (Key::AcquirerRefused, Locale::En) => {
            "The bank refused the request. Try another card or contact Support."
        }
        (_, Locale::Uk) => "Щось пішло не так. Спробуйте ще раз.",
        (_, Locale::En) => "Something went wrong. Try again.",
    }
}

fn document(locale: Locale, body: &Markup) -> Markup {
    let title = words(locale).title;
    let page = Page {
        language: locale.code(),
        title,
        style: "/cards-frame/style.css",
        script: Some("/cards-frame/height.js"),
        body: html! { main aria-label=(title) { (body) } },
    };
    page.html()
}

/// Returns the list of cards.
pub fn cards(cards: &[SavedCard], locale: Locale, notice: Option<Notice>) -> Markup {
    let words = words(locale);
    let body = html! {
        h1 { (words.title) }
        p class="lead" { (words.lead) }
        @match notice {
            Some(Notice::Deleted) => p class="notice" role="status" { (words.deleted) },
            Some(Notice::Failed(key)) => (failed(failure(key, locale))),
            None => {},
        }
        @if cards.is_empty() {
            p class="empty" { (words.empty) }
        } @else {
            ul { @for card in cards { (entry(card, words)) } }
        }
        form method="post" action="/cards-frame/add" { button { (words.add) } }
    };
    document(locale, &body)
}

fn entry(card: &SavedCard, words: &Words) -> Markup {
    let mask = card.mask();
    let first_of_last = mask.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
    let last = mask.get(first_of_last..).unwrap_or_default();
    html! {
        li {
            span class="brand" { (brand(mask)) }
            span class="pan" { (mask) }
            form method="post" action="/cards-frame/delete" {
                input type="hidden" name="token" value=(card.token.expose());
                button class="quiet" aria-label={ (words.delete) " " (last) } { (words.delete) }
            }
        }
    }
}

fn failed(text: &str) -> Markup {
    html! { p class="notice bad" role="alert" { (text) } }
}

/// Returns the page for a list that can't be loaded.
pub fn unavailable(key: Key, locale: Locale) -> Markup {
    let words = words(locale);
    let body = html! {
        h1 { (words.title) }
        (failed(failure(key, locale)))
        p { a href="/cards-frame" { (words.try_again) } }
    };
    document(locale, &body)
}

/// Returns the page that redirects to the list at once.
pub fn back() -> Markup {
    html! {
        (DOCTYPE)
        html lang="uk" {
            head {
                meta charset="utf-8";
                title { (UK.title) }
                meta http-equiv="refresh" content="0;url=/cards-frame";
            }
            body { a href="/cards-frame" { (UK.title) } }
        }
    }
}

/// Returns the page for an invalid ticket or cookie.
pub fn closed(locale: Locale) -> Markup {
    let words = words(locale);
    document(
        locale,
        &html! { h1 { (words.title) } (failed(words.closed)) },
    )
}

/// Returns the brand by the first digit (specification, point 3).
fn brand(mask: &str) -> &'static str {
    match mask.chars().next() {
        Some('4') => "Visa",
        Some('5') => "Mastercard",
        Some('3') => "AmEx",
        _ => "Card",
    }
}
