//! HTML of the frame's pages, in both languages.

use cabinet_app::payment::saved_cards::{Restorable, Wallet};
use cabinet_domain::{Key, Locale, kyiv_time};
use cabinet_gateways::acquirer::SavedCard;
use maud::{DOCTYPE, Markup, html};

use crate::pages::layout::Page;

/// A message above the list.
pub enum Notice {
    /// A card was removed.
    Deleted,
    /// A removed card was put back.
    Restored,
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
    undo: &'static str,
    restored: &'static str,
    removed: &'static str,
    removed_lead: &'static str,
    until: &'static str,
    restore: &'static str,
    closed: &'static str,
    try_again: &'static str,
}

const UK: Words = Words {
    title: "Збережені картки",
    lead: "Номери карток зберігає банк. Тут видно лише перші та останні цифри.",
    empty: "Збережених карток ще немає.",
    add: "Додати картку",
    delete: "Видалити картку",
    deleted: "Картку видалено. Оплатити нею вже не можна.",
    undo: "Скасувати видалення",
    restored: "Картку повернено до списку.",
    removed: "Нещодавно видалені",
    removed_lead: "Цими картками не можна платити. Картку можна повернути протягом 24 годин, потім її дані видалить і банк.",
    until: "можна повернути до",
    restore: "Повернути картку",
    closed: "Це посилання вже використано, або строк його дії минув. Оновіть сторінку «Мої картки».",
    try_again: "Спробувати ще раз",
};

const EN: Words = Words {
    title: "Saved cards",
    lead: "The bank keeps the card numbers. Only the first and last digits are shown here.",
    empty: "There are no saved cards yet.",
    add: "Add a card",
    delete: "Delete the card",
    deleted: "The card was deleted. It can no longer be used for payments.",
    undo: "Undo the deletion",
    restored: "The card is back in the list.",
    removed: "Recently deleted",
    removed_lead: "These cards can’t be used for payments. A card can be restored within 24 hours; after that the bank deletes its data, too.",
    until: "can be restored until",
    restore: "Restore the card",
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
        description: None,
        style: "/cards-frame/style.css",
        script: Some("/cards-frame/height.js"),
        body: html! { main aria-label=(title) { (body) } },
    };
    page.html()
}

/// Returns the list of cards.
pub fn cards(wallet: &Wallet, locale: Locale, notice: Option<Notice>) -> Markup {
    let words = words(locale);
    let Wallet { cards, removed } = wallet;
    let body = html! {
        h1 { (words.title) }
        p class="lead" { (words.lead) }
        @match notice {
            Some(Notice::Deleted) => (deleted(removed.first(), words)),
            Some(Notice::Restored) => p class="notice" role="status" { (words.restored) },
            Some(Notice::Failed(key)) => (failed(failure(key, locale))),
            None => {},
        }
        @if cards.is_empty() {
            p class="empty" { (words.empty) }
        } @else {
            ul { @for card in cards { (entry(card, words)) } }
        }
        form method="post" action="/cards-frame/add" { button { (words.add) } }
        @if !removed.is_empty() {
            h2 { (words.removed) }
            p class="lead" { (words.removed_lead) }
            ul { @for removed in removed { (removed_entry(removed, words)) } }
        }
    };
    document(locale, &body)
}

fn entry(card: &SavedCard, words: &Words) -> Markup {
    html! {
        li {
            span class="brand" { (brand(card.mask())) }
            span class="pan" { (card.mask()) }
            (button("/cards-frame/delete", card, words.delete))
        }
    }
}

/// Says that a card was removed, and offers to put it back.
fn deleted(latest: Option<&Restorable>, words: &Words) -> Markup {
    html! {
        div class="notice undo" {
            p role="status" { (words.deleted) }
            @if let Some(removed) = latest {
                (button("/cards-frame/restore", &removed.card, words.undo))
            }
        }
    }
}

fn removed_entry(removed: &Restorable, words: &Words) -> Markup {
    let until = kyiv_time(removed.until)
        .strftime("%d.%m.%Y %H:%M")
        .to_string();
    html! {
        li {
            span class="brand" { (brand(removed.card.mask())) }
            span class="pan" { (removed.card.mask()) }
            span class="until" { (words.until) " " (until) }
            (button("/cards-frame/restore", &removed.card, words.restore))
        }
    }
}

/// A button for one card. Its label names the card.
fn button(action: &str, card: &SavedCard, text: &str) -> Markup {
    let mask = card.mask();
    let first_of_last = mask.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
    let last = mask.get(first_of_last..).unwrap_or_default();
    html! {
        form method="post" action=(action) {
            input type="hidden" name="token" value=(card.token.expose());
            button class="quiet" aria-label={ (text) " " (last) } { (text) }
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
